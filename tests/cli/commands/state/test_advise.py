"""`zconsole advise`, and what it silences: from the arguments to the file and to the next command."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from tests.reports.captured import RECORDED_AT
from tests.reports.schema import ADVISE, mismatch
from zconsole.base.notifications.silences import Silence, add_silence, load_silences
from zconsole.base.user_config_file import config_folder
from zconsole.cli import run
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Evidence, Finding, Severity
from zconsole.storage.replication_last_compared import remember_comparison

SINGLE = ("vdev-without-redundancy", "tank wwn-0x5000c500a0000006")
UNTIL = str(datetime.now(tz=UTC).date() + timedelta(days=365))
SILENCE = ("advise", "--silence", *SINGLE, "--reason", 'scratch "only"', "--until", UNTIL)


def without_host_settings(host: ScriptedHost) -> ScriptedHost:
    """The host, on which the settings of its ZFS module cannot be read."""
    host.answers["sh -c { cd /sys/module/zfs/parameters"] = failed("sh", 1, b"no")
    return host


def test_a_sound_pool_has_no_advice(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("raidz2-healthy", "local", pool="bulk"))

    assert 0 == run(["advise"])
    first, _, *groups = capsys.readouterr().out.splitlines()
    assert "local: nothing to advise." == first
    assert "Structure: nothing to advise on 1 pool." == groups[0]
    assert "Guests: no libvirt on this host." in groups


def test_settings_that_cannot_be_read_are_no_all_clear(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=without_host_settings(nas("raidz2-healthy", "local", pool="bulk")))

    assert 3 == run(["advise"])
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert "local: nothing known to advise, not all of it was read." == first
    assert second.startswith("Not judged: the settings of the ZFS module and of zed cannot be read: ")


@pytest.mark.parametrize("name", ["status", "advise", "check"])
def test_a_file_of_silences_that_is_wrong_silences_nothing_and_is_said(
    name: str, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas("every-class", "local"))
    assert 0 == run(list(SILENCE))
    with (config_folder() / "silences.toml").open("a") as file:
        file.write("[[silence\n")
    capsys.readouterr()

    run([name])

    said = capsys.readouterr()
    assert "silences.toml is not valid TOML" in said.out + said.err
    assert "Nothing is silenced" in said.out + said.err
    assert "wwn-0x5000c500a0000006" in said.out


def test_a_silence_on_an_id_that_no_finding_has_is_said(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("raidz2-healthy", "local", pool="bulk"))
    made = Silence(
        "local", "raidz-wid", "tank", "x", datetime(2026, 1, 1, tzinfo=UTC), datetime(2099, 1, 1, tzinfo=UTC)
    )
    add_silence(config_folder(), made)

    assert 0 == run(["advise"])
    assert "'raidz-wid', an id that no finding has: did you mean raidz-wide?" in capsys.readouterr().err


def test_advice_is_an_exit_code_of_one_and_documented_json(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("every-class", "local"))

    assert 1 == run(["advise", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, ADVISE)
    (told,) = document["advice"]
    assert SINGLE == (told["id"], told["subject"])
    assert ("structure", "data", True) == (told["group"], told["at_stake"], told["is_risk"])
    assert ["zconsole", "plan", "attach", "tank", "wwn-0x5000c500a0000006", "NEW"] == told["plan"]


def test_a_host_that_cannot_be_read_is_three(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("raidz2-healthy", "local", pool="bulk")
    host.answers["zfs version"] = HANG
    reach(mp, local=host)

    assert 3 == run(["advise", "--timeout", "1s"])
    assert "" == capsys.readouterr().out


def test_what_is_silenced_counts_nowhere_and_is_listed_everywhere(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas("every-class", "local"))
    assert 1 == run(["check"])
    capsys.readouterr()

    assert 0 == run(list(SILENCE))
    shown = capsys.readouterr().out
    assert 'reason = "scratch \\"only\\""' in shown
    assert (config_folder() / "silences.toml").read_text() in shown

    assert 0 == run(["check"])
    assert "1 silenced" in capsys.readouterr().out
    assert 0 == run(["check", "--json"])
    (quiet,) = json.loads(capsys.readouterr().out)["silenced"]
    assert (*SINGLE, f"{UNTIL}T00:00:00Z") == (quiet["id"], quiet["subject"], quiet["until"])
    assert 0 == run(["status"])
    assert f'silenced until {UNTIL} 00:00 UTC: scratch "only".' in capsys.readouterr().out
    assert 0 == run(["advise"])
    assert "local: nothing to advise, 1 silenced." in capsys.readouterr().out

    assert 0 == run(["advise", "--unsilence", *SINGLE])
    assert 1 == run(["check"])
    capsys.readouterr()


def test_all_findings_of_an_object_are_silenced_for_so_many_hours_and_the_end_is_said(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas("every-class", "local"))

    assert 0 == run(["advise", "--silence", "*", SINGLE[1], "--reason", "x", "--until", "12h"])
    (kept,) = load_silences(config_folder())
    shown = capsys.readouterr().out
    assert 12 * 3600 <= (kept.until - kept.since).total_seconds() <= 12 * 3600 + 60
    assert f"it ends on {kept.end}." in shown
    assert 0 == run(["check"])
    assert "1 silenced" in capsys.readouterr().out
    assert 0 == run(["status"])
    assert f"silenced with all findings of {SINGLE[1]} until {kept.end}: x." in capsys.readouterr().out

    assert 0 == run(["advise", "--unsilence", "*", SINGLE[1]])
    assert 1 == run(["check"])
    capsys.readouterr()


@pytest.mark.parametrize(
    ("state", "arguments", "words"),
    [
        ("every-class", ("--silence", *SINGLE, "--until", UNTIL), "needs a reason"),
        ("every-class", ("--silence", "*", "tank/x", "--reason", "x", "--until", UNTIL), "has no finding *"),
        ("every-class", ("--silence", *SINGLE, "--reason", "x"), "needs its end"),
        (
            "every-class",
            ("--silence", *SINGLE, "--reason", "x", "--until", "2001-01-31"),
            "not in the future",
        ),
        (
            "every-class",
            ("--silence", *SINGLE, "--reason", "x", "--until", "9999-12-31"),
            "more than 731d from now",
        ),
        ("every-class", ("--silence", *SINGLE, "--reason", "x", "--until", "soon"), "no date such as"),
        (
            "every-class",
            ("--silence", SINGLE[0], "tank", "--reason", "x", "--until", UNTIL),
            "It has that of",
        ),
        ("every-class", ("--reason", "x"), "are of --silence"),
        ("every-class", ("--unsilence", *SINGLE), "is not silenced"),
        (
            "disk-faulted",
            ("--silence", "vdev-no-redundancy", "tank mirror-1", "--reason", "x", "--until", UNTIL),
            "a critical finding cannot be silenced",
        ),
    ],
)
def test_what_cannot_be_silenced_is_refused_and_nothing_is_written(
    state: str, arguments: tuple[str, ...], words: str, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas(state, "local"))

    assert 2 == run(["advise", *arguments])
    assert words in capsys.readouterr().err
    assert not (config_folder() / "silences.toml").exists()


@pytest.mark.parametrize(("name", "code"), [("status", 0), ("check", 0), ("advise", 1)])
def test_what_the_last_comparison_of_copies_found_is_a_finding(
    name: str, code: int, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    evidence: Evidence = {"pool": "tank", "host": "local", "dataset": "tank/a"}
    cut = Finding("receive-cut", Severity.INFO, "local tank/a", "a receive into tank/a was cut", evidence)
    remember_comparison((ReplicationSeen("local", RECORDED_AT - 60, (cut,)),))
    reach(mp, local=nas("raidz2-healthy", "local", pool="bulk"))

    assert code == run([name, "--json"])
    assert '"receive-cut"' in capsys.readouterr().out


def test_the_practice_host_has_the_advice_that_it_is_meant_to_show(capsys: Screen) -> None:
    """Each is on purpose; another is a mistake in the practice host, or a rule that speaks too often."""
    assert 1 == run(["advise", "--demo", "--json"])

    told = [(each["id"], each["subject"]) for each in json.loads(capsys.readouterr().out)["advice"]]
    assert [
        ("sync-disabled", "tank/scratch"),
        ("snapshots-left-out", "tank/home/with space"),
        ("replica-stale", "practice:vault/replica/tank-home/henk"),
        ("dataset-no-copy", "tank/containers"),
        ("dataset-no-copy", "tank/db/postgres-wal"),
        ("dataset-no-copy", "tank/home/with space"),
        ("dataset-no-copy", "tank/secret"),
        ("dataset-no-copy", "tank/vm"),
        ("receive-cut", "vault/replica/tank-home/gita"),
        ("guest-without-snapshots", "tank/vm/images"),
        ("guest-without-agent-channel", "tank"),
        ("guest-volume-page-cache", "tank db03"),
        ("vdevs-uneven", "tank"),
    ] == told


def test_a_silence_of_the_practice_host_is_none_of_a_real_host_of_its_name(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """Each has a file of its own, which the other does not read."""
    silence = ["advise", "--demo", "--silence", "vdevs-uneven", "tank", "--reason", "to try it"]
    assert 0 == run([*silence, "--until", UNTIL])
    assert "silences-practice.toml" in capsys.readouterr().out
    run(["advise", "--demo"])
    assert ", 1 silenced." in capsys.readouterr().out.partition("\n")[0]

    assert not (config_folder() / "silences.toml").exists()
    reach(mp, practice=nas("every-class", "practice"))
    assert 1 == run(["advise", "--host", "practice"])
    assert "silenced" not in capsys.readouterr().out
