"""What every kind of host says alike."""

from __future__ import annotations

import pytest

from zconsole.hosts import build_command_results
from zconsole.hosts.host import Command, Outcome

COMMAND = Command(("zpool", "status"), timeout_s=2.5, max_bytes=10)


@pytest.mark.parametrize(
    ("status", "outcome"), [(0, Outcome.DONE), (1, Outcome.FAILED), (255, Outcome.FAILED)]
)
def test_a_status_that_was_seen_decides(status: int, outcome: Outcome) -> None:
    completed = build_command_results.ended(COMMAND, status, b"out", b"err", duration_s=1.5)

    assert (outcome, status, b"out", b"err", "", 1.5) == (
        completed.outcome,
        completed.status,
        completed.stdout,
        completed.stderr,
        completed.reason,
        completed.duration_s,
    )


def test_what_never_started_failed_and_what_is_unknown_has_no_status() -> None:
    assert (Outcome.FAILED, 126) == (
        build_command_results.never_started(COMMAND, "no").outcome,
        build_command_results.never_started(COMMAND, "no").status,
    )
    assert (Outcome.UNKNOWN, None) == (
        build_command_results.unknown(COMMAND, "gone").outcome,
        build_command_results.unknown(COMMAND, "gone").status,
    )


def test_reasons_give_the_numbers() -> None:
    assert "no answer within 2.5 s" == build_command_results.past_deadline(COMMAND)
    assert "it printed more than 10 bytes" == build_command_results.too_large(10)
    assert "it was killed by SIGKILL" == build_command_results.killed_by(9)
    assert "it was killed by signal 250" == build_command_results.killed_by(250)


@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        (("zpool", "list"), ""),
        (("zpool", "a\udce9b", "", "a\nb"), ""),
        ((), "there is no program to run"),
        (("", "x"), "there is no program to run"),
        (("zfs", "a\0b"), "an argument holds a NUL byte"),
        (("zfs", "a\ud800b"), "an argument holds text that is not UTF-8"),
    ],
)
def test_an_argv_that_no_system_can_run_is_named(argv: tuple[str, ...], reason: str) -> None:
    assert reason == build_command_results.unsendable(argv)
