"""The commands that change datasets: what they can hit, and that none is forced."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.zfs.change import dataset_argv
from zconsole.zfs.change.dataset_argv import (
    clone,
    create_filesystem,
    create_volume,
    destroy_bookmark,
    destroy_dataset,
    destroy_snapshots,
    rename,
    rollback,
    snapshot,
)


@given(dataset=st.text(), names=st.lists(st.text()))
def test_what_destroys_snapshots_names_snapshots_or_nothing(dataset: str, names: list[str]) -> None:
    """Whatever a caller hands over: an @ is in it, and no range that could mean more than was reviewed."""
    try:
        word = destroy_snapshots(dataset, names)[-1]
    except ValueError:
        return

    base, at, rest = word.partition("@")
    assert (dataset, "@", names) == (base, at, rest.split(","))
    assert "%" not in word


def test_a_bookmark_is_not_taken_for_a_dataset() -> None:
    with pytest.raises(ValueError, match="not a bookmark"):
        destroy_bookmark("tank/home")


def test_no_command_is_forced() -> None:
    assert '"-f"' not in inspect.getsource(dataset_argv)
    assert '"-F"' not in inspect.getsource(dataset_argv)


@pytest.mark.parametrize(
    ("expected", "argv"),
    [
        ("zfs create -p -o atime=off tank/a b", create_filesystem("tank/a b", ["atime=off"], parents=True)),
        ("zfs create -s -V 10G tank/v", create_volume("tank/v", "10G", sparse=True)),
        ("zfs snapshot -r tank@a", snapshot(["tank@a"], recursive=True)),
        ("zfs snapshot tank@a tank/b@a", snapshot(["tank@a", "tank/b@a"])),
        ("zfs destroy -r tank/a", destroy_dataset("tank/a", recursive=True)),
        ("zfs destroy -R tank/a", destroy_dataset("tank/a", recursive=True, with_clones=True)),
        ("zfs destroy tank/a@x,y", destroy_snapshots("tank/a", ["x", "y"])),
        ("zfs rollback -r tank/a@x", rollback("tank/a@x", recursive=True)),
        ("zfs clone -o readonly=on tank/a@x tank/b", clone("tank/a@x", "tank/b", ["readonly=on"])),
        ("zfs rename -r tank@a tank@b", rename("tank@a", "tank@b", recursive=True)),
    ],
)  # fmt: skip
def test_they_read_as_an_administrator_would_type_them(expected: str, argv: tuple[str, ...]) -> None:
    assert expected == " ".join(argv)
