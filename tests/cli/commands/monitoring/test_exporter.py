"""`zconsole exporter`: a real Prometheus scrapes it on a practice host with a failed disk; alerts fire."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fakes import Screen, nas, reach
from tests.doubles.prometheus_server import needs_prometheus, prometheus
from zconsole.base.errors import HostUnreachable
from zconsole.cli import run
from zconsole.cli.commands.monitoring.exporter import shipped

pytest.importorskip("prometheus_client", reason="pip install 'zconsole[exporter]'")

WAITING = {"ZconsoleWarning tank"}
FIRES_WITHIN_S = 90.0
CONFIG = """
global: {{scrape_interval: 1s, evaluation_interval: 1s}}
rule_files: [rules.yml]
scrape_configs:
  - job_name: zconsole
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


@contextmanager
def exporting(*words: str) -> Iterator[int]:
    """The port of an exporter that runs."""
    running = subprocess.Popen(
        [sys.executable, "-m", "zconsole", "exporter", "--listen", "127.0.0.1:0", *words],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert running.stderr is not None
        found = re.search(r"127\.0\.0\.1:(\d+)/metrics", running.stderr.readline())
        assert found is not None
        yield int(found[1])
    finally:
        running.send_signal(signal.SIGTERM)
        _, err = running.communicate(timeout=30)
    assert (0, "") == (running.returncode, err)


def answer(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=10) as found:  # noqa: S310  # of loopback
        return json.load(found)


def alerts(url: str, state: str) -> dict[str, dict[str, str]]:
    """The labels of each alert in a state, and its summary."""
    return {
        f"{each['labels']['alertname']} {each['labels'].get('subject', '')}": each["labels"]
        | {name: each["annotations"][name] for name in ("summary", "description")}
        for each in answer(f"{url}/api/v1/alerts")["data"]["alerts"]
        if each["state"] == state
    }


def test_prometheus_fires_on_a_practice_host_with_a_failed_disk(tmp_path: Path) -> None:
    needs_prometheus()
    with exporting("--demo=failed-disk") as port:
        (tmp_path / "rules.yml").write_text(shipped("rules"))
        (tmp_path / "prometheus.yml").write_text(CONFIG.format(port=port))
        with prometheus(tmp_path) as url:
            until = time.monotonic() + FIRES_WITHIN_S
            firing: dict[str, dict[str, str]] = {}
            waiting: dict[str, dict[str, str]] = {}
            while not (firing and WAITING <= waiting.keys()) and time.monotonic() < until:
                firing, waiting = alerts(url, "firing"), alerts(url, "pending")

    assert ["ZconsoleCritical tank mirror-0"] == list(firing)
    labels = firing["ZconsoleCritical tank mirror-0"]
    assert ("practice", "tank", "tank mirror-0") == (labels["host"], labels["pool"], labels["subject"])
    assert "practice: tank: no redundancy left in mirror-0" == labels["summary"]
    assert WAITING <= waiting.keys()
    disk = [each for each in waiting.values() if "ZC13A0R7" in each["subject"]]
    assert 1 == len(disk), "one alert for all findings of the disk"
    assert "ZC13A0R7 is FAULTED" in disk[0]["summary"]
    assert "vdev-no-redundancy" in labels["description"]


def test_a_file_for_node_exporter_is_written_as_a_whole_and_can_be_read_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach(monkeypatch, local=nas("disk-faulted", "local"))
    file = tmp_path / "zconsole.prom"
    file.write_text("before")

    assert 0 == run(["exporter", "--once", "--textfile", str(file)])

    assert 'zconsole_pool_state{host="local",pool="tank",state="DEGRADED"} 1.0' in file.read_text()
    assert 0o044 == file.stat().st_mode & 0o044, "node_exporter runs as another user"
    assert ["zconsole.prom"] == [each.name for each in tmp_path.iterdir()]


def test_a_host_that_cannot_be_read_is_in_the_file_and_ends_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = nas("healthy-mirrors", "local")
    lost.answers["zfs version"] = HostUnreachable("nobody there")
    reach(monkeypatch, local=lost)
    file = tmp_path / "zconsole.prom"

    assert 3 == run(["exporter", "--once", "--textfile", str(file)])

    assert 'zconsole_host_up{host="local"} 0.0' in file.read_text()
    assert "zconsole_pool" not in file.read_text()


def test_a_file_that_cannot_be_written_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Screen
) -> None:
    reach(monkeypatch, local=nas("healthy-mirrors", "local"))
    (tmp_path / "link.prom").symlink_to(tmp_path / "other")

    assert 3 == run(["exporter", "--once", "--textfile", str(tmp_path / "link.prom")])
    assert "cannot be written: a symbolic link" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_a_port_that_is_taken_is_a_sentence() -> None:
    with exporting("--demo") as port:
        second = subprocess.run(
            [sys.executable, "-m", "zconsole", "exporter", "--demo", "--listen", f"127.0.0.1:{port}"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert 3 == second.returncode
    assert "cannot be listened on: Address already in use" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--once"],
        ["--every", "5m"],
        ["--listen", "9913", "--textfile", "x.prom"],
        ["--listen", "127.0.0.1"],
        ["--listen", "127.0.0.1:99999"],
        ["--listen", "a b:1"],
    ],
)
def test_words_that_make_no_sense_are_refused(words: list[str], capsys: Screen) -> None:
    assert 2 == run(["exporter", *words])
    assert "" == capsys.readouterr().out


def test_what_is_shipped_is_printed(capsys: Screen) -> None:
    assert 0 == run(["exporter", "--print-rules"])
    assert shipped("rules") == capsys.readouterr().out
    assert 0 == run(["exporter", "--print-dashboard"])
    assert shipped("dashboard") == capsys.readouterr().out
