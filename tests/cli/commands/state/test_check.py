"""A line and an exit code for monitoring."""

from __future__ import annotations

import json

import pytest

from tests.cli.commands.state.test_advise import without_host_settings
from tests.cli.fakes import Screen, nas, reach
from tests.collect.guests.test_read_statuses import paused
from tests.doubles.scripted_host import HANG, Answer, failed
from tests.reports.schema import CHECK, mismatch
from zconsole.base.errors import HostUnreachable, LinkLost
from zconsole.cli import run


@pytest.mark.parametrize(
    ("code", "word", "state"),
    [(0, "OK", "healthy-mirrors"), (1, "WARNING", "scrub-done"), (2, "CRITICAL", "disk-faulted")],
)
def test_check_ends_with_the_level(
    code: int, word: str, state: str, mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=nas(state, "local"))

    assert code == run(["check"])
    first, *others = capsys.readouterr().out.removesuffix("\n").split("\n")
    assert first.startswith(f"ZFS {word} - ")
    assert (code > 0) == bool(others)
    assert [] == [each for each in others if " of tank" not in each or not each.endswith(".")]


def test_a_guest_paused_by_an_io_error_is_critical_on_a_sound_pool(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    made = nas("healthy-mirrors", "local")
    made.answers |= paused().answers | {"id": b"uid=0(root) gid=0(root) groups=0(root)\n"}
    made.files |= paused().files
    reach(mp, local=made)

    assert 2 == run(["check"])
    assert "guest db02 is paused by an I/O error: no space for vda on tank/db" in capsys.readouterr().out


def test_check_can_be_of_one_pool_and_in_json(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("disk-faulted", "local"))

    assert 2 == run(["check", "tank", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert "" == mismatch(document, CHECK)
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

    assert 3 == run(["check"])
    out, err = capsys.readouterr()
    assert out.startswith("ZFS UNKNOWN - ")
    assert "" == err
    assert "|" not in out
    assert [] == [each for each in out.split("\n")[1:-1] if not each.startswith("pool-unread of tank: Read")]


def test_check_of_a_pool_that_is_not_there_is_unknown(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("healthy-mirrors", "local"))

    assert 3 == run(["check", "tnak"])
    assert "there is no pool tnak on local" in capsys.readouterr().out


def test_an_ok_says_what_it_is_not_of(mp: pytest.MonkeyPatch, capsys: Screen) -> None:
    reach(mp, local=nas("healthy-mirrors", "local"))

    assert 0 == run(["check"])
    assert "settings not read" in capsys.readouterr().out

    run(["check", "--json"])
    assert json.loads(capsys.readouterr().out)["unread_settings"] is None


def test_settings_are_judged_where_asked_for(capsys: Screen) -> None:
    without = json.loads(_json(capsys, "check", "tank", "--demo", "--json"))
    asked = json.loads(_json(capsys, "check", "tank", "--demo", "--json", "--settings"))

    assert [] == asked["unread_settings"]
    assert {each["id"] for each in without["findings"]} < {each["id"] for each in asked["findings"]}
    assert "not read" not in asked["summary"]


def test_settings_that_cannot_be_read_are_unknown_and_no_all_clear(
    mp: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(mp, local=without_host_settings(nas("healthy-mirrors", "local")))

    assert 3 == run(["check", "--settings"])
    assert "the settings of the ZFS module and of zed cannot be read" in capsys.readouterr().out


def _json(capsys: Screen, *words: str) -> str:
    capsys.readouterr()
    run(list(words))
    return capsys.readouterr().out
