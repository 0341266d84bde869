"""Rules of the debriefing: what was done well, what was risky, and what is left to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.model.exercise import Remark, RemarkKind
from zconsole.practice.exercises.exercise_starting_world import MAKES, POOL, serial_in
from zconsole.practice.exercises.record_of_learner_acts import Act, Deed, Record, Seat

_RESTORES_WITHIN_S: Final = 600.0  # a disk that is put back within this time is put back quickly
Rule = Callable[[Record], Iterator[Remark]]


def _good(words: str, at_s: float | None = None) -> Remark:
    return Remark(RemarkKind.GOOD, words, at_s)


def _risky(words: str, at_s: float | None = None) -> Remark:
    return Remark(RemarkKind.RISKY, words, at_s)


def _left(words: str) -> Remark:
    return Remark(RemarkKind.LEFT, words)


def right_disk_pulled(record: Record) -> Iterator[Remark]:
    """A failed disk is pulled with its locate LED on, and when ZFS does not use it any more."""
    for act in record.acts_of(Deed.PULL):
        if act.serial not in record.at_fault or _is_cable_change(record, act):
            continue
        bay, seat = act.before.bays[act.serial], act.before.seats.get(act.serial)
        if act.serial in act.before.lit:
            yield _good(f"{act.serial} was pulled from bay {bay} with its locate LED on", act.at_s)
        else:
            words = f"{act.serial} was pulled without its locate LED: the disks next to it are healthy"
            yield _risky(words, act.at_s)
        if seat is not None and seat.is_used:
            words = (
                f"{act.serial} was pulled while {POOL} used it: take it offline first, or replace it first"
            )
            yield _risky(words, act.at_s)


def no_healthy_disk_pulled(record: Record) -> Iterator[Remark]:
    """A healthy disk stays where it is; pulled by mistake, it is put back quickly."""
    for act in record.acts_of(Deed.PULL):
        seat = act.before.seats.get(act.serial)
        if act.serial in record.at_fault or seat is None or _is_cable_change(record, act):
            continue
        after = act.after.seats.get(act.serial, seat)
        if act.after.is_suspended and not act.before.is_suspended:
            words = f"{act.serial} was pulled, the last good copy of {seat.vdev}: {POOL} was suspended"
        else:
            words = f"{act.serial} was pulled, a healthy disk: {_survived(after)}"
        yield _risky(words, act.at_s)
        if seat.is_current:
            yield from _put_back(record, act.serial, act.at_s)


def taken_disk_put_back(record: Record) -> Iterator[Remark]:
    """A healthy disk that somebody else pulled is put back before anything else is done."""
    by_learner = {act.serial for act in record.acts_of(Deed.PULL)}
    new = {serial for serial, _ in record.script.table}
    for serial, seat in record.now.seats.items():
        if serial in record.at_fault | by_learner | new:
            continue
        yield from _put_back(record, serial, 0.0)
        if seat.state in {"REMOVED", "UNAVAIL"} and serial not in record.now.bays:
            yield _left(f"{serial} is healthy and not in its bay: put it back")


def _put_back(record: Record, serial: str, since_s: float) -> Iterator[Remark]:
    back = [act for act in record.acts_of(Deed.INSERT) if act.serial == serial and act.at_s >= since_s]
    if back:
        after_s = back[0].at_s - since_s
        if after_s <= _RESTORES_WITHIN_S:
            yield _good(f"{serial} was put back: ZFS had little to resilver", back[0].at_s)
        else:
            yield _risky(f"{serial} was put back only after {duration(after_s)}", back[0].at_s)


def right_disk_replaced(record: Record) -> Iterator[Remark]:
    """Only failed disks are replaced; one that can still be read stays until the new one is complete."""
    for act in record.acts_of(Deed.REPLACE):
        old = act.after.seats[act.serial].instead_of
        seat = act.before.seats.get(old)
        if seat is None:
            continue
        if record.script.bad_cable:
            yield _risky(
                f"{old} was replaced, but the cable is at fault: new disks report errors too", act.at_s
            )
        elif old not in record.at_fault:
            yield _risky(f"{old} was replaced, which is healthy: a needless resilver of hours", act.at_s)
        elif act.serial in record.outlasted:
            words = f"{old} stayed in use until its replacement was complete"
            yield _good(words, record.outlasted[act.serial])
    for act in record.acts_of(Deed.ADD):
        words = f"{act.serial} was added instead of replacing a disk: redundancy stays reduced"
        yield _risky(words, act.at_s)


def taken_out_too_early(record: Record) -> Iterator[Remark]:
    """A disk that can still be read is not taken offline while its replacement is not there."""
    for act in record.acts_of(Deed.OFFLINE):
        seat = act.after.seats[act.serial]
        replaced = [each.after.seats[each.serial].instead_of for each in record.acts_of(Deed.REPLACE)]
        if act.serial in record.at_fault and act.serial in replaced:
            first = next(each for each in record.acts_of(Deed.REPLACE)
                         if each.after.seats[each.serial].instead_of == act.serial)  # fmt: skip
            if first.at_s < act.at_s:
                continue
        kind = _risky if seat.survives <= 0 or act.serial not in record.at_fault else _good
        words = f"{act.serial} was taken offline first: {_survived(seat)}"
        yield kind(words, act.at_s)


def new_disk_fits(record: Record) -> Iterator[Remark]:
    """The label of a disk is read before the disk is inserted: a new one, and large enough."""
    small = {serial for serial, make in record.script.table if make == "3T"}
    for act in record.acts_of(Deed.INSERT):
        if act.serial in small:
            size = MAKES["3T"].size / 1e12
            words = f"{act.serial} was inserted, which is too small ({size:.2f} TB): read the label first"
            yield _risky(words, act.at_s)
        elif act.serial in record.at_fault:
            yield _risky(f"{act.serial} was inserted again, which has failed: read the label first", act.at_s)


def cable_first(record: Record) -> Iterator[Remark]:
    """Errors of several disks at once mean what they share; counters are evidence until that is mended."""
    cables, bad = record.acts_of(Deed.CABLE), record.script.bad_cable
    for act in cables:
        if act.serial != bad:
            yield _risky(
                f"cable {act.serial} was changed, which was sound: its disks were missing meanwhile", act.at_s
            )
        elif not any(each.at_s < act.at_s for each in record.acts_of(Deed.REPLACE)):
            yield _good(f"cable {bad} was changed before any disk", act.at_s)
    if not bad:
        return
    changed_s = next((act.at_s for act in cables if act.serial == bad), None)
    early = [act for act in record.acts_of(Deed.CLEAR) if changed_s is None or act.at_s < changed_s]
    if early:
        yield _risky(
            "the counters were cleared before the cause was repaired: the evidence is lost", early[0].at_s
        )
    if not record.is_cable_new:
        yield _left("several disks report errors: check what they share")


def pool_never_stood_still(record: Record) -> Iterator[Remark]:
    """The pool is never suspended."""
    if record.suspended_s:
        yield _risky(
            f"{POOL} was suspended for {duration(record.suspended_s)}: nothing could be read or written"
        )


def after_care(record: Record) -> Iterator[Remark]:
    """Redundancy is verified, counters are cleared, the LED is off, and a spare waits."""
    now = record.now
    if now.is_suspended:
        yield _left(f"{POOL} is suspended: put its disks back, then zpool clear {POOL}")
    replaced = {seat.instead_of for serial, seat in now.seats.items() if serial not in _spares(record)}
    for serial in sorted(record.at_fault):
        if serial in now.seats and serial in replaced:
            yield _left(f"{serial} is being replaced: wait until the resilver ends")
        elif serial in now.seats:
            yield _left(f"{serial} is still part of {POOL}: replace it")
        elif serial in now.bays:
            yield _left(f"{serial} is still in bay {now.bays[serial]}: take it out")
    if record.restored_s is None:
        return
    restored_at = record.began + record.restored_s
    if now.scrub_begun >= int(restored_at):
        is_over = now.scrub_ended is not None
        yield _good(f"a scrub {'has verified' if is_over else 'verifies'} that {POOL} is redundant again")
    else:
        yield _left(f"no scrub has verified the new copies yet: zpool scrub {POOL}")
    counted = [serial for serial, seat in now.seats.items() if seat.errors]
    if counted:
        yield _left(f"{', '.join(counted)} still has error counts: zpool clear {POOL}")
    for serial in sorted(now.lit & now.bays.keys()):
        yield _left(f"the locate LED of bay {now.bays[serial]} is still on")
    if record.script.has_spare and not now.idle_spares:
        yield _left(f"{POOL} has no hot spare any more: add one")


def _spares(record: Record) -> set[str]:
    """The disks that are hot spares at the beginning."""
    words = record.script.layout.partition("spare")[2].split()
    return {serial_in(int(word)) for word in words}


def _is_cable_change(record: Record, act: Act) -> bool:
    return any(cable.at_s == act.at_s for cable in record.acts_of(Deed.CABLE))


def _survived(seat: Seat) -> str:
    if seat.survives < 0:
        return f"{seat.vdev} had lost data"
    if seat.survives == 0:
        return f"{seat.vdev} would not have survived another failure"
    return f"{seat.vdev} would have survived {seat.survives} more failure{'s' if seat.survives > 1 else ''}"


RULES: Final[tuple[Rule, ...]] = (
    right_disk_pulled,
    no_healthy_disk_pulled,
    taken_disk_put_back,
    taken_out_too_early,
    right_disk_replaced,
    new_disk_fits,
    cable_first,
    pool_never_stood_still,
    after_care,
)


def remarks(record: Record) -> tuple[Remark, ...]:
    """All remarks on an exercise: good, risky, left to do; each kind by its time."""
    found = [remark for rule in RULES for remark in rule(record)]
    kinds = list(RemarkKind)
    return tuple(
        sorted(found, key=lambda each: (kinds.index(each.kind), inf if each.at_s is None else each.at_s))
    )


def outcome(record: Record) -> str:
    """How the exercise stands, in a sentence."""
    if record.now.is_suspended:
        return f"{POOL} is suspended."
    if record.is_reduced:
        return f"{POOL} is not fully redundant yet."
    left = sum(remark.kind is RemarkKind.LEFT for remark in remarks(record))
    done = f"{POOL} has its redundancy"
    if record.restored_s is not None:
        done = f"{POOL} is fully redundant again after {duration(record.restored_s)}"
    return f"{done}; {left} left to do." if left else f"{done}."
