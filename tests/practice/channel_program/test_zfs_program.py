"""`zfs program` on the practice host: what the kernel's library answers, as seen on OpenZFS 2.1 and 2.4."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply

MADE = (
    "zfs create tank/a",
    "zfs create tank/a/b",
    "zfs snapshot -r tank/a@1",
    "zfs clone tank/a@1 tank/c",
    "zfs create -V 16M tank/v",
)


def told(stage: Stage, text: str, *words: str) -> Reply:
    """What `zfs program` says to a text on stdin."""
    reply = answer(stage.world, ["zfs", "program", "-j", "tank", "-", *words], text.encode())
    assert isinstance(reply, Reply)
    return reply


@pytest.mark.parametrize(
    ("call", "prepare", "expected"),
    [
        ('zfs.check.destroy("tank/a@1")', (), 17),  # it has a clone
        ('zfs.check.destroy("tank/a/b@1")', (), 0),
        ('zfs.check.destroy("tank/a/b@1")', ("zfs hold keep tank/a/b@1",), 16),
        ('zfs.check.destroy("tank/a")', (), 16),
        ('zfs.check.destroy("tank/a")', ("zfs unmount tank/a",), 16),  # it has a snapshot
        ('zfs.check.destroy("tank/c")', (), 16),
        ('zfs.check.destroy("tank/c")', ("zfs unmount tank/c",), 0),
        ('zfs.check.destroy("tank/v")', (), 0),
        ('zfs.check.destroy("tank/none")', (), 2),
        ('zfs.check.rollback("tank/a")', (), 16),
        ('zfs.check.rollback("tank/a")', ("zfs unmount tank/a",), 0),
        ('zfs.check.promote("tank/a")', (), 22),
        ('zfs.check.promote("tank/c")', (), 0),
    ],
)
def test_a_check_answers_with_a_number(call: str, prepare: tuple[str, ...], expected: int) -> None:
    stage = Stage(*MADE, *prepare)

    reply = told(stage, f"return {call}")

    assert (f'{{"return": {expected}}}\n', 0) == (reply.stdout, reply.status)


def test_what_was_done_before_an_error_stays_done() -> None:
    stage = Stage(*MADE, "zfs unmount tank/c")

    reply = told(stage, 'zfs.sync.destroy("tank/c") error("enough", 0)')

    assert 1 == reply.status
    assert reply.stderr.startswith("Channel program execution failed:\nenough\nstack traceback:")
    assert "tank/c" not in stage.does("zfs list -Ho name").split()
    assert "zfs program" in stage.does("zpool history tank")


def test_a_rehearsal_changes_nothing() -> None:
    stage = Stage(*MADE, "zfs unmount tank/c")

    reply = answer(stage.world, ["zfs", "program", "-jn", "tank", "-"], b'return zfs.sync.destroy("tank/c")')

    assert isinstance(reply, Reply)
    assert '{"return": 0}\n' == reply.stdout
    assert "tank/c" in stage.does("zfs list -Ho name").split()


def test_the_trial_is_complained_of_where_programs_run() -> None:
    stage = Stage()

    assert '[string "channel program"]:2: unexpected symbol near <eof>' in told(stage, "return (\n").stderr
    stage.world.runs_programs = False
    assert "Permission denied" in told(stage, "return (\n").stderr


def test_lists_and_properties_are_those_of_the_pool() -> None:
    stage = Stage(*MADE)
    text = """
    local all = ""
    for each in zfs.list.children("tank/a") do all = all .. each .. " " end
    for each in zfs.list.snapshots("tank/a") do all = all .. each .. " " end
    for each in zfs.list.clones("tank/a@1") do all = all .. each .. " " end
    return all .. (zfs.get_prop("tank/c", "origin")) .. " " .. (zfs.get_prop("tank/v", "type"))
    """

    reply = told(stage, text)

    assert '{"return": "tank/a/b tank/a@1 tank/c tank/a@1 volume"}\n' == reply.stdout


def test_another_pool_is_out_of_reach() -> None:
    stage = Stage(*MADE)

    reply = told(stage, 'return zfs.exists("other/a"), 1')

    assert '{"return": false}\n' == reply.stdout
