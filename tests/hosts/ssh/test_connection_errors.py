"""Why there is no connection, in a sentence."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from tests.hosts.conftest import OPTIONS, Keys, Lan
from zconsole.base.errors import HostError, HostUnreachable
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.ssh_host import SshHost


@pytest.fixture
async def stranger() -> AsyncIterator[tuple[int, list[bytes]]]:
    """A port where something else answers: what it says is set by the test."""
    says: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for word in says:
            writer.write(word)
        if says:
            writer.close()
        else:
            await reader.read()
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1], says
    server.close()
    await server.wait_closed()


async def refusal(host: SshHost) -> HostError:
    try:
        await host.connect()
    except HostError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([b"HTTP/1.1 400 Bad Request\r\n\r\n"], "closed the connection before the login"),
        ([b"\x16\x03\x01" * 3000], "does not speak SSH"),
        ([b"SSH-1.5-ancient\r\n"], "does not speak SSH"),
        ([b"Exceeded MaxStartups\r\n"], "closed the connection before the login"),
        ([b"SSH-2.0-x\r\n" + b"\0" * 200], "nas1"),
    ],
)
async def test_what_is_no_sshd_is_told(
    known: Lan, stranger: tuple[int, list[bytes]], words: list[bytes], expected: str
) -> None:
    port, says = stranger
    says.extend(words)

    error = await refusal(known.host(address=Address("127.0.0.1", "admin", port, "nas1")))

    assert isinstance(error, HostUnreachable)
    assert expected in error.message


async def test_a_port_that_says_nothing_is_given_up(known: Lan, stranger: tuple[int, list[bytes]]) -> None:
    host = known.host(
        replace(OPTIONS, connect_timeout_s=0.1), Address("127.0.0.1", "admin", stranger[0], "nas1")
    )

    error = await refusal(host)

    assert "nas1 did not answer within 0.1 s" == error.message
    assert error.hint


async def test_a_closed_port_is_told(known: Lan) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]

    error = await refusal(known.host(address=Address("127.0.0.1", "admin", port, "nas1")))

    assert "nas1 refuses the connection" == error.message
    assert "sshd" in error.hint


async def test_a_name_that_nobody_knows_is_told(known: Lan, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    error = await refusal(known.host(address=Address("nas9", text="nas9")))

    assert "there is no host nas9: Name or service not known" == error.message


async def test_a_login_that_is_refused_says_what_was_tried(known: Lan, keys: Keys) -> None:
    keys.other.write_private_key(known.ssh_folder / "id_ed25519")

    error = await refusal(known.host())

    assert "nas1 refuses the login: it asks for publickey" in error.message
    assert "no ssh-agent is running" in error.message
    assert "ssh-copy-id" in error.hint
