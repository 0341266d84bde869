"""The program that destroys snapshots: its arguments, and the order of its text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.hosts.host import Completed, Outcome
from zconsole.zfs.channel_program import (
    DESTROY_SNAPSHOTS,
    as_lua_number,
    destroy_snapshots,
    may_run,
    try_program,
)


@given(guid=st.integers(0, (1 << 64) - 1))
def test_a_guid_is_the_same_number_modulo_2_to_64(guid: int) -> None:
    number = as_lua_number(guid)

    assert guid == number % (1 << 64)
    assert -(1 << 63) <= number < 1 << 63


@given(guid=st.integers(0, (1 << 64) - 1))
def test_no_argument_reads_as_an_option(guid: int) -> None:
    """A guid of 2^63 and more is negative to the program."""
    argv = destroy_snapshots("tank", [("tank/a@x", guid)])

    assert ("zfs", "program", "-j", "tank", "-", "tank/a@x") == argv[:6]
    assert not argv[6].startswith("-")


@pytest.mark.parametrize("name", ["tank/a", "other/a@x", "tank/a#x", "tank/a@", "tanker@x"])
def test_only_snapshots_of_the_pool_are_named(name: str) -> None:
    with pytest.raises(ValueError, match="not a snapshot of tank"):
        destroy_snapshots("tank", [(name, 1)])


def test_everything_is_checked_before_anything_is_destroyed() -> None:
    order = [
        DESTROY_SNAPSHOTS.index(word) for word in ("zfs.get_prop", "zfs.check.destroy", "zfs.sync.destroy")
    ]

    assert sorted(order) == order
    assert 2 == DESTROY_SNAPSHOTS.count("for i = 1, #argv, 2 do")


def test_the_trial_is_no_program() -> None:
    """What runs, even with -n, is in the history of the pool for ever: seen on OpenZFS 2.4."""
    trial = try_program("tank")

    assert ("zfs", "program", "-jn", "tank", "-") == trial.argv
    assert b"return (\n" == trial.stdin


@pytest.mark.parametrize(
    ("expected", "outcome", "said"),
    [
        (True, Outcome.FAILED, b'[string "channel program"]:2: unexpected symbol near <eof>\n'),
        (False, Outcome.FAILED, b"Permission denied. Channel programs must be run as root.\n"),
        (False, Outcome.FAILED, b"cannot open 'tank': no such pool\n"),
        (False, Outcome.UNKNOWN, b'[string "channel program"]'),
        (False, Outcome.DONE, b""),
    ],
)
def test_programs_run_where_lua_complains_of_the_trial(expected: bool, outcome: Outcome, said: bytes) -> None:
    status = None if outcome is Outcome.UNKNOWN else int(outcome is Outcome.FAILED)

    assert expected is may_run(Completed(try_program("tank"), outcome, status, b"", said))
