"""The sshd and the tools of OpenSSH, where they are installed: what our own server cannot show."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.hosts.conftest import OPTIONS, Keys
from tests.hosts.helpers import drained, until
from zconsole.base.errors import HostKeyUnknown
from zconsole.hosts.host import Command, Outcome
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.known_hosts_file import append_key, read_known_hosts
from zconsole.hosts.ssh.ssh_host import SshHost

SSHD = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
SFTP_SERVER = next(
    (
        str(path)
        for path in map(Path, ("/usr/lib/openssh/sftp-server", "/usr/libexec/openssh/sftp-server"))
        if path.exists()
    ),
    None,
)
needs_sshd = pytest.mark.skipif(SSHD is None or SFTP_SERVER is None, reason="no OpenSSH server here")
needs_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="no ssh-keygen here")


async def free_port() -> int:
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port: int = server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()
    return port


async def until_open(port: int) -> None:
    while True:
        with contextlib.suppress(ConnectionRefusedError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            await writer.wait_closed()
            return


@pytest.fixture
async def openssh(tmp_path: Path, ssh_folder: Path, keys: Keys) -> AsyncIterator[SshHost]:
    """A host of OpenSSH that lets this user in, and three sessions at a time."""
    folder = tmp_path / "sshd"
    folder.mkdir(mode=0o700)
    keys.host.write_private_key(folder / "host")
    (folder / "host").chmod(0o600)
    keys.user.write_public_key(folder / "authorized")
    port = await free_port()
    (folder / "config").write_text(
        f"ListenAddress 127.0.0.1\nPort {port}\nHostKey {folder}/host\nPidFile none\nUsePAM no\n"
        f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nPermitRootLogin yes\nMaxSessions 3\n"
        f"Subsystem sftp {SFTP_SERVER}\nPrintLastLog no\nX11Forwarding yes\n"
    )
    with contextlib.suppress(OSError):
        os.makedirs("/run/sshd", exist_ok=True)  # noqa: PTH103 - sshd insists on it
    assert SSHD is not None
    daemon = await asyncio.create_subprocess_exec(
        *(SSHD, "-D", "-E", str(folder / "log"), "-f", str(folder / "config")), start_new_session=True
    )
    await until_open(port)
    append_key(ssh_folder / "known_hosts", "127.0.0.1", port, keys.host)
    host = SshHost(Address("127.0.0.1", getpass.getuser(), port, "nas1"), OPTIONS)
    try:
        await host.connect()
        yield host
    finally:
        await host.close()
        daemon.kill()
        await daemon.wait()


@needs_sshd
async def test_commands_run_as_they_were_meant(openssh: SshHost) -> None:
    hostile = ("$HOME", "a b", "", "`id`", "'\"\\", "!", "=ls", "\udce9\udcff")

    completed = await openssh.run(Command(("printf", "%s\\0", *hostile)))
    failed = await openssh.run(Command(("false",)))
    missing = await openssh.run(Command(("zpool-that-is-not-there",)))
    killed = await openssh.run(Command(("sh", "-c", "kill -9 $$")))

    assert b"".join(os.fsencode(word) + b"\0" for word in hostile) == completed.stdout
    assert (Outcome.FAILED, 1) == (failed.outcome, failed.status)
    assert (Outcome.FAILED, 127) == (missing.outcome, missing.status)
    assert (Outcome.UNKNOWN, "it was killed by SIGKILL") == (killed.outcome, killed.reason)


@needs_sshd
async def test_a_deadline_ends_the_remote_process_also_a_silent_one(openssh: SshHost) -> None:
    command = Command(("sh", "-c", "echo $$; exec sleep 600"), timeout_s=4.0)

    completed = await openssh.run(command)

    assert Outcome.UNKNOWN is completed.outcome
    await until(lambda: not Path(f"/proc/{int(completed.stdout)}").exists())
    await until(lambda: not openssh.is_lingering(command))


@needs_sshd
async def test_leaving_a_stream_ends_the_remote_process(openssh: SshHost) -> None:
    async with openssh.stream(Command(("sh", "-c", "echo $$; exec sleep 600"))) as chunks:
        pid = int(await anext(chunks))

    await until(lambda: not Path(f"/proc/{pid}").exists())


@needs_sshd
async def test_max_sessions_refuses_a_command_and_nothing_else(openssh: SshHost, tmp_path: Path) -> None:
    waits = Command(("sh", "-c", f"echo; until [ -e {tmp_path}/go ]; do sleep 0.01; done"))
    async with (
        openssh.stream(waits) as first,
        openssh.stream(waits) as second,
        openssh.stream(waits) as third,
    ):
        for chunks in (first, second, third):
            await anext(chunks)

        refused = await openssh.run(Command(("true",), timeout_s=1.0))
        (tmp_path / "go").touch()

    assert (Outcome.FAILED, 126) == (refused.outcome, refused.status)
    assert "MaxSessions" in refused.reason
    await until(lambda: not openssh._lingering)
    assert Outcome.DONE is (await openssh.run(Command(("true",)))).outcome


def open_files(pid: int) -> list[str]:
    return [str(path.readlink()) for path in Path(f"/proc/{pid}/fd").iterdir()]


def printed_fingerprint(key: Path) -> str:
    done = subprocess.run(["ssh-keygen", "-lf", key], check=True, capture_output=True, text=True)
    return done.stdout


@needs_sshd
async def test_proc_is_read_anew_through_one_open_file(openssh: SshHost) -> None:
    first = await openssh.read("/proc/self/stat")  # of sftp-server: its own faults and ticks
    while first == await openssh.read("/proc/self/stat"):
        pass

    assert first.split()[0] == (await openssh.read("/proc/self/stat")).split()[0]
    assert 1 == sum(name.endswith("/stat") for name in open_files(int(first.split()[0])))
    assert b"cpu" in await openssh.read("/proc/stat")
    with pytest.raises(FileNotFoundError):
        await openssh.read("/proc/spl/kstat/zfs/no-such-pool/state")


@needs_sshd
async def test_a_stream_carries_much_without_a_gap(openssh: SshHost) -> None:
    received, _ = await drained(openssh, Command(("sh", "-c", "yes | head -c 3000000")))

    assert b"y\n" * 1_500_000 == received


@needs_keygen
def test_openssh_finds_the_key_that_we_wrote_and_we_the_one_that_it_hashed(
    tmp_path: Path, keys: Keys
) -> None:
    file = tmp_path / "known_hosts"
    append_key(file, "nas1", 2222, keys.host)
    append_key(file, "nas2", 22, keys.other)

    for name in ("[nas1]:2222", "nas2"):
        subprocess.run(["ssh-keygen", "-F", name, "-f", file], check=True, capture_output=True)
    subprocess.run(["ssh-keygen", "-q", "-H", "-f", file], check=True, capture_output=True)

    assert b"nas" not in file.read_bytes()
    known = read_known_hosts([file])
    assert [keys.host.get_fingerprint()] == [key.get_fingerprint() for key in known.match("nas1", 2222).keys]
    assert [] == known.match("nas1", None).keys
    assert 1 == len(known.match("nas2", None).keys)


@pytest.fixture
async def agent(tmp_path: Path, ssh_folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The user's key is in an agent, and nowhere else."""
    with tempfile.TemporaryDirectory() as short:  # the path of a socket may not be long
        monkeypatch.setenv("SSH_AUTH_SOCK", f"{short}/agent")
        agent = await asyncio.create_subprocess_exec(
            *("ssh-agent", "-D", "-a", f"{short}/agent"), stdout=asyncio.subprocess.PIPE
        )
        assert agent.stdout is not None
        await agent.stdout.readline()
        key = ssh_folder / "id_ed25519"
        key.chmod(0o600)
        try:
            adding = await asyncio.create_subprocess_exec(
                "ssh-add", "-q", str(key), stderr=asyncio.subprocess.DEVNULL
            )
            assert 0 == await adding.wait()
            key.unlink()
            yield
        finally:
            agent.kill()
            await agent.communicate()


@needs_sshd
async def test_the_agent_opens_the_door_and_stays_here(openssh: SshHost, agent: None) -> None:
    host = SshHost(openssh._address, OPTIONS)
    await host.connect()

    environment = await host.run(Command(("cat", "/proc/self/environ")))
    parent = await host.run(Command(("sh", "-c", "tr '\\0' '\\n' < /proc/$PPID/environ | grep -c AGENT")))
    await host.close()

    assert b"SSH_AUTH_SOCK" not in environment.stdout
    assert b"0\n" == parent.stdout


@needs_sshd
async def test_the_fingerprint_of_the_question_is_what_openssh_prints(
    openssh: SshHost, tmp_path: Path, ssh_folder: Path
) -> None:
    (ssh_folder / "known_hosts").unlink()
    stranger = SshHost(openssh._address, replace(OPTIONS))

    with pytest.raises(HostKeyUnknown) as caught:
        await stranger.connect()

    assert caught.value.fingerprint in printed_fingerprint(tmp_path / "sshd" / "host")
