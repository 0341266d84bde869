"""Guests of a real libvirtd on the storage of a real OpenZFS, over SSH, with the real program."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab import guests
from tests.lab.acting import OPTIONS, Acting, PatientHost, acting_on
from tests.lab.console import on_screen, row, wait_for, zconsole
from tests.lab.guests import Guest, said
from tests.lab.virtual_machines import CALLS, VIRSH, Disk, Libvirt
from zconsole.actions.intent import OptionValue
from zconsole.actions.plan import Plan
from zconsole.hosts.host_address import Address
from zconsole.model.run import Run, RunState
from zconsole.reports.sudoers import Rules, sudoers
from zconsole.reports.sudoers_patterns import Grants

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]

BY_ID: Final = "/dev/disk/by-id/zvol-lab"
STORAGE: Final = f"""\
zfs create -s -V 1G tank/byname && zfs create -s -V 1G tank/bynumber && zfs create -s -V 1G tank/byid
zfs create tank/files && zfs create tank/base && udevadm settle
qemu-img create -q -f qcow2 /tank/base/golden.qcow2 1G
qemu-img create -q -f qcow2 -b /tank/base/golden.qcow2 -F qcow2 /tank/files/chain.qcow2
truncate -s 1G /tank/files/raw.img
ln -sf ../../$(basename $(readlink -f /dev/zvol/tank/byid)) {BY_ID}
"""


@pytest.fixture(scope="module")
def libvirt(libvirt_host: Guest) -> Libvirt:
    """Its libvirtd, which answers."""
    return Libvirt(libvirt_host)


@pytest.fixture
def virt(libvirt: Libvirt) -> Iterator[Libvirt]:
    """Libvirtd without machines, and a pool with places for their disks."""
    libvirt.reset()
    libvirt.guest.wipe()
    libvirt.guest.create_pool(f"-o ashift=12 tank {libvirt.guest.disk(0)}")
    libvirt.guest.ssh(STORAGE)
    yield libvirt
    libvirt.reset()


@pytest.fixture
def nas(libvirt_host: Guest) -> str:
    """A name that the user's own ~/.ssh/config resolves to the host."""
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(
        guests.ssh_config(libvirt_host, "nas", known_hosts=libvirt_host.known_hosts)
    )
    return "nas"


@pytest.fixture
async def acting(virt: Libvirt, nas: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on the host; more patient than the program itself, for QEMU in an emulated machine."""
    async with acting_on(virt.guest, nas, tmp_path / "journal.sqlite") as made:
        yield made


def listed(nas: str) -> dict[str, Any]:
    """The guests that `zconsole guests --json` prints, by name."""
    ended = zconsole("guests", "--json", "--host", nas)
    assert 0 == ended.returncode, ended.stdout + ended.stderr
    return {each["name"]: each for each in json.loads(ended.stdout)["guests"]}


def places(guest: dict[str, Any]) -> list[str | None]:
    """What the images of a guest's second disk are on."""
    return [image["on"] for image in guest["disks"][1]["images"]]


@pytest.mark.parametrize("forwards", [True, False], ids=["libvirt-python", "virsh"])
def test_every_disk_is_on_its_dataset_or_volume(virt: Libvirt, nas: str, *, forwards: bool) -> None:
    """Where sshd forwards no socket, virsh is run on the host."""
    number = said(virt.guest, "readlink -f /dev/zvol/tank/bynumber")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.define("bynumber", Disk(number))
    virt.define("byid", Disk(BY_ID))
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    virt.define("raw", Disk("/tank/files/raw.img"))
    for name in ("byname", "chain"):
        virt.start(name)

    with virt.forwarding(allowed=forwards):
        found = listed(nas)

    assert forwards == (virt.calls("domstats") == 0)
    assert {
        "byname": ["tank/byname"],
        "bynumber": ["tank/bynumber"],
        "byid": ["tank/byid"],
        "chain": ["tank/files", "tank/base"],
        "raw": ["tank/files"],
    } == {name: places(each) for name, each in found.items()}
    assert {"byname", "chain"} == {name for name, each in found.items() if each["state"] == "running"}


def test_screens_tell_the_guests_and_follow_them(virt: Libvirt, nas: str) -> None:
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    with on_screen(nas, size=(160, 50)) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        tty.type("V")
        wait_for(tty, row("byname", "shut off", "tank/byname"))
        wait_for(tty, row("chain", "tank/files, tank/base"))
        virt.start("byname")
        wait_for(tty, row("byname", "running", "tank/byname"))
        tty.type("D")
        wait_for(tty, row("tank/byname", "byname"))
        tty.type("q")
        virt.virsh("destroy", "byname")
        wait_for(tty, row("byname", "shut off"))


REFUSED: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    "byname": (("destroy", "tank/byname"), ("rollback", "tank/byname@a")),
    "chain": (("destroy", "tank/base"), ("rename", "tank/files", "tank/other"), ("export", "tank")),
}  # fmt: skip
RECURSIVE: Final[dict[str, OptionValue]] = {"recursive": True}  # each has a snapshot
SHUT_DOWN: Final[dict[str, OptionValue]] = {"shut_down_guests": True}
THERE: Final = "zfs list -Ho name {} 2>/dev/null || true"


