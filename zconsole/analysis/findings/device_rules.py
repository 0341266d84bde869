"""Rules on single devices: failed, failing, counted errors, spares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import on_disk
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.repair.data_at_stake.blocks_on_failed_devices import damage_in_words
from zconsole.analysis.repair.need_of_spare import need_of_spare
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import name_to_find
from zconsole.analysis.vdevs.redundancy import ended_badly
from zconsole.analysis.vdevs.scan_eta import how_it_ended
from zconsole.base.fixed_width_formatting import count
from zconsole.base.name_lists import joined_by_and
from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.pools.pool import DEAD_STATES, HEALTHY_STATES, Count, Scan, Vdev

OFFLINE: Final = "OFFLINE"
SLOW_IOS_WARNING: Final = 10  # a few may come from one reset or one disk that woke up
SLOW_IOS_SINCE: Final = " (30 s or more each by default), counted since the import or the last clear"
FILES_NAMED: Final = 3  # in the sentence
FILES_KEPT: Final = 100  # as evidence; the rest is in `zpool status -v`
_FAULTED_IDS: Final = {"log": "log-faulted", "cache": "cache-faulted", "spare": "spare-faulted"}


def data_is_damaged(facts: RuleInput) -> Iterator[Finding]:
    """Permanent errors: data is lost and must be restored from a backup.

    ZFS names a damaged block in each snapshot and clone that has it, and counts it once.
    """
    files = facts.pool.error_files
    errors = facts.pool.data_errors
    if not errors:
        return
    named = ", ".join(files[:FILES_NAMED]) + (", ..." if len(files) > FILES_NAMED else "")
    yield facts.found(
        "data-errors",
        Severity.CRITICAL,
        damage_in_words(facts.pool)
        + (f", in {len(files)} files or objects" if len(files) > errors > 0 else "")
        + (f": {named}" if named else ""),
        errors=errors,
        files=files[:FILES_KEPT],
    )


def device_has_failed(facts: RuleInput) -> Iterator[Finding]:
    """Device that ZFS no longer uses, and its repair in progress."""
    for vdev, parent in _leaves(facts):
        if vdev.state in HEALTHY_STATES | {OFFLINE}:
            continue
        note = f" ({vdev.note})" if vdev.note else ""
        role = "" if vdev.vdev_class == "data" else f"{vdev.vdev_class} device "
        name = name_to_find(vdev)
        name = vdev.name if note and name.endswith(note) else name  # its note has what it was
        found = facts.found(
            "device-degraded"
            if vdev.state == "DEGRADED"
            else _FAULTED_IDS.get(vdev.vdev_class, "device-faulted"),
            Severity.WARNING,
            f"{role}{name} is {vdev.state}{note}{_remedy(vdev, parent, facts.pool.scan)}",
            vdev=vdev,
            state=vdev.state,
            vdev_class=vdev.vdev_class,
            note=vdev.note or None,
            path=vdev.path,
            part_of=_part_of(facts, vdev, parent),
        )
        yield on_disk(found, vdev, f"{vdev.state}{note}")


def device_is_offline(facts: RuleInput) -> Iterator[Finding]:
    """Device that an administrator took offline."""
    for vdev, parent in _leaves(facts):
        if vdev.state == OFFLINE:
            remedy = _remedy(vdev, parent, facts.pool.scan)
            role = "" if vdev.vdev_class == "data" else f"{vdev.vdev_class} device "
            found = facts.found(
                "device-offline",
                Severity.INFO,
                f"{role}{name_to_find(vdev)} was taken OFFLINE by an administrator{remedy}",
                vdev=vdev,
                state=vdev.state,
                vdev_class=vdev.vdev_class,
                part_of="replacing" if remedy and parent is not None and parent.type == "replacing" else None,
            )
            yield on_disk(found, vdev, "taken OFFLINE")


def device_has_errors(facts: RuleInput) -> Iterator[Finding]:
    """Errors that ZFS counted since the pool was imported or last cleared."""
    for top in facts.pool.vdevs:
        if top.vdev_class == "spare":
            continue
        guilty = [vdev for vdev in top.walk() if vdev.is_leaf and vdev.has_errors]
        for vdev in guilty or ([top] if top.has_errors else []):
            found = facts.found(
                "device-errors",
                Severity.WARNING,
                f"{name_to_find(vdev)} has {_errors_in_words(vdev)}",
                vdev=vdev,
                vdev_class=top.vdev_class,
                state=vdev.state,
                read_errors=_number(vdev.read_errors),
                write_errors=_number(vdev.write_errors),
                checksum_errors=_number(vdev.checksum_errors),
                is_rounded=any(
                    each is not None and each.is_rounded
                    for each in (vdev.read_errors, vdev.write_errors, vdev.checksum_errors)
                ),
            )
            yield on_disk(found, vdev, _errors_in_words(vdev)) if vdev.is_leaf else found


def device_was_slow(facts: RuleInput) -> Iterator[Finding]:
    """I/Os that took longer than ZFS's own limit (30 s), counted since import or clear; a warning if many."""
    for vdev, _ in _leaves(facts):
        if vdev.slow_ios:
            ios = f"{_in_words(vdev.slow_ios)} slow I/O{'s' if vdev.slow_ios.value != 1 else ''}"
            is_often = vdev.slow_ios.value >= SLOW_IOS_WARNING
            found = facts.found(
                "slow-ios",
                Severity.WARNING if is_often else Severity.INFO,
                f"{name_to_find(vdev)} had {ios}{SLOW_IOS_SINCE if is_often else ''}",
                vdev=vdev,
                slow_ios=vdev.slow_ios.value,
            )
            yield on_disk(found, vdev, ios, needs_repair=False)


