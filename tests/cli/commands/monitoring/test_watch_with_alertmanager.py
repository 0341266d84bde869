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

NO_REDUNDANCY, DISK, POOL = "vdev-no-redundancy", "device-faulted", "pool-degraded"


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


def look(monkeypatch: pytest.MonkeyPatch, state: str) -> int:
    """One look of the watch at a host in a captured state."""
    reach(monkeypatch, local=nas(state, "local"))
    return run(["watch", "--once"])


def told(pager: HttpSink, status: str) -> set[str]:
    """The alerts that Alertmanager told as firing or resolved."""
    alerts: list[dict[str, Any]] = [each for post in list(pager.posts) for each in post.document["alerts"]]
    return {each["labels"]["alertname"] for each in alerts if each["status"] == status}


def wait_until_told(pager: HttpSink, status: str, names: set[str]) -> None:
    with pager.changed:
        assert pager.changed.wait_for(lambda: names <= told(pager, status), 60), pager.posts


def test_a_failed_disk_is_an_alert_with_labels_and_its_end_is_told(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0 == look(monkeypatch, "disk-faulted")
    holding = manager.alerts()
    wait_until_told(pager, "firing", set(holding))
    assert 0 == look(monkeypatch, "healthy-mirrors")

    assert {DISK, POOL} <= holding.keys()
    labels = holding[POOL]["labels"]
    assert {
        "alertname": POOL, "severity": "warning", "host": "local", "pool": "tank", "subject": "tank",
        "job": "zconsole",
    } == labels  # fmt: skip
    assert "local: tank: " in holding[POOL]["annotations"]["summary"]
    assert holding[POOL]["startsAt"] < holding[POOL]["endsAt"]
    wait_until_told(pager, "resolved", set(holding))
    assert {} == manager.alerts()


def test_what_is_silenced_there_is_told_to_nobody(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = manager.silence(job="zconsole", alertname=POOL, pool="tank")
    assert 0 == look(monkeypatch, "disk-faulted")
    wait_until_told(pager, "firing", manager.alerts().keys() - {POOL})
    found = manager.alerts()
    assert 0 == look(monkeypatch, "healthy-mirrors")
    wait_until_told(pager, "resolved", found.keys() - {POOL})

    assert ("suppressed", [name]) == (found[POOL]["status"]["state"], found[POOL]["status"]["silencedBy"])
    assert "active" == found[DISK]["status"]["state"]
    assert POOL not in told(pager, "firing")


def test_what_is_acknowledged_still_holds_there_and_says_so(
    manager: Alertmanager, pager: HttpSink, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    """An end would be a lie, and silences are Alertmanager's own."""
    look(monkeypatch, "disk-faulted")
    wait_until_told(pager, "firing", set(manager.alerts()))
    assert 0 == run(["watch", "--ack", POOL])
    assert "acknowledged: pool-degraded of tank" in capsys.readouterr().out
    assert 0 == look(monkeypatch, "disk-faulted")

    found = manager.alerts()
    assert "active" == found[POOL]["status"]["state"]
    assert "T" in found[POOL]["annotations"]["acknowledged"]
    assert "acknowledged" not in found[DISK]["annotations"]
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
        wait_until_told(pager, "firing", {NO_REDUNDANCY, DISK, POOL})

    found = manager.alerts()
    assert {NO_REDUNDANCY, DISK, POOL} == found.keys(), "they hold on while the watch is restarted"
    assert ("critical", "practice", "tank mirror-0") == tuple(
        found[NO_REDUNDANCY]["labels"][name] for name in ("severity", "host", "subject")
    )
