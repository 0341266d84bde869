"""Snapshots of frozen guests: a real libvirtd, a Linux with a real qemu-ga, and the practice host's ZFS.

What is written inside is seen on the guest's serial line: while its file system is frozen, nothing is.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.images import LabError
from tests.libvirtd import agent_guest
from tests.libvirtd.agent_guest import last_written
from tests.libvirtd.conftest import server_pid, storage_host
from tests.libvirtd.sandbox import CALLS, GUESTS, PATIENCE_S, PERSON, RULES, Sandbox
from tests.libvirtd.sandbox import HELD as WAITING
from tests.libvirtd.storage_host import HELD, HOLD, ZFS, Inside
from tests.libvirtd.test_guest_actions import Commands
from tests.ui.terminal.tty import ROOT
from zconsole.system.libvirt.agent_commands import FREEZE_STATUS

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

SNAPSHOT = "tank/vm/files@a"
SERIAL = f"{GUESTS}/web01.serial"
FOLDER = f"{GUESTS}/files"
PINGS = 30  # each takes some 50 ms, and the guest writes five times a second


class Web01:
    """The guest, seen from its host."""

    def __init__(self, virt: Sandbox) -> None:
        self.virt = virt

    def agent(self, command: str, *, check: bool = True) -> str:
        return self.virt.virsh("qemu-agent-command", "--timeout", "5", "web01", command, check=check)

    def run(self, program: str, *arguments: str) -> None:
        """Run a program inside by its agent."""
        about = {"path": program, "arg": arguments}
        self.agent(json.dumps({"execute": "guest-exec", "arguments": about}))

    def start(self) -> None:
        """Start it, and wait until it writes and its agent answers."""
        self.virt.path(SERIAL).unlink(missing_ok=True)
        self.virt.virsh("start", "web01")
        self.until("thawed")
        self.until_it_writes()

    def until(self, words: str) -> None:
        """Wait until the guest's agent says so of its file systems."""
        self._until(
            f"grep -q {words}", f"virsh -q -c qemu:///system qemu-agent-command web01 '{FREEZE_STATUS}'"
        )

    def until_connected(self, state: str) -> None:
        """Wait until libvirt says so of its agent."""
        self._until(f"grep -q \"guest_agent.0' state='{state}'\"", "virsh -q -c qemu:///system dumpxml web01")

    def until_it_writes(self) -> None:
        """Wait for a further write to reach the disk."""
        number = self.written() + 1
        self._until(f"grep -q 'written {number}'", f"cat {SERIAL}")

    def _until(self, condition: str, command: str) -> None:
        loop = f"until {command.replace('virsh', '/srv/virsh')} 2>&1 | {condition}; do :; done"
        self.virt.run("timeout", f"{PATIENCE_S:g}", "sh", "-c", loop)

    def written(self) -> int:
        serial = self.virt.path(SERIAL)
        return last_written(serial.read_text(errors="replace")) if serial.exists() else 0

    def stands_still(self) -> bool:
        """Whether nothing is written for as long as it takes to ask its agent many times."""
        before = self.written()
        for _ in range(PINGS):
            self.agent('{"execute":"guest-ping"}')
        return before == self.written()


@pytest.fixture(scope="module")
def web01(libvirtd: Sandbox) -> Iterator[Web01]:
    """A guest that runs, writes, and whose agent answers; one for all tests, each of which leaves it so."""
    leave = pytest.fail if os.environ.get("CI") else pytest.skip
    if lacks := agent_guest.missing_packages():
        leave(f"not installed: {', '.join(lacks)} (docs/testing.md)")
    try:
        files = agent_guest.kernel_and_ramdisk()
    except (LabError, subprocess.CalledProcessError) as error:
        leave(f"no kernel for the guest: {error}")
    for file in files:
        libvirtd.path(f"{GUESTS}/{file.name}").write_bytes(file.read_bytes())
    disk = f"{libvirtd.storage('files', '128m')}/web01.raw"
    agent_guest.make_disk(libvirtd.path(disk))
    libvirtd.path(f"{GUESTS}/web01.xml").write_text(agent_guest.definition("web01", disk, GUESTS))
    libvirtd.virsh("define", f"{GUESTS}/web01.xml")
    made = Web01(libvirtd)
    made.start()
    yield made
    libvirtd.reset()


@pytest.fixture
def commands(web01: Web01, tmp_path: Path) -> Iterator[Commands]:
    with storage_host(web01.virt, tmp_path) as environment:
        yield Commands(environment, tmp_path)


@pytest.fixture
def held(web01: Web01) -> Iterator[Path]:
    """Every snapshot stands before its end; remove the file to let it go on."""
    hold = web01.virt.path(HOLD)
    hold.touch()
    web01.virt.path(HELD).unlink(missing_ok=True)
    yield hold
    hold.unlink(missing_ok=True)


def until_held(web01: Web01) -> None:
    web01.virt.run("timeout", f"{PATIENCE_S:g}", "sh", "-c", f"until [ -e {HELD} ]; do :; done")


