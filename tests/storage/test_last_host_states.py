"""The last known pools of a host: kept whole, bounded, and nothing once damaged."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import disk, group, host, pool
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.model.pools.pool import Count, Scan
from zconsole.storage import last_host_states
from zconsole.storage.last_host_states import LastHostStates, LastPools

AT = 1_800_000_000.0
SCAN = Scan("resilver", "scanning", 1_799_999_000, percent=41.5, issued_bytes=7 << 40, errors=0)
FAILED = disk("failed", "FAULTED", guid=3, read_errors=Count(14), write_errors=Count(486, is_rounded=True))
TANK = replace(
    pool(group("mirror-0", group("spare-0", FAILED, disk("spare", guid=4)), disk("b", guid=5)), scan=SCAN),
    usable_used_bytes=3 << 40,
    usable_available_bytes=5 << 40,
    error_count=2,
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def state() -> HostState:
    known = host(TANK)
    return replace(known, link=LinkStatus(LinkState.UP), pools_at=1.0)


def file_of(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_what_was_kept_is_known_to_the_next_console(tmp_path: Path) -> None:
    kept = LastHostStates(tmp_path / "last")

    assert kept.keep(state(), AT)

    assert LastPools(AT, (TANK,)) == LastHostStates(tmp_path / "last").of("nas1", AT + 60)
    assert kept.of("nas2", AT + 60) is None
    assert 0o700 == (tmp_path / "last").stat().st_mode & 0o777
    assert 0o600 == file_of(tmp_path / "last").stat().st_mode & 0o777


@pytest.mark.parametrize(
    "other",
    [
        replace(state(), link=LinkStatus(LinkState.DOWN)),
        replace(state(), pools_at=None),
        replace(state(), recalled_at=AT),
        replace(state(), pools=(replace(state().pools[0], pool=Reading()),)),
        replace(state(), pools=(replace(state().pools[0], pool=Reading(TANK, 0.0, "no answer")),)),
    ],
)
def test_only_what_was_just_read_is_kept(other: HostState, tmp_path: Path) -> None:
    assert not LastHostStates(tmp_path).keep(other, AT)
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"{}", b"\xff", b'{"schema": 1}', b"[" * 100_000])
def test_a_damaged_file_is_no_state(damage: bytes, tmp_path: Path) -> None:
    kept = LastHostStates(tmp_path)
    kept.keep(state(), AT)
    file_of(tmp_path).write_bytes(damage)

    assert kept.of("nas1", AT + 1) is None
    assert kept.keep(state(), AT + 2)
    assert kept.of("nas1", AT + 3) is not None


@pytest.mark.parametrize(
    ("key", "value"),
    [("host", "another"), ("schema", 2), ("at", AT + 9), ("at", "1"), ("at", True), ("pools", 3)],
)
def test_a_file_of_something_else_is_no_state(key: str, value: object, tmp_path: Path) -> None:
    kept = LastHostStates(tmp_path)
    kept.keep(state(), AT)
    file = file_of(tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: value}))

    assert kept.of("nas1", AT + 1) is None


@given(st.sampled_from(["state", "guid", "vdevs", "scan", "error_count", "read_errors", "name"]), JSON)
def test_no_value_of_another_type_gets_into_a_pool(
    tmp_path_factory: pytest.TempPathFactory, key: str, value: object
) -> None:
    folder = tmp_path_factory.mktemp("last")
    kept = LastHostStates(folder)
    kept.keep(state(), AT)
    file = file_of(folder)
    document = json.loads(file.read_text())
    document["pools"][0][key] = value
    file.write_text(json.dumps(document))

    found = kept.of("nas1", AT + 1)

    if found is not None:
        (read,) = found.pools
        assert isinstance(read.state, str)
        assert read.guid is None or isinstance(read.guid, int)
        assert all(isinstance(each.name, str) for each in read.walk())


def test_files_are_bounded_in_number_and_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_host_states, "MOST_HOSTS", 3)
    kept = LastHostStates(tmp_path)
    for number in range(5):
        before = set(tmp_path.iterdir())
        assert kept.keep(replace(state(), host=f"nas{number}"), AT)
        (made,) = set(tmp_path.iterdir()) - before
        os.utime(made, (number, number))

    assert [False, False, True, True, True] == [
        kept.of(f"nas{number}", AT + 1) is not None for number in range(5)
    ]

    monkeypatch.setattr(last_host_states, "MOST_BYTES", 100)
    assert not kept.keep(replace(state(), host="large"), AT)


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "last").write_text("in the way")

    assert not LastHostStates(tmp_path / "last").keep(state(), AT)
    assert LastHostStates(tmp_path / "last").of("nas1", AT) is None


@pytest.mark.parametrize(
    "name", ["local", "root@nas.example:2222", "ssh://a/../../b", "..", "x" * 5000, "n\udcff"]
)
def test_every_name_of_a_host_is_a_file_in_the_folder(name: str, tmp_path: Path) -> None:
    kept = LastHostStates(tmp_path / "last")

    assert kept.keep(replace(state(), host=name), AT)

    assert tmp_path / "last" == file_of(tmp_path / "last").parent
    assert kept.of(name, AT) is not None
