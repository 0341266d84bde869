"""Files over SFTP without a fork a sample, and over cat where there is no SFTP."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from tests.hosts.conftest import OPTIONS, Lan
from tests.hosts.helpers import until
from tests.hosts.sshd import FreshFiles, Process
from zconsole.base.errors import CommandFailed, HostError, LinkLost, Stuck
from zconsole.hosts.host import CannotListFolders, Command, Outcome
from zconsole.hosts.ssh import remote_file_reader
from zconsole.hosts.ssh.ssh_host import SshHost


class Proc(FreshFiles):
    """A /proc of the test's own: what a path holds is set from outside, and some paths misbehave."""

    holds: dict[bytes, bytes]
    reads: list[bytes]
    gate: asyncio.Event
    # Linux lets nobody seek in a file of /proc whose entry is gone (EINVAL), and OpenSSH calls that so.
    gone: asyncssh.SFTPError = asyncssh.SFTPBadMessage("Bad message")

    def open(self, path: bytes, pflags: int, attrs: asyncssh.SFTPAttrs) -> Any:
        type(self).opened += 1
        if path not in self.holds:
            raise FileNotFoundError(errno.ENOENT, "gone")
        if path.endswith(b"secret"):
            raise PermissionError(errno.EACCES, "denied")
        return path

    async def read(self, file_obj: Any, offset: int, size: int) -> bytes:
        self.reads.append(file_obj)
        if file_obj.endswith(b"hang"):
            await self.gate.wait()
        if file_obj not in self.holds:
            raise self.gone
        return self.holds[file_obj][offset : offset + min(size, 4000)]  # short reads, as seq_file gives them

    def close(self, file_obj: Any) -> None:
        pass


STATE = "/proc/spl/kstat/zfs/tank/state"


@pytest.fixture
def proc(known: Lan) -> type[Proc]:
    kind = type("OneProc", (Proc,), {"opened": 0, "holds": {}, "reads": [], "gate": asyncio.Event()})
    known.sshd.sftp = kind
    return kind


