"""The console needs a terminal."""

from __future__ import annotations

from tests.cli.fakes import Screen
from zconsole.cli import run


def test_the_console_needs_a_terminal(capsys: Screen) -> None:
    assert 2 == run([])
    err = capsys.readouterr().err
    assert "needs a terminal" in err
    assert "zconsole status" in err
