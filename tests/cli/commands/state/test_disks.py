"""`zconsole disks`: of the practice host, of a host without smartctl, of one that tells no disks."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import DISKS, mismatch
from zconsole.cli import run

Screen = pytest.CaptureFixture[str]
UNUSED = "S6ESNX0W901744"


def test_the_practice_host_tells_its_disks_worst_first(capsys: Screen) -> None:
    assert 0 == run(["disks", "--demo", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, DISKS)
    first, *others = document["disks"]
    assert ("VLGX4P7Y", "failed", "vault", 24) == (
        first["serial"], first["trouble"], first["pool"], first["health"]["pending"]
    )  # fmt: skip
    assert "failed" not in {each["trouble"] for each in others}
    assert 34 == len(document["disks"])


def test_in_words_the_table_comes_first_and_then_what_is_wrong(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")

    assert 0 == run(["disks", "--demo"])

    shown = capsys.readouterr().out
    lines = shown.split("\n")
    assert lines[0].startswith("practice · 34 disks · 1 failed")
    assert lines[2].startswith("VLGX4P7Y")
    assert "112 sectors reallocated" in shown
    assert 100 >= max(map(len, lines[:30]))


def test_without_smartctl_the_disks_are_told_and_why_their_health_is_not(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = nas("healthy-mirrors")
    for program in ("smartctl", "sudo", "doas"):
        host.answers[program] = failed(program, 127, b"not found")
    host.answers["id"] = b"uid=0(root) gid=0(root)\n"
    reach(monkeypatch, local=host)

    assert 0 == run(["disks"])

    shown = capsys.readouterr().out
    assert "SMART data is not known: smartctl is not installed" in shown
    assert "tank mirror-0" in shown
    assert 1 >= sum(line.startswith("smartctl") for line in host.commands) - 3  # not one a disk


def test_a_host_that_cannot_list_its_disks_is_an_error(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = nas("healthy-mirrors")
    host.answers["lsblk"] = failed("lsblk", 1, b"lsblk: failed to access sysfs directory")
    reach(monkeypatch, local=host)

    assert 3 == run(["disks"])

    assert "could not be listed" in capsys.readouterr().err


def test_a_read_test_of_an_unused_disk_prints_its_speed(capsys: Screen) -> None:
    assert 0 == run(["disks", "--demo", "--read-test", UNUSED])
    assert "read test passed: 192 MiB at" in capsys.readouterr().out

    assert 0 == run(["disks", "--demo", "--json", "--read-test", UNUSED])
    document = json.loads(capsys.readouterr().out)
    assert ("practice", UNUSED, "passed") == (document["host"], document["disk"], document["read_test"])
    assert document["bytes_per_s"] > 50 << 20


def test_a_disk_in_use_is_not_tested(capsys: Screen) -> None:
    assert 0 != run(["disks", "--demo", "--read-test", "VLGX4P7Y"])

    assert "it is not tested" in capsys.readouterr().err
