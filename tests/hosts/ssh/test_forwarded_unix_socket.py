"""A UNIX socket of a remote host, reached through the connection that is there, by a real sshd."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.hosts.helpers import until
from tests.hosts.ssh.test_openssh import needs_sshd
from tests.hosts.ssh.test_openssh import openssh as openssh  # noqa: PLC0414 - a fixture
from zconsole.base.errors import NeverSent
from zconsole.hosts.host import SocketRefused
from zconsole.hosts.ssh.ssh_host import SshHost

pytestmark = needs_sshd


@asynccontextmanager
async def daemon(path: Path) -> AsyncIterator[None]:
    """Answers each line in capitals."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := await reader.readline():
            writer.write(line.upper())
        writer.close()

    async with await asyncio.start_unix_server(serve, path):
        yield


async def asked(path: str, line: bytes) -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(line)
    answer = await reader.readline()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_a_daemon_answers_through_a_socket_that_only_this_user_reaches(
    openssh: SshHost, tmp_path: Path
) -> None:
    async with daemon(tmp_path / "libvirt-sock-ro"):
        async with openssh.forward_socket(str(tmp_path / "libvirt-sock-ro")) as local:
            answers = [await asked(local, b"list\n"), await asked(local, b"again\n")]
            mode = stat.S_IMODE(Path(local).parent.stat().st_mode)
            owner = Path(local).parent.stat().st_uid

        assert [b"LIST\n", b"AGAIN\n"] == answers
        assert (0o700, os.geteuid()) == (mode, owner)
        assert not Path(local).parent.exists()


async def test_where_nobody_listens_it_is_refused_and_nothing_is_left(
    openssh: SshHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))

    with pytest.raises(SocketRefused, match="absent of nas1 cannot be connected to"):
        async with openssh.forward_socket("/run/absent"):
            pass

    assert [] == [each for each in os.listdir(tmp_path) if each.startswith("zconsole-")]  # noqa: PTH208


async def test_a_lost_connection_ends_what_goes_through_it_and_no_other_is_made(
    openssh: SshHost, tmp_path: Path
) -> None:
    async with daemon(tmp_path / "socket"), openssh.forward_socket(str(tmp_path / "socket")) as local:
        reader, writer = await asyncio.open_unix_connection(local)
        writer.write(b"list\n")
        assert b"LIST\n" == await reader.readline()

        await openssh.close()

        assert b"" == await reader.read()
        writer.close()
    await until(lambda: not Path(local).exists())
    with pytest.raises(NeverSent):
        async with openssh.forward_socket(str(tmp_path / "socket")):
            pass
