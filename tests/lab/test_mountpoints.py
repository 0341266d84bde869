"""Nothing is mounted over what is there: on a real host, which mounts over anything at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import Guest

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]  # the first test boots the guest, or builds it

FILES = "mkdir -p /srv/old /srv/empty; touch /srv/old/a /srv/old/b; ln -sfn /etc /srv/link"


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with a pool on a disk, where `zpool import` looks, and directories with files and without."""
    bare_guest.create_pool(f"tank {bare_guest.disk(0)}")
    bare_guest.ssh(f"{FILES}; zfs create tank/home; zfs snapshot tank/home@a")
    yield bare_guest
    bare_guest.wipe()
    bare_guest.ssh("rm -rf /srv/old /srv/empty /srv/link", check=False)


def mounted(guest: Guest) -> set[str]:
    """Where file systems of ZFS are mounted."""
    return set(guest.ssh("awk '$3 == \"zfs\" { print $2 }' /proc/mounts").split())


async def test_what_runs_is_refused_and_what_hides_nothing_is_done(nas: Acting) -> None:
    before = mounted(nas.guest)
    for path in ("/etc", "/srv/../etc/x", "/srv/link/cron.d", "/lib"):
        assert "system-mountpoint" in await nas.refused("create", "tank/x", f"mountpoint={path}"), path
    assert "system-mountpoint" in await nas.refused("set", "tank/home", "mountpoint=/")
    assert "system-mountpoint" in await nas.refused("clone", "tank/home@a", "tank/c", "mountpoint=/boot")
    nas.guest.ssh("(tail -f /srv/old/a >/dev/null 2>&1 & echo $! > /run/tail.pid) </dev/null")
    assert {"mountpoint-in-use"} == await nas.refused("create", "tank/x", "mountpoint=/srv")
    nas.guest.ssh("kill $(cat /run/tail.pid)")
    assert before == mounted(nas.guest)

    await nas.do("create", "tank/new", "mountpoint=/srv/new")
    empty = await nas.do("set", "tank/new", "mountpoint=/srv/empty")
    files = await nas.do("set", "tank/new", "mountpoint=/srv/old")

    assert not any("hides" in each for each in empty.warnings)
    assert "/srv/old is not empty: tank/new hides 2 entries" in files.warnings
    assert "/srv/old" in mounted(nas.guest)


async def test_mounts_below_and_children_that_inherit_are_told(nas: Acting) -> None:
    nas.guest.ssh("zfs create -o mountpoint=/srv/media tank/media; zfs create tank/home/old")

    made = await nas.plan("set", "tank/home", "mountpoint=/srv")
    refused = await nas.plan("rename", "tank/home", "tank/media/etc")
    nas.guest.ssh("zfs set canmount=off tank/media; zfs set mountpoint=/ tank/media")
    worse = await nas.refused("rename", "tank/home", "tank/media/etc")

    assert "tank/home hides tank/media, mounted on /srv/media" in made.warnings
    assert "/srv/old is not empty: tank/home/old hides 2 entries" in made.warnings
    assert not refused.is_refused, refused.refusals
    assert "system-mountpoint" in worse


async def test_a_foreign_pool_is_imported_unmounted_and_then_mounted_where_that_is_safe(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("mkdir -p /run/keep; cp -a /etc/passwd /run/keep/")
    guest.ssh("zfs create tank/fine; zfs create tank/files; zfs create -o canmount=noauto tank/evil")
    guest.ssh(
        "zfs set mountpoint=/etc tank/evil; zfs unmount tank/files; zfs set mountpoint=/srv/old tank/files"
    )
    guest.ssh(
        "zfs set canmount=on tank/evil; grep -q ' /etc ' /proc/mounts && umount /etc; zpool export tank"
    )

    imported = await nas.do("import", "tank")
    after_import = mounted(guest)
    below = await nas.do("mount", "tank", below=True)

    assert set() == after_import
    assert any("-N" in step.argv for step in imported.steps)
    assert any("tank/evil stays unmounted: its mountpoint is /etc" in each for each in below.warnings)
    assert {"/tank", "/tank/fine", "/tank/home", "/srv/old"} == mounted(guest)
    assert guest.ssh("cat /run/keep/passwd") == guest.ssh("cat /etc/passwd")
    assert "system-mountpoint" in await nas.refused("mount", "tank/evil")


async def test_an_altroot_is_put_in_front(nas: Acting) -> None:
    guest = nas.guest
    guest.ssh("zpool export tank && zpool import -R /mnt tank")

    done = await nas.do("set", "tank/home", "mountpoint=/there")

    assert "/mnt/there" in mounted(guest)
    assert not any("hides" in each for each in done.warnings)
    assert "system-mountpoint" in await nas.refused("set", "tank/home", "mountpoint=/../etc")
