"""`zconsole keys`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.reports.schema import KEYS, mismatch
from zconsole.cli import run
from zconsole.views.layout.screen_key_registry import ACTIONS, use_keys


def test_every_action_is_listed_in_the_documented_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["keys", "--json"])

    told = json.loads(capsys.readouterr().out)
    assert not mismatch(told, KEYS)
    assert [action.id for action in ACTIONS] == [each["name"] for each in told["keys"]]


def test_a_key_is_found_by_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == run(["keys", "destroy", "marked"])

    told = capsys.readouterr().out
    assert "Del, Ctrl+D" in told
    assert "Copy what the cursor is on" not in told


def test_own_keys_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "keys.toml").write_text('[keys]\nwhy = "Q"\n', encoding="utf-8")
    monkeypatch.setattr("zconsole.cli.console.config_folder", lambda: tmp_path)
    try:
        assert 0 == run(["keys", "--json", "evidence", "slow"])
    finally:
        use_keys({})

    why, *_ = json.loads(capsys.readouterr().out)["keys"]
    assert (["Q"], ["w"]) == (why["keys"], why["usual_keys"])


def test_words_that_no_key_has_are_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == run(["keys", "frobnicate"])
    assert "no key does" in capsys.readouterr().err


def test_the_names_for_the_file_are_told_though_the_file_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "keys.toml").write_text('[keys]\nscrub = "F9"\n', encoding="utf-8")
    monkeypatch.setattr("zconsole.cli.console.config_folder", lambda: tmp_path)

    assert 3 == run(["keys"])
    assert "`zconsole keys --names`" in capsys.readouterr().err
    assert 0 == run(["keys", "--names"])
    told = capsys.readouterr().out.split()
    assert {action.id for action in ACTIONS} <= set(told)