async def test_a_file_of_proc_is_opened_once_and_read_anew(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()

    for state in (b"ONLINE\n", b"SUSPENDED\n", b"ONLINE and longer than one read\n" * 3000):
        proc.holds[STATE.encode()] = state
        assert state == await host.read(STATE)

    assert 1 == proc.opened
    assert [] == known.sshd.commands


async def test_of_a_short_kstat_the_end_is_not_asked_for(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds |= {STATE.encode(): b"ONLINE\n", b"/proc/short": b"a\n"}

    await host.read(STATE)
    assert 1 == len(proc.reads)
    await host.read("/proc/short")

    assert 3 == len(proc.reads)


async def test_a_real_file_of_proc_is_read_anew(known: Lan) -> None:
    host = await known.connected()

    first = await host.read("/proc/self/schedstat")
    await host.run(Command(("true",)))

    assert first != await host.read("/proc/self/schedstat")
    assert 1 == known.sshd.files_opened


@pytest.mark.parametrize(
    "gone", [asyncssh.SFTPBadMessage("Bad message"), asyncssh.SFTPFailure("Input/output error")]
)
async def test_a_pool_that_was_exported_and_imported_is_opened_again(
    known: Lan, proc: type[Proc], gone: asyncssh.SFTPError
) -> None:
    """The open file belongs to what is gone: an error, then a new one; or none. And that again and again."""
    proc.gone = gone
    host = await known.connected()
    for _ in range(2 * known.sshd.max_sessions):
        proc.holds[STATE.encode()] = b"ONLINE\n"
        assert b"ONLINE\n" == await host.read(STATE)

        del proc.holds[STATE.encode()]
        with pytest.raises(FileNotFoundError):
            await host.read(STATE)

    assert 1 == known.sshd.sessions


async def test_an_sftp_session_that_is_given_up_is_closed(known: Lan, proc: type[Proc]) -> None:
    proc.holds[STATE.encode()] = b"ONLINE\n"
    host = await known.connected()
    for _ in range(2 * known.sshd.max_sessions):
        assert b"ONLINE\n" == await host.read(STATE)
        assert host._files is not None
        assert host._files._starting is not None
        (await host._files._starting)._client.exit()

    assert b"ONLINE\n" == await host.read(STATE)
    await until(lambda: 1 == known.sshd.sessions)


async def test_other_files_are_opened_each_time(known: Lan, tmp_path: Path) -> None:
    """A file that was replaced by another of its name must not be read from the old one."""
    host = await known.connected()
    file = tmp_path / "zpool.cache"

    for content in (b"old", b"new"):
        (tmp_path / "next").write_bytes(content)
        (tmp_path / "next").rename(file)
        assert content == await host.read(str(file))


async def test_few_files_are_held_open(known: Lan, proc: type[Proc], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_file_reader, "MAX_OPEN", 2)
    host = await known.connected()
    for name in "abc":
        proc.holds[f"/proc/{name}".encode()] = name.encode()
        assert name.encode() == await host.read(f"/proc/{name}")

    assert b"a" == await host.read("/proc/a")

    assert 4 == proc.opened


async def test_reads_at_once_do_not_mix(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds |= {f"/proc/{number}".encode(): bytes([number]) * 3000 for number in range(9)}

    read = await asyncio.gather(*(host.read(f"/proc/{number}") for number in range(9) for _ in range(3)))

    assert [bytes([number]) * 3000 for number in range(9) for _ in range(3)] == read


@pytest.mark.parametrize("with_sftp", [True, False])
async def test_errors_are_those_of_files(known: Lan, tmp_path: Path, *, with_sftp: bool) -> None:
    if not with_sftp:
        known.sshd.sftp = None
    host = await known.connected()
    (tmp_path / "file").write_bytes(b"12345")

    with pytest.raises(FileNotFoundError):
        await host.read(str(tmp_path / "none"))
    with pytest.raises(HostError):
        await host.read(str(tmp_path))
    with pytest.raises(CommandFailed, match=r"(more|larger) than 4"):
        await host.read(str(tmp_path / "file"), max_bytes=4)
    assert b"12345" == await host.read(str(tmp_path / "file"), max_bytes=5)


async def test_a_file_that_may_not_be_read_is_told(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds[b"/proc/secret"] = b""

    with pytest.raises(PermissionError):
        await host.read("/proc/secret")


async def test_an_error_of_the_disk_is_told(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds[b"/tank/file"] = b"x"
    await host.read("/tank/file")

    async def broken(self: Proc, file_obj: Any, offset: int, size: int) -> bytes:
        raise asyncssh.SFTPFailure("Input/output error")

    proc.read = broken  # type: ignore[method-assign]

    with pytest.raises(CommandFailed, match="/tank/file cannot be read on nas1: Input/output error"):
        await host.read("/tank/file")


async def test_without_sftp_files_are_read_by_cat_and_nobody_asks_again(known: Lan) -> None:
    known.sshd.sftp = None
    host = await known.connected()

    first = await host.read("/proc/uptime")
    second = await host.read("/proc/uptime")

    assert 2 == first.count(b".") == second.count(b".")
    assert 2 == len(known.sshd.commands)
    assert all("cat -- /proc/uptime" in command for command in known.sshd.commands)


async def test_an_account_whose_shell_prints_has_its_files_read_by_cat(known: Lan) -> None:
    """What start-up files print is no SFTP: the session never begins, or begins with nonsense."""

    class Greeting(asyncssh.SFTPServer):
        def __init__(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
            super().__init__(chan)
            chan.write(b"Welcome to nas1!\n")

    known.sshd.sftp = Greeting
    host = await known.connected(replace(OPTIONS, read_timeout_s=2.0))

    assert b"." in await host.read("/proc/uptime")
    assert "cat -- /proc/uptime" in known.sshd.commands[0]


async def test_by_cat_a_file_that_may_not_be_read_is_told_by_its_status(known: Lan) -> None:
    known.sshd.sftp = None

    async def fail(process: Process) -> None:
        process.stdout.write(b"zconsole-begin-d2f1\n")
        process.stderr.write(b"cat: Keine Berechtigung\n")
        process.exit(0 if "test -e" in (process.command or "") else 1)

    known.sshd.handlers |= {"cat": fail, "test": fail}
    host = await known.connected()

    with pytest.raises(PermissionError):
        await host.read("/root/secret")


@contextmanager
def waiting_no_longer(host: SshHost) -> Iterator[None]:
    """A read of a file may take next to no time: one that hangs is over at once."""
    files = host._files
    assert files is not None
    before, files._timeout_s = files._timeout_s, 0.05
    try:
        yield
    finally:
        files._timeout_s = before


async def test_a_read_that_hangs_costs_its_session_and_twice_at_most(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds |= {b"/proc/hang": b"late", STATE.encode(): b"ONLINE\n"}

    assert b"ONLINE\n" == await host.read(STATE)
    with pytest.raises(Stuck, match="took more than"), waiting_no_longer(host):
        await host.read("/proc/hang")
    assert b"ONLINE\n" == await host.read(STATE)
    with pytest.raises(Stuck, match="took more than"), waiting_no_longer(host):
        await host.read("/proc/hang")
    with pytest.raises(Stuck, match="still hang"):
        await host.read(STATE)
    assert Outcome.DONE is (await host.run(Command(("true",)))).outcome

    proc.gate.set()
    await until(lambda: known.sshd.sessions == 0)
    assert b"ONLINE\n" == await host.read(STATE)


async def test_a_session_that_ends_is_replaced(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds[STATE.encode()] = b"ONLINE\n"
    await host.read(STATE)
    assert host._files is not None
    sftp = await host._files._session()
    assert sftp is not None

    sftp.channel.abort()
    await sftp.channel.wait_closed()

    assert b"ONLINE\n" == await host.read(STATE)


async def test_a_link_that_is_cut_in_the_middle_of_a_read_is_lost(known: Lan, proc: type[Proc]) -> None:
    host = await known.connected()
    proc.holds[b"/proc/hang"] = b"late"
    reading = asyncio.create_task(host.read("/proc/hang"))
    await until(lambda: proc.reads)

    known.wire.cut()

    with pytest.raises(LinkLost):
        await reading


async def test_a_file_cut_off_by_the_link_is_never_taken_for_whole(known: Lan, proc: type[Proc]) -> None:
    proc.holds[STATE.encode()] = b"ONLINE" * 50
    host = await known.connected()
    await host.read(STATE)

    for offset in range(0, 400, 23):
        known.wire.cut_at = known.wire.passed + offset
        try:
            assert proc.holds[STATE.encode()] == await host.read(STATE)
        except LinkLost:
            known.wire.cut_at = None
            await host.connect()
            await host.read(STATE)


async def test_a_folder_is_listed_without_a_process(known: Lan, tmp_path: Path) -> None:
    """Names as `ls -p` prints them; whatever is not UTF-8 survives."""
    folder = tmp_path / "kstat"
    (folder / "tank").mkdir(parents=True)
    (folder / "arcstats").write_bytes(b"")
    (folder / os.fsdecode(b"\xff")).write_bytes(b"")
    host = await known.connected()
    before = len(known.sshd.commands)

    names = await host.list_folder(str(folder))

    assert {"tank/", "arcstats", os.fsdecode(b"\xff")} == set(names)
    assert before == len(known.sshd.commands)
    with pytest.raises(FileNotFoundError):
        await host.list_folder(str(folder / "none"))


async def test_without_sftp_no_folder_is_listed(known: Lan) -> None:
    known.sshd.sftp = None
    host = await known.connected()

    with pytest.raises(CannotListFolders):
        await host.list_folder("/proc")
