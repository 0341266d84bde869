"""Files of this machine: missing, too large, hanging."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.hosts.helpers import until
from zconsole.base.errors import CommandFailed, HostError, Stuck
from zconsole.hosts.host import CannotListFolders
from zconsole.hosts.local import local_file_reader
from zconsole.hosts.local.local_host import LocalHost


@pytest.fixture
async def host() -> AsyncIterator[LocalHost]:
    host = LocalHost()
    await host.connect()
    yield host
    await host.close()


async def test_a_file_that_is_not_there_or_too_large_is_told(host: LocalHost, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"12345")

    with pytest.raises(FileNotFoundError):
        await host.read(str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError):
        await host.read("/proc/spl/kstat/zfs/no-such-pool/state")
    with pytest.raises(CommandFailed, match="larger than 4 bytes"):
        await host.read(str(file), max_bytes=4)
    with pytest.raises(HostError, match="Is a directory"):
        await host.read(str(tmp_path))


@pytest.fixture
def hanging(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Reads of files hang in the kernel until the event."""
    let_go = threading.Event()

    def read_now(path: str, max_bytes: int) -> bytes:
        let_go.wait()
        return b"late"

    monkeypatch.setattr(local_file_reader, "read_now", read_now)
    yield let_go
    let_go.set()


async def test_a_read_that_hangs_is_given_up_and_not_joined_by_a_second(hanging: threading.Event) -> None:
    host = LocalHost(read_timeout_s=0.02)

    with pytest.raises(Stuck, match="took more than"):
        await host.read("/tank/file")
    with pytest.raises(Stuck, match="still hangs"):
        await host.read("/tank/file")

    hanging.set()
    await until(lambda: not host._files._hanging)
    assert b"late" == await host.read("/tank/file")


async def test_a_folder_of_the_kernel_is_listed_and_no_other(host: LocalHost, tmp_path: Path) -> None:
    """Another may be on a pool that hangs."""
    assert {"hostname", "random/"} <= set(await host.list_folder("/proc/sys/kernel"))
    with pytest.raises(FileNotFoundError):
        await host.list_folder("/proc/spl/kstat/none")
    with pytest.raises(CannotListFolders):
        await host.list_folder(str(tmp_path))
