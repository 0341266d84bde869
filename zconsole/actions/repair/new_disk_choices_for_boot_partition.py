"""New disk for a partition: one that has the table already, and the commands that make it so."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from zconsole.actions.disk_choices import DiskChoice
from zconsole.analysis.repair.boot_disk import SharedDisk, partition_of
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import fit, objections
from zconsole.analysis.vdevs.host_disks import whole_disks
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice, joining_device
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Vdev


@dataclass(frozen=True, slots=True)
class BootDiskChoices:
    """Disks for a partition: `prepared` have the table, `bare` fit and lack it."""

    table: SharedDisk
    prepared: tuple[DiskChoice, ...] = ()
    bare: tuple[DiskChoice, ...] = ()

    def preparing(self) -> Iterator[str]:
        """What gives the best bare disk the table, by hand."""
        for new in self.bare[:1]:
            yield (
                f"{new.serial} fits, but the old disk also has other partitions: {self.table.in_words()}. "
                "This host may boot from them, so the new disk needs the same partitions first"
            )
            sound, fresh = quote(self.table.link), quote(new.word)
            yield f"by hand, the sound disk first and the new one last: sgdisk {sound} -R {fresh}"
            yield f"then new identifiers for the copy: sgdisk -G {fresh}"

    def booting(self) -> Iterator[str]:
        """What makes the new disk bootable, by hand."""
        if self.table.efi:
            yield (
                "its EFI partition is empty: proxmox-boot-tool format and init on partition "
                f"{self.table.efi} of the new disk, or mkfs.vfat and the boot loader of the distribution"
            )
        if self.table.has_bios_boot:
            yield "for a BIOS the boot loader is installed on the new disk by hand: grub-install"


def boot_disk_choices(
    table: SharedDisk, top: Vdev, choices: tuple[DiskChoice, ...], facts: PlanFacts
) -> BootDiskChoices:
    """Sort the disks of a host for a partition of a vdev; `choices` are those for a whole disk."""
    bare = tuple(each for each in choices if not each.why_not and not each.is_spare)
    return BootDiskChoices(table, tuple(_prepared(table, top, facts)), bare)


def _prepared(table: SharedDisk, top: Vdev, facts: PlanFacts) -> Iterator[DiskChoice]:
    """Unused disks with an empty partition of the right number and size."""
    for disk in whole_disks(facts.inventory) if facts.inventory is not None else ():
        part = partition_of(disk, table.number)
        found = joining_device(part, disk) if part is not None else None
        if part is None or not isinstance(found, JoiningDevice):
            continue
        if any(objections(found, facts)) or fit(found, top).objections:
            continue
        words = f"partition {table.number} is empty and fits"
        yield DiskChoice(found.path, disk.serial or disk.name, part.size_bytes, disk.model, words)
