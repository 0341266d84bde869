"""One `zfs` command: its options, how it ends, and when the pool's history has it."""

from __future__ import annotations

import pytest

from zconsole.practice import create_world
from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.zfs.command_invocation import RunningSubcommand


def running(*args: str) -> RunningSubcommand:
    return RunningSubcommand(create_world("mirror 0 1", disks=2), "hold", args, "r")


def test_options_and_operands_are_told_apart() -> None:
    command = running("-r", "keep", "tank@a")

    assert command.has("r")
    assert not command.has("x")
    assert ["keep", "tank@a"] == command.operands == command.exactly("missing tag", "missing snapshot")


@pytest.mark.parametrize(
    ("complaint", "args"), [("missing snapshot", ("keep",)), ("too many arguments", ("a", "b", "c"))]
)
def test_a_wrong_number_of_operands_ends_with_the_usage(complaint: str, args: tuple[str, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        running(*args).exactly("missing tag", "missing snapshot")

    assert 2 == refused.value.reply.status
    assert refused.value.reply.stderr.startswith(complaint)


def test_a_complaint_lets_the_command_go_on_and_fail_in_the_end() -> None:
    command = running("keep", "tank@a")

    command.say("done")
    command.complain("not all of it")

    assert command.has_failed()
    assert Reply("done\n", "not all of it\n", 1) == command.reply()


def test_a_failure_keeps_what_was_printed_before() -> None:
    command = running("keep", "tank@a")
    command.say("so far")

    assert Reply("so far\n", "no more\n", 1) == command.failed("no more").reply


@pytest.mark.parametrize("fails", [False, True])
def test_the_history_has_commands_that_succeeded(*, fails: bool) -> None:
    command = running("keep", "tank@a")
    pool = command.world.pools["tank"]
    before = len(pool.history)

    command.changed(pool)
    if fails:
        command.complain("no")
    command.reply()

    assert (0 if fails else 1) == len(pool.history) - before
