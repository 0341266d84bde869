"""An exercise on the practice host: the briefing, the rack, and the debriefing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.exercise import (
    ChangeCable,
    ExerciseState,
    Handwork,
    Insert,
    Pull,
    RackBay,
    RackDisk,
    Remark,
    RemarkKind,
)
from zconsole.model.pools.pool import HEALTHY_STATES
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.serial_in_device_name import serial_at_end
from zconsole.views.layout.styled_text import EMPTY, Line, line

RACK_KEY: Final = "F2"
_STYLES: Final = {RemarkKind.GOOD: "ok", RemarkKind.RISKY: "warn", RemarkKind.LEFT: "info"}
_HEADINGS: Final = {
    RemarkKind.GOOD: "Done well",
    RemarkKind.RISKY: "Risky",
    RemarkKind.LEFT: "Left to do",
}
_TB: Final = 1e12
_READ: Final = "read the debriefing so far; no disk is at fault here"


@dataclass(frozen=True, slots=True)
class PoolLeaf:
    """A disk as a pool has it."""

    pool: str
    state: str

    @property
    def is_serving(self) -> bool:
        """Whether ZFS reads and writes it, or keeps it as a spare."""
        return self.state in HEALTHY_STATES | {"DEGRADED"}


def briefing(state: ExerciseState) -> Iterator[Line]:
    """The trouble, and what can be done at the rack."""
    yield line((f"Exercise {state.name}", "title"))
    for paragraph in state.told.split("\n"):
        yield EMPTY
        yield line(paragraph)
    yield EMPTY
    there = "pull a disk, insert one, change a cable, read the debriefing so far" if state.on_table else _READ
    yield line(
        (RACK_KEY, "key"),
        f" opens the rack from every screen: {there}. Nothing here is real. "
        "The rack asks for no confirmation.",
    )
    yield EMPTY


def rack_help() -> Iterator[Line]:
    """The key of the rack, for the list of keys."""
    yield line(("Exercise", "section"))
    yield line(
        (f"  {RACK_KEY:<18}", "key"), "Open the rack: pull and insert disks, change a cable, debriefing."
    )


def rack_heading(state: ExerciseState) -> Line:
    """The time and how the exercise stands."""
    return line(
        ("The rack", "title"), (f" · {state.name} · {duration(state.elapsed_s)} · {state.outcome}", "dim")
    )


def table_heading(bay: RackBay) -> Line:
    """What the disks on the table are shown for."""
    return line(("The table", "title"), (f" · a disk for bay {bay.number}", "dim"))


def bay_line(bay: RackBay) -> Line:
    """A bay with its disk."""
    number = f"bay {bay.number:>2}  "
    if bay.disk is None:
        return line((number, "key"), ("empty", "dim"))
    lamp = ("  locate LED on", "warn") if bay.is_lit else ""
    return line((number, "key"), disk_label(bay.disk), lamp)


def leaves_by_serial(view: View) -> dict[str, PoolLeaf]:
    """The devices of all pools by the serial numbers in their names, as ZFS has them."""
    found: dict[str, PoolLeaf] = {}
    for host in view.hosts:
        for pool in (each.pool.value for each in host.state.pools if each.pool.value is not None):
            for leaf in filter(lambda each: each.is_leaf, pool.walk()):
                names = (leaf.name, leaf.path or "", leaf.note)
                serial = next((serial for serial, _ in map(serial_at_end, names) if serial), "")
                if serial:
                    found[serial] = PoolLeaf(pool.name, leaf.state)
    return found


def bay_to_look_at(state: ExerciseState, leaves: Mapping[str, PoolLeaf]) -> str:
    """The bay with its locate LED on, or that of a disk that has failed; empty for none."""
    lit = [bay.number for bay in state.bays if bay.is_lit]
    out = [
        bay.number
        for bay in state.bays
        if bay.disk is not None and bay.disk.serial in leaves and not leaves[bay.disk.serial].is_serving
    ]
    return next((str(number) for number in (*lit, *out)), "")


def used_by(disk: RackDisk, leaves: Mapping[str, PoolLeaf]) -> Line:
    """What ZFS has of a disk, before it is pulled."""
    leaf = leaves.get(disk.serial)
    if leaf is None:
        return EMPTY
    style = "warn" if leaf.is_serving else "dim"
    return line((f" · it is {leaf.state} in {leaf.pool}", style))


def disk_label(disk: RackDisk) -> str:
    """A disk as its label describes it."""
    return f"{disk.serial:<9} {disk.model:<20} {disk.size_bytes / _TB:>5.2f} TB"


def by_hand(work: Handwork) -> str:
    """What was done at the rack, as a remark."""
    match work:
        case Pull(bay):
            return f"the disk of bay {bay} is pulled; it is on the table"
        case Insert(serial, bay):
            return f"{serial} is inserted into bay {bay}"
        case ChangeCable(cable):
            return f"cable {cable} is changed"


def debriefing(state: ExerciseState) -> Iterator[Line]:
    """How the exercise stands: the time, what was done well, what was risky, what is left to do."""
    yield line((f"Exercise {state.name}: ", "title"), state.outcome)
    reduced = f"{duration(state.reduced_s)} with less redundancy than before" if state.reduced_s else ""
    yield line((", ".join(filter(None, (f"{duration(state.elapsed_s)} in all", reduced))), "dim"))
    for kind in RemarkKind:
        remarks = [remark for remark in state.remarks if remark.kind is kind]
        if remarks:
            yield EMPTY
            yield line((_HEADINGS[kind], _STYLES[kind]))
            yield from map(_remark, remarks)


def _remark(remark: Remark) -> Line:
    when = f"  after {duration(remark.at_s)}" if remark.at_s is not None else ""
    return line(("  · ", _STYLES[remark.kind]), remark.words, (when, "dim"))
