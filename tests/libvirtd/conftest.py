"""One libvirtd for all tests of the folder, without guests when a test begins."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.libvirtd.sandbox import Sandbox, missing, sandbox
from tests.libvirtd.storage_host import NAME
from tests.ui.terminal.tty import ROOT, Tty

Console = Callable[[], Tty]
SERVER_PID = "server.pid"


@pytest.fixture(scope="session")
def libvirtd() -> Iterator[Sandbox]:
    """A real libvirtd in namespaces of its own."""
    leave = pytest.fail if os.environ.get("CI") else pytest.skip
    if os.geteuid() != 0:
        leave("namespaces of mounts need root")
    if lacks := missing():
        leave(f"not installed: {', '.join(lacks)} (docs/testing.md)")
    with sandbox() as made:
        yield made


@pytest.fixture
def virt(libvirtd: Sandbox) -> Iterator[Sandbox]:
    """The libvirtd without guests."""
    yield libvirtd
    libvirtd.reset()


@pytest.fixture
def nas(virt: Sandbox, tmp_path: Path) -> Iterator[dict[str, str]]:
    """A host behind SSH with pools and that libvirtd; the environment in which `ssh nas1` leads to it."""
    with storage_host(virt, tmp_path) as environment:
        yield environment


@contextmanager
def storage_host(virt: Sandbox, folder: Path, user: str = "root") -> Iterator[dict[str, str]]:
    """That host as this user has it, with a home folder and the console's own folders in this one."""
    serving = subprocess.Popen(
        [sys.executable, "-m", "tests.libvirtd.storage_host", str(folder), str(virt.pid), user],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True,
    )  # fmt: skip
    with serving:
        assert serving.stdout is not None
        (folder / SERVER_PID).write_text(str(serving.pid))
        assert "\n" == serving.stdout.readline()
        yield {
            "HOME": str(folder / "home"),
            **{f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("STATE", "CONFIG", "CACHE")},
        }


def server_pid(folder: Path) -> int:
    """The SSH server of the host that has its folders there."""
    return int((folder / SERVER_PID).read_text())


@pytest.fixture
def console(nas: dict[str, str]) -> Console:
    """The console on a terminal, with that host; use it as a context."""
    return lambda: Tty("zconsole", NAME, size=(120, 40), **nas)
