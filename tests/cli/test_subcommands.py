"""Each subcommand asks the hosts that were named, prints the facts, and ends with the documented code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.fakes import nas, reach
from tests.doubles.machines import iostat
from tests.doubles.scripted_host import HANG, Answer, failed
from tests.reports.captured import captured
from tests.reports.schema import CHECK, SAMPLE, STATUS, mismatch
from zconsole.base.config import Config, config_folder
from zconsole.base.errors import HostKeyChanged, HostKeyUnknown, HostUnreachable, LinkLost
from zconsole.cli import run
from zconsole.cli.commands.record import run_record
from zconsole.cli.requests import HostSelection, RecordRequest
from zconsole.zfs.iostat.stream import row_names

FINGERPRINT = "SHA256:abcdefgh"
Screen = pytest.CaptureFixture[str]


@pytest.fixture
def mp(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    return monkeypatch


def test_status_is_of_this_host_unless_told_otherwise(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("healthy-mirrors", "local"))

    code = run(["status"])

    out, err = capsys.readouterr()
    assert (0, "") == (code, err)
    assert out.startswith("local: OpenZFS 2.4.4-1")
    assert "Pool tank is ONLINE" in out


def test_status_in_json_is_one_documented_object_a_host(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, a=nas("healthy-mirrors", "a"), b=nas("disk-faulted", "b"))

    code = run(["status", "--json", "--host", "a", "--host", "b"])

    documents = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0
    assert ["a", "b"] == [document["host"] for document in documents]
    assert ["", ""] == [mismatch(document, STATUS) for document in documents]
    assert {None} == {document["importable"] for document in documents}


def test_status_says_that_the_status_of_no_pool_could_be_read(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    """Facts about nothing are no success: 3, and a sentence that names the host, the pool and why."""
    host = nas("healthy-mirrors", "local")
    host.answers["zpool status"] = host.answers["zpool status -j"] = b'{"pools": {"tank": Infinity}}\n'
    reach(mp, local=host, other=nas("healthy-mirrors", "other"))

    code = run(["status", "--host", "local", "--host", "other"])

    out, err = capsys.readouterr()
    assert code == 3
    assert "Pool tank is ONLINE" in out
    assert "the status of no pool of local could be read: tank: zpool status" in err


def test_importable_pools_are_looked_for_only_when_asked(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["zpool import"] = failed("zpool import", 1, b"no pools available to import\n")
    reach(mp, local=host)

    run(["status", "--json"])
    run(["status", "--json", "--importable"])

    without, looked = (json.loads(line)["importable"] for line in capsys.readouterr().out.splitlines())
    assert (None, []) == (without, looked)


def test_a_name_from_the_config_leads_to_its_address(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_text('[hosts.big]\naddress = "nas9"\n')
    reach(mp, nas9=nas("healthy-mirrors", "nas9"))

    assert run(["status", "--host", "big"]) == 0
    assert capsys.readouterr().out.startswith("nas9:")


@pytest.mark.parametrize(
    ("code", "word", "state"),
    [(0, "OK", "healthy-mirrors"), (1, "WARNING", "scrub-done"), (2, "CRITICAL", "disk-faulted")],
)
def test_check_ends_with_the_level(
    code: int, word: str, state: str, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas(state, "local"))

    assert code == run(["check"])
    line = capsys.readouterr().out
    assert line.startswith(f"ZFS {word} - ")
    assert line.count("\n") == 1


def test_check_can_be_of_one_pool_and_in_json(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("disk-faulted", "local"))

    assert run(["check", "tank", "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert mismatch(document, CHECK) == ""
    assert ("critical", 2) == (document["level"], document["exit_code"])


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param({"zfs version": HostUnreachable("nobody there")}, id="unreachable"),
        pytest.param({"zfs version": failed("zfs version", 127, b"")}, id="no ZFS"),
        pytest.param({"zpool status": HANG}, id="status hangs"),
        pytest.param({"zpool status": b'{"pools": {'}, id="truncated"),
        pytest.param({"zfs version": LinkLost("the link was lost")}, id="link lost"),
    ],
)
def test_check_is_unknown_where_nothing_can_be_read(
    spoil: dict[str, Answer], mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["zpool status"] = host.answers.pop("zpool status -j")
    host.answers |= spoil
    reach(mp, local=host)

    assert run(["check"]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("ZFS UNKNOWN - ")
    assert (1, "") == (out.count("\n"), err)


def test_check_of_a_pool_that_is_not_there_is_unknown(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("healthy-mirrors", "local"))

    assert run(["check", "tnak"]) == 3
    assert "there is no pool tnak on local" in capsys.readouterr().out


def test_wrong_words_are_code_2_but_unknown_to_monitoring(capsys: Screen) -> None:
    assert run(["status", "--jason"]) == 2
    assert run(["check", "--jason"]) == 3
    assert "zconsole: unrecognized arguments: --jason" in capsys.readouterr().err


def test_no_zfs_is_a_sentence_with_the_ways_on(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers = {
        "zfs version": failed("zfs version", 127, b""),
        "ls": failed("ls", 2, b""),
        "uname": b"x\n",
    }
    reach(mp, local=host)

    assert run(["status"]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "no ZFS on local" in err
    assert "--demo" in err
    assert "HOST" in err


def test_one_lost_host_does_not_silence_the_others(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    lost = nas("healthy-mirrors", "b")
    lost.connect_errors = [HostUnreachable("b refuses the connection", hint="Is sshd running?")]
    reach(mp, a=nas("healthy-mirrors", "a"), b=lost)

    assert run(["status", "--host", "a", "--host", "b"]) == 3
    out, err = capsys.readouterr()
    assert out.startswith("a: ")
    assert err == "zconsole: b refuses the connection\n  Is sshd running?\n"


@pytest.mark.parametrize("words", [["status"], ["check"], ["iostat"]])
def test_an_unknown_host_key_is_told_with_the_command_that_accepts_it(
    words: list[str], mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    host = nas("healthy-mirrors", "nas1")
    host.connect_errors = [HostKeyUnknown("nas1", FINGERPRINT, hint="asked on the screen")]
    reach(mp, nas1=host)

    assert run([*words, "--host", "nas1"]) == 3
    out, err = capsys.readouterr()
    assert f"zconsole trust nas1 {FINGERPRINT}" in out + err
    assert host.commands == []


def test_every_host_is_closed_again(mp: pytest.MonkeyPatch) -> None:
    good, bad = nas("healthy-mirrors", "a"), nas("healthy-mirrors", "b")
    bad.connect_errors = [HostUnreachable("gone")]
    reach(mp, a=good, b=bad)

    run(["status", "--host", "a", "--host", "b"])

    assert (1, 1) == (good.closes, bad.closes)


def test_hostile_words_of_a_host_are_spelled_out(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.connect_errors = [HostUnreachable("go\x1b]0;pwned\x07 away\r\n", hint="\x1b[2J")]
    reach(mp, local=host)

    run(["status"])

    err = capsys.readouterr().err
    assert "\x1b" not in err
    assert "^[]0;pwned^G" in err
    assert "^[[2J" in err


def names_of(state: str) -> list[str]:
    pool = captured("2.4", state).pools[0].pool.value
    assert pool is not None
    return list(row_names(pool))


def test_iostat_prints_samples_until_the_count_is_reached(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.answers["cat /proc/diskstats"] = b""
    for at in (1, 2, 3):
        host.streams["zpool iostat"].feed(iostat(1_795_220_000 + at, names_of("healthy-mirrors"), ops=at))
    reach(mp, local=host)

    assert run(["iostat", "tank", "--json", "--count", "2"]) == 0
    samples = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["", ""] == [mismatch(sample, SAMPLE) for sample in samples]
    assert [1.0, 2.0] == [sample["vdevs"][0]["read_ops"] for sample in samples]
    assert not host.streams["zpool iostat"].is_open


def test_iostat_ends_with_the_reason_when_the_stream_does(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "local")
    host.streams["zpool iostat"].feed(iostat(1_795_220_001, names_of("healthy-mirrors")))
    host.streams["zpool iostat"].feed(LinkLost("the link to local was lost"))
    reach(mp, local=host)

    assert run(["iostat"]) == 3
    out, err = capsys.readouterr()
    assert "mirror-0" in out
    assert err == "zconsole: the link to local was lost\n"


def test_what_was_recorded_is_replayed_to_the_same_facts(
    mp: pytest.MonkeyPatch, capsys: Screen, tmp_path: Path
) -> None:
    reach(mp, local=nas("spare-in-use", "local"))
    folder = tmp_path / "recording"
    run(["status", "--json"])
    live = json.loads(capsys.readouterr().out)

    assert run_record(RecordRequest(folder, HostSelection(), for_s=0.0), Config()) == 0
    assert f"zconsole --replay {folder}" in capsys.readouterr().out
    assert run(["status", "--json", "--replay", str(folder)]) == 0

    assert live == json.loads(capsys.readouterr().out)


def test_several_hosts_are_recorded_side_by_side(
    mp: pytest.MonkeyPatch, capsys: Screen, tmp_path: Path
) -> None:
    reach(mp, a=nas("healthy-mirrors", "a/../b"), b=nas("healthy-mirrors", "b"))

    run_record(RecordRequest(tmp_path / "r", HostSelection(("a", "b")), for_s=0.0), Config())

    assert ["1-a_.._b", "2-b"] == sorted(path.name for path in (tmp_path / "r").iterdir())
    capsys.readouterr()
    run(["status", "--json", "--replay", str(tmp_path / "r")])
    assert ["a/../b", "b"] == [json.loads(line)["host"] for line in capsys.readouterr().out.splitlines()]


def test_a_folder_that_holds_no_recording_is_said(capsys: Screen, tmp_path: Path) -> None:
    assert run(["status", "--replay", str(tmp_path)]) == 2
    assert "holds no recording" in capsys.readouterr().err


def test_trust_remembers_the_key_that_was_compared(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    host = nas("healthy-mirrors", "nas1")
    accepted: list[str] = []

    async def accept_key(fingerprint: str) -> None:
        accepted.append(fingerprint)
        if fingerprint != FINGERPRINT:
            raise HostKeyChanged("nas1 shows another key now")

    host.accept_key = accept_key  # type: ignore[attr-defined]
    reach(mp, nas1=host, local=nas("healthy-mirrors", "local"))

    assert run(["trust", "nas1", FINGERPRINT]) == 0
    assert run(["trust", "nas1", "SHA256:other"]) == 3
    assert [FINGERPRINT, "SHA256:other"] == accepted
    out, err = capsys.readouterr()
    assert out == f"nas1 is known now by {FINGERPRINT}\n"
    assert "another key" in err
    assert run(["trust", "local", FINGERPRINT]) == 2


def test_the_console_needs_a_terminal(capsys: Screen) -> None:
    assert run([]) == 2
    err = capsys.readouterr().err
    assert "needs a terminal" in err
    assert "zconsole status" in err


def test_a_broken_config_is_named_before_anything_is_asked(capsys: Screen) -> None:
    config_folder().mkdir(parents=True)
    (config_folder() / "config.toml").write_text("thme = 'x'\n")

    assert run(["status"]) == 3
    assert "thme is not known" in capsys.readouterr().err
