"""Plans made by hand, one of each risk: what the dialog is drawn from in tests."""

from __future__ import annotations

from dataclasses import replace

from tests.ui.states import NOW, tank
from zconsole.actions.intent import Intent
from zconsole.actions.plan import (
    Dependent,
    Plan,
    RedundancyChange,
    RefusalReason,
    Rehearsal,
    Risk,
    Sender,
    Step,
)
from zconsole.actions.replication.sender_and_space_checks import THROUGH
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.pools.pool import Pool, Vdev

IDENTITY = MachineIdentity("storage1", "storage1.example.net", "0123456789abcdef0123456789abcdef")


def scrub() -> Plan:
    """Routine."""
    return Plan(
        Intent("scrub", "tank"), "scrub tank", "tank", IDENTITY, Risk.ROUTINE, NOW,
        steps=(Step(("zpool", "scrub", "tank"), "scrub tank"),),
        is_reversible=True, undo="zpool scrub -s tank",
    )  # fmt: skip


def offline() -> Plan:
    """Caution: redundancy is left."""
    before = tank()
    first = before.vdevs[0]
    gone = replace(first.children[0], state="OFFLINE")
    after = replace(before, vdevs=(_with(first, gone), *before.vdevs[1:]))
    return Plan(
        Intent("offline", "tank", (str(gone.guid),)), f"take {gone.name} offline", gone.name, IDENTITY,
        Risk.CAUTION, NOW,
        steps=(Step(("zpool", "offline", "tank", str(gone.guid)), "take it offline"),),
        redundancy=(RedundancyChange("mirror-0", 1, 0, 0), RedundancyChange("mirror-1", 1, 1, 1)),
        before=before, after=after, is_reversible=True, undo=f"zpool online tank {gone.guid}",
        warnings=("mirror-0 has no redundancy left while it is offline",),
    )  # fmt: skip


def _with(group: Vdev, child: Vdev) -> Vdev:
    return replace(group, state="DEGRADED", children=(child, *group.children[1:]))


def attach() -> Plan:
    """Caution with a new disk in the tree."""
    before = tank()
    first = before.vdevs[0]
    new = Vdev(
        "ata-ST8000NM000A_ZL2FNEW1",
        "disk",
        "data",
        "ONLINE",
        path="/dev/disk/by-id/ata-ST8000NM000A_ZL2FNEW1",
    )
    after: Pool = replace(before, vdevs=(replace(first, children=(*first.children, new)), *before.vdevs[1:]))
    return replace(
        offline(), intent=Intent("attach", "tank"), title="mirror …ZL2F0A11 with …ZL2FNEW1", target=new.name,
        steps=(Step(("zpool", "attach", "tank", "12345", new.path or ""), "attach it"),),
        redundancy=(RedundancyChange("mirror-0", 1, 1, 2),), before=before, after=after, warnings=(),
        undo="zpool detach tank ata-ST8000NM000A_ZL2FNEW1",
    )  # fmt: skip


def destroy_snapshot() -> Plan:
    """Destructive, with ZFS's own dry run."""
    name = "tank/home@2026-11-01"
    return Plan(
        Intent("destroy", name), f"destroy snapshot {name}", name, IDENTITY, Risk.DESTRUCTIVE, NOW,
        steps=(Step(("zfs", "destroy", name), "destroy it"),),
        destroys=(name,), frees_bytes=3 << 30,
        rehearsals=(
            Rehearsal(("zfs", "destroy", "-nvp", name), f"destroy\t{name}\nreclaim\t3221225472\n", 0),
        ),
        notes=("2 later snapshots keep what they share with it",),
    )  # fmt: skip


def destroy_gold() -> Plan:
    """Catastrophic: a closure with live clones, one of them under a guest."""
    clones = tuple(f"tank/vm{number}" for number in range(1, 6))
    snapshots = ("tank/images@gold", "tank/vm1@patched")
    return Plan(
        Intent("destroy", "tank/images@gold", options=(("with-clones", True),)),
        "destroy snapshot tank/images@gold and what depends on it", "tank/images@gold", IDENTITY,
        Risk.CATASTROPHIC, NOW,
        steps=(Step(("zfs", "destroy", "-R", "tank/images@gold"), "destroy all"),),
        destroys=tuple(sorted((*clones, *snapshots))), live=clones, frees_bytes=2_040_109_466,
        dependents=(
            Dependent("guest", "web1", "runs on tank/vm1"),
            Dependent("clone", "tank/vm1", "mounted on /tank/vm1"),
        ),
        notes=("ZFS's own dry run names only the snapshot.",),
        alternatives=(
            ("promote tank/vm1 first: keeps all five, frees 0 B now", Intent("promote", "tank/vm1")),
        ),
    )  # fmt: skip


