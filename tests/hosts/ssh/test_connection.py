"""A link that is cut, frozen or slow never makes a success of what was not seen to end."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest

from tests.hosts.conftest import OPTIONS, Keys, Lan
from tests.hosts.helpers import drained, until
from tests.hosts.sshd import Process
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost
from zconsole.hosts.host import Command, Completed, Outcome
from zconsole.hosts.ssh.shell_quoting_and_output_marker import MARK
from zconsole.hosts.ssh.ssh_host import SshHost

QUICK = replace(OPTIONS, keepalive_interval_s=0.1)
BODY = b"tank\tONLINE\n" * 40
ZPOOL = Command(("zpool", "list"))


async def answer(process: Process) -> None:
    process.stdout.write(MARK + b"\n" + BODY)
    process.exit(0)


async def cut_after(lan: Lan, offset: int) -> Completed | LinkLost | None:
    """Run a command on a link that is cut so many bytes into what the server says of it.

    None: it was all said before the cut.
    """
    host = await lan.connected()
    lan.wire.cut_at = lan.wire.passed + offset
    try:
        completed = await host.run(ZPOOL)
    except LinkLost as error:
        return error
    finally:
        await host.close()
        lan.wire.cut_at = None
    return completed


async def test_a_link_cut_at_any_byte_is_never_a_success(known: Lan, request: pytest.FixtureRequest) -> None:
    """Done only with all of the output; failed never; else unknown, or lost before it was sent."""
    known.sshd.handlers["zpool"] = answer
    whole = 0
    step = 1 if request.config.getoption("--long") else 61
    seen = set()

    for offset in range(0, 3000, step):
        outcome = await cut_after(known, offset)
        if isinstance(outcome, LinkLost):
            seen.add("never sent")
            continue
        assert isinstance(outcome, Completed)
        seen.add(outcome.outcome.value)
        if outcome.is_done:
            assert BODY == outcome.stdout
            whole += 1
        else:
            assert (Outcome.UNKNOWN, None) == (outcome.outcome, outcome.status)
            assert BODY.startswith(outcome.stdout)
            assert "connection was lost" in outcome.reason

    assert {"never sent", "unknown", "done"} == seen


async def test_a_command_that_was_not_sent_is_not_unknown(known: Lan) -> None:
    """Only what may have run is in doubt."""
    host = await known.connected()
    known.wire.cut_at = known.wire.passed

    with pytest.raises(LinkLost):
        await host.run(Command(("zfs", "destroy", "tank/home")))

    assert [] == known.sshd.commands


async def test_a_link_cut_in_the_middle_of_a_command_is_unknown(known: Lan) -> None:
    begun = asyncio.Event()

    async def begin(process: Process) -> None:
        process.stdout.write(MARK + b"\nbegun\n")
        begun.set()
        await asyncio.Event().wait()

    known.sshd.handlers["zpool"] = begin
    host = await known.connected()
    running = asyncio.create_task(host.run(Command(("zpool", "replace", "tank", "a", "b"))))
    await begun.wait()

    known.wire.cut()

    completed = await running
    assert (Outcome.UNKNOWN, None) == (completed.outcome, completed.status)
    assert "the connection was lost before it was seen to end" == completed.reason
    assert not host.is_lingering(completed.command)


async def test_a_link_cut_in_the_middle_of_a_stream_ends_it_with_that(known: Lan) -> None:
    async def tick(process: Process) -> None:
        process.stdout.write(MARK + b"\ntick\n")
        await asyncio.Event().wait()

    known.sshd.handlers["iostat"] = tick
    host = await known.connected()

    async with host.stream(Command(("zpool", "iostat", "1"))) as chunks:
        assert b"tick\n" == await anext(chunks)
        known.wire.cut()
        with pytest.raises(LinkLost, match="the connection to nas1 was lost"):
            await anext(chunks)


async def test_a_server_that_is_switched_off_is_noticed_and_found_again(known: Lan, keys: Keys) -> None:
    host = await known.connected()

    await known.sshd.stop()
    with suppress(HostUnreachable):
        while True:
            await known_down(host)
    await known.sshd.start(keys.host)
    await host.connect()

    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome


async def known_down(host: SshHost) -> None:
    """Connect; a connection that nobody missed yet is used, so that it is missed."""
    await host.connect()
    try:
        await host.run(Command(("true",)))
    except LinkLost:
        return


async def test_a_frozen_peer_is_noticed_by_keepalive(known: Lan) -> None:
    """Without an end of the TCP connection, and long before the deadline of the command."""
    known.sshd.handlers["zpool"] = hang
    host = await known.connected(QUICK)
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome  # watched from the first session on
    running = asyncio.create_task(host.run(Command(("zpool", "status"), timeout_s=60.0)))
    await until(lambda: len(known.sshd.commands) == 2)
    loop = asyncio.get_running_loop()
    began = loop.time()

    known.wire.freeze()

    completed = await running
    assert Outcome.UNKNOWN is completed.outcome
    assert "connection was lost" in completed.reason
    assert loop.time() - began < 5 * QUICK.keepalive_interval_s * (QUICK.keepalive_count + 1)
    with pytest.raises(LinkLost):
        await host.run(Command(("true",)))


async def hang(process: Process) -> None:
    process.stdout.write(MARK + b"\n")
    await asyncio.Event().wait()


async def test_a_frozen_peer_ends_a_stream_and_a_read(known: Lan) -> None:
    known.sshd.handlers["iostat"] = hang
    host = await known.connected(QUICK)
    await host.read("/proc/uptime")
    streaming = asyncio.create_task(drained(host, Command(("zpool", "iostat", "1"))))
    await until(lambda: known.sshd.commands)

    known.wire.freeze()

    with pytest.raises(LinkLost):
        await host.read("/proc/uptime")
    received, error = await streaming
    assert b"" == received
    assert isinstance(error, LinkLost)


async def test_a_deadline_holds_on_a_frozen_peer_also_while_the_channel_opens(known: Lan) -> None:
    host = await known.connected()
    known.wire.freeze()

    completed = await host.run(Command(("zpool", "offline", "tank", "sda"), timeout_s=0.1))
    known.wire.thaw()
    after = await host.run(Command(("true",)))

    assert (Outcome.FAILED, 126) == (completed.outcome, completed.status)
    assert "sshd opened no session" in completed.reason
    assert Outcome.DONE is after.outcome
    assert not any("offline" in command for command in known.sshd.commands)  # nor did it start late
    await until(lambda: known.sshd.sessions == 0)


async def test_a_stream_that_cannot_start_in_time_says_so(known: Lan) -> None:
    host = await known.connected()
    known.wire.freeze()

    with pytest.raises(CommandFailed, match="sshd opened no session"):
        async with host.stream(Command(("zpool", "iostat", "1"), timeout_s=0.1)):
            pass


async def test_a_link_that_trickles_carries_all_of_it(known: Lan) -> None:
    known.sshd.handlers["zpool"] = answer
    known.wire.piece_bytes = 1

    host = await known.connected()

    assert BODY == (await host.run(ZPOOL)).stdout


async def test_closing_is_over_when_the_caller_waits_no_longer(known: Lan) -> None:
    known.sshd.handlers["zpool"] = hang
    host = await known.connected()
    running = asyncio.create_task(host.run(Command(("zpool", "status"), timeout_s=60.0)))
    await until(lambda: known.sshd.commands)
    link = host._link
    assert link is not None
    known.wire.freeze()
    running.cancel()  # its process is to be killed, and the host does not answer
    await asyncio.wait([running])

    closing = asyncio.create_task(host.close())
    await asyncio.sleep(0)
    closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing

    for _ in range(10):  # turns of the loop, no time
        await asyncio.sleep(0)
    assert link.connection.is_closed()


async def test_closing_does_not_wait_for_a_peer_that_is_frozen(known: Lan) -> None:
    known.sshd.handlers["zpool"] = hang
    host = await known.connected()
    running = asyncio.create_task(host.run(Command(("zpool", "status"), timeout_s=60.0)))
    await until(lambda: known.sshd.commands)
    known.wire.freeze()

    async with asyncio.timeout(5.0):
        await host.close()
        completed = await running

    assert Outcome.UNKNOWN is completed.outcome


async def test_an_agent_that_is_gone_does_not_stop_a_key_that_is_there(
    known: Lan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_AUTH_SOCK", str(known.ssh_folder / "no-agent"))

    await known.connected()
