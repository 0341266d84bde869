"""What is wrong, and on the next lines what to do."""

from __future__ import annotations

import pytest

from zconsole.base.errors import CommandFailed, UsageError, ZConsoleError
from zconsole.cli.error_messages import complain


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
