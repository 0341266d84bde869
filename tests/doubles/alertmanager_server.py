"""A real Alertmanager on loopback."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PROGRAM = "prometheus-alertmanager"  # as Debian names it
READY = "Listening on"
CONFIG = """
route:
  receiver: sink
  group_by: [alertname, severity, host]
  group_wait: 0s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: sink
    webhook_configs: [{{url: "{sink}", send_resolved: true}}]
"""


def needs_alertmanager() -> None:
    if shutil.which(PROGRAM) is None:
        pytest.skip(f"{PROGRAM} is not installed: apt-get install prometheus-alertmanager")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@dataclass(frozen=True, slots=True)
class Alertmanager:
    """One that runs, by its API."""

    url: str

    def alerts(self) -> dict[str, dict[str, Any]]:
        """The alerts that it has and that are not resolved, by name."""
        return {each["labels"]["alertname"]: each for each in self.every()}

    def every(self) -> list[dict[str, Any]]:
        """The alerts that it has and that are not resolved; some may have one name."""
        return list(self._ask("alerts"))

    def silence(self, **labels: str) -> str:
        """Silence what has these labels, for an hour, and return the name of the silence."""
        matchers = [
            {"name": name, "value": value, "isRegex": False, "isEqual": True}
            for name, value in labels.items()
        ]
        document = {
            "matchers": matchers,
            "startsAt": "2020-01-01T00:00:00Z",
            "endsAt": "2099-01-01T00:00:00Z",
            "createdBy": "ops",
            "comment": "the disk is ordered",
        }
        found: str = self._ask("silences", document)["silenceID"]
        return found

    def _ask(self, path: str, document: object = None) -> Any:
        body = None if document is None else json.dumps(document).encode()
        headers = {"Content-Type": "application/json"}
        asked = urllib.request.Request(f"{self.url}/api/v2/{path}", body, headers)  # noqa: S310  # of loopback
        with urllib.request.urlopen(asked, timeout=10) as found:  # noqa: S310
            return json.load(found)


@contextmanager
def alertmanager(folder: Path, sink: str, port: int) -> Iterator[Alertmanager]:
    """One on a port of loopback, with a new store, whose messages go to a webhook."""
    folder.mkdir()
    (folder / "alertmanager.yml").write_text(CONFIG.format(sink=sink))
    running = subprocess.Popen(
        [
            PROGRAM, "--config.file=alertmanager.yml", "--storage.path=data", "--cluster.listen-address=",
            f"--web.listen-address=127.0.0.1:{port}",
        ],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        assert running.stderr is not None
        assert any(READY in line for line in running.stderr), "it ended before it was ready"
        yield Alertmanager(f"http://127.0.0.1:{port}")
    finally:
        running.terminate()
        running.communicate(timeout=30)
