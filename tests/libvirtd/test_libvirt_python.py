"""The console connected to a real libvirtd by libvirt-python, here and over a real sshd."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import asyncssh
import pytest

from tests.collect.guests.libvirt_python_doubles import SOCKET, SocketHost
from tests.collect.guests.test_read_guests import VIRSH
from tests.collect.on_demand.test_guest_watch import host as zfs_host
from tests.doubles.scripted_host import failed
from tests.doubles.watched_host import Watched, watching
from tests.libvirtd.sandbox import PATH, PATIENCE_S, Sandbox
from tests.reports.schema import GUESTS, mismatch
from tests.system.libvirt.test_libvirt_python_child import needs_binding
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.model.host.host_state import HostState

SSH = "/srv/ssh"  # inside
PORT = 2222
SOON_S = 2.0  # the deadline of a libvirtd that was stopped

pytestmark = [pytest.mark.libvirt, needs_binding]
needs_sshd = pytest.mark.skipif(shutil.which("sshd", path=PATH) is None, reason="no OpenSSH server here")


@pytest.fixture
def two(virt: Sandbox) -> Sandbox:
    """One guest that writes, and one that is off."""
    folder = virt.storage("vm", "64m")
    virt.define("web01", f"{folder}/web01.qcow2", writes=True)
    virt.define("db02", f"{folder}/db02.qcow2")
    virt.virsh("start", "web01")
    return virt


def test_states_come_without_a_virsh(two: Sandbox) -> None:
    done = two.console("guests", "--json")

    assert {"web01": "running", "db02": "shut_off"} == {
        each["name"]: each["state"] for each in json.loads(done.stdout)["guests"]
    }
    assert [] == two.calls()


def test_the_io_of_a_guest_that_writes_is_measured_and_one_that_is_off_has_none(two: Sandbox) -> None:
    two.until_grown("/srv/guests/vm/web01.qcow2", 1 << 20)
    done = two.console("guests", "--json", "--io", "2s")
    document = json.loads(done.stdout)

    assert "" == mismatch(document, GUESTS)
    io = {
        each["name"]: next(disk["live_io"] for disk in each["disks"] if disk["target"] == "vdb")
        for each in document["guests"]
    }
    assert io["db02"] is None
    assert 2 <= io["web01"]["seconds"]
    assert 0 < io["web01"]["writes_per_s"]
    assert 0 < io["web01"]["mean_write_ns"]
    assert 512 * io["web01"]["writes_per_s"] <= io["web01"]["written_bytes_per_s"]


class Inside(SocketHost):
    """A host of ZFS that answers by script, with the sockets of the sandbox."""

    def __init__(self, virt: Sandbox) -> None:
        super().__init__()
        base = zfs_host()
        self.answers = base.answers | self.answers
        self.answers |= {VIRSH: failed("virsh", 1, b"error: failed to connect to the hypervisor")}
        self.answers |= {
            f"{VIRSH} domstats": self.answers[VIRSH],
            "qemu-img": failed("qemu-img", 127, b"absent"),
        }
        self.files, self.streams = base.files, base.streams
        self.has(SOCKET)
        self._virt = virt

    @asynccontextmanager
    async def forward_socket(self, path: str) -> AsyncIterator[str]:
        yield str(self._virt.path(path))


async def until(watched: Watched[Inside], holds: Callable[[HostState], object]) -> None:
    """Let the time of the console go by, and libvirt act."""
    async with asyncio.timeout(PATIENCE_S):
        while not holds(watched.state):
            watched.clock.advance(1.0)
            watched.changed.clear()
            await asyncio.wait({asyncio.ensure_future(watched.changed.wait())}, timeout=0.05)


def guest(state: HostState, name: str = "web01") -> Guest | None:
    return next((each for each in state.guests.value or () if each.name == name), None)


def is_in(expected: GuestState) -> Callable[[HostState], bool]:
    def holds(state: HostState) -> bool:
        found = guest(state)
        return found is not None and expected is found.status.state and not state.guests.problem

    return holds


@asynccontextmanager
async def followed(virt: Sandbox) -> AsyncIterator[Watched[Inside]]:
    async with watching(Inside(virt)) as watched:
        watched.session.demand._guests._libvirt._within_s = SOON_S
        watched.session.demand.want_guests(is_wanted=True)
        await until(watched, is_in(GuestState.RUNNING))
        yield watched


async def test_a_change_is_told_by_an_event_and_its_cause_by_the_next(two: Sandbox) -> None:
    async with followed(two) as watched:
        two.virsh("suspend", "web01")
        await until(watched, is_in(GuestState.PAUSED))
        two.virsh("resume", "web01")
        await until(watched, is_in(GuestState.RUNNING))
        two.virsh("undefine", "db02")
        await until(watched, lambda state: guest(state, "db02") is None)

        assert 1 == sum(each.startswith("ls -1d") and SOCKET in each for each in watched.host.commands)
        assert [] == [each for each in watched.host.commands if each.startswith("virsh")]


async def test_a_screen_has_the_io_of_a_guest_that_writes_after_some_seconds(two: Sandbox) -> None:
    def writes(state: HostState) -> bool:
        found = guest(state)
        rates = [disk.rates for disk in found.disks if disk.rates is not None] if found else []
        return any(each.writes_per_s > 0 for each in rates)

    async with followed(two) as watched:
        await until(watched, writes)


async def test_a_libvirtd_that_is_killed_leaves_the_guests_with_the_reason_and_is_followed_again(
    two: Sandbox,
) -> None:
    async with followed(two) as watched:
        two.signal_libvirtd("KILL")
        try:
            await until(watched, lambda state: "failed to connect" in state.guests.problem)
            assert guest(watched.state) is not None
        finally:
            two.start_libvirtd()
        await until(watched, is_in(GuestState.RUNNING))
        two.virsh("suspend", "web01")
        await until(watched, is_in(GuestState.PAUSED))


async def test_a_libvirtd_that_hangs_costs_its_own_part_only(two: Sandbox) -> None:
    async with followed(two) as watched:
        two.signal_libvirtd("STOP")
        try:
            await until(watched, lambda state: "has not answered in 2 s" in state.guests.problem)
            pool, before = watched.state.pools[0], watched.state.pools[0].pool.taken_at
            await until(watched, lambda state: state.pools[0].pool.taken_at != before)
            assert "" == pool.pool.problem
            assert guest(watched.state) is not None
        finally:
            two.signal_libvirtd("CONT")
        await until(watched, is_in(GuestState.RUNNING))


# Over SSH


@pytest.fixture
def sshd(two: Sandbox) -> Iterator[Sandbox]:
    """A configuration of an sshd inside, and a user's folder that trusts it."""
    two.run("ip", "link", "set", "lo", "up")
    two.run("rm", "-rf", SSH)
    two.run("mkdir", "-p", "-m", "700", SSH, f"{SSH}/.ssh", f"{SSH}/scratch", "/run/sshd")
    folder = two.path(SSH)
    host, user = (asyncssh.generate_private_key("ssh-ed25519") for _ in range(2))
    for name, key in (("host", host), (".ssh/id_ed25519", user)):
        (folder / name).write_bytes(key.export_private_key())
        (folder / name).chmod(0o600)
    (folder / "authorized").write_bytes(user.export_public_key())
    (folder / ".ssh/known_hosts").write_bytes(f"[127.0.0.1]:{PORT} ".encode() + host.export_public_key())
    (folder / "config").write_text(
        f"ListenAddress 127.0.0.1\nPort {PORT}\nHostKey {SSH}/host\nPidFile {SSH}/pid\nUsePAM no\n"
        f"StrictModes no\nAuthorizedKeysFile {SSH}/authorized\nPermitRootLogin yes\nMaxSessions 3\n"
    )
    yield two
    two.run("sh", "-c", f"kill $(cat {SSH}/pid)", check=False)


