"""A suspended pool costs its own row and nothing else, and its return is seen without a restart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.lab.console import on_screen, row, wait_for, zconsole
from tests.lab.guests import Guest

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

SUSPENDED = "/proc/spl/kstat/zfs/stuck/state"
TWICE = """\
for try in $(seq 150); do
    found=$(ps -o args= -C zpool,zfs | sort | uniq -d)
    [ -z "$found" ] && break
    sleep 0.2
done
echo -n "$found"
"""  # the readers that run more than once, and go on doing so


@dataclass(frozen=True, slots=True)
class Shelf:
    """A guest with a sound pool `well` and a pool `stuck` whose only disk can be made to fail."""

    guest: Guest

    def fail(self) -> None:
        """Let every I/O of the disk fail until the pool is suspended."""
        self._become("error")
        self.guest.ssh("(dd if=/dev/zero of=/stuck/b bs=1M count=8 conv=fsync >/dev/null 2>&1 &) </dev/null")
        self.guest.ssh(
            f"for i in $(seq 300); do grep -q SUSPENDED {SUSPENDED} && exit 0; sleep 0.2; done; exit 1"
        )

    def heal(self) -> None:
        """Let the disk work again, and resume the pool."""
        self._become(f"linear {self.guest.disk(3)} 0")
        self.guest.ssh("timeout 60 zpool clear stuck")
        self.guest.ssh(
            f"for i in $(seq 300); do grep -q ONLINE {SUSPENDED} && exit 0; sleep 0.2; done; exit 1"
        )

    def _become(self, target: str) -> None:
        sectors = f"$(blockdev --getsz {self.guest.disk(3)})"
        switch = "dmsetup suspend --noflush bad && dmsetup resume bad"
        self.guest.ssh(f'dmsetup load bad --table "0 {sectors} {target}" && {switch}')


@pytest.fixture
def shelf(bare_guest: Guest) -> Iterator[Shelf]:
    """Both pools, well for now."""
    disk = bare_guest.disk
    sectors = f"$(blockdev --getsz {disk(3)})"
    bare_guest.ssh(f'dmsetup create bad --table "0 {sectors} linear {disk(3)} 0";')
    bare_guest.create_pool(f"well mirror {disk(0)} {disk(1)}")
    bare_guest.create_pool("stuck /dev/mapper/bad")
    found = Shelf(bare_guest)
    yield found
    found.heal()
    bare_guest.wipe()
    bare_guest.ssh("dmsetup remove --retry bad")


def test_status_tells_of_both_pools(shelf: Shelf, ssh_alias: str) -> None:
    shelf.fail()

    ended = zconsole("status", "--json", "--host", ssh_alias)

    assert 0 == ended.returncode, ended.stderr
    states = {pool["name"]: pool["state"] for pool in json.loads(ended.stdout)["pools"]}
    assert {"stuck": "SUSPENDED", "well": "ONLINE"} == states


def test_check_is_critical(shelf: Shelf, ssh_alias: str) -> None:
    shelf.fail()

    ended = zconsole("check", "--host", ssh_alias)

    assert 2 == ended.returncode
    assert ended.stdout.startswith("ZFS CRITICAL")
    assert "stuck" in ended.stdout
    assert "SUSPENDED" in ended.stdout


def test_the_screen_shows_it_stays_usable_and_sees_it_return(shelf: Shelf, ssh_alias: str) -> None:
    with on_screen(ssh_alias) as tty:
        wait_for(tty, both_online)
        shelf.fail()
        wait_for(tty, row("stuck", "SUSPENDED"))
        tty.type("?")
        wait_for(tty, lambda text: not row("stuck")(text))
        tty.type("\x1b")
        wait_for(tty, row("stuck", "SUSPENDED"))
        assert "" == shelf.guest.ssh(TWICE), "of each kind of reader one hangs, or none"
        shelf.heal()
        wait_for(tty, both_online)


def both_online(text: str) -> bool:
    """Whether both pools are shown as sound."""
    return row("stuck", "ONLINE")(text) and row("well", "ONLINE")(text)
