"""`zconsole repair`: of the practice host, and of a host where all is well."""

from __future__ import annotations

import json

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.scripted_host import failed
from tests.reports.schema import REPAIRS, mismatch
from zconsole.cli import run
from zconsole.model.journal import Entry
from zconsole.storage.disks.cold_swap_hosts import cold_swap_path
from zconsole.storage.journal import Journal, JournalError

Screen = pytest.CaptureFixture[str]


def test_the_practice_host_tells_the_repair_of_its_failed_disk(capsys: Screen) -> None:
    assert 1 == run(["repair", "--demo", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, REPAIRS)
    (repair,) = document["repairs"]
    assert ("vault", "VLGX4P7Y", "failed", "disk") == (
        repair["pool"], repair["device"]["serial"], repair["trouble"], repair["cause"]
    )  # fmt: skip
    assert ["resilver-runs"] == [each["id"] for each in repair["not_now"]]


def test_in_words_each_step_is_told(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")

    assert 1 == run(["repair", "vault", "--demo"])

    shown = capsys.readouterr().out
    assert "VLGX4P7Y has failed" in shown
    assert "7 after-care" in shown
    assert 100 >= max(map(len, shown.split("\n")))


def test_a_sound_host_needs_nothing(capsys: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    found = nas("healthy-mirrors")
    found.answers["id"] = b"uid=0(root) gid=0(root)\n"
    found.answers["smartctl"] = failed("smartctl", 127, b"not found")
    found.answers["zpool events"] = b""
    reach(monkeypatch, local=found)

    assert 0 == run(["repair"])

    assert "no device needs a repair" in capsys.readouterr().out


def test_the_report_for_a_ticket_is_markdown(capsys: Screen) -> None:
    assert 1 == run(["repair", "--demo", "--report"])

    assert capsys.readouterr().out.startswith("# VLGX4P7Y in vault mirror-0 has failed\n")


def test_json_and_a_report_are_not_asked_for_together(capsys: Screen) -> None:
    assert 2 == run(["repair", "--demo", "--report", "--json"])

    assert "two forms of one answer" in capsys.readouterr().err


def test_a_journal_that_cannot_be_read_costs_who_and_when(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> tuple[Entry, ...]:
        raise JournalError("the journal is damaged")

    monkeypatch.setattr(Journal, "entries", broken)

    assert 1 == run(["repair", "--demo", "--json"])

    shown = capsys.readouterr()
    assert "the journal is damaged" in shown.err
    assert [] == json.loads(shown.out)["repairs"][0]["runs"]


def test_larger_disks_for_a_vdev_are_led_through_on_the_command_line(capsys: Screen) -> None:
    assert 1 == run(["repair", "tank", "--grow", "mirror-0", "--demo", "--json"])

    (repair,) = json.loads(capsys.readouterr().out)["repairs"]
    assert ("too_small", "mirror-0") == (repair["trouble"], repair["vdev"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--grow", "mirror-0"], "need the pool"),
        (["tank", "--grow", "mirror-0", "--mirror", "x"], "two procedures"),
        (["tank", "--mirror", "mirror-9"], "tank has no vdev mirror-9"),
    ],
)
def test_a_procedure_that_cannot_be_is_refused_in_words(capsys: Screen, words: list[str], said: str) -> None:
    assert 2 == run(["repair", *words, "--demo"])

    assert said in capsys.readouterr().err


def test_an_unknown_pool_is_3_and_a_sentence(capsys: Screen) -> None:
    assert 3 == run(["repair", "nosuch", "--demo"])

    said = capsys.readouterr()
    assert "there is no pool nosuch on practice" in said.err
    assert "" == said.out


def test_a_damaged_list_of_hosts_without_hot_swap_is_told(capsys: Screen) -> None:
    file = cold_swap_path()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{")

    assert 1 == run(["repair", "vault", "--demo"])

    said = " ".join(capsys.readouterr().err.split())
    assert f"{file} is damaged; whether disks are swapped while this host runs is not known" in said


@pytest.mark.parametrize(("state", "leads"), [(b"SUSPENDED\n", True), (b"ONLINE\n", False)])
def test_a_suspended_pool_whose_status_does_not_answer_is_led_on_from(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch, state: bytes, *, leads: bool
) -> None:
    found = nas("disk-faulted")
    found.answers["zpool status -j"] = failed("zpool status", 1, b"cannot open 'tank': pool I/O is suspended")
    found.files["/proc/spl/kstat/zfs/tank/state"] = state
    reach(monkeypatch, local=found)

    assert 3 == run(["repair", "tank"])

    said = capsys.readouterr().err
    assert leads is ("zconsole plan clear tank" in said)
    assert leads is ("Put back the disks that are gone" in said)


def test_what_could_not_be_asked_comes_after_the_steps(
    capsys: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zconsole.cli.commands.changes.repair.complain", print)

    run(["repair", "--demo=failed-disk"])

    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("practice · 1 repair")
    assert "practice: 1 other disk of the host was not asked for SMART data" == lines[-1]
