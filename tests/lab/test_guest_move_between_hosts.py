"""A guest is moved over SSH from one guest of the lab to another; libvirt is a script with one definition.

The lab has no libvirt: what is real is all of ZFS and both links. A disk is opened for writing at the start
of the guest, as QEMU does, so that a read-only copy cannot be started.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from tests.lab import guests
from tests.lab.acting import OPTIONS, PatientHost
from tests.lab.guests import Guest, said
from tests.lab.images import LabError
from tests.lab.trees import pool_on_a_file
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan
from zconsole.base.clock import SystemClock
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host_address import Address
from zconsole.model.run import Run, RunState
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

UUID: Final = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
STATE: Final = "/run/lab-guest"
VIRSH: Final = f"""\
#!/bin/sh
# at most one guest: {STATE}/xml is its definition, {STATE}/state its number, {STATE}/boot its autostart
while :; do case "$1" in -r|-q) shift;; -c) shift 2;; *) break;; esac; done
disk=$(sed -n "s/.*<source [a-z]*=['\\"]\\([^'\\"]*\\).*/\\1/p" {STATE}/xml 2>/dev/null)
known() {{ [ -e {STATE}/xml ] || {{ echo "error: failed to get domain '{UUID}'" >&2; exit 1; }}; }}
case "$1" in
  uri) echo qemu:///system;;
  list) case "$*" in
      *--with-*) ;;
      *--autostart*) [ ! -e {STATE}/boot ] || echo {UUID};;
      *) [ ! -e {STATE}/xml ] || echo {UUID};;
    esac;;
  domstats) [ -e {STATE}/xml ] || {{ echo; exit 0; }}
    printf "Domain: 'web01'\\n  state.state=%s\\n  state.reason=1\\n\\n" "$(cat {STATE}/state)";;
  dumpxml) known; cat {STATE}/xml;;
  domname) known; echo web01;;
  domblklist) ;;
  net-list) echo default;;
  domcapabilities) ;;
  autostart) known; if [ "$2" = --disable ]; then rm -f {STATE}/boot; else touch {STATE}/boot; fi;;
  define) cat "$2" >{STATE}/new && mv {STATE}/new {STATE}/xml
    [ -e {STATE}/state ] || echo 5 >{STATE}/state;;
  undefine) known; rm -f {STATE}/xml {STATE}/state {STATE}/boot;;
  shutdown) known; dd if=/dev/urandom of="$disk" bs=64k count=8 conv=notrunc,fsync 2>/dev/null
    echo 5 >{STATE}/state;;
  start) known; [ ! -e {STATE}/stuck ] || exit 1
    ( : <>"$disk" ) 2>/dev/null || {{ echo "error: Could not open '$disk'" >&2; exit 1; }}
    echo 1 >{STATE}/state;;
  *) exit 1;;
