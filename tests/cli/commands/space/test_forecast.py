"""`zconsole forecast`: in text and JSON, of the practice host, a recording, and of too little."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import FORECAST, mismatch
from zconsole.base.user_config_file import config_folder
from zconsole.cli import run

Screen = pytest.CaptureFixture[str]


def test_the_practice_host_has_a_history(capsys: Screen) -> None:
    assert 0 == run(["forecast", "--demo", "bulk", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, FORECAST)
    assert "guess" == document["basis"]["source"]
    assert document["confidence"] is None
    assert document["trend"]["bytes_per_day"] > 0
    at = document["at"]
    for level in document["reaches"]:
        assert at <= level["earliest"] <= level["likely"]
    assert "bulk/backup/pbs" == document["growing"]["datasets"][0]["name"]


def test_it_is_told_in_sentences_with_a_chart(capsys: Screen) -> None:
    assert 0 == run(["forecast", "--demo", "bulk"])

    lines = capsys.readouterr().out.split("\n")
    assert "TiB usable are used (78%); full likely 20" in lines[0]
    assert lines[1].startswith("  80 % 34.8 TiB likely 20")
    begin, end = (next(at for at, line in enumerate(lines) if mark in line) for mark in ("┤", "█ used"))
    chart = lines[begin : end + 1]
    for level in ("100 % 43.5 TiB", "90 % 39.1 TiB", "80 % 34.8 TiB"):
        assert any(line.endswith(level) for line in chart)
    assert chart[0].startswith("  45.2 TiB ┤")
    assert max(map(len, chart)) < 80
    assert "now" in chart[-2]
    assert "It is a guess: how often its ranges hold is not known." in lines


def test_the_chart_is_drawn_in_ascii_where_the_terminal_has_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stdout = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
    monkeypatch.setattr(sys, "stdout", stdout)

    assert 0 == run(["forecast", "--demo", "bulk"])
    assert "#OOO" in stdout.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]


def test_a_recording_holds_what_a_forecast_needs(tmp_path: Path, capsys: Screen) -> None:
    folder = tmp_path / "kept"
    assert 0 == run(["record", "--demo", "--for", "1", str(folder)])
    capsys.readouterr()

    assert 0 == run(["forecast", "--replay", str(folder), "tank"])
    assert "practice" not in capsys.readouterr().err


def test_a_host_that_tells_too_little_ends_with_3(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors")
    host.answers["zpool history"] = failed("zpool history", 1, b"permission denied")
    host.answers["zfs list -Hp -t filesystem,volume,snapshot"] = failed("zfs list", 1, b"no")
    reach(monkeypatch, local=host)

    assert 3 == run(["forecast", "--json"])
    (document,) = json.loads(capsys.readouterr().out)["pools"]
    assert "" == mismatch(document, FORECAST)
    assert document["trend"] is None
    assert "nothing is known" in document["too_little"]
    assert [] == document["reaches"]

    assert 3 == run(["forecast"])
    assert "Too little is known to say when it is full" in capsys.readouterr().out
    assert 3 == run(["forecast", "none"])
    assert "there is no pool none" in capsys.readouterr().err


def test_a_prometheus_that_is_down_is_a_note_and_what_there_is_serves(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    config = config_folder() / "config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(
        'prometheus_url = "http://127.0.0.1:1"\n[hosts.nas1]\nprometheus_selector = \'instance=~"nas1:.*"\'\n'
    )
    host = nas("healthy-mirrors")
    host.answers["zpool history"] = failed("zpool history", 1, b"permission denied")
    old = "tank\tfilesystem\t1780000000\t9000000\t0\t9000000\t0\t0\t-\n"
    snapshots = "".join(
        f"tank@{day}\tsnapshot\t{1_780_000_000 + day * 86_400}\t{day * 50_000}\t0\t-\t-\t-\t-\n"
        for day in range(1, 150, 5)
    )
    host.answers["zfs list -Hp -t filesystem,volume,snapshot"] = (old + snapshots).encode()
    reach(monkeypatch, nas1=host)

    assert 0 == run(["forecast", "--host", "nas1"])
    out = capsys.readouterr().out
    assert "Note: Prometheus at 127.0.0.1:1 cannot be reached." in out or "is needed" in out
    assert "Based on a guess" in out


def test_the_guests_that_a_full_pool_stops_are_named_with_the_date(capsys: Screen) -> None:
    assert 0 == run(["forecast", "--demo", "tank"])
    text = capsys.readouterr().out
    assert 0 == run(["forecast", "--demo", "--json", "tank"])
    document = json.loads(capsys.readouterr().out)

    assert "When it is full, likely 20" in text
    assert "write errors in the guest, whose file systems fail or go read-only: db03 (vda)" in text
    told = {each["guest"]: (each["effect"], each["has_reserved"]) for each in document["guests_when_full"]}
    assert ("sees-errors", False) == told["db03"]
    assert ("paused", True) == told["db01"]
    assert ("paused", False) == told["mail01"]
