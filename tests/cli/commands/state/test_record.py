"""Recordings of hosts are played to the same facts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.fakes import Screen, nas, reach
from zconsole.base.user_config_file import Config
from zconsole.cli import run
from zconsole.cli.commands.state.record import RecordRequest, run_record
from zconsole.cli.selected_hosts import HostSelection


def test_what_was_recorded_is_replayed_to_the_same_facts(
    mp: pytest.MonkeyPatch, capsys: Screen, tmp_path: Path
) -> None:
    reach(mp, local=nas("spare-in-use", "local"))
    folder = tmp_path / "recording"
    run(["status", "--json"])
    live = json.loads(capsys.readouterr().out)

    assert 0 == run_record(RecordRequest(folder, HostSelection(), for_s=0.0), Config())
    assert f"zconsole --replay {folder}" in capsys.readouterr().out
    assert 0 == run(["status", "--json", "--replay", str(folder)])

    of_account = {"smart": None}  # what this account has kept is not the host's
    assert live | of_account == json.loads(capsys.readouterr().out)


def test_several_hosts_are_recorded_side_by_side(
    mp: pytest.MonkeyPatch, capsys: Screen, tmp_path: Path
) -> None:
    reach(mp, a=nas("healthy-mirrors", "a/../b"), b=nas("healthy-mirrors", "b"))

    run_record(RecordRequest(tmp_path / "r", HostSelection(("a", "b")), for_s=0.0), Config())

    assert ["1-a_.._b", "2-b"] == sorted(path.name for path in (tmp_path / "r").iterdir())
    capsys.readouterr()
    run(["status", "--json", "--replay", str(tmp_path / "r")])
    assert ["a/../b", "b"] == [each["host"] for each in json.loads(capsys.readouterr().out)["hosts"]]


def test_a_folder_that_holds_no_recording_is_said(capsys: Screen, tmp_path: Path) -> None:
    assert 2 == run(["status", "--replay", str(tmp_path)])
    assert "holds no recording" in capsys.readouterr().err
