"""Results of commands, worded alike for every kind of host."""

from __future__ import annotations

import signal
from typing import Final

from zconsole.hosts.host import Command, Completed, Outcome

NOT_RECORDED: Final = "it is not in the recording"  # reason: a recording lacks the question
NOT_FOUND: Final = 127  # exit status of a shell and env(1) for an unknown program
NOT_RUN: Final = 126  # exit status of a program that was found but not started, or not looked up
MAX_STDERR_BYTES: Final = 64 * 1024  # the end is kept, the rest is dropped


def ended(
    command: Command, status: int, stdout: bytes, stderr: bytes, *, duration_s: float = 0.0
) -> Completed:
    """Result of a command that was seen to end: done with status 0, otherwise failed."""
    outcome = Outcome.DONE if status == 0 else Outcome.FAILED
    return Completed(command, outcome, status, stdout, stderr, duration_s=duration_s)


def never_started(command: Command, reason: str, *, status: int = NOT_RUN, said: bytes = b"") -> Completed:
    """Result of a command that certainly did not run; `said` is the message of the failed starter."""
    return Completed(command, Outcome.FAILED, status, b"", said, reason)


def unknown(
    command: Command, reason: str, stdout: bytes = b"", stderr: bytes = b"", *, duration_s: float = 0.0
) -> Completed:
    """Result of a command that may have run partly or completely: only facts on the host can tell."""
    return Completed(command, Outcome.UNKNOWN, None, stdout, stderr, reason, duration_s)


def past_deadline(command: Command) -> str:
    """Reason of a command that exceeded its timeout."""
    return f"no answer within {round(command.timeout_s, 1):g} s"


def too_large(max_bytes: int) -> str:
    """Reason of a command whose output was too large."""
    return f"it printed more than {max_bytes} bytes"


def killed_by(number: int) -> str:
    """Reason of a command that was killed by a signal."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return f"it was killed by {name}"


def unsendable(argv: tuple[str, ...]) -> str:
    """Why no host can run this argv, or an empty string."""
    if not argv or not argv[0]:
        return "there is no program to run"
    if any("\0" in word for word in argv):
        return "an argument holds a NUL byte"
    try:
        for word in argv:
            word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "an argument holds text that is not UTF-8"
    return ""
