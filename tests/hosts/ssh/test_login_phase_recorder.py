"""Each delay of a login is found in its phase: with a clock by hand, and with the sshd of OpenSSH."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.conftest import OPTIONS, Keys, Lan
from tests.hosts.helpers import until
from tests.hosts.ssh.test_openssh import SSHD, free_port, needs_sshd, until_open
from tests.hosts.sshd import Sshd, Wire
from zconsole.base.errors import HostUnreachable
from zconsole.hosts.host import Command, login_of
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh import ssh_host
from zconsole.hosts.ssh.known_hosts_file import append_key
from zconsole.hosts.ssh.login_phase_recorder import LoginRecorder
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime

TRUE = Command(("true",))


class Hand:
    """A clock that only the test moves: a phase without a delay of the test's takes 0 s."""

    def __init__(self) -> None:
        self.at = 100.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def hand(monkeypatch: pytest.MonkeyPatch) -> Hand:
    clock = Hand()
    monkeypatch.setattr(ssh_host, "LoginRecorder", lambda host: LoginRecorder(host, clock))
    return clock


def seconds(host: SshHost) -> dict[LoginPhase, float]:
    login = login_of(host)
    assert login is not None
    return {each.phase: each.seconds for each in login.phases if each.has_ended}


def only(phase: LoginPhase, delay_s: float) -> dict[LoginPhase, float]:
    return {each: delay_s if each is phase else 0.0 for each in LoginPhase}


def running(host: SshHost, phase: LoginPhase) -> Callable[[], bool]:
    """Whether the host's login has come to a phase, and waits in it."""
    return lambda: host._login is not None and host._login.running is phase


# The recorder


def test_each_phase_lasts_until_the_next_one() -> None:
    clock = Hand()
    recorder = LoginRecorder("nas1", clock)
    recorder.connecting()
    for step in (recorder.connected, recorder.may_authenticate, recorder.authenticated):
        clock.at += 2
        step()
    clock.at += 100  # idle, before anybody wants a session
    first = recorder.first_session()
    assert first is not None
    for step in (first.opened, first.answered):
        clock.at += 3
        step()

    assert [2, 2, 2, 3, 3] == [each.seconds for each in recorder.login.phases]
    assert list(LoginPhase) == [each.phase for each in recorder.login.phases]
    assert None is recorder.first_session()


def test_a_second_attempt_begins_again() -> None:
    clock = Hand()
    recorder = LoginRecorder("nas1", clock)
    recorder.connecting()
    clock.at += 5
    recorder.connected()
    recorder.connecting()
    clock.at += 1
    recorder.connected()

    assert 1 == recorder.login.of(LoginPhase.CONNECT)


def test_what_is_repeated_later_changes_nothing() -> None:
    clock = Hand()
    recorder = LoginRecorder("nas1", clock)
    recorder.connecting()
    recorder.connected()
    recorder.may_authenticate()
    recorder.authenticated()
    clock.at += 9
    recorder.authenticated()

    assert [0, 0, 0] == [each.seconds for each in recorder.login.phases]


def test_a_session_that_ends_without_an_answer_has_not_ended_its_phase() -> None:
    clock = Hand()
    recorder = LoginRecorder("nas1", clock)
    first = recorder.first_session()
    assert first is not None
    clock.at += 4
    first.over()
    clock.at += 90

    assert (PhaseTime(LoginPhase.SESSION, 4.0, has_ended=False),) == recorder.login.phases


# The sshd of OpenSSH


@dataclass
class Slow:
    """An sshd behind a wire; its keys and its shell may be made to wait for the test."""

    host: SshHost
    wire: Wire
    folder: Path

    async def waits_at(self, name: str) -> None:
        """Until sshd or its shell has come to the gate of this name."""
        await until((self.folder / f"{name}.came").exists)

    def let_through(self, name: str) -> None:
        (self.folder / f"{name}.go").touch()


GATE = "touch {0}.came; until [ -e {0}.go ]; do sleep 0.01; done"


