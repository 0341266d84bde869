"""How a host words what became of a command, so that every kind of host says it alike."""

from __future__ import annotations

import signal
from typing import Final

from zconsole.hosts.host import Command, Completed, Outcome

NOT_FOUND: Final = 127  # as a shell and env(1) say it
NOT_RUN: Final = 126  # found, or never looked for, but not started
MAX_STDERR_BYTES: Final = 64 * 1024  # the last words count; the rest is dropped


def ended(
    command: Command, status: int, stdout: bytes, stderr: bytes, *, duration_s: float = 0.0
) -> Completed:
    """It ended, and we saw it end: done with status 0, failed with any other."""
    outcome = Outcome.DONE if status == 0 else Outcome.FAILED
    return Completed(command, outcome, status, stdout, stderr, duration_s=duration_s)


def never_started(command: Command, reason: str, *, status: int = NOT_RUN, said: bytes = b"") -> Completed:
    """It is certain that it did not run; `said` are the words of what should have started it."""
    return Completed(command, Outcome.FAILED, status, b"", said, reason)


def unknown(
    command: Command, reason: str, stdout: bytes = b"", stderr: bytes = b"", *, duration_s: float = 0.0
) -> Completed:
    """It may have run, in part or whole: only the facts on the host can tell."""
    return Completed(command, Outcome.UNKNOWN, None, stdout, stderr, reason, duration_s)


def past_deadline(command: Command) -> str:
    """The reason of a command that was given up."""
    return f"no answer within {command.timeout_s:g} s"


def too_large(command: Command) -> str:
    """The reason of a command that said too much."""
    return f"it printed more than {command.max_bytes} bytes"


def killed_by(number: int) -> str:
    """The reason of a command that a signal ended."""
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    return f"it was killed by {name}"


def unsendable(argv: tuple[str, ...]) -> str:
    """Why no host can run this argv, or nothing."""
    if not argv or not argv[0]:
        return "there is no program to run"
    if any("\0" in word for word in argv):
        return "an argument holds a NUL byte"
    try:
        for word in argv:
            word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return "an argument holds text that is no UTF-8"
    return ""