def over_ssh(sshd: Sandbox, more: str = "") -> dict[str, Any]:
    """`zconsole guests` of the host behind an sshd, with more lines of configuration."""
    with (sshd.path(SSH) / "config").open("a") as config:
        config.write(more)
    sshd.run("/usr/sbin/sshd", "-f", f"{SSH}/config", "-E", f"{SSH}/log")
    done = subprocess.run(
        [
            *sshd._enter, "env", f"HOME={SSH}", f"TMPDIR={SSH}/scratch", f"PATH={PATH}",
            sys.executable, "-m", "zconsole", "guests", "--json", "--host", f"ssh://root@127.0.0.1:{PORT}",
        ],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    return {each["name"]: each["state"] for each in json.loads(done.stdout)["guests"]}


@needs_sshd
def test_over_ssh_the_socket_is_forwarded_and_no_virsh_is_started(sshd: Sandbox) -> None:
    found = over_ssh(sshd)

    assert {"web01": "running", "db02": "shut_off"} == found
    assert [] == sshd.calls()
    log = (sshd.path(SSH) / "log").read_text()
    assert 1 == log.count("Accepted publickey"), "one login serves all"
    assert [] == [*(sshd.path(SSH) / "scratch").iterdir()], "nothing is left"


@needs_sshd
def test_an_sshd_that_forwards_no_sockets_has_virsh_asked(sshd: Sandbox) -> None:
    found = over_ssh(sshd, "AllowStreamLocalForwarding no\n")

    assert {"web01": "running", "db02": "shut_off"} == found
    assert sshd.calls()