def destroy_many() -> Plan:
    """Catastrophic, by a channel program: more names than a screen has lines, and what must be read first."""
    gone = tuple(f"tank/vm@{number:02}" for number in range(40))
    clones = tuple(f"tank/clone{number}" for number in range(9))
    words = (each for name in gone for each in (name, "guid=12345678901234567890,createtxg=123456"))
    return Plan(
        Intent("destroy", "tank/vm"), "destroy file system tank/vm and all in it", "tank/vm", IDENTITY,
        Risk.CATASTROPHIC, NOW,
        steps=(
            Step(("zfs", "unmount", "tank/vm"), "unmount it"),
            Step(("zfs", "program", "tank", "-", *words), "check, and destroy all or none", stdin="return 1"),
        ),
        destroys=(*gone, *clones), live=clones, frees_bytes=2_040_109_466,
        dependents=tuple(Dependent("clone", each, f"of {gone[0]}") for each in clones),
        warnings=("tank/vm is the newest copy that vault/vm builds on",),
    )  # fmt: skip


def refused() -> Plan:
    """No guard opens it."""
    return replace(
        offline(), risk=Risk.REFUSED, warnings=(),
        refusals=(RefusalReason("last-replica", "mirror-0 has no other complete copy of its data",
                                "replace the other half first"),),
    )  # fmt: skip


def receive() -> Plan:
    """Caution: a copy on this host moves on by what another one sends."""
    sending = ("zfs", "send", "-L", "-e", "-c", "-i", "tank/home@b", "tank/home@c")
    nas = MachineIdentity("nas1", "nas1", "fedcba9876543210fedcba9876543210")
    return Plan(
        Intent("receive", "vault/home", ("tank/home@c",), (("from", "nas1"),)),
        "receive tank/home@c of nas1 into vault/home", "vault/home", IDENTITY, Risk.CAUTION, NOW,
        steps=(
            Step(
                ("zfs", "receive", "-s", "-u", "vault/home"), "receive what nas1 sends",
                sender=Sender(nas, sending, PrivilegeMode.ROOT, 26 << 30, is_elsewhere=True),
            ),
        ),
        rehearsals=(
            Rehearsal((*sending[:2], "-nvP", *sending[2:]),
                      f"incremental\ttank/home@b\ttank/home@c\t{26 << 30}\nsize\t{26 << 30}\n", 0,
                      decides=False, host="nas1"),
        ),
        notes=("about 26.0 GiB are sent, as ZFS estimates it", THROUGH),
        is_reversible=True, undo="zfs rollback -r vault/home@b",
    )  # fmt: skip


def receive_refused() -> Plan:
    """The copy was written to: how it is brought back is said, and a plan of its own."""
    return replace(
        receive(), risk=Risk.REFUSED, rehearsals=(), notes=(),
        refusals=(
            RefusalReason(
                "changed", "vault/home is not what vault/home@b is any more: 14.0 KiB were written since",
                "rollback vault/home@b takes that away, after a plan of its own; "
                "or receive it under another name",
            ),
        ),
        alternatives=(("roll vault/home back first", Intent("rollback", "vault/home@b")),),
    )  # fmt: skip


def hostile() -> Plan:
    """Names that try to be markup, escape sequences and another line."""
    name = "tank/[bold]x[/]\x1b[31m\u202eevil\nRUNS nothing"
    return replace(
        destroy_snapshot(), title=f"destroy snapshot {name}", target=name, destroys=(name,),
        dependents=(Dependent("clone", name, "\x9b2J"),), undo=name,
        steps=(Step(("zfs", "destroy", name), name),),
    )  # fmt: skip


ALL = {
    "routine": scrub,
    "caution": offline,
    "attach": attach,
    "destructive": destroy_snapshot,
    "catastrophic": destroy_gold,
    "many": destroy_many,
    "refused": refused,
    "receive": receive,
    "receive-refused": receive_refused,
}
