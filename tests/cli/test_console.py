"""The console needs a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.fakes import Screen
from zconsole.cli import run


def test_the_console_needs_a_terminal(capsys: Screen) -> None:
    assert 2 == run([])
    err = capsys.readouterr().err
    assert "needs a terminal" in err
    assert "zconsole status" in err


def test_a_theme_that_there_is_not_is_an_error_which_names_those_that_there_are(capsys: Screen) -> None:
    assert 2 == run(["--demo", "--theme", "nope"])
    err = capsys.readouterr().err
    assert "there is no theme 'nope'" in err
    assert "ansi, colour-blind, dark, high-contrast, light" in err


def test_a_theme_that_cannot_be_used_is_an_error_with_its_reason(
    capsys: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    folder = tmp_path / "zconsole/themes"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text("title = 3\n")

    assert 2 == run(["--demo", "--theme", "mine"])

    assert "mine.toml: there is no table [styles]" in capsys.readouterr().err
