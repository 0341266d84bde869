"""What the other host lacks: each refused with its reason, and only told where the guest would start."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import filesystem, host
from zconsole.actions.action_spec import Draft
from zconsole.actions.guest.move.lacks_on_other_host import check_other_host, paths_named
from zconsole.actions.guest.move.move_steps_between_hosts import MoveBetweenHosts
from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.plan import Risk
from zconsole.model.datasets.snapshot_contents import FileLookup, FileState, FileType
from zconsole.model.guests.domain_needs import LibvirtHost
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.system.libvirt.domain_needs_of_its_host import HOOK, parse_domain_needs

SOURCE = filesystem("tank/web01")
ALL_WELL = LibvirtHost(frozenset({"lan"}), "", "")
DISK = "<disk type='file' device='{}'><source file='{}'/><target dev='{}'/></disk>"


def checked(
    inner: str,
    *,
    has: tuple[str, ...] = (),
    libvirt: LibvirtHost = ALL_WELL,
    disks: tuple[GuestDisk, ...] = (),
) -> Draft:
    """The draft for a definition with this inside, on a host that has these files."""
    xml = f"<domain type='kvm'><name>web01</name>{inner}</domain>"
    stored = StoredDefinition("uuid-1", xml)
    guest = Guest(
        GuestDefinition("uuid-1", "web01", disks=disks),
        GuestStatus("web01", GuestState.RUNNING),
        tuple(StoredDisk(each) for each in disks),
    )
    move = StorageToMove(guest, stored, "vault/web01", SOURCE, None, elsewhere=parse_disk_texts(xml))
    asked = frozenset(paths_named(parse_domain_needs(xml), stored))
    found = tuple(FileState(path, FileType.FILE, 1, 1, 1, 1) for path in has)
    there = replace(host([]), libvirt_host=libvirt, files=FileLookup(asked=asked, found=found))
    draft = Draft("move", "web01", Risk.CAUTION)
    check_other_host(draft, MoveBetweenHosts(move, SOURCE, host([SOURCE]), there))
    return draft


def rules(draft: Draft) -> list[str]:
    return [each.rule for each in draft.refusals]


@pytest.mark.parametrize(
    ("inner", "rule", "has"),
    [
        ("<devices><interface type='network'><source network='dmz'/></interface></devices>", "network", ()),
        ("<devices><interface type='bridge'><source bridge='br0'/></interface></devices>", "network",
         ("/sys/class/net/br0",)),
        ("<os><loader>/usr/share/OVMF.fd</loader></os>", "file", ("/usr/share/OVMF.fd",)),
        ("<os><nvram>/var/lib/a_VARS.fd</nvram></os>", "nvram", ("/var/lib/a_VARS.fd",)),
        ("<devices><hostdev type='pci'/></devices>", "host-device", ()),
        ("<devices><tpm><backend type='emulator'/></tpm></devices>", "state-elsewhere", ()),
    ],
)  # fmt: skip
def test_what_it_could_not_start_without_is_refused(inner: str, rule: str, has: tuple[str, ...]) -> None:
    assert [rule] == rules(checked(inner))
    if has:
        assert [] == rules(checked(inner, has=has))


def test_a_plain_guest_lacks_nothing() -> None:
    made = checked("<devices><interface type='network'><source network='lan'/></interface></devices>")

    assert ([], []) == (made.refusals, made.warnings)


@pytest.mark.parametrize(
    ("libvirt", "rule"),
    [
        (LibvirtHost(frozenset(), "error: emulator not found", ""), "machine"),
        (LibvirtHost(frozenset(), "", "error: CPU is incompatible"), "cpu"),
    ],
)
def test_a_machine_that_it_cannot_run_is_refused_in_its_words(libvirt: LibvirtHost, rule: str) -> None:
    made = checked("", libvirt=libvirt)

    assert [rule] == rules(made)
    assert "error:" not in made.refusals[0].reason


def test_what_was_not_told_is_a_warning() -> None:
    made = checked("", libvirt=LibvirtHost())

    assert ([], 2) == (rules(made), len([each for each in made.warnings if "is not known" in each]))


def test_a_disk_that_would_stay_is_refused_and_a_cd_must_be_there() -> None:
    disk = GuestDisk("vdb", "/data/b.raw", SourceKind.FILE)
    stays = checked(f"<devices>{DISK.format('disk', '/data/b.raw', 'vdb')}</devices>", disks=(disk,))
    cd = f"<devices>{DISK.format('cdrom', '/iso/a.iso', 'sda')}</devices>"

    assert ["disks-elsewhere"] == rules(stays)
    assert (["image"], []) == (rules(checked(cd)), rules(checked(cd, has=("/iso/a.iso",))))


def test_a_hook_of_the_old_host_alone_is_told() -> None:
    draft = Draft("move", "web01", Risk.CAUTION)
    stored = StoredDefinition("uuid-1", "<domain type='kvm'/>")
    guest = Guest(GuestDefinition("uuid-1", "web01"), GuestStatus("web01", GuestState.RUNNING))
    here = replace(host([SOURCE]), files=FileLookup(found=(FileState(HOOK, FileType.FILE, 1, 1, 1, 1),)))
    there = replace(host([]), libvirt_host=ALL_WELL)

    check_other_host(
        draft, MoveBetweenHosts(StorageToMove(guest, stored, "vault/web01", SOURCE), SOURCE, here, there)
    )

    assert [True] == [HOOK in each for each in draft.warnings]