esac
"""
XML: Final = (
    f"<domain type='kvm'><name>web01</name><uuid>{UUID}</uuid><devices>"
    "<disk type='{kind}' device='disk'><driver name='qemu' type='raw'/>"
    "<source {key}='{path}'/><target dev='vda' bus='virtio'/></disk></devices></domain>"
)
WRITE: Final = "dd if=/dev/urandom of={0} bs=1M count={1} conv=notrunc,fsync 2>/dev/null"
NAS, VAULT = "nas", "vault"


@dataclass
class TwoHosts:
    """Both guests, and who acts on them."""

    nas: Guest
    vault: Guest
    operator: Operator
    flowing: asyncio.Event = field(default_factory=asyncio.Event)

    async def plan(self, on: str, action: str, *words: str, **options: OptionValue) -> Plan:
        return await self.operator.prepare(on, intent(action, *words, options=options))

    async def run(self, plan: Plan) -> Run:
        return await self.operator.execute(
            plan.identity.label, plan, plan.confirm or "", lasts_s=SAVED_PLAN_LASTS_S
        )


@pytest.fixture(scope="module")
def second_guest(guest: Guest) -> Iterator[Guest]:
    """Another guest of the same series; ZFSLAB_SECOND_GUEST names one that runs already."""
    if name := os.environ.get("ZFSLAB_SECOND_GUEST"):
        yield guests.find(name)
        return
    running = guests.start(guest.series, f"test-second-{os.getpid()}", disks=2, size="1G")
    yield running
    running.down()


@pytest.fixture
async def hosts(bare_guest: Guest, second_guest: Guest, tmp_path: Path) -> AsyncIterator[TwoHosts]:
    """A pool on each, and on each a script in the place of virsh."""
    second_guest.wipe()
    for guest, pool in ((bare_guest, "src"), (second_guest, "dst")):
        pool_on_a_file(guest, name=pool)
        guest.ssh(f"mkdir -p {STATE}; cat >/usr/bin/virsh; chmod 755 /usr/bin/virsh", stdin=VIRSH.encode())
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(
        guests.ssh_config(bare_guest, NAS, known_hosts=bare_guest.known_hosts)
        + guests.ssh_config(second_guest, VAULT, known_hosts=second_guest.known_hosts)
    )
    both = [PatientHost(Address(name), OPTIONS) for name in (NAS, VAULT)]
    journal, clock, flowing = Journal(tmp_path / "journal.sqlite"), SystemClock(), asyncio.Event()

    def told(run: Run) -> None:
        if any(step.moved is not None and step.moved.bytes > 1 << 20 for step in run.steps):
            flowing.set()

    operator = Operator(both, clock=clock, policies=Policies(clock=clock), journal=journal, publish=told)
    yield TwoHosts(bare_guest, second_guest, operator, flowing)
    for host in both:
        await host.close()
    journal.close()
    for guest in (bare_guest, second_guest):
        guest.ssh(f"rm -rf {STATE} /usr/bin/virsh")
        guest.wipe()


def defined(guest: Guest, kind: str, key: str, path: str) -> None:
    """The guest, which runs and is started with its host."""
    xml = XML.format(kind=kind, key=key, path=path)
    guest.ssh(f"cat >{STATE}/xml; echo 1 >{STATE}/state; touch {STATE}/boot", stdin=xml.encode())


def newest(guest: Guest, dataset: str) -> str:
    """Guid of the newest snapshot."""
    return said(guest, f"zfs list -Hp -t snapshot -o guid -s createtxg {dataset} | tail -n1")


def digest(guest: Guest, path: str) -> str:
    return said(guest, f"md5sum {path} | cut -c1-32")


def told_of(run: Run) -> tuple[object, ...]:
    return (run.words, run.differences, [(step.state, step.said, step.settled) for step in run.steps])


async def test_a_volume_is_moved_and_comes_back_with_what_was_written(hosts: TwoHosts) -> None:
    nas, vault = hosts.nas, hosts.vault
    nas.ssh("zfs create -s -V 64M -o compression=lz4 -o primarycache=metadata src/web01; udevadm settle")
    nas.ssh(WRITE.format("/dev/zvol/src/web01", 16))
    defined(nas, "block", "dev", "/dev/zvol/src/web01")

    made = await hosts.plan(NAS, "guest-move", "web01", "dst/web01", to=VAULT)
    assert not made.is_refused, made.refusals
    run = await hosts.run(made)

    assert RunState.DONE is run.state, told_of(run)
    assert "web01 was off for" in run.words
    assert newest(nas, "src/web01")
    assert newest(nas, "src/web01") == newest(vault, "dst/web01")
    assert digest(nas, "/dev/zvol/src/web01") == digest(vault, "/dev/zvol/dst/web01")
    assert "/dev/zvol/dst/web01" in said(vault, f"cat {STATE}/xml")
    assert ("5", "1") == (said(nas, f"cat {STATE}/state"), said(vault, f"cat {STATE}/state"))
    settings = "zfs get -Ho value readonly,compression,primarycache {0} | xargs"
    assert "off lz4 metadata" == said(vault, settings.format("dst/web01"))
    assert "on lz4 metadata" == said(nas, settings.format("src/web01"))
    assert ("0", "1") == (
        said(nas, f"ls {STATE} | grep -c boot; :"),
        said(vault, f"ls {STATE} | grep -c boot"),
    )
    with pytest.raises(LabError, match="Could not open"):
        nas.ssh(f"virsh start {UUID}")
    assert ["already-there"] == [
        each.rule for each in (await hosts.plan(NAS, "guest-move", "web01", "dst/web01", to=VAULT)).refusals
    ]

    vault.ssh(WRITE.format("/dev/zvol/dst/web01", 2))
    back = await hosts.run(await hosts.plan(VAULT, "guest-move", "web01", "src/web01", to=NAS))

    assert RunState.DONE is back.state, told_of(back)
    assert ("1", "5") == (said(nas, f"cat {STATE}/state"), said(vault, f"cat {STATE}/state"))
    assert digest(vault, "/dev/zvol/dst/web01") == digest(nas, "/dev/zvol/src/web01")
    assert "/dev/zvol/src/web01" in said(nas, f"cat {STATE}/xml")

    forgotten = await hosts.run(await hosts.plan(VAULT, "guest-forget", "web01", to=NAS))

    assert RunState.DONE is forgotten.state, told_of(forgotten)
    assert "" == said(vault, "virsh list --all --uuid")
    assert "dst/web01" == said(vault, "zfs list -Ho name dst/web01")


async def test_a_file_goes_on_after_a_killed_receive_and_a_failed_start(hosts: TwoHosts) -> None:
    nas, vault = hosts.nas, hosts.vault
    nas.ssh(f"zfs create -o atime=off src/web01; {WRITE.format('/src/web01/disk.raw', 48)}")
    vault.ssh(f"touch {STATE}/stuck")
    defined(nas, "file", "file", "/src/web01/disk.raw")
    made = await hosts.plan(NAS, "guest-move", "web01", "dst/web01", to=VAULT)
    running = asyncio.create_task(hosts.run(made))
    waiting = asyncio.create_task(hosts.flowing.wait())
    await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
    with suppress(LabError):  # the last of the stream may be under way already
        await asyncio.to_thread(nas.ssh, "pkill -x zfs")
    cut = await running

    assert RunState.FAILED is cut.state, told_of(cut)
    assert "1" == said(nas, f"cat {STATE}/state"), "it runs on: only the first copy was cut"
    rest = await hosts.plan(NAS, "guest-move", "web01", "dst/web01", to=VAULT)
    assert "-t" in (rest.steps[0].sender.argv if rest.steps[0].sender is not None else ()), rest.steps[0]

    stuck = await hosts.run(rest)

    assert RunState.FAILED is stuck.state, told_of(stuck)
    assert "zfs set readonly=off src/web01" in stuck.words
    with pytest.raises(LabError, match="Could not open"):
        nas.ssh(f"virsh start {UUID}")
    left = await hosts.plan(NAS, "guest-move", "web01", "dst/web01", to=VAULT)
    assert [(VAULT, "start")] == [(step.on, step.argv[4]) for step in left.steps]

    vault.ssh(f"rm {STATE}/stuck")
    again = await hosts.run(left)

    assert RunState.DONE is again.state, told_of(again)
    assert "web01 was off for" in again.words
    assert digest(nas, "/src/web01/disk.raw") == digest(vault, "/dst/web01/disk.raw")
    assert "off off" == said(vault, "zfs get -Ho value readonly,atime dst/web01 | xargs")
