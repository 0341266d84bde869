"""`zconsole watch` beside a real Alertmanager: alerts, their end, silences, acknowledgement, a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands.monitoring.test_watch import watching
from tests.cli.fakes import Screen, nas, reach
from tests.doubles.alertmanager_server import Alertmanager, alertmanager, free_port, needs_alertmanager
from tests.doubles.message_sinks import HttpSink, http_sink
from zconsole.cli import run

NO_REDUNDANCY, POOL = "vdev-no-redundancy", "pool-degraded"  # told in one message


@pytest.fixture
def pager() -> Iterator[HttpSink]:
    """What Alertmanager tells people."""
    with http_sink() as sink:
        yield sink


@pytest.fixture
def port(pager: HttpSink) -> int:
    """Of Alertmanager: found while the pager has its own, which would otherwise get the same one at times."""
    del pager
    needs_alertmanager()
    return free_port()


@pytest.fixture
def manager(tmp_path: Path, pager: HttpSink, port: int) -> Iterator[Alertmanager]:
    with alertmanager(tmp_path / "alertmanager", pager.url, port) as running:
        yield running


@pytest.fixture(autouse=True)
def _configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "config/zconsole").mkdir(parents=True)
    (tmp_path / "config/zconsole/config.toml").write_text(
        f"""
[watch]
hold = 0
clear = 0
[watch.webhook.manager]
format = "alertmanager"
url = "http://127.0.0.1:{port}"
"""
    )


def look(monkeypatch: pytest.MonkeyPatch, state: str, *more: str) -> int:
    """One look of the watch at this host in a captured state, and at more hosts in the same."""
    reach(monkeypatch, **{each: nas(state, each) for each in ("local", *more)})
    named = ["local", *more] if more else []
    return run(["watch", "--once", *(word for each in named for word in ("--host", each))])


def told(pager: HttpSink, status: str, label: str = "alertname") -> set[str]:
    """The alerts that Alertmanager told as firing or resolved."""
    alerts: list[dict[str, Any]] = [each for post in list(pager.posts) for each in post.document["alerts"]]
    return {each["labels"][label] for each in alerts if each["status"] == status}


def wait_until_told(pager: HttpSink, status: str, names: set[str], label: str = "alertname") -> None:
    with pager.changed:
        assert pager.changed.wait_for(lambda: names <= told(pager, status, label), 60), pager.posts


def test_a_failed_disk_is_an_alert_with_labels_and_its_end_is_told(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 == look(monkeypatch, "disk-faulted")
    holding = manager.alerts()
    wait_until_told(pager, "firing", set(holding))
    assert 0 == look(monkeypatch, "healthy-mirrors")

    assert {NO_REDUNDANCY} == holding.keys()
    alert = holding[NO_REDUNDANCY]
    assert {
        "alertname": NO_REDUNDANCY, "severity": "critical", "host": "local", "pool": "tank",
        "subject": "tank mirror-1", "job": "zconsole",
    } == alert["labels"]  # fmt: skip
    summary = alert["annotations"]["summary"]
    assert summary.startswith("local: tank: no redundancy left in mirror-1; DEGRADED")
    assert "wwn-0x5000c500a0000003 is FAULTED" in summary
    assert alert["startsAt"] < alert["endsAt"]
    wait_until_told(pager, "resolved", set(holding))
    assert {} == manager.alerts()


def test_what_is_silenced_there_is_told_to_nobody(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = manager.silence(job="zconsole", alertname=NO_REDUNDANCY, host="local")
    assert 0 == look(monkeypatch, "disk-faulted", "nas2")
    wait_until_told(pager, "firing", {"nas2"}, "host")
    found = {each["labels"]["host"]: each["status"] for each in manager.every()}
    assert 0 == look(monkeypatch, "healthy-mirrors", "nas2")
    wait_until_told(pager, "resolved", {"nas2"}, "host")

    assert ("suppressed", [name]) == (found["local"]["state"], found["local"]["silencedBy"])
    assert "active" == found["nas2"]["state"]
    assert {"nas2"} == told(pager, "firing", "host")


def test_what_is_acknowledged_still_holds_there_and_says_so(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """An end would be a lie, and silences are Alertmanager's own."""
    look(monkeypatch, "disk-faulted")
    wait_until_told(pager, "firing", set(manager.alerts()))
    assert "acknowledged" not in manager.alerts()[NO_REDUNDANCY]["annotations"]
    assert 0 == run(["watch", "--ack", POOL])
    assert "acknowledged: vdev-no-redundancy of tank mirror-1" in capsys.readouterr().out
    assert 0 == look(monkeypatch, "disk-faulted")

    found = manager.alerts()
    assert "active" == found[NO_REDUNDANCY]["status"]["state"]
    assert "T" in found[NO_REDUNDANCY]["annotations"]["acknowledged"]
    assert set() == told(pager, "resolved")


def test_one_that_was_restarted_and_forgot_is_told_again(
    tmp_path: Path, pager: HttpSink, port: int, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    with alertmanager(tmp_path / "first", pager.url, port) as first:
        assert 0 == look(monkeypatch, "disk-faulted")
        holding = first.alerts().keys()
    assert 3 == look(monkeypatch, "disk-faulted")
    err = capsys.readouterr().err
    with alertmanager(tmp_path / "second", pager.url, port) as second:
        assert {} == second.alerts()
        assert 0 == look(monkeypatch, "disk-faulted")

        assert holding == second.alerts().keys()
    assert "webhook.manager: " in err
    assert "refused" in err


def test_a_watch_that_runs_tells_it_at_once(manager: Alertmanager, pager: HttpSink) -> None:
    with watching("--demo=failed-disk"):
        wait_until_told(pager, "firing", {NO_REDUNDANCY})

    found = manager.alerts()
    assert {NO_REDUNDANCY} == found.keys(), "it holds on while the watch is restarted"
    assert ("critical", "practice", "tank mirror-0") == tuple(
        found[NO_REDUNDANCY]["labels"][name] for name in ("severity", "host", "subject")
    )