def guests_named(plan: Plan) -> set[str]:
    """The guests that a plan tells of as dependents."""
    return {each.name for each in plan.dependents if each.kind == "guest"}


async def test_nothing_is_done_to_storage_below_a_running_guest_and_the_guest_is_named(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh("zfs snapshot -r tank@a")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    for name in REFUSED:
        virt.start(name)

    for name, actions in REFUSED.items():
        for action in actions:
            plan = await acting.plan(*action, **(RECURSIVE if action[0] == "destroy" else {}))
            assert plan.is_refused, action
            assert name in guests_named(plan), (action, plan.dependents)
            offered = [dict(wanted.options) for _, wanted in plan.alternatives]
            assert any("shut-down-guests" in options for options in offered), (action, plan.alternatives)


async def test_a_guest_is_shut_down_its_volume_rolled_back_and_the_guest_started_in_one_plan(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh("zfs snapshot tank/byname@a")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.start("byname")
    before = said(virt.guest, f"{VIRSH} dominfo byname | sed -n 's/^Id: *//p'")

    plan = await acting.do("rollback", "tank/byname@a", **SHUT_DOWN, start_guests_after=True)

    assert ["shutdown", "start"] == [step.argv[4] for step in plan.steps if step.argv[0] == "virsh"]
    assert "running (booted)" == virt.state("byname")
    assert before != said(virt.guest, f"{VIRSH} dominfo byname | sed -n 's/^Id: *//p'")
    told = said(virt.guest, "zpool history -il tank | grep -c 'rollback.*tank/byname' || true")
    assert 1 <= int(told)


async def test_a_renamed_volume_is_defined_anew_and_its_guest_started_there(
    virt: Libvirt, acting: Acting
) -> None:
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.start("byname")

    await acting.do("rename", "tank/byname", "tank/other", **SHUT_DOWN, start_guests_after=True)

    assert "running (booted)" == virt.state("byname")
    assert "/dev/zvol/tank/other" in virt.virsh("dumpxml", "byname")
    assert "" == said(virt.guest, THERE.format("tank/byname"))


async def test_an_image_below_a_chain_is_destroyed_behind_its_guest(virt: Libvirt, acting: Acting) -> None:
    virt.define("chain", Disk("/tank/files/chain.qcow2", "qcow2"))
    virt.start("chain")

    plan = await acting.do("destroy", "tank/base", **SHUT_DOWN)

    assert {"chain"} == guests_named(plan)
    assert "shut off (shutdown)" == virt.state("chain")
    assert "" == said(virt.guest, THERE.format("tank/base"))


async def killed_meanwhile(virt: Libvirt, acting: Acting, plan: Plan, kill: str, until: str) -> Run:
    """Carry the plan out, and run a line of shell in the host once another one succeeds there."""
    running = asyncio.create_task(acting.run(plan))
    await asyncio.to_thread(virt.until, until)
    await asyncio.to_thread(virt.guest.ssh, kill)
    await asyncio.to_thread(virt.start_libvirtd)
    return await running


KILL: Final = "kill -KILL $(pidof libvirtd); while pidof libvirtd >/dev/null; do :; done"


async def test_a_libvirtd_that_is_killed_while_a_guest_is_shut_down_leaves_the_volume(
    virt: Libvirt, acting: Acting
) -> None:
    """The guest is deaf: whatever libvirt says, it was not shut down, and nothing may follow."""
    virt.define("byname", Disk("/dev/zvol/tank/byname"), is_deaf=True)
    virt.start("byname")
    plan = await acting.plan("destroy", "tank/byname", **SHUT_DOWN, guests_within="45s")
    assert not plan.is_refused, plan.refusals

    run = await killed_meanwhile(virt, acting, plan, KILL, f"[ $(grep -c ' shutdown ' {CALLS}) -gt 0 ]")

    assert RunState.DONE is not run.state, run.words
    assert "done" != run.steps[-1].state
    assert "tank/byname" == said(virt.guest, THERE.format("tank/byname"))
    assert "running (booted)" == virt.state("byname")


async def test_a_libvirtd_that_is_killed_in_the_middle_of_a_plan_is_told_and_the_rest_planned_again(
    virt: Libvirt, acting: Acting
) -> None:
    """It dies while ZFS rolls back, and is not there when the guest is to be started."""
    virt.guest.ssh("zfs snapshot tank/byname@a")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.start("byname")
    plan = await acting.plan("rollback", "tank/byname@a", **SHUT_DOWN, start_guests_after=True)
    assert not plan.is_refused, plan.refusals
    virt.guest.ssh(DYING)
    try:
        run = await acting.run(plan)
    finally:
        virt.guest.ssh("rm -f /usr/local/sbin/zfs")
        await asyncio.to_thread(virt.start_libvirtd)

    assert RunState.DONE is not run.state, run.words
    assert "byname" in run.words
    assert ["done"] * 2 == [step.state for step in run.steps[:2]], run.steps
    assert "shut off" == virt.virsh("domstate", "byname")  # a new libvirtd does not know why
    await acting.do("guest-start", "byname")
    assert "running (booted)" == virt.state("byname")


DYING: Final = """\
cat >/usr/local/sbin/zfs <<'END'
#!/bin/sh
case "$1 $2" in "rollback "*|"program -j")
    /usr/sbin/zfs "$@"; status=$?; kill -KILL $(pidof libvirtd); exit $status ;;
esac
exec /usr/sbin/zfs "$@"
END
chmod 755 /usr/local/sbin/zfs
"""
SECRET: Final = """\
printf 'correct horse\\ncorrect horse\\n' |
    zfs create -o encryption=on -o keyformat=passphrase -o canmount=off tank/secret
zfs create -s -V 1G tank/secret/disk && udevadm settle
"""


async def test_the_key_of_storage_below_a_running_guest_is_not_unloaded(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh(SECRET)
    virt.define("secret", Disk("/dev/zvol/tank/secret/disk"))
    virt.start("secret")

    refused = await acting.plan("unload-key", "tank/secret")

    assert refused.is_refused
    assert {"secret"} == guests_named(refused)
    await acting.do("unload-key", "tank/secret", **SHUT_DOWN)
    assert "shut off (shutdown)" == virt.state("secret")
    assert "unavailable" == said(virt.guest, "zfs get -Ho value keystatus tank/secret")


REPLICAS: Final = """\
zfs snapshot tank/byname@a && zfs snapshot tank/files@a
zfs send tank/byname@a | zfs receive tank/copy && zfs send tank/files@a | zfs receive tank/filescopy
udevadm settle && zfs snapshot tank/byname@b && zfs snapshot tank/files@b
"""
NEWEST: Final = "zfs list -Hp -t snapshot -o guid -s createtxg {} | tail -n1"


async def test_nothing_is_received_below_a_running_guest_unless_it_is_shut_down_for_it(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh(REPLICAS)
    virt.define("copy", Disk("/dev/zvol/tank/copy"))
    virt.define("filescopy", Disk("/tank/filescopy/raw.img"))
    for name, source in (("copy", "tank/byname"), ("filescopy", "tank/files")):
        virt.start(name)
        before = said(virt.guest, NEWEST.format(f"tank/{name}"))

        plan = await acting.plan("receive", f"tank/{name}", source)

        assert plan.is_refused, name
        assert name in guests_named(plan), plan.dependents
        offered = [dict(wanted.options) for _, wanted in plan.alternatives]
        assert any("shut-down-guests" in options for options in offered), plan.alternatives
        assert RunState.REFUSED is (await acting.run(plan)).state
        assert before == said(virt.guest, NEWEST.format(f"tank/{name}"))

    await acting.do("receive", "tank/copy", "tank/byname", **SHUT_DOWN, start_guests_after=True)

    assert "running (booted)" == virt.state("copy")
    of_both = [said(virt.guest, NEWEST.format(name)) for name in ("tank/byname", "tank/copy")]
    assert of_both[0] == of_both[1]


async def test_a_receive_is_not_run_once_a_guest_was_started_on_its_target(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh(REPLICAS)
    virt.define("copy", Disk("/dev/zvol/tank/copy"))
    before = said(virt.guest, NEWEST.format("tank/copy"))
    plan = await acting.plan("receive", "tank/copy", "tank/byname")
    assert not plan.is_refused, plan.refusals

    virt.start("copy")
    run = await acting.run(plan)

    assert RunState.STALE is run.state, run.words
    assert any("copy" in each for each in run.differences), run.differences
    assert before == said(virt.guest, NEWEST.format("tank/copy"))


USER: Final = "gus"
RULES: Final = f"/etc/sudoers.d/zconsole-{USER}"
PERSON: Final = f"""\
id {USER} >/dev/null 2>&1 || useradd -m -s /bin/sh {USER}
mkdir -p /home/{USER}/.ssh
cp /root/.ssh/authorized_keys /home/{USER}/.ssh/
chown -R {USER}: /home/{USER}/.ssh
cat >{RULES}
chmod 440 {RULES}
visudo -c
"""
GRANTED: Final = Grants(commands=frozenset({"guests", "define", "send", "receive"}))


@pytest.fixture
async def gus(virt: Libvirt, nas: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """A user who is in no group, and has exactly the rules that `zconsole sudoers` prints."""
    rules = Rules(USER, "/usr/sbin", asks_password=False, grants=GRANTED)
    virt.guest.ssh(PERSON, stdin=sudoers(rules).encode())
    host = PatientHost(Address(nas, USER), OPTIONS)
    with virt.not_counted():
        async with acting_on(virt.guest, nas, tmp_path / "journal.sqlite", host) as made:
            yield made
    virt.guest.ssh(f"rm -f {RULES}")


def sent(acting: Acting) -> list[tuple[str, ...]]:
    """The commands of all steps so far, as they were sent."""
    return [step.sent_argv for entry in acting.journal.entries() for step in entry.steps if step.sent_argv]


async def test_the_rules_for_sudo_let_a_user_act_on_guests_and_move_them(virt: Libvirt, gus: Acting) -> None:
    virt.guest.ssh("zfs snapshot tank/byname@a")
    virt.define("byname", Disk("/dev/zvol/tank/byname"))
    virt.start("byname")

    for verb, state in (("suspend", "paused (user)"), ("resume", "running (unpaused)")):
        await gus.do(f"guest-{verb}", "byname")
        assert state == virt.state("byname")
    await gus.do("rollback", "tank/byname@a", **SHUT_DOWN, start_guests_after=True)
    await gus.do("guest-move", "byname", "tank/moved")

    assert "running (booted)" == virt.state("byname")
    assert "/dev/zvol/tank/moved" in virt.virsh("dumpxml", "byname")
    assert {("sudo", "-n")} == {argv[:2] for argv in sent(gus)}

    virt.guest.ssh(f"rm {RULES}")
    for action, *words in (("guest-suspend", "byname"), ("guest-move", "byname", "tank/again")):
        assert "permission" in await gus.refused(action, *words)
    assert "running (booted)" == virt.state("byname")
