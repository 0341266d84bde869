"""What a command printed, for display."""

from __future__ import annotations

import pytest

from zconsole.execution.steps.run_step_command import all_said
from zconsole.hosts.host import Command, Completed, Outcome


@pytest.mark.parametrize(
    ("stdout", "stderr", "reason", "words"),
    [
        (b"done\n", b"", "", "done"),
        (b"a\n", b"b\n", "", "a\nb"),
        (b"", b"\xff\n", "", "\ufffd"),
        (b"", b"\n", "it timed out", "it timed out"),
    ],
)
def test_both_streams_are_said_or_the_reason(stdout: bytes, stderr: bytes, reason: str, words: str) -> None:
    assert words == all_said(Completed(Command(("true",)), Outcome.DONE, 0, stdout, stderr, reason))