def spare_stands_in(facts: RuleInput) -> Iterator[Finding]:
    """Hot spare in use; it can be detached once the replaced device is healthy."""
    for vdev in facts.pool.walk():
        if vdev.type != "spare" or len(vdev.children) < 2:
            continue
        original, spare = vdev.children[0], vdev.children[-1]
        device = _first_leaf(original)
        need = need_of_spare(facts.pool, original, is_suspect=device.name in facts.suspects)
        is_needed = need is not None
        label = f"spare {name_to_find(spare)}"
        verb, now = ("stood", f", and is {spare.state}") if spare.state in DEAD_STATES else ("stands", "")
        found = facts.found(
            "spare-in-use",
            Severity.INFO,
            f"{label} {verb} in for {name_to_find(device)}{now}"
            if is_needed
            else f"{label} can be detached: {name_to_find(device)} has all its data again, without an error",
            vdev=spare,
            original=device.name,
            is_needed=is_needed,
            need=None if need is None else need.value,
            is_resilvering=spare.is_resilvering,
        )
        yield on_disk(
            found,
            device,
            f"{label} {verb} in{now}" if is_needed else "its spare can go back",
        )


def sectors_are_mismatched(facts: RuleInput) -> Iterator[Finding]:
    """A vdev with smaller blocks than its disk's sectors causes read-modify-write."""
    for vdev, _ in _leaves(facts):
        configured, physical = vdev.configured_ashift, vdev.physical_ashift
        if configured and physical and configured < physical:
            units = f"written in {1 << configured} B units, its sectors are {1 << physical} B"
            yield facts.advised(
                "ashift-below-physical",
                f"{vdev.name} is {units}",
                Advised(f"ashift {configured}", f"ashift {physical} or more", None),
                vdev=vdev,
                configured_ashift=configured,
                physical_ashift=physical,
            )


def _first_leaf(vdev: Vdev) -> Vdev:
    """The device itself, of a group the one that it was made around."""
    return vdev if vdev.is_leaf else _first_leaf(vdev.children[0])


def _leaves(facts: RuleInput) -> Iterator[tuple[Vdev, Vdev | None]]:
    """Every device with its parent group."""

    def below(vdev: Vdev, parent: Vdev | None) -> Iterator[tuple[Vdev, Vdev | None]]:
        if vdev.is_leaf:
            yield vdev, parent
        for child in vdev.children:
            yield from below(child, vdev)

    for top in facts.pool.vdevs:
        yield from below(top, None)


def _part_of(facts: RuleInput, vdev: Vdev, parent: Vdev | None) -> str | None:
    """What the device can only be detached from: `mirror`, `spare` as a spare in use, or None."""
    if vdev.vdev_class == "spare" and vdev.state != "AVAIL":
        places = (each for each in facts.pool.walk() if each.type == "spare" and each.children[1:])
        is_used = any(leaf.guid == vdev.guid for each in places for leaf in each.children[-1].leaves())
        return "spare" if is_used and vdev.guid is not None else None
    if parent is not None and parent.type == "spare" and parent.children[0] is not vdev:
        return "spare"
    return parent.type if parent is not None and parent.type == "mirror" else None


def _remedy(vdev: Vdev, parent: Vdev | None, scan: Scan | None) -> str:
    if parent is None or parent.children[-1] is vdev:
        return ""
    newcomer = parent.children[-1]
    is_dead, name = newcomer.state in DEAD_STATES, name_to_find(newcomer)
    match parent.type:
        case "replacing" if is_dead:
            return f"; {name}, which was replacing it, is {newcomer.state}"
        case "replacing" if scan is None or not scan.is_running or scan.function != "resilver":
            return f"; its replacement by {name} is not done, and {_why_not_done(scan)}"
        case "replacing":
            return f"; {name} is replacing it"
        case "spare" if is_dead:
            return f"; spare {name} stood in, and is {newcomer.state}"
        case "spare":
            return f"; spare {name} stands in"
    return ""


def _why_not_done(scan: Scan | None) -> str:
    """What became of the resilver of a replacement that is still there."""
    if scan is not None and ended_badly(scan):
        return f"the resilver {how_it_ended(scan)}"
    return "no resilver runs"


def _errors_in_words(vdev: Vdev) -> str:
    counted = (("read", vdev.read_errors), ("write", vdev.write_errors), ("checksum", vdev.checksum_errors))
    named = [f"{_in_words(errors)} {kind}" for kind, errors in counted if errors]
    total = sum(errors.value for _, errors in counted if errors)
    listed = joined_by_and(named)
    return f"{listed} error{'s' if total != 1 else ''}"


def _in_words(errors: Count) -> str:
    return f"about {count(errors.value)}" if errors.is_rounded else str(errors.value)


def _number(errors: Count | None) -> int | None:
    return None if errors is None else errors.value


RULES: Final[tuple[Rule, ...]] = (
    data_is_damaged,
    device_has_failed,
    device_has_errors,
    device_is_offline,
    spare_stands_in,
    device_was_slow,
    sectors_are_mismatched,
)
