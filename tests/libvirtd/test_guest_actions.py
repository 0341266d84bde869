"""Plans on guests, made and applied by command on a host with a real libvirtd."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.libvirtd.sandbox import PATIENCE_S, Sandbox
from tests.libvirtd.storage_host import NAME
from tests.ui.terminal.tty import ROOT

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

FULL = "paused (I/O error)"


class Commands:
    """The console's subcommands on the host behind SSH."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self._environment = environment
        self.file = folder / "plan.json"

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one to its end."""
        with self._start(*words) as running:
            stdout, stderr = running.communicate(timeout=2 * PATIENCE_S)
        return subprocess.CompletedProcess(words, running.returncode, stdout, stderr)

    def apply(self, *action: str, confirm: str = "") -> subprocess.CompletedProcess[str]:
        """Plan an action, and carry the plan out."""
        with self.applying(*action, confirm=confirm) as running:
            stdout, stderr = running.communicate(timeout=2 * PATIENCE_S)
        return subprocess.CompletedProcess(action, running.returncode, stdout, stderr)

    def applying(self, *action: str, confirm: str = "") -> subprocess.Popen[str]:
        """Plan an action, and begin to carry the plan out; use it as a context."""
        planned = self.run("plan", *action, "-o", str(self.file))
        assert 0 == planned.returncode, planned.stdout + planned.stderr
        return self._start("apply", str(self.file), *(("--confirm", confirm) if confirm else ()))

    def _start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "zconsole", *words, "--host", NAME],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            cwd=ROOT, env={**os.environ, **self._environment},
        )  # fmt: skip


@pytest.fixture
def commands(nas: dict[str, str], tmp_path: Path) -> Commands:
    return Commands(nas, tmp_path)


def test_a_guest_that_its_full_file_system_stopped_is_resumed(virt: Sandbox, commands: Commands) -> None:
    folder = virt.storage("files", "8m")
    virt.path(f"{folder}/ballast").write_bytes(bytes(4 << 20))
    virt.define("web01", f"{folder}/web01.qcow2", writes=True)
    virt.virsh("start", "web01")
    virt.until_state("web01", FULL)
    plan = commands.run("plan", "guest-resume", "web01")
    assert "the last error of its disk vdb: no space" in plan.stdout
    virt.enlarge(folder)

    done = commands.apply("guest-resume", "web01")

    assert 0 == done.returncode, done.stdout + done.stderr
    virt.until_grown(f"{folder}/web01.qcow2", 5 << 20)


def test_a_guest_is_started_and_shut_down_and_one_that_is_deaf_runs_on(
    virt: Sandbox, commands: Commands
) -> None:
    folder = virt.storage("files", "512m")
    for name, is_deaf in (("web01", False), ("db02", True)):
        virt.define(name, f"{folder}/{name}.qcow2", is_deaf=is_deaf, writes=True)
        started = commands.apply("guest-start", name)
        assert 0 == started.returncode, started.stdout + started.stderr
        virt.until_grown(f"{folder}/{name}.qcow2", 1 << 20)

    stopped = commands.apply("guest-shutdown", "web01", confirm="web01")
    deaf = commands.apply("guest-shutdown", "db02", "--within", "5s", confirm="db02")

    assert 0 == stopped.returncode, stopped.stdout + stopped.stderr
    assert "shut off (shutdown)" == virt.virsh("domstate", "--reason", "web01")
    assert 1 == deaf.returncode, deaf.stdout + deaf.stderr
    assert "running (booted)" == virt.virsh("domstate", "--reason", "db02")


def test_a_dataset_is_not_destroyed_under_a_guest_that_runs(virt: Sandbox, commands: Commands) -> None:
    folder = virt.storage("files", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.virsh("start", "web01")

    under = commands.run("plan", "destroy", "tank/vm/files")
    virt.virsh("destroy", "web01")
    virt.virsh("undefine", "web01")
    bare = commands.run("plan", "destroy", "tank/vm/files")

    assert "guest web01 is on tank/vm/files: its data would be lost" in under.stdout
    assert "shut web01 down first, as a step of the same plan" in " ".join(under.stdout.split())
    assert "zconsole plan destroy tank/vm/files --shut-down-guests" in under.stdout
    assert "web01" not in bare.stdout + bare.stderr
    assert 0 == bare.returncode


def test_a_libvirtd_that_dies_in_the_middle_of_a_shutdown_leaves_no_false_end(
    virt: Sandbox, commands: Commands
) -> None:
    """The guest is deaf: that it was shut down would be a lie, whatever libvirt answers."""
    folder = virt.storage("files", "512m")
    virt.define("db02", f"{folder}/db02.qcow2", is_deaf=True, writes=True)
    virt.virsh("start", "db02")
    virt.until_grown(f"{folder}/db02.qcow2", 1 << 20)
    with commands.applying("guest-shutdown", "db02", "--within", "40s", confirm="db02") as running:
        virt.until_called("shutdown")
        virt.signal_libvirtd("KILL")
        virt.until_dead()
        virt.start_libvirtd()
        said, _ = running.communicate(timeout=2 * PATIENCE_S)

    assert 1 == running.returncode, said
    assert "running (booted)" == virt.virsh("domstate", "--reason", "db02")


def test_a_guest_that_libvirtd_shut_down_without_an_answer_is_not_told_to_run(
    virt: Sandbox, commands: Commands
) -> None:
    folder = virt.storage("files", "512m")
    for name, is_deaf in (("web01", False), ("db02", True)):
        virt.define(name, f"{folder}/{name}.qcow2", is_deaf=is_deaf, writes=True)
        virt.virsh("start", name)
        virt.until_grown(f"{folder}/{name}.qcow2", 1 << 20)
    virt.lose_answers("shutdown")

    stopped = commands.apply("guest-shutdown", "web01", confirm="web01")
    deaf = commands.apply("guest-shutdown", "db02", "--within", "5s", confirm="db02")

    assert 0 == stopped.returncode, stopped.stdout + stopped.stderr
    assert "its answer was lost, and what it asks for is so" in stopped.stdout
    assert 1 == deaf.returncode, deaf.stdout + deaf.stderr
    assert "it was asked, and may still do it" in deaf.stdout
