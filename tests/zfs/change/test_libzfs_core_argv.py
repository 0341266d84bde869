"""What is run to call libzfs_core_child, and what its answers say."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.zfs.change import libzfs_core_argv, libzfs_core_child

WAY = ("/usr/bin/python3", "-I", libzfs_core_argv.PROGRAM)


def test_the_systems_python_comes_first_for_its_package_fits_the_hosts_zfs() -> None:
    ways = libzfs_core_argv.ways()

    assert WAY == ways[0]
    assert {"/usr/bin/python3", sys.executable} == {way[0] for way in ways}
    assert all(Path(way[2]).is_absolute() and Path(way[2]).is_file() for way in ways)


def test_where_python_does_not_know_its_own_name_the_systems_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "")

    assert (WAY,) == libzfs_core_argv.ways()


@pytest.mark.parametrize(
    ("call", "verb", "request_"),
    [
        (
            libzfs_core_argv.snapshot(WAY, ["tank@a"], ["tank/b@a"]),
            "snapshot",
            {"snapshots": ["tank@a"], "below": ["tank/b@a"]},
        ),
        (libzfs_core_argv.destroy_snapshots(WAY, ["tank@a"]), "destroy-snaps", {"snapshots": ["tank@a"]}),
        (
            libzfs_core_argv.snaprange_space(WAY, [("tank@a", "tank@b")]),
            "snaprange-space",
            {"ranges": [["tank@a", "tank@b"]]},
        ),
        (
            libzfs_core_argv.rollback_to(WAY, "tank/b@a"),
            "rollback-to",
            {"dataset": "tank/b", "snapshot": "tank/b@a"},
        ),
        (
            libzfs_core_argv.hold(WAY, "ä\udcff", ["tank@a"]),
            "hold",
            {"tag": "ä\udcff", "snapshots": ["tank@a"]},
        ),
        (
            libzfs_core_argv.release(WAY, "keep", ["tank@a"]),
            "release",
            {"tag": "keep", "snapshots": ["tank@a"]},
        ),
    ],
)
def test_the_verb_is_in_the_argv_and_all_else_on_stdin(
    call: libzfs_core_argv.CoreCall, verb: str, request_: object
) -> None:
    assert (*WAY, verb) == call.argv
    assert verb in libzfs_core_child.VERBS
    assert call.stdin is not None
    assert call.stdin.isascii()
    assert request_ == json.loads(call.stdin)


def test_a_name_has_a_line_of_its_own_where_a_plan_is_shown() -> None:
    call = libzfs_core_argv.destroy_snapshots(WAY, ["tank@a", "tank@b"])

    assert [' "snapshots": [', '  "tank@a",', '  "tank@b"', " ]"] == (call.stdin or "").splitlines()[1:-1]


@given(size=st.integers(0, 2**64 - 1))
def test_the_space_is_read_back(size: int) -> None:
    assert size == libzfs_core_argv.parse_space(json.dumps({"done": True, "bytes": size}))


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", "null", '{"done": true}', '{"bytes": 7}', '{"done": false, "bytes": 7}'),
        *('{"done": true, "bytes": -1}', '{"done": true, "bytes": true}', '{"done": true, "bytes": "7"}'),
        *('{"done": true, "bytes": 1.5}', '{"done": 1, "bytes": 7}', "[" * 100_000),
    ],
)
def test_what_is_no_answer_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(ParseError):
        libzfs_core_argv.parse_space(text)


def test_only_the_measuring_call_is_taken_for_it() -> None:
    assert libzfs_core_argv.is_snaprange_space(
        libzfs_core_argv.snaprange_space(WAY, [("tank@a", "tank@b")]).argv
    )
    assert not libzfs_core_argv.is_snaprange_space(libzfs_core_argv.destroy_snapshots(WAY, ["tank@a"]).argv)
    assert not libzfs_core_argv.is_snaprange_space(("zfs", "destroy", "-nvp", "tank@a"))
