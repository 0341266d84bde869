"""A real Prometheus on loopback."""

from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

READY = "Server is ready to receive web requests."


def needs_prometheus() -> None:
    if shutil.which("prometheus") is None or shutil.which("promtool") is None:
        pytest.skip("prometheus is not installed: apt-get install prometheus")


@contextmanager
def prometheus(folder: Path, *options: str) -> Iterator[str]:
    """The address of a Prometheus with the `prometheus.yml` and the data of a folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = subprocess.Popen(
        [
            "prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=data",
            f"--web.listen-address=127.0.0.1:{port}", *options,
        ],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    try:
        assert running.stderr is not None
        assert any(READY in line for line in running.stderr), "it ended before it was ready"
        yield f"http://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.communicate(timeout=30)
