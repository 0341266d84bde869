"""`dd` from a drive to /dev/null, as GNU coreutils print it under LC_ALL=C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Refusal, Reply
from zconsole.practice.world.drives import DriveKind, PracticeDisk
from zconsole.practice.world.host_world import World

MIB: Final = 1 << 20
_OPERANDS: Final = ("if", "of", "bs", "count", "skip", "iflag")
_MIB_PER_S: Final = {DriveKind.HDD: 210.0, DriveKind.SSD: 520.0, DriveKind.NVME: 2600.0}
_INNER: Final = 0.5  # of the speed at the start, on the inner tracks of a hard disk


def dd(world: World, args: Sequence[str]) -> Reply:
    """Read a piece of a drive; nothing else is done here."""
    given = dict(each.partition("=")[::2] for each in args)
    if set(given) - set(_OPERANDS) or given.get("of") != "/dev/null" or given.get("bs") != "1M":
        raise Refusal("dd: the practice host does not do this\n")
    path, count, skip = given.get("if", ""), int(given.get("count", "0")), int(given.get("skip", "0"))
    try:
        disk = world.disk(path)
    except KeyError:
        disk = None
    if disk is None or not disk.is_present:
        raise Refusal(f"dd: failed to open '{path}': No such file or directory\n")
    if world.user_id != 0:
        raise Refusal(f"dd: failed to open '{path}': Permission denied\n")
    size_mib = disk.size // MIB
    if _is_bad(disk) and skip <= size_mib // 2 <= skip + count:
        return Reply(stderr=f"dd: error reading '{path}': Input/output error\n{_told(0, 0, 3.1)}", status=1)
    pieces = max(0, min(count, size_mib - skip))
    place = skip / size_mib if disk.rotates or disk.drive is DriveKind.HDD else 0.0
    speed = _MIB_PER_S[disk.drive] * (1 - place * _INNER) / disk.slow_factor
    return Reply(stderr=_told(pieces, pieces * MIB, pieces / speed))


def _is_bad(disk: PracticeDisk) -> bool:
    """Whether the drive has sectors that it cannot read, which here are in the middle."""
    return bool(disk.health.pending or disk.health.uncorrectable or not disk.health.is_passing)


def _told(pieces: int, copied: int, seconds: float) -> str:
    speed = copied / seconds / 1e6 if seconds else 0.0
    if not copied:
        return f"0+0 records in\n0+0 records out\n0 bytes copied, {seconds:.6g} s, 0.0 kB/s\n"
    return (
        f"{pieces}+0 records in\n{pieces}+0 records out\n"
        f"{copied} bytes ({copied / 1e6:.0f} MB, {copied // MIB} MiB) copied, "
        f"{seconds:.6g} s, {speed:.0f} MB/s\n"
    )