@pytest.fixture
async def slow(tmp_path: Path, ssh_folder: Path, keys: Keys, hand: Hand) -> AsyncIterator[Slow]:
    """Gates at the reading of authorized keys, and in a shell that is before the login shell."""
    folder = tmp_path / "sshd"
    folder.mkdir(mode=0o755)
    keys.host.write_private_key(folder / "host")
    (folder / "host").chmod(0o600)
    public = keys.user.export_public_key().decode().strip()
    for name, then in (("keys", f"echo '{public}'"), ("shell", 'exec sh -c "$SSH_ORIGINAL_COMMAND"')):
        script = folder / name
        script.write_text(f"#!/bin/sh\n{GATE.format(folder / name)}\n{then}\n")
        script.chmod(0o755)
    port = await free_port()
    user = getpass.getuser()
    (folder / "config").write_text(
        f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {folder}/host\nPidFile none\nUsePAM no\nUseDNS no\n"
        f"AuthorizedKeysFile none\nAuthorizedKeysCommand /bin/sh {folder}/keys\n"
        f"AuthorizedKeysCommandUser {user}\n"
        f"StrictModes no\nPermitRootLogin yes\nPrintLastLog no\nForceCommand {folder}/shell\n"
    )
    with contextlib.suppress(OSError):
        os.makedirs("/run/sshd", exist_ok=True)  # noqa: PTH103 - sshd insists on it
    assert SSHD is not None
    daemon = await asyncio.create_subprocess_exec(
        *(SSHD, "-D", "-E", str(folder / "log"), "-f", str(folder / "config")), start_new_session=True
    )
    await until_open(port)
    wire = Wire(port)
    await wire.start()
    append_key(ssh_folder / "known_hosts", "127.0.0.1", wire.port, keys.host)
    host = SshHost(Address("127.0.0.1", user, wire.port, "nas1"), OPTIONS)
    try:
        yield Slow(host, wire, folder)
    finally:
        wire.thaw()
        await host.close()
        await wire.stop()
        daemon.kill()
        await daemon.wait()


