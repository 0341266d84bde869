"""The drives of the demonstration host, and the events of its failed one."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.drives import DriveKind, PracticeDisk, PracticeHealth, Signature
from zconsole.practice.world.host_world import Named, World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev

_SSD: Final = (
    "S6ESNX0T400118", "S6ESNX0T400121", "S6ESNX0T400127", "S6ESNX0T400133",
    "S6ESNX0T400140", "S6ESNX0T400152", "S6ESNX0W901733", "S6ESNX0W901738",
)  # fmt: skip
_NVME: Final = ("S64FNE0R802741", "S64FNE0R802755", "PHKE910200JD100P", "PHKE910200LW100P", "S64FNE0R811302")
_BIG: Final = ("ZL2F0A91", "ZL2F0B3C", "ZL2F0C77", "ZL2F1D04", "ZL2F1E2A", "ZL2F1F58", "ZL2H7K19")
_COLD: Final = ("VLGX3N1Y", "VLGX4P7Y", "VLGXA0RY", "VLGXB2KY", "VLH0D93Y")
_FREE: Final = ("ZL2H7M44", "WFL1Q0ZR")
_SPARE_SSD: Final = ("S6ESNX0W901744", "S6ESNX0W901751")
_SMALL_SSD: Final = ("S6ERNX0T300512",)
_SPARE_COLD: Final = ("VLH0E44Y", "VLH0F21Y", "VLH1A77Y")  # blank, encrypted, of another host's pool
_ATTIC: Final = (_SPARE_COLD[2], "VLH1B03Y")  # a mirror whose second drive stayed with that host
_GROUPS: Final = {"ssd": _SSD, "nvme": _NVME, "big": _BIG, "cold": _COLD, "free": _FREE, "attic": _ATTIC}


@dataclass(frozen=True, slots=True)
class DriveMake:
    """A model of SATA drive; `prefix` is its maker's part of the WWN."""

    model: str
    size: int
    prefix: str
    drive: DriveKind


_SSD_MAKE: Final = DriveMake("SAMSUNG MZ7L33T8HBLT-00A07", 3_840_755_982_336, "0x5002538f", DriveKind.SSD)
_SMALL_MAKE: Final = DriveMake("SAMSUNG MZ7L31T9HBLT-00A07", 1_920_383_410_176, "0x5002538f", DriveKind.SSD)
_BIG_MAKE: Final = DriveMake("ST12000NM0008-2H3101", 12_000_138_625_024, "0x5000c500", DriveKind.HDD)
_COLD_MAKE: Final = DriveMake("HGST HUH728080ALE604", 8_001_563_222_016, "0x5000cca2", DriveKind.HDD)
_FOREIGN_MAKE: Final = DriveMake("ST4000NM0035-1V4107", 4_000_787_030_016, "0x5000c500", DriveKind.HDD)
_SIGNATURES: Final = {
    _FREE[1]: (Signature("ext4", "old-backup"),),
    _SPARE_COLD[1]: (Signature("crypto_LUKS"),),
}
_HEALTH: Final = {
    _COLD[0]: PracticeHealth(hours=53_810, temperature=38),
    _COLD[1]: PracticeHealth(
        hours=53_807, temperature=41, reallocated=112, pending=24, uncorrectable=3, reported=486
    ),
    _BIG[2]: PracticeHealth(hours=28_112, temperature=38, crc=4),
    _SPARE_COLD[0]: PracticeHealth(hours=31, temperature=29),
    _NVME[0]: PracticeHealth(hours=17_400, temperature=44, wear=21),
    _NVME[1]: PracticeHealth(hours=17_400, temperature=45, wear=22),
}
_SYSTEM_MAKE: Final = DriveMake("INTEL SSDSC2KB240G8", 240_057_409_536, "0x55cd2e41", DriveKind.SSD)


def serials(group: str) -> tuple[str, ...]:
    """The serial numbers of a group of drives."""
    return _GROUPS[group]


def demo_disks() -> list[PracticeDisk]:
    """All drives, in the order of the kernel's names."""
    makes = [(serial, _SSD_MAKE) for serial in _SSD]
    makes += [(serial, _BIG_MAKE) for serial in (*_BIG, _FREE[0])]
    makes += [(serial, _COLD_MAKE) for serial in _COLD]
    makes.append((_FREE[1], _FOREIGN_MAKE))
    makes += [(serial, _SSD_MAKE) for serial in _SPARE_SSD] + [(serial, _SMALL_MAKE) for serial in _SMALL_SSD]
    makes += [(serial, _COLD_MAKE) for serial in _SPARE_COLD]
    disks = [system_disk(), *(sata(slot, serial, make) for slot, (serial, make) in enumerate(makes, start=1))]
    for disk in disks:
        disk.signatures = _SIGNATURES.get(disk.serial, disk.signatures)
    disks += [_nvme(number, serial) for number, serial in enumerate(_NVME)]
    for disk in disks:
        disk.health = replace(_HEALTH.get(disk.serial, disk.health))
    return disks


