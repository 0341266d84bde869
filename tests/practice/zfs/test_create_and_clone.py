"""`zfs create` and `zfs clone`."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import MIB, Stage
from zconsole.zfs.listing import datasets

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_what_is_created_is_listed_mounted_and_remembered() -> None:
    stage = Stage()

    stage.does("zfs create -p -o compression=zstd-3 -o com.example:owner=ann tank/x/y/z")

    listed = stage.does(" ".join(datasets.list_datasets().argv))
    made = {found.name: found for found in datasets.parse_datasets(listed)}
    assert {"tank", "tank/x", "tank/x/y", "tank/x/y/z"} == made.keys()
    assert ("zstd-3", True) == (made["tank/x/y/z"].compression, made["tank/x/y/z"].is_mounted)
    assert "ann" == stage.get("tank/x/y/z", "com.example:owner")
    assert "zfs create -p -o compression=zstd-3 -o com.example:owner=ann tank/x/y/z" in list(stage.history())


@pytest.mark.parametrize(
    ("size", "given_options", "volsize", "refreservation"),
    [
        ("512M", "", 512 * MIB, 547356672),  # as on the captured host
        ("512M", "-s ", 512 * MIB, 0),
        ("100000", "", 114688, 114688 + 2 * 8 * 131072),
        ("64M", "-b 64K ", 64 * MIB, 64 * MIB + 2 * 8 * 131072),
    ],
)
def test_a_volume_is_reserved_whole_unless_it_is_sparse(
    size: str, given_options: str, volsize: int, refreservation: int
) -> None:
    stage = Stage(f"zfs create {given_options}-V {size} tank/v")

    assert (volsize, refreservation) == (
        stage.size("tank/v", "volsize"),
        stage.size("tank/v", "refreservation"),
    )


def test_a_dry_run_creates_nothing() -> None:
    stage = Stage()

    told = stage.does("zfs create -nvp -o quota=1G tank/x/y")
    exact = stage.does("zfs create -nP -V 16M tank/v")

    assert "would create ancestors of tank/x/y\nwould create tank/x/y\n\tquota=1G\n" == told
    assert exact.startswith("create\ttank/v\nproperty\trefreservation\t")
    assert {"tank"} == stage.names()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("zfs create tank/a", "cannot create 'tank/a': dataset already exists\n"),
        ("zfs create tank/no/b", "cannot create 'tank/no/b': parent does not exist\n"),
        ("zfs create tank/v/b", "cannot create 'tank/v/b': parent is not a filesystem\n"),
        ("zfs create other/b", "cannot create 'other/b': no such pool 'other'\n"),
        ("zfs create tank", "cannot create 'tank': missing dataset name\n"),
        ("zfs create tank/x@y", "cannot create 'tank/x@y': snapshot delimiter '@' is not expected here\n"),
        ("zfs create tank/x[y]", "cannot create 'tank/x[y]': invalid character '[' in name\n"),
        ("zfs create tank/../x", "cannot create 'tank/../x': parent reference, '..' is found in name\n"),
        ("zfs create -V 900G tank/big", "cannot create 'tank/big': out of space\n"),
        ("zfs create -o nosuch=1 tank/x", "cannot create 'tank/x': invalid property 'nosuch'\n"),
        ("zfs create -o volmode=dev tank/v/x", "cannot create 'tank/v/x': parent is not a filesystem\n"),
        ("zfs create -o volsize=1G tank/x",
         "cannot create 'tank/x': 'volsize' does not apply to datasets of this type\n"),
        ("zfs create -V 0 tank/x", "cannot create 'tank/x': volume size cannot be zero\n"),
        ("zfs create -V 12Q tank/x", "bad volume size '12Q': invalid numeric suffix 'Q'\n"),
    ],
)  # fmt: skip
def test_refusals_to_create(command: str, words: str) -> None:
    assert (1, words) == Stage(*MADE).refuses(command)


def test_a_clone_takes_nothing_until_it_diverges() -> None:
    stage = Stage(*MADE)
    stage.write("tank/a", 8)
    stage.does("zfs snapshot tank/a@s1")

    stage.does("zfs clone -p -o quota=1G tank/a@s1 tank/x/y/c")

    assert 0 == stage.size("tank/x/y/c", "used")
    assert stage.size("tank/a", "referenced") == stage.size("tank/x/y/c", "referenced")
    assert "tank/a@s1" == stage.get("tank/x/y/c", "origin")
    assert "tank/x/y/c" == stage.get("tank/a@s1", "clones")
    assert ("1", "yes") == (stage.get("tank/a@s1", "numclones"), stage.get("tank/x/y/c", "mounted"))
