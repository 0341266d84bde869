"""The programs that destroy and promote: their arguments, what they check, and that they check it first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zconsole.hosts.host import Completed, Outcome
from zconsole.zfs.change.channel_program import (
    DESTROY,
    MOST_CHARACTERS,
    MOST_OBJECTS,
    DestroyTarget,
    as_lua_number,
    destroy,
    in_programs,
    may_run,
    refusal,
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
    argv = destroy("tank", [DestroyTarget("tank/a@x", guid, 7)])

    assert ("zfs", "program", "-j", "tank", "-", "tank/a@x") == argv[:6]
    assert not any(word.startswith("-") for word in argv[6:])


@pytest.mark.parametrize("name", ["tank", "other/a@x", "tank/a#", "tank/a@", "tanker@x"])
def test_only_what_is_in_the_pool_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="not in tank"):
        destroy("tank", [DestroyTarget(name, 1, 1)])


def test_everything_is_checked_before_anything_is_destroyed() -> None:
    order = [DESTROY.index(word) for word in ("zfs.get_prop", "zfs.check.destroy", "zfs.sync.destroy")]

    assert sorted(order) == order
    assert DESTROY.rindex("zfs.check.") < DESTROY.index("zfs.sync.destroy")
    assert DESTROY.index("for i = 1, #argv, 4 do") < DESTROY.index("zfs.check.destroy")


@given(st.lists(st.integers(1, 240), max_size=1500))
def test_programs_are_no_longer_than_a_shell_takes_and_leave_nothing_out(lengths: list[int]) -> None:
    objects = [DestroyTarget(f"tank/{'a' * length}@{at}", at, 7) for at, length in enumerate(lengths)]

    parts = list(in_programs(objects))

    assert objects == [each for part in parts for each in part]
    for part in parts:
        assert len(part) <= MOST_OBJECTS
        assert sum(len(word) + 1 for each in part for word in each.words) <= MOST_CHARACTERS


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            "Channel program execution failed:\ntank/a is gone\nstack traceback:\n\t[C]: in function 'error'",
            "tank/a is gone",
        ),
        ("cannot open 'tank': no such pool", "cannot open 'tank': no such pool"),
        ("", ""),
    ],
)
def test_what_a_program_says_is_told_without_the_frames_of_lua(said: str, expected: str) -> None:
    assert expected == refusal(said)


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