@needs_sshd
async def test_a_slow_name_lookup_is_the_connections(
    slow: Slow, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    resolve = loop._ensure_resolved  # type: ignore[attr-defined]  # for an address without getaddrinfo

    async def late(address: tuple[str, int], **options: Any) -> Any:
        if address[1] == slow.wire.port and hand.at == 100.0:  # asked again when the socket connects
            hand.at += 5
        return await resolve(address, **options)

    monkeypatch.setattr(loop, "_ensure_resolved", late)
    slow.let_through("keys")
    slow.let_through("shell")

    await slow.host.connect()
    await slow.host.run(TRUE)

    assert only(LoginPhase.CONNECT, 5) == seconds(slow.host)


@needs_sshd
async def test_a_greeting_that_is_held_back_is_the_key_exchanges(slow: Slow, hand: Hand) -> None:
    slow.let_through("keys")
    slow.let_through("shell")
    slow.wire.freeze()
    connecting = asyncio.create_task(slow.host.connect())
    await until(running(slow.host, LoginPhase.KEY_EXCHANGE))

    hand.at += 6
    slow.wire.thaw()
    await connecting
    await slow.host.run(TRUE)

    assert only(LoginPhase.KEY_EXCHANGE, 6) == seconds(slow.host)


@needs_sshd
async def test_an_sshd_that_waits_for_a_directory_is_the_authentications(slow: Slow, hand: Hand) -> None:
    slow.let_through("shell")
    connecting = asyncio.create_task(slow.host.connect())
    await slow.waits_at("keys")

    hand.at += 7
    slow.let_through("keys")
    await connecting
    await slow.host.run(TRUE)

    assert only(LoginPhase.AUTHENTICATION, 7) == seconds(slow.host)


@needs_sshd
async def test_a_session_that_is_not_opened_is_the_sessions(slow: Slow, hand: Hand) -> None:
    slow.let_through("keys")
    slow.let_through("shell")
    await slow.host.connect()
    slow.wire.freeze()
    command = asyncio.create_task(slow.host.run(TRUE))
    await until(running(slow.host, LoginPhase.SESSION))

    hand.at += 25
    slow.wire.thaw()
    await command

    assert only(LoginPhase.SESSION, 25) == seconds(slow.host)


@needs_sshd
async def test_no_keepalive_is_sent_before_the_first_session_is_open(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An sshd answers nothing while PAM's session modules work, and systemd-logind may keep them waiting."""
    slow.let_through("keys")
    slow.let_through("shell")
    await slow.host.connect()
    assert slow.host._link is not None
    watched: list[tuple[float, int]] = []
    monkeypatch.setattr(slow.host._link.connection, "set_keepalive", lambda *given: watched.append(given))
    slow.wire.freeze()
    command = asyncio.create_task(slow.host.run(TRUE))
    await until(running(slow.host, LoginPhase.SESSION))
    before = list(watched)

    slow.wire.thaw()
    await command

    assert [] == before
    assert 0 == slow.host._link.connection._keepalive_interval
    assert [(OPTIONS.keepalive_interval_s, OPTIONS.keepalive_count)] == watched


@needs_sshd
async def test_a_slow_profile_is_the_shells(slow: Slow, hand: Hand) -> None:
    slow.let_through("keys")
    await slow.host.connect()
    command = asyncio.create_task(slow.host.run(TRUE))
    await slow.waits_at("shell")
    await until(running(slow.host, LoginPhase.SHELL))

    hand.at += 8
    slow.let_through("shell")
    await command
    hand.at += 60
    await slow.host.run(TRUE)  # later sessions change nothing

    assert only(LoginPhase.SHELL, 8) == seconds(slow.host)


@needs_sshd
async def test_a_login_that_is_given_up_says_in_which_phase(slow: Slow, hand: Hand) -> None:
    impatient = SshHost(slow.host._address, replace(OPTIONS, connect_timeout_s=1.0))

    with pytest.raises(HostUnreachable) as caught:
        await impatient.connect()
    slow.let_through("keys")

    assert "nas1 did not end the authentication within 1 s" == caught.value.message
    login = login_of(impatient)
    assert login is not None
    assert (LoginPhase.AUTHENTICATION, False) == (login.phases[-1].phase, login.phases[-1].has_ended)


# Jump hosts, and files


async def test_a_jump_host_is_measured_apart(known: Lan, hand: Hand, keys: Keys) -> None:
    """The time of the jump host's login is not in that of the host behind it."""
    gate = Sshd(keys.user)
    gate.forwards = True
    await gate.start(keys.other)
    append_key(known.ssh_folder / "known_hosts", "127.0.0.1", gate.port, keys.other)
    config = known.ssh_folder / "config"
    config.write_text(f"Host 127.0.0.1\n  ProxyJump admin@localhost:{gate.port}\n")
    append_key(known.ssh_folder / "known_hosts", "localhost", gate.port, keys.other)
    known.wire.freeze()
    host = known.host()
    connecting = asyncio.create_task(host.connect())
    try:
        await until(running(host, LoginPhase.KEY_EXCHANGE))
        hand.at += 6
        known.wire.thaw()
        await connecting
        await host.run(TRUE)
    finally:
        known.wire.thaw()
        await host.close()
        await gate.stop()

    login = login_of(host)
    assert login is not None
    assert only(LoginPhase.KEY_EXCHANGE, 6) == seconds(host)
    (jump,) = login.jumps
    assert f"localhost:{gate.port}" in jump.host or "localhost" in jump.host
    assert [0, 0, 0] == [each.seconds for each in jump.phases]


async def test_the_first_session_may_be_for_files(known: Lan, hand: Hand) -> None:
    host = await known.connected()
    known.wire.freeze()
    reading = asyncio.create_task(host.read("/proc/self/stat"))
    await until(running(host, LoginPhase.SESSION))

    hand.at += 25
    known.wire.thaw()
    await reading

    assert only(LoginPhase.SESSION, 25) == seconds(host)


async def test_before_a_login_there_is_nothing_to_tell(known: Lan) -> None:
    assert None is login_of(known.host())
