"""A guest's storage moved between two pools of a real OpenZFS; libvirt is a script that keeps one definition.

The lab has no libvirt: what is real here is everything of ZFS. tests/libvirtd has the change of a definition.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from tests.lab.acting import Acting, acting_on
from tests.lab.guests import Guest, said
from tests.lab.trees import pool_on_a_file
from zconsole.model.run import RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

UUID: Final = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
STATE: Final = "/run/lab-guest"
VIRSH: Final = f"""\
#!/bin/sh
# one guest: {STATE}/xml is its definition, {STATE}/state its number; it writes once more before it is off
while :; do case "$1" in -r|-q) shift;; -c) shift 2;; *) break;; esac; done
disk=$(sed -n "s/.*<source [a-z]*=['\\"]\\([^'\\"]*\\).*/\\1/p" {STATE}/xml)
case "$1" in
  uri) echo qemu:///system;;
  list) case "$*" in *--with-*) ;; *) echo {UUID};; esac;;
  domstats) printf "Domain: 'web01'\\n  state.state=%s\\n  state.reason=1\\n\\n" "$(cat {STATE}/state)";;
  dumpxml) cat {STATE}/xml;;
  domname) echo web01;;
  domblklist) ;;
  shutdown) dd if=/dev/urandom of="$disk" bs=64k count=8 conv=notrunc,fsync 2>/dev/null
    echo 5 >{STATE}/state;;
  start) [ -w "$disk" ] && [ ! -e {STATE}/stuck ] && echo 1 >{STATE}/state;;
  update-device) [ "$(cat {STATE}/state)" = 5 ] || exit 1
    {{ printf "%s" "<domain type='kvm'><name>web01</name><uuid>{UUID}</uuid><devices>"; cat "$3"
      echo "</devices></domain>"; }} >{STATE}/new && mv {STATE}/new {STATE}/xml;;
  *) exit 1;;
esac
"""
XML: Final = (
    f"<domain type='kvm'><name>web01</name><uuid>{UUID}</uuid><devices>"
    "<disk type='{kind}' device='disk'><driver name='qemu' type='raw'/>"
    "<source {key}='{path}'/><target dev='vda' bus='virtio'/></disk></devices></domain>"
)


WRITE: Final = "dd if=/dev/urandom of={0} bs=1M count={1} conv=notrunc,fsync 2>/dev/null"


@pytest.fixture
async def acting(bare_guest: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Two pools, and a script in the place of virsh."""
    for name in ("src", "dst"):
        pool_on_a_file(bare_guest, name=name)
    bare_guest.ssh(f"mkdir -p {STATE}; cat >/usr/bin/virsh; chmod 755 /usr/bin/virsh", stdin=VIRSH.encode())
    async with acting_on(bare_guest, ssh_alias, tmp_path / "journal.sqlite") as made:
        yield made
    bare_guest.ssh(f"rm -rf {STATE} /usr/bin/virsh")
    bare_guest.wipe()


def defined(guest: Guest, kind: str, key: str, path: str) -> None:
    """The guest, which runs."""
    xml = XML.format(kind=kind, key=key, path=path)
    guest.ssh(f"cat >{STATE}/xml; echo 1 >{STATE}/state", stdin=xml.encode())


def same_guids(guest: Guest, old: str, new: str) -> bool:
    """Whether the newest snapshots of both are one."""
    newest = "zfs list -Hp -t snapshot -o guid -s createtxg {0} | tail -n1"
    return said(guest, newest.format(old)) == said(guest, newest.format(new)) != ""


async def test_a_volume_has_all_that_the_guest_wrote_until_it_was_off(acting: Acting) -> None:
    guest = acting.guest
    guest.ssh("zfs create -s -V 64M -o compression=lz4 -o primarycache=metadata src/web01; udevadm settle")
    guest.ssh(WRITE.format("/dev/zvol/src/web01", 16))
    defined(guest, "block", "dev", "/dev/zvol/src/web01")

    made = await acting.plan("guest-move", "web01", "dst/web01")
    run = await acting.run(made)

    assert RunState.DONE is run.state, (run.words, [step.said for step in run.steps])
    assert "web01 was off for" in run.words
    assert "/dev/zvol/dst/web01" in said(guest, f"cat {STATE}/xml")
    assert "1" == said(guest, f"cat {STATE}/state")
    assert "off lz4 metadata" == said(
        guest, "zfs get -Ho value readonly,compression,primarycache dst/web01 | xargs"
    )
    assert same_guids(guest, "src/web01", "dst/web01")
    old, new = said(guest, "md5sum /dev/zvol/src/web01 /dev/zvol/dst/web01 | cut -c1-32").split()
    assert old == new


async def test_a_file_goes_on_after_a_failure_and_comes_back_with_what_was_written(acting: Acting) -> None:
    guest = acting.guest
    guest.ssh(
        f"zfs create -o atime=off src/web01; {WRITE.format('/src/web01/disk.raw', 16)}; touch {STATE}/stuck"
    )
    defined(guest, "file", "file", "/src/web01/disk.raw")

    first = await acting.run(await acting.plan("guest-move", "web01", "dst/web01"))
    left = await acting.plan("guest-move", "web01", "dst/web01")
    guest.ssh(f"rm {STATE}/stuck")
    again = await acting.run(left)

    assert (RunState.FAILED, RunState.DONE) == (first.state, again.state), (first.words, again.words)
    assert "web01 is off" in first.words
    assert ["start"] == [step.argv[4] for step in left.steps]
    files = said(guest, "md5sum /src/web01/disk.raw /dst/web01/disk.raw | cut -c1-32").split()
    assert 1 == len(set(files))

    guest.ssh(WRITE.format("/dst/web01/disk.raw", 2))
    back = await acting.run(await acting.plan("guest-move", "web01", "src/web01"))

    assert RunState.DONE is back.state, (back.words, [step.said for step in back.steps])
    assert same_guids(guest, "src/web01", "dst/web01")
    there, here = said(guest, "md5sum /dst/web01/disk.raw /src/web01/disk.raw | cut -c1-32").split()
    assert there == here != files[0]
