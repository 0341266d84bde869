"""What is run to call libzfs_core, and what its answers say."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.base.errors import ParseError
from zconsole.zfs import core, core_call

WAY = ("/usr/bin/python3", "-I", core_call.PROGRAM)


def test_the_systems_python_comes_first_for_its_package_fits_the_hosts_zfs() -> None:
    ways = core_call.ways()

    assert WAY == ways[0]
    assert {"/usr/bin/python3", sys.executable} == {way[0] for way in ways}
    assert all(Path(way[2]).is_absolute() and Path(way[2]).is_file() for way in ways)


def test_where_python_does_not_know_its_own_name_the_systems_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "")

    assert (WAY,) == core_call.ways()


@pytest.mark.parametrize(
    ("call", "verb", "request_"),
    [
        (
            core_call.snapshot(WAY, ["tank@a"], ["tank/b@a"]),
            "snapshot",
            {"snapshots": ["tank@a"], "below": ["tank/b@a"]},
        ),
        (core_call.destroy_snapshots(WAY, ["tank@a"]), "destroy-snaps", {"snapshots": ["tank@a"]}),
        (
            core_call.snaprange_space(WAY, [("tank@a", "tank@b")]),
            "snaprange-space",
            {"ranges": [["tank@a", "tank@b"]]},
        ),
        (
            core_call.rollback_to(WAY, "tank/b@a"),
            "rollback-to",
            {"dataset": "tank/b", "snapshot": "tank/b@a"},
        ),
        (core_call.hold(WAY, "ä\udcff", ["tank@a"]), "hold", {"tag": "ä\udcff", "snapshots": ["tank@a"]}),
        (core_call.release(WAY, "keep", ["tank@a"]), "release", {"tag": "keep", "snapshots": ["tank@a"]}),
    ],
)
def test_the_verb_is_in_the_argv_and_all_else_on_stdin(
    call: core_call.Call, verb: str, request_: object
) -> None:
    assert (*WAY, verb) == call.argv
    assert verb in core.VERBS
    assert call.stdin is not None
    assert call.stdin.isascii()
    assert request_ == json.loads(call.stdin)


def test_a_name_has_a_line_of_its_own_where_a_plan_is_shown() -> None:
    call = core_call.destroy_snapshots(WAY, ["tank@a", "tank@b"])

    assert [' "snapshots": [', '  "tank@a",', '  "tank@b"', " ]"] == (call.stdin or "").splitlines()[1:-1]


@given(size=st.integers(0, 2**64 - 1))
def test_the_space_is_read_back(size: int) -> None:
    assert size == core_call.parse_space(json.dumps({"done": True, "bytes": size}))


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
        core_call.parse_space(text)


def test_only_the_measuring_call_is_taken_for_it() -> None:
    assert core_call.is_snaprange_space(core_call.snaprange_space(WAY, [("tank@a", "tank@b")]).argv)
    assert not core_call.is_snaprange_space(core_call.destroy_snapshots(WAY, ["tank@a"]).argv)
    assert not core_call.is_snaprange_space(("zfs", "destroy", "-nvp", "tank@a"))