def left_behind() -> PracticeDisk:
    """The drive of the other host's pool that is not here."""
    return sata(0, _ATTIC[1], _COLD_MAKE)


def _letters(slot: int) -> str:
    """Sda is 0, sdz is 25, sdaa is 26."""
    letter = chr(ord("a") + slot % 26)
    return letter if slot < 26 else chr(ord("a") + slot // 26 - 1) + letter


def sata(slot: int, serial: str, make: DriveMake) -> PracticeDisk:
    """A SATA drive behind the SAS controller, on that phy."""
    model, size, prefix, drive = make.model, make.size, make.prefix, make.drive
    digits = sum(ord(char) << (index % 8) * 3 for index, char in enumerate(serial)) & 0xFFFFFFFF
    wwn = f"{prefix}{digits:08x}"
    name = f"ata-{model.replace(' ', '_')}_{serial}"
    return PracticeDisk(
        kname="sd" + _letters(slot),
        size=size,
        serial=serial,
        model=model,
        wwn=wwn,
        links=(name, f"wwn-{wwn}"),
        major=8 if slot < 16 else 65,
        minor=slot % 16 * 16,
        drive=drive,
        rev="GDC5502Q" if drive is DriveKind.SSD else "SN04",
        tran="sas",
        hctl=f"0:0:{slot}:0",
        phys_path=f"pci-0000:03:00.0-sas-phy{slot}-lun-0",
        devid=name,
        sectors=(512, 4096),
        rotates=drive is DriveKind.HDD,
    )


def _nvme(number: int, serial: str) -> PracticeDisk:
    is_log = serial.startswith("PHKE")
    model = "INTEL SSDPE21K100GA" if is_log else "SAMSUNG MZQL2960HCJR-00A07"
    name = f"nvme-{model.replace(' ', '_')}_{serial}"
    wwn = f"eui.{36344630 + number:08x}{abs(sum(map(ord, serial))):08x}"
    return PracticeDisk(
        kname=f"nvme{number}n1",
        size=100_030_242_816 if is_log else 960_197_124_096,
        serial=serial,
        model=model,
        wwn=wwn,
        links=(name, f"nvme-{wwn}"),
        major=259,
        minor=number * 8,
        drive=DriveKind.NVME,
        vendor=None,
        rev="E2010650" if is_log else "GDC5902Q",
        tran="nvme",
        phys_path=f"pci-0000:{0x81 + number:02x}:00.0-nvme-1",
        devid=name,
        sectors=(512, 512),
    )


def system_disk() -> PracticeDisk:
    """The drive that the host boots from."""
    disk = sata(0, "PHYF912300ZB240A", _SYSTEM_MAKE)
    disk.signatures = (Signature("ext4", "root", "/"),)
    disk.phys_path = "pci-0000:00:11.5-ata-1"
    disk.tran = "sata"
    return disk


def failure_events(
    world: World, pool: PracticePool, failed: PracticeVdev, spare: PracticeVdev, *, at: float
) -> None:
    """Report the events of a disk that failed and was replaced by a spare."""
    where = _where(failed)
    io_errors(world, pool, failed, count=12, at=at - 60)
    world.report(
        pool,
        "resource.fs.zfs.statechange",
        ("vdev_guid", failed.guid),
        ("vdev_state", Named("FAULTED", 5)),
        *where[1:],
        ("vdev_laststate", Named("ONLINE", 7)),
        at=at - 9.2,
    )
    world.report(pool, "sysevent.fs.zfs.vdev_spare", *_where(spare), at=at - 2.1)
    world.report(pool, "sysevent.fs.zfs.resilver_start", ("resilver_type", "healing"), at=at)
    txg, text = int(pool.txg) - 4000, f"spare in vdev={spare.path} for vdev={failed.path}"
    world.history_event(pool, "vdev attach", text, txg=txg, at=at - 2)
    world.history_event(pool, "scan setup", "func=2 mintxg=3 maxtxg=22011080", txg=txg, at=at)


def io_errors(world: World, pool: PracticePool, leaf: PracticeVdev, *, count: int, at: float) -> None:
    """Report I/O errors of a device, 3.7 s apart."""
    for index in range(count):
        world.report(
            pool,
            "ereport.fs.zfs.io",
            *_where(leaf),
            ("zio_err", 5),
            ("zio_flags", 0x100080),
            ("zio_offset", 0x2A0F_1000_000 + index * 0x20000),
            ("zio_size", 0x20000),
            at=at + index * 3.7,
        )


def _where(leaf: PracticeVdev) -> tuple[tuple[str, int | str], ...]:
    where = ("vdev_path", leaf.path), ("vdev_devid", leaf.devid), ("vdev_physpath", leaf.phys_path)
    return ("vdev_guid", leaf.guid), *where