def test_the_guest_stands_still_while_the_snapshot_is_taken_and_writes_behind_it(
    web01: Web01, commands: Commands, held: Path
) -> None:
    words = ("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "60s")
    plan = commands.run("plan", *words)
    assert "web01, on tank/vm/files: running, its agent answers" in plan.stdout

    with commands.applying(*words) as running:
        until_held(web01)
        stood_still = web01.stands_still()
        held.unlink()
        said, _ = running.communicate(timeout=2 * PATIENCE_S)

    assert 0 == running.returncode, said
    assert "the file systems of web01 were frozen for it, and are thawed" in said
    assert stood_still
    assert '{"return":"thawed"}' == web01.agent(FREEZE_STATUS)
    web01.until_it_writes()


@pytest.mark.parametrize("accident", ["console", "link"])
def test_a_console_or_a_link_that_is_killed_leaves_the_guest_to_be_thawed_by_its_host(
    web01: Web01, commands: Commands, held: Path, tmp_path: Path, accident: str
) -> None:
    """The SSH server of this test kills the rest of the command with the console, and ends with the link."""
    with commands.applying("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "5s") as running:
        until_held(web01)
        assert '{"return":"frozen"}' == web01.agent(FREEZE_STATUS)
        victim = running.pid if accident == "console" else server_pid(tmp_path)
        os.kill(victim, signal.SIGKILL)

        assert held.exists()
        web01.until("thawed")
        web01.until_it_writes()
        running.kill()


def test_a_libvirtd_that_dies_while_it_is_frozen_is_asked_until_it_is_back(
    web01: Web01, commands: Commands, held: Path
) -> None:
    with commands.applying("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "4s") as running:
        until_held(web01)
        web01.virt.signal_libvirtd("KILL")
        web01.virt.until_dead()
        held.unlink()
        said, _ = running.communicate(timeout=2 * PATIENCE_S)
    assert web01.written() == web01.written()
    web01.virt.start_libvirtd()

    assert 0 != running.returncode, said
    assert "web01 may still be frozen" in said
    assert "virsh -c qemu:///system domfsthaw" in said
    web01.until("thawed")
    web01.until_it_writes()


def test_a_freeze_that_comes_after_the_script_gave_it_up_is_thawed_by_its_keeper(
    web01: Web01, commands: Commands
) -> None:
    calls = web01.virt.path(CALLS)
    calls.write_text("")
    web01.virt.path(WAITING).write_text("domfsfreeze")

    refused = commands.apply("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "4s")

    assert 0 != refused.returncode
    assert "if the freeze comes all the same, the host thaws it at once" in refused.stdout
    assert "domfsthaw" not in calls.read_text()
    web01.virt.path(WAITING).write_text("nothing")
    until = f"until grep -q domfsthaw {CALLS}; do :; done"
    web01.virt.run("timeout", f"{PATIENCE_S:g}", "sh", "-c", until)
    web01.until("thawed")
    web01.until_it_writes()


def test_an_agent_that_hangs_is_said_and_one_that_was_stopped_too(web01: Web01, commands: Commands) -> None:
    web01.run("/bin/sh", "-c", "killall -STOP qemu-ga; sleep 30; killall -CONT qemu-ga")
    hanging = commands.run("plan", "snapshot", SNAPSHOT, "--freeze-guests")
    web01.until("thawed")

    assert "web01 cannot be frozen: its agent does not answer" in hanging.stdout
    assert "take it without a freeze of web01" in hanging.stdout

    web01.run("/bin/killall", "qemu-ga")
    web01.until_connected("disconnected")
    stopped = commands.run("plan", "snapshot", SNAPSHOT, "--freeze-guests")
    listed = commands.run("guests", "--json")
    web01.virt.virsh("destroy", "web01")
    web01.start()

    assert "web01 cannot be frozen: its agent is not connected" in stopped.stdout
    assert [False] == [each["agent"] for each in json.loads(listed.stdout)["guests"]]


@pytest.fixture
def by_rules(web01: Web01, tmp_path: Path) -> Iterator[Commands]:
    """The commands of a user who may do by sudo exactly what `zconsole sudoers --with guests` prints."""
    if shutil.which("sudo") is None:
        pytest.skip("not installed: sudo (docs/testing.md)")
    allow(web01, "--with", "guests")
    with storage_host(web01.virt, tmp_path, PERSON) as environment:
        yield Commands(environment, tmp_path)
    web01.virt.path(RULES).unlink()


def allow(web01: Web01, *more: str) -> None:
    """Give the user these rules, and no others."""
    asked = ("sudoers", "--user", PERSON, "--bin", str(Path(ZFS).parent), "--no-password", *more)
    printed = subprocess.run(
        [sys.executable, "-m", "zconsole", *asked], capture_output=True, text=True, cwd=ROOT, check=True
    )
    web01.virt.path(RULES).write_text(printed.stdout)
    web01.virt.path(RULES).chmod(0o440)
    web01.virt.run("visudo", "-c", "-f", RULES)


def test_the_rules_for_sudo_are_enough_for_a_freeze_and_none_without_them(
    web01: Web01, by_rules: Commands
) -> None:
    words = ("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "60s")
    asked = Inside(web01.virt.pid, PERSON).runs("virsh -c qemu:///system uri")
    denied = subprocess.run(asked, capture_output=True, text=True, check=False)
    done = by_rules.apply(*words)

    assert 0 != denied.returncode, "libvirt itself lets the user in"
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "the file systems of web01 were frozen for it, and are thawed" in done.stdout
    assert '{"return":"thawed"}' == web01.agent(FREEZE_STATUS)
    web01.until_it_writes()

    allow(web01)
    refused = by_rules.run("plan", "snapshot", "tank/vm/files@b", "--freeze-guests")

    assert 0 != refused.returncode, refused.stdout
    assert "zconsole sudoers --with guests --no-password" in refused.stdout


def test_by_those_rules_too_the_host_thaws_what_a_killed_console_left(
    web01: Web01, by_rules: Commands, held: Path
) -> None:
    with by_rules.applying("snapshot", SNAPSHOT, "--freeze-guests", "--freeze-deadline", "5s") as running:
        until_held(web01)
        assert '{"return":"frozen"}' == web01.agent(FREEZE_STATUS)
        running.kill()

    assert held.exists()
    web01.until("thawed")
    web01.until_it_writes()
