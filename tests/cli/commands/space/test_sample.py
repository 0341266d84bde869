"""`zconsole sample`: prints and keeps what pools use, and the units of a timer for it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from tests.reports.captured import RECORDED_AT
from tests.reports.schema import SPACE_SAMPLE, mismatch
from zconsole.cli import run
from zconsole.reports.systemd_timer import Job, timer_units
from zconsole.storage.space_samples import SpaceStore

Screen = pytest.CaptureFixture[str]
USES = "zfs list -Hp -t filesystem,volume -o name,usedbydataset,usedbysnapshots"


def test_a_sample_is_printed_and_kept(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors")
    host.answers[USES] = b"tank\t100\t0\ntank/big\t900\t50\n"
    reach(monkeypatch, local=host)

    assert 0 == run(["sample", "--jsonl"])

    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, SPACE_SAMPLE)
    (kept,) = SpaceStore().samples("storage24", int(document["guid"]))
    assert (int(RECORDED_AT), document["used_bytes"]) == (kept.at, kept.used_bytes)
    assert {"tank", "tank/big"} == set(SpaceStore().uses("storage24", int(document["guid"])))


def test_a_pool_that_cannot_be_read_ends_with_3(monkeypatch: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors")
    host.answers[USES] = b"tank\t100\n"
    reach(monkeypatch, local=host)

    assert 3 == run(["sample", "tank"])
    assert "expected 3 fields" in capsys.readouterr().err
    assert 3 == run(["sample", "none"])
    assert "there is no pool none" in capsys.readouterr().err
    assert not SpaceStore().path.exists()


def test_a_sample_that_cannot_be_kept_is_printed_and_ends_with_3(
    monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    host = nas("healthy-mirrors")
    host.answers[USES] = b""
    reach(monkeypatch, local=host)
    path = SpaceStore().path
    path.parent.mkdir(parents=True)
    path.write_bytes(b"not a database at all" * 99)

    assert 3 == run(["sample"])
    out, err = capsys.readouterr()
    assert "storage24 tank: " in out
    assert "file is not a database" in err
    assert b"not a database at all" * 99 == path.read_bytes()


def test_nothing_of_the_practice_host_is_kept(capsys: Screen) -> None:
    assert 0 == run(["sample", "--demo"])
    assert 3 == capsys.readouterr().out.count("Not kept: this host is not real.")
    assert not SpaceStore().path.exists()


def test_the_units_are_printed_for_the_host_and_pool_that_were_given(capsys: Screen) -> None:
    assert 0 == run(["sample", "tank", "--print-timer", "--host", "nas1"])
    out = capsys.readouterr().out
    assert " sample --host nas1 tank\n" in out
    assert "OnCalendar=hourly" in out

    assert 0 == run(["sample", "--print-timer", "timer"])
    assert capsys.readouterr().out.startswith("[Unit]\n")
    assert 2 == run(["sample", "--print-timer", "cron"])
    assert 2 == run(["sample", "--print-timer", "--demo"])


@pytest.mark.parametrize("is_root", [True, False])
def test_the_units_are_what_systemd_understands(tmp_path: Path, is_root: bool) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    job = Job(("/bin/true", "sample", "--host", "user@nas1", 'we"ird 100% $HOME'), is_root)
    for unit in ("service", "timer"):
        (tmp_path / f"zconsole-sample.{unit}").write_text(timer_units(job, unit))

    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, sorted(tmp_path.glob("*.*")))],
        capture_output=True,
        text=True,
        check=False,
    )

    ours = [line for line in verified.stderr.split("\n") if "zconsole-sample" in line]
    assert [] == ours
    assert r'"we\"ird 100%% $$HOME"' in timer_units(job, "service")
    whole = timer_units(job)
    assert ("systemctl --user" in whole) != is_root
