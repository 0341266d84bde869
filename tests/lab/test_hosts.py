"""SSH to a real host: what comes back, what a cut link and a strange key do."""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.lab import guests
from tests.lab.guests import Guest
from zconsole.base.errors import CommandFailed, HostKeyChanged, HostKeyUnknown, HostUnreachable, LinkLost
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.ssh_host import SshHost

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

IOSTAT = Command(("zpool", "iostat", "-T", "u", "-Hpvlqy", "tank", "1"), timeout_s=60.0)
TANK = "/proc/spl/kstat/zfs/tank/state"
GONE_S = 60  # within which a killed command must have left the guest, however busy the machine
NOTICED_S = 20  # a silent host: twice what a machine with nothing else to do takes, and more
BACK_S = 120  # from a thawed guest to an answer over a new connection, or from a new pool to a settled one
PATIENT = SshOptions.patient(60.0)


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with a mirror."""
    bare_guest.create_pool(f"tank mirror {bare_guest.disk(0)} {bare_guest.disk(1)}")
    yield bare_guest
    bare_guest.wipe()


@pytest.fixture
async def nas(ssh_alias: str) -> AsyncIterator[SshHost]:
    """The connected host, by the name that only the user's ~/.ssh/config knows."""
    host = SshHost(Address(ssh_alias), PATIENT)
    await host.connect()
    yield host
    await host.close()


def asking(*argv: str) -> Command:
    """A command that has time for an answer on a busy machine."""
    return Command(argv, timeout_s=60.0)


def known_hosts_of(guest: Guest, path: Path, lines: str) -> None:
    """Make the user's ~/.ssh/config name a known_hosts file with these lines."""
    path.write_text(lines)
    config = Path(os.environ["HOME"], ".ssh", "config")
    config.write_text(guests.ssh_config(guest, "nas", known_hosts=path))


def ssh_keygen(*arguments: str) -> str:
    """What ssh-keygen prints."""
    return subprocess.run(["ssh-keygen", *arguments], capture_output=True, text=True, check=True).stdout


async def is_gone(guest: Guest, pattern: str) -> bool:
    """Whether no process with such a command line is left in the guest, soon; the loop goes on."""
    look = f"pgrep -f -- '{pattern}' >/dev/null || exit 0; sleep 0.2"
    loop = f"for i in $(seq {GONE_S * 5}); do {look}; done; exit 1"
    looking = await asyncio.create_subprocess_exec(*guest.ssh_argv(loop))
    return await looking.wait() == 0


async def state_of_tank(host: SshHost) -> bytes:
    """What the kernel calls it, once its devices are open: until then, after it was created, OFFLINE."""
    async with asyncio.timeout(BACK_S):
        while (state := await host.read(TANK)) == b"OFFLINE\n":
            pass
    return state


async def test_a_command_runs_with_a_constructed_environment(nas: SshHost) -> None:
    completed = await nas.run(asking("env"))

    environment = dict(line.split("=", 1) for line in completed.stdout.decode().splitlines())
    assert Outcome.DONE is completed.outcome
    assert "UTC" == environment["TZ"]
    assert "C.UTF-8" == environment["LC_ALL"]
    assert "/usr/sbin" in environment["PATH"].split(":")


async def test_zpool_is_found_although_no_login_shell_has_sbin_in_its_path(
    nas: SshHost, guest: Guest
) -> None:
    completed = await nas.run(asking("zpool", "version"))

    assert Outcome.DONE is completed.outcome
    assert completed.stdout.startswith(f"zfs-{guest.series}.".encode())


async def test_a_refusal_of_zpool_is_failed_with_its_own_words(nas: SshHost, tank: Guest) -> None:
    completed = await nas.run(asking("zpool", "status", "nosuch"))

    assert (Outcome.FAILED, 1) == (completed.outcome, completed.status)
    assert "cannot open 'nosuch': no such pool" in completed.said


async def test_every_argument_arrives_as_it_was_meant(nas: SshHost) -> None:
    hostile = ("a b", "$(id)", "`id`", "'", '"', "*", "\\", "é 🦄", ";", "--", "")

    completed = await nas.run(asking("printf", "%s\\0", *hostile))

    assert hostile == tuple(completed.stdout.decode().split("\0")[:-1])


async def test_an_argument_with_a_line_break_is_not_sent_at_all(nas: SshHost) -> None:
    completed = await nas.run(Command(("printf", "%s", "a\nb")))

    assert Outcome.FAILED is completed.outcome
    assert "line break" in completed.reason


