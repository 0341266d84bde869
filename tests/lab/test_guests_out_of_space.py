"""Guests that run out of space on a real OpenZFS: what each sees, and the way out on the screen of guests."""

from __future__ import annotations

import time
from typing import Final

import pytest

from tests.lab.console import confirm, on_screen, row, type_slowly, wait_for, zconsole
from tests.lab.guests import said
from tests.lab.test_guests import libvirt, nas, virt
from tests.lab.virtual_machines import VIRSH, Disk, Libvirt
from zconsole.collect.on_demand.guest_watch import AT_MOST_EVERY_S

__all__ = ("libvirt", "nas", "virt")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]

BALLAST_MIB: Final = 96
LEFT_MIB: Final = 12  # what the pool has left for a guest that writes a MiB a second
FULL: Final = f"""\
zfs set compression=off tank
dd if=/dev/urandom of=/tank/base/ballast bs=1M count={BALLAST_MIB} conv=fsync 2>/dev/null
zfs snapshot tank/base@old && rm /tank/base/ballast && zpool sync tank && zfs snapshot tank/base@new
zfs set reservation=$(( $(zfs get -Hpo value available tank) - ({LEFT_MIB} << 20) )) tank/byid
"""
SEEN_S: Final = 30.0  # on an emulated host: 1.0 s between readings, and what virsh takes there
NEEDED: Final = "40M"


def paused_at(virt: Libvirt, name: str) -> float:
    """Wait until libvirt says that an I/O error paused it; returns when it was seen, monotonic."""
    virt.until(f'[ "$({VIRSH} domstate --reason {name})" = "paused (I/O error)" ]')
    return time.monotonic()


def test_a_guest_that_a_full_pool_pauses_is_seen_freed_and_resumed_on_one_screen(
    virt: Libvirt, nas: str
) -> None:
    virt.guest.ssh(FULL)
    virt.define("raw", Disk("/tank/files/raw.img"), writes=True)
    with on_screen(nas, size=(160, 50)) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        tty.type("V")
        wait_for(tty, row("raw", "shut off"))
        virt.start("raw")
        since = paused_at(virt, "raw")
        wait_for(tty, row("raw", "paused by an I/O error"))
        took_s = time.monotonic() - since
        print("seen after", took_s)
        assert took_s < SEEN_S + AT_MOST_EVERY_S
        wait_for(tty, row("✗ paused by an I/O error", "no space for vdb"))

        tty.type("F")
        wait_for(tty, row("free space in", "tank"))
        type_slowly(tty, f"{NEEDED}\r")
        wait_for(tty, row("tank/base", "1 snapshot"))
        type_slowly(tty, "\r")
        plan = confirm(tty)
        assert "tank/base@old" in plan
        wait_for(tty, row(": DONE"))
        type_slowly(tty, "\x1b")
        wait_for(tty, row("raw", "paused by an I/O error"))
        assert "tank/base@new" == said(virt.guest, "zfs list -Ho name -t snapshot tank/base")

        tty.type("u")
        plan = confirm(tty)
        assert "raw" in plan
        wait_for(tty, row(": DONE"))
        type_slowly(tty, "\x1b")
        wait_for(tty, row("raw", "running"))
    assert "running (unpaused)" == virt.state("raw")


LIMITED: Final = """\
zfs set compression=off tank
zfs set quota=12M tank/files
"""
ASK: Final = '{"execute": "query-blockstats"}'
FAILED: Final = f"'{ASK}' | grep -q 'failed_wr_operations\":[1-9]'"
LESS: Final = "zfs set reservation=$(( $(zfs get -Hpo value reservation tank/byid) + (8 << 20) )) tank/byid"


def test_a_guest_at_a_quota_runs_on_with_errors_by_the_default_policy_as_plans_say(
    virt: Libvirt, nas: str
) -> None:
    """ZFS gives EDQUOT there, at which QEMU pauses no guest of its default policy."""
    virt.guest.ssh(LIMITED)
    virt.define("raw", Disk("/tank/files/raw.img"), writes=True)

    virt.start("raw")
    virt.until(f"{VIRSH} qemu-monitor-command raw {FAILED}")

    assert "running (booted)" == virt.state("raw")
    size_mib = int(said(virt.guest, "du -m /tank/files/raw.img").split()[0])
    assert size_mib <= 12


def test_a_guest_on_a_sparse_volume_of_a_full_pool_is_paused_past_the_page_cache(
    virt: Libvirt, nas: str
) -> None:
    """ENOSPC is for what is written past the page cache."""
    virt.guest.ssh(FULL)
    virt.define("byname", Disk("/dev/zvol/tank/byname", cache="none"), writes=True)

    virt.start("byname")
    virt.until("[ $(zfs get -Hpo value available tank) -lt 1000000 ]")
    paused_at(virt, "byname")

    assert "paused (I/O error)" == virt.state("byname")
    checked = zconsole("check", "--host", nas)
    assert 2 == checked.returncode, checked.stdout + checked.stderr
    assert "guest byname is paused by an I/O error: no space for vdb" in " ".join(checked.stdout.split())


def test_of_a_guest_on_a_volume_behind_the_page_cache_errors_are_told_before_they_come(
    virt: Libvirt, nas: str
) -> None:
    """The page cache turns ENOSPC into EIO, at which QEMU pauses no guest of its default policy."""
    virt.guest.ssh(f"{FULL}{LESS}")
    virt.define("byname", Disk("/dev/zvol/tank/byname", cache="writeback"), writes=True)
    virt.start("byname")
    virt.virsh("suspend", "byname")

    checked = zconsole("check", "--host", nas)
    virt.virsh("resume", "byname")
    virt.until(f"{VIRSH} qemu-monitor-command byname {FAILED}")

    assert 2 == checked.returncode, checked.stdout + checked.stderr
    assert "when it is full byname would see write errors" in " ".join(checked.stdout.split())
    assert "running (unpaused)" == virt.state("byname")
    checked = zconsole("check", "--host", nas)
    assert "is paused" not in checked.stdout, checked.stdout
