"""A guest's storage moved between two pools by consoles that are killed (-9), one behind each kind of step.

libvirt, QEMU and OpenZFS are real; the machine writes nothing, which leaves an emulated host the time for as
many plans, and what it has must arrive to the byte.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab.guests import said
from tests.lab.test_guests import libvirt, nas, virt
from tests.lab.virtual_machines import Disk, Libvirt
from tests.ui.terminal.tty import ROOT
from zconsole.model.journal import Entry
from zconsole.storage.journal import Journal, journal_path

__all__ = ("libvirt", "nas", "virt")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

PROGRAM: Final = (sys.executable, "-m", "tests.lab.patient_console")
OLD, NEW = "tank/byname", "other/moved"
APPLY_S: Final = 1200.0
LOOK_S: Final = 0.2  # between two looks into the journal
PLANS: Final = 20  # at most: there are eight kinds of steps
WRITE: Final = f"dd if=/dev/urandom of=/dev/zvol/{OLD} bs=1M seek=64 count=8 conv=notrunc,fsync 2>/dev/null"
NEWEST: Final = "zfs list -Hp -t snapshot -o guid -s createtxg {} | tail -n1"
KILLED_BEHIND: Final = (  # the first words of what a step is for; behind the last one there is none
    "snapshot what is there now",
    "send all of it",
    "send what was written since",
    "ask byname to shut down",
    "snapshot what the guest has left",
    "let it be written",
    "define the disk vdb",
)


def planned(file: Path) -> dict[str, Any]:
    """The plan of what remains, also saved to the file."""
    ended = subprocess.run(
        [*PROGRAM, "plan", "guest-move", "byname", NEW, "--host", "nas", "--json", "-o", str(file)],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, timeout=APPLY_S, check=False,
    )  # fmt: skip
    assert ended.stdout, ended.stderr
    plan: dict[str, Any] = json.loads(ended.stdout)
    return plan


def applying(plan: dict[str, Any], file: Path) -> subprocess.Popen[str]:
    """Begin to carry it out; use it as a context."""
    assert not plan["refusals"], plan["refusals"]
    confirm = ("--confirm", plan["confirm"]) if plan["confirm"] else ()
    return subprocess.Popen(
        [*PROGRAM, "apply", str(file), *confirm],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT,
    )  # fmt: skip


def last_run() -> Entry | None:
    """The newest entry of the journal."""
    journal = Journal(journal_path())
    try:
        return max(journal.entries(), key=lambda each: each.started, default=None)
    finally:
        journal.close()


def newly_done(before: Entry | None, done: list[str]) -> str:
    """What kind of step the present console was the first to do, once the one behind was sent; "" so far."""
    run = last_run()
    if run is None or (before is not None and run.id == before.id):
        return ""
    for step, behind in pairwise(run.steps):
        kind = step.why.partition(":")[0]  # what follows has the names of this run's snapshots
        if step.state == "done" and kind not in done and behind.sent is not None:
            return kind
    return ""


def when(running: subprocess.Popen[str], condition: Callable[[], bool]) -> None:
    """Return once the condition holds, or the program has ended."""
    while not condition():
        with suppress(subprocess.TimeoutExpired):
            running.wait(LOOK_S)
            return


def test_each_console_goes_on_where_the_killed_one_was_and_the_old_place_stays(
    virt: Libvirt, nas: str, tmp_path: Path
) -> None:
    virt.guest.create_pool(f"-o ashift=12 other {virt.guest.disk(1)}")
    virt.guest.ssh(WRITE)
    virt.define("byname", Disk(f"/dev/zvol/{OLD}"))
    virt.start("byname")
    file = tmp_path / "plan.json"
    done: list[str] = []
    for _ in range(PLANS):
        before = last_run()
        plan = planned(file)
        if ["already-there"] == [each["rule"] for each in plan["refusals"]]:
            break  # the start that was sent has arrived
        with applying(plan, file) as running:
            when(running, lambda before=before: bool(newly_done(before, done)))
            running.kill()
            words, _ = running.communicate(timeout=APPLY_S)
        if running.returncode >= 0:
            assert 0 == running.returncode, words
            break
        done.append(newly_done(before, done))
        print("killed behind", done[-1], flush=True)
        assert OLD == said(virt.guest, f"zfs list -Ho name {OLD}")
        assert int(said(virt.guest, "pgrep -fc 'guest=byname[,]' || true")) <= 1
        assert virt.state("byname").startswith(("running", "in shutdown", "shut off")), virt.state("byname")

    assert [] == [each for each in KILLED_BEHIND if not any(kind.startswith(each) for kind in done)], done
    assert "running (booted)" == virt.state("byname")
    assert f"/dev/zvol/{NEW}" in virt.virsh("dumpxml", "byname")
    assert OLD == said(virt.guest, f"zfs list -Ho name {OLD}")
    old, new = (said(virt.guest, NEWEST.format(each)) for each in (OLD, NEW))
    assert old
    assert old == new
    old, new = said(virt.guest, f"cksum /dev/zvol/{OLD} /dev/zvol/{NEW} | cut -d' ' -f1,2").splitlines()
    assert old == new
