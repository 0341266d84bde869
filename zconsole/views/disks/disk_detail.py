"""One disk with all that is known of it: what is wrong, where it is, its SMART data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk
from zconsole.base.fixed_width_formatting import UNKNOWN, milliseconds, moment, percent, size
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.kernel_message import KernelMessage
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.shelf_and_disk_path import BayLights
from zconsole.model.pools.smart_health import DiskHealth, PowerMode, Unreadable
from zconsole.views.disks.disk_list import MOMENT, UNUSED, age, last_place, problems, serves
from zconsole.views.layout.labelled_paragraph import ParagraphLabel
from zconsole.views.layout.state_age_and_link_phrases import ago, join
from zconsole.views.layout.styled_text import EMPTY, Line, line

LABEL_CELLS: Final = 16
MESSAGES_SHOWN: Final = 20


def heading(host: str, disk: HostDisk) -> tuple[Line, Line]:
    """The two lines on top."""
    model = disk.disk.model if disk.disk is not None else "the host does not see it"
    first = join([line((host, "title")), line((disk.serial, "title")), line((model, "dim"))])
    return first, line((serves(disk), "dim"))


def disk_document(disk: HostDisk, now: float) -> Iterator[Line]:
    """All lines, not wrapped yet."""
    yield line(("What is wrong", "section"))
    yield from tuple(problems(disk)) or (line(("no known problem", "dim")),)
    yield EMPTY
    yield line(("Disk", "section"))
    yield from _identity(disk.disk, disk.known or DiskHealth()) if disk.disk is not None else _gone(disk)
    yield from _location(disk)
    yield EMPTY
    yield line(("Serves", "section"))
    yield from _service(disk)
    yield EMPTY
    yield from _smart(disk, now)
    if disk.kernel is not None:
        yield EMPTY
        yield from _kernel(disk.kernel.messages)


def _kernel(messages: tuple[KernelMessage, ...]) -> Iterator[Line]:
    shown = messages[-MESSAGES_SHOWN:]
    most = f", the last {len(shown)} of {len(messages)}" if len(messages) > len(shown) else ""
    yield line((f"Kernel messages{most}", "section"))
    for each in shown:
        yield line((f"{moment(each.at, MOMENT)}  ", "dim"), each.text)


def _identity(disk: Disk, health: DiskHealth) -> Iterator[Line]:
    yield from _fact("model", " ".join(filter(None, (disk.vendor, disk.model or health.model))))
    yield from _fact("serial", _serial(disk, health))
    yield from _fact("firmware", health.firmware or disk.revision)
    yield from _fact("size", size(disk.size_bytes))
    logical, physical = disk.logical_sector_bytes, disk.physical_sector_bytes
    yield from _fact("sectors", f"{logical or UNKNOWN} B to the host, {physical or UNKNOWN} B inside")
    kind = {True: "rotating", False: "flash", None: ""}[disk.is_rotational]
    yield from _fact("transport", ", ".join(filter(None, (disk.transport, kind))))
    yield from _fact("wwn", disk.wwn)
    yield from _fact("device", ", ".join(filter(None, (disk.path, f"at {disk.hctl}" if disk.hctl else ""))))
    for at, link in enumerate(disk.links):
        yield from _fact("" if at else "names", link)


def _gone(disk: HostDisk) -> Iterator[Line]:
    """What is known of a disk that the host does not see any more."""
    last, health = disk.last, disk.known or DiskHealth()
    yield from _fact("model", (last.model if last is not None else "") or health.model)
    yield from _fact("serial", disk.serial)
    yield from _fact(
        "size", size(disk.leaf.physical_bytes) if disk.leaf is not None and disk.leaf.physical_bytes else ""
    )
    if last is not None:
        yield from _fact("last seen", moment(last.at, MOMENT))
        yield from _fact("was at", last.path)


def _serial(disk: Disk, health: DiskHealth) -> str:
    if disk.reported_serial:
        return f"{disk.reported_serial}: a placeholder or another disk's too, so it identifies no disk"
    return disk.serial or health.serial


def _location(disk: HostDisk) -> Iterator[Line]:
    yield from _fact("bay", disk.bay if disk.disk is not None else last_place(disk))
    if disk.place is not None:
        shelf, bay = disk.place.enclosure, disk.place.bay
        yield from _fact(
            "enclosure", ", ".join(filter(None, (shelf.vendor, shelf.model, bay.name, f"at {shelf.address}")))
        )
        yield from _fact("enclosure says", _lights(bay.lights or BayLights()))
    if disk.path is not None:
        path = disk.path
        controller = f"controller {path.controller}" if path.controller else ""
        yield from _fact(
            "path", ", ".join(filter(None, (controller, path.host, path.ata_port, path.expander)))
        )


def _lights(lights: BayLights) -> str:
    located = "locate LED on" if lights.is_located else ""
    faulted = "fault LED on" if lights.is_faulted else ""
    return ", ".join(filter(None, (lights.status, located, faulted)))


def _service(disk: HostDisk) -> Iterator[Line]:
    leaf = disk.leaf
    if leaf is None or disk.pool is None:
        yield from _fact(
            "", serves(disk) if serves(disk) != UNUSED else "no pool of this host; no other use is known"
        )
        return
    yield from _fact("vdev", serves(disk))
    yield from _fact("state", leaf.state + (f": {leaf.note}" if leaf.note else ""))
    yield from _fact("errors", _errors(leaf))
    if leaf.slow_ios is not None:
        yield from _fact("slow I/Os", _counted(leaf.slow_ios))
    if disk.io is not None:
        wait = disk.io.latency
        yield from _fact(
            "now",
            f"reads wait {milliseconds(wait.total_read)} ms, writes {milliseconds(wait.total_write)} ms"
            + ("" if disk.busy is None else f", busy {percent(100 * disk.busy)}"),
        )
    if leaf.guid is not None:
        yield from _fact("guid", str(leaf.guid))


def _smart(disk: HostDisk, now: float) -> Iterator[Line]:
    known, said = disk.known, disk.health
    when = "" if disk.known_at is None else f", read {ago(now - disk.known_at)} ago"
    yield line(("SMART" + when, "section"))
    if isinstance(said, Unreadable):
        yield line((f"not known: {said.value}", "warn"))
    elif said is not None and said.power_mode is PowerMode.STANDBY:
        yield line(("in standby: not woken", "dim"))
    elif said is None:
        was_known = disk.disk is None and known is not None
        yield line(("the disk is gone; this was known before" if was_known else "not read", "dim"))
    if known is not None:
        yield from _counters(known)
        yield from _fact("not readable", ", ".join(known.unread))


def _counters(health: DiskHealth) -> Iterator[Line]:
    verdict = {True: "passed", False: "FAILS", None: UNKNOWN}[health.is_passing]
    reason = health.verdict_words or ", ".join(health.failing_attributes)
    yield from _fact("own verdict", f"{verdict}: {reason}" if reason else verdict)
    hours = health.power_on_hours
    yield from _fact("age", UNKNOWN if hours is None else f"{age(hours)} ({hours} h)")
    limit = f" (limit {health.temperature_limit_c} °C)" if health.temperature_limit_c is not None else ""
    yield from _fact("temperature", f"{_number(health.temperature_c)} °C{limit}")
    defects = "grown defects" if health.protocol == "SCSI" else "reallocated"
    errors = "media errors" if health.protocol == "NVMe" else "uncorrectable"
    for label, value in (
        (defects, health.reallocated),
        ("pending", health.pending),
        ("offline uncorr.", health.offline_uncorrectable),
        (errors, health.reported_uncorrectable),
        ("CRC (cable)", health.crc_errors),
    ):
        yield from _fact(label, _number(value))
    for label, value in (("endurance used", health.wear), ("spare blocks", health.available_spare)):
        if value is not None:
            yield from _fact(label, f"{value} %")
    if health.self_test is not None:
        at = f" at {health.self_test.at_hours} h" if health.self_test.at_hours is not None else ""
        words = health.self_test.words or ("passed" if health.self_test.has_passed else "failed")
        yield from _fact("last self-test", words + at)


def _errors(leaf: Vdev) -> str:
    kinds = (("read", leaf.read_errors), ("write", leaf.write_errors), ("checksum", leaf.checksum_errors))
    return ", ".join(f"{kind} {_counted(errors)}" for kind, errors in kinds)


def _counted(errors: Count | None) -> str:
    if errors is None:
        return UNKNOWN
    return f"about {errors.value}" if errors.is_rounded else str(errors.value)


def _number(value: int | None) -> str:
    return UNKNOWN if value is None else str(value)


def _fact(label: str, words: str) -> Iterator[Line]:
    if words:
        yield (ParagraphLabel(f"{label:<{LABEL_CELLS}}", "dim"), *line(words))
