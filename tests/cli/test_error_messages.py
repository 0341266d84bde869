"""What is wrong, and on the next lines what to do."""

from __future__ import annotations

import pytest

from zconsole.base.errors import CommandFailed, UsageError, ZConsoleError
from zconsole.cli.error_messages import complain, complain_of_each


@pytest.mark.parametrize(
    ("expected", "error"),
    [
        ("zconsole: no pool\n", UsageError("no pool")),
        ("zconsole: no pool\n  Pools: tank.\n", UsageError("no pool", hint="Pools: tank.")),
        (
            "zconsole: it failed\n  cannot open\n  no such pool\n  Try again.\n",
            CommandFailed("it failed", said="cannot open\n\n no such pool\n", hint="Try again."),
        ),
    ],
)
def test_each_part_has_its_line(
    expected: str, error: ZConsoleError, capsys: pytest.CaptureFixture[str]
) -> None:
    complain(error)

    assert ("", expected) == capsys.readouterr()


def test_what_a_host_said_is_never_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    complain(CommandFailed("it failed \x1b[2J", said="\x1b]0;gone\x07"))

    assert "\x1b" not in capsys.readouterr().err


def test_of_many_answers_the_errors_are_told_and_the_worst_is_the_exit_code(
    capsys: pytest.CaptureFixture[str],
) -> None:
    error, usage = ZConsoleError("nas1 is down"), UsageError("no pool")

    assert max(error.exit_code, usage.exit_code) == complain_of_each(["an answer", error, usage])
    assert "zconsole: nas1 is down\nzconsole: no pool\n" == capsys.readouterr().err
    assert 0 == complain_of_each(["an answer"])