async def test_the_kernels_word_on_a_pool_is_read_without_zpool(nas: SshHost, tank: Guest) -> None:
    assert b"ONLINE\n" == await state_of_tank(nas)


async def test_a_pool_that_comes_and_goes_takes_no_channel_with_it(nas: SshHost, tank: Guest) -> None:
    """A kstat whose pool was exported is an error of a file, whatever words OpenSSH has for that."""
    for _ in range(4):
        assert b"ONLINE\n" == await state_of_tank(nas)
        assert (await nas.run(asking("zpool", "export", "tank"))).is_done
        with pytest.raises(FileNotFoundError):
            await nas.read(TANK)
        assert (await nas.run(asking("zpool", "import", "tank"))).is_done

    assert b"ONLINE\n" == await state_of_tank(nas)
    assert b"1\n" == (await nas.run(asking("pgrep", "-c", "sftp-server"))).stdout


async def test_a_file_that_is_not_there_is_not_found(nas: SshHost) -> None:
    with pytest.raises(FileNotFoundError):
        await nas.read("/proc/spl/kstat/zfs/nosuch/state")


async def test_samples_stream_and_leaving_ends_the_remote_command(nas: SshHost, tank: Guest) -> None:
    seen = b""
    async with nas.stream(IOSTAT) as chunks:
        async for chunk in chunks:
            seen += chunk
            if seen.count(b"\ntank\t") >= 2:
                break

    assert b"\nmirror-0\t" in seen
    assert await is_gone(tank, "^[a-z/]*zpool iostat -T u")


async def test_a_stream_that_ends_says_what_zpool_said(nas: SshHost) -> None:
    async with nas.stream(asking("zpool", "iostat", "-Hp", "nosuch", "1")) as chunks:
        with pytest.raises(CommandFailed, match="ended with 1") as failed:
            [chunk async for chunk in chunks]

    assert "Unable to parse pools/vdevs list." in failed.value.said


async def test_a_command_past_its_deadline_is_unknown_and_killed(nas: SshHost, guest: Guest) -> None:
    completed = await nas.run(Command(("sleep", "3600"), timeout_s=10.0))

    assert (Outcome.UNKNOWN, None) == (completed.outcome, completed.status)
    assert await is_gone(guest, "^sleep 3600")


async def test_an_unknown_key_is_a_question_and_its_answer_is_remembered(
    ssh_alias: str, guest: Guest, tmp_path: Path
) -> None:
    known_hosts_of(guest, tmp_path / "known", "")
    host = SshHost(Address(ssh_alias), PATIENT)

    with pytest.raises(HostKeyUnknown) as unknown:
        await host.connect()
    await host.accept_key(unknown.value.fingerprint)
    await host.connect()

    assert unknown.value.fingerprint in ssh_keygen("-lf", str(guest.known_hosts))
    assert (await host.run(asking("true"))).is_done
    await host.close()


async def test_a_changed_key_is_a_hard_stop(ssh_alias: str, guest: Guest, tmp_path: Path) -> None:
    other = tmp_path / "other"
    ssh_keygen("-q", "-t", "ed25519", "-N", "", "-f", str(other))
    kind, key, *_ = other.with_suffix(".pub").read_text().split()
    known_hosts_of(guest, tmp_path / "known", f"[127.0.0.1]:{guest.port} {kind} {key}\n")
    host = SshHost(Address(ssh_alias), PATIENT)

    with pytest.raises(HostKeyChanged):
        await host.connect()
    await host.close()


async def test_a_host_that_falls_silent_is_noticed_within_seconds(ssh_alias: str, tank: Guest) -> None:
    host = SshHost(Address(ssh_alias))
    await host.connect()
    async with host.stream(IOSTAT) as chunks:
        await anext(chunks)
        tank.freeze()
        began = time.monotonic()
        try:
            with pytest.raises(LinkLost):
                [chunk async for chunk in chunks]
        finally:
            tank.thaw()

    assert time.monotonic() - began < NOTICED_S
    async with asyncio.timeout(BACK_S):
        await until_answered(host)
    await host.close()


async def until_answered(host: SshHost) -> None:
    """Connect anew until it answers; a guest that was thawed a moment ago may fall silent once more."""
    while True:
        with suppress(LinkLost, HostUnreachable):
            await host.connect()
            if (await host.run(asking("true"))).is_done:
                return
