"""Redundancy of each top-level vdev: by design, remaining, and in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.kept_by_identity import kept_by_identity
from zconsole.analysis.vdevs.resilver_targets import (
    AWAITS_RESILVER,
    DISTRIBUTED_SPARE,
    WRITTEN_BY_RESILVER,
    has_dead_device,
    writes_to_distributed_spare,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import GONE_STATES, Pool, Scan, Vdev

DISPENSABLE_CLASSES: Final = frozenset({"log", "cache", "spare"})  # losing one does not lose the pool's data
WITHOUT_DEVICES: Final = frozenset({"indirect", "hole"})  # left by a removal
ALIVE_STATES: Final = frozenset({"ONLINE", "DEGRADED"})
NOT_KNOWN: Final = "not known while the pool is suspended"
_PARITY: Final = re.compile(r"(?:raidz|draid)(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Failures that a top-level vdev survives.

    `left` is negative when more children lack data than it can make up for.
    """

    vdev: str
    vdev_class: str
    by_design: int
    left: int  # at most
    failed: tuple[str, ...] = ()  # children without a complete copy of their part
    is_at_most: bool = False  # more children may lack data: `in_doubt`, or ones that ZFS does not show
    in_doubt: tuple[str, ...] = ()  # children that may lack data: a resilver runs or wrote to them
    at_least: int = 0  # failures that it survives if every child in doubt lacks data
    dead: int = 0  # children without a device that ZFS uses
    may_be_used_up: bool = False  # none is left if what is in doubt, without an error, is not complete
    is_suspended: bool = False  # the pool is: the states are of before
    may_be_incomplete: bool = False  # one is dead, and what others missed it may have alone
    may_be_filled: bool = False  # a resilver runs, and ZFS does not show yet what it fills

    @property
    def is_lost(self) -> bool:
        """Whether more failed than the vdev tolerates: ZFS cannot use it."""
        return self.left < 0 and self.dead > self.by_design

    @property
    def is_incomplete(self) -> bool:
        """Whether it works although more children lack data than it can make up for."""
        return self.left < 0 and not self.is_lost

    @property
    def needs_failed_back(self) -> bool:
        """Whether a failed device has, or may have, what others lack: it stays, and is brought back first."""
        return self.is_incomplete or (self.may_be_incomplete and not self.is_suspended)

    @property
    def hedge(self) -> tuple[str, str]:
        """What stands before and behind the number that it survives: `at most `, `perhaps none`.

        Of a suspended pool it is not known: the states are of before.
        """
        if self.is_suspended and self.by_design > 0:
            return "", NOT_KNOWN
        at_most = "at most " if self.left > 0 and self.is_at_most else ""
        return at_most, "perhaps none" if self.left > 0 and self.may_be_used_up else ""

    @property
    def is_used_up(self) -> bool:
        """Whether there was redundancy by design and none is left."""
        return self.by_design > 0 and self.left == 0 and not self.is_suspended


def vdev_redundancy(vdev: Vdev, scan: Scan | None = None) -> Redundancy | None:
    """Count the failures that a top-level vdev survives; None for an unknown type.

    A child counts once: a spare or replacement makes it complete only when some device in it has all its
    data, which a target of a resilver has not (`resilver_targets`). `scan` is given when it is a resilver
    whose devices ZFS does not show (`unnamed_resilver`): a spare may then be what it fills.
    """
    by_design = _by_design(vdev)
    if by_design is None:
        return None
    parts = vdev.children if vdev.type == "mirror" or _PARITY.fullmatch(vdev.type) else (vdev,)
    may_be_behind = scan is not None and scan.vdev in (None, vdev.name)
    is_rebuilt = may_be_behind and scan is not None and scan.vdev is not None
    filled = _filled_spares(parts)
    is_complete = _is_alive if vdev.is_leaf else has_all_data
    failed = tuple(part.name for part in parts if part.name not in filled and not is_complete(part))
    others = [part for part in parts if part.name not in {*failed, *filled}]
    spares = (*filled, *(part.name for part in others if may_be_behind and _relies_on_spare(part)))
    if is_rebuilt and not failed and len(spares) == 1:
        failed, spares = spares, ()
    known = {*failed, *spares}
    in_doubt = (
        *spares,
        *(part.name for part in others if part.name not in known and _is_repaired(vdev, part)),
    )
    unexplained = set(map(id, written_without_reason(vdev)))
    silent = sum(
        1
        for part in others
        if part.name in in_doubt and any(id(leaf) in unexplained for leaf in part.leaves())
    )
    lacking = len(failed) + bool(filled)
    if is_rebuilt and not lacking and not any(map(_is_alive, newcomers(vdev))):
        lacking = 1  # one that nobody names: it is being rebuilt
    left = by_design - lacking
    may_be_incomplete = False
    if left < 0 and not _lacks_for_sure(parts, failed, by_design):
        left = 0  # what each of them missed, the others may have
        may_be_incomplete = any(part.name in failed and not _is_alive(part) for part in parts)
    at_least = min(left, by_design - len(failed) - len(in_doubt))
    return Redundancy(
        vdev.name,
        vdev.vdev_class,
        by_design,
        left,
        failed,
        left > 0 and (at_least < left or (may_be_behind and not (is_rebuilt and not failed))),
        in_doubt,
        at_least,
        sum(1 for part in parts if not _is_alive(part)),
        by_design - len(failed) - max(len(spares), silent) <= 0 < left,
        may_be_incomplete=may_be_incomplete,
    )


def redundancy_in_pool(pool: Pool, top: Vdev) -> Redundancy | None:
    """Redundancy of a top-level vdev with all that its pool leaves open; None for an unknown type.

    Counted errors, a resilver that did not end well, and one that runs and may not have come to each of its
    devices yet: there may be more that a child lacks. While one runs in sequence, ZFS begins no other, and
    does not mark what came back meanwhile (`spa_async_thread`).
    """
    found = vdev_redundancy(top, unnamed_resilver(pool))
    if found is not None and pool.is_suspended:
        return replace(found, is_suspended=True, may_be_used_up=False)
    if found is not None and _one_of_several_lacks_data(pool, top):
        found = replace(
            found,
            left=max(0, found.left - 1),
            is_at_most=found.left > 1,
            at_least=min(found.at_least, found.left - 1),
            may_be_incomplete=found.dead > 0 and min(found.at_least, found.left - 1) < 0,
        )
    elif found is not None and found.by_design > 0 and may_be_filled(pool, top):
        found = replace(
            found,
            may_be_filled=found.left >= 0,
            at_least=min(found.at_least, found.left - 1),
            may_be_used_up=found.may_be_used_up or found.left == 1,
            may_be_incomplete=found.may_be_incomplete or (found.left == 0 and not _has_all_alive(top)),
        )
    if found is None or found.left <= 0:
        return found
    is_open = any(has_all_data(leaf) and _is_doubted(leaf) for leaf in top.leaves())
    is_open = is_open or _leaves_gaps(pool.scan, top) or pool.is_read_only
    is_open = is_open or any(each.vdev is not None for each in pool.running_scans)
    is_open = is_open or is_unmarked_by_checkpoint(pool, top)
    return replace(found, is_at_most=True) if is_open else found


def may_be_filled(pool: Pool, top: Vdev) -> bool:
    """Whether a resilver runs for a device that lacks data, which may be one of this vdev, and no mark tells.

    ZFS begins none unless a device that it can write to lacks data (`vdev_resilver_needed`), and marks that
    once it was written to; an import forgets the marks. One that was repaired or waits for the next resilver
    is none that this one is for, and one that was detached or failed meanwhile leaves it running.
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.function != "resilver" or scan.vdev is not None:
        return False
    new = [leaf for leaf in newcomers(pool) if AWAITS_RESILVER not in leaf.note]
    if any(vdev.is_resilvering for vdev in pool.walk()) or any(map(_is_alive, new)):
        return False
    written = {each.name for each in pool.vdevs for leaf in each.leaves() if WRITTEN_BY_RESILVER in leaf.note}
    return top.name in written if written else not new


def _has_all_alive(top: Vdev) -> bool:
    return all(leaf.state in ALIVE_STATES for leaf in top.leaves())


def can_lack_data(pool: Pool) -> tuple[str, ...]:
    """The top-level vdevs that a resilver can be for: all but caches, spares and what a removal left."""
    return tuple(
        top.name
        for top in pool.vdevs
        if top.vdev_class not in {"cache", "spare"} and top.type not in WITHOUT_DEVICES
    )


def _one_of_several_lacks_data(pool: Pool, top: Vdev) -> bool:
    """Whether a resilver runs for one of several devices of this vdev that it wrote to, and for no other.

    Errors explain what was written to each of them, but not that it runs: ZFS resilvers what lacks data.
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.function != "resilver" or scan.vdev is not None:
        return False
    if any(vdev.is_resilvering or AWAITS_RESILVER in vdev.note for vdev in pool.walk()):
        return False
    written = [leaf for each in pool.vdevs for leaf in each.leaves() if WRITTEN_BY_RESILVER in leaf.note]
    own = {id(leaf) for leaf in top.leaves()}
    is_explained = has_dead_device(pool) or any(True for _ in newcomers(pool))
    return len(written) > 1 and not is_explained and all(id(leaf) in own for leaf in written)


@kept_by_identity
def pool_redundancy(pool: Pool) -> tuple[Redundancy, ...]:
    """Redundancy of every top-level vdev that the pool's data depends on, in order.

    Which devices are targets of a resilver was told when the pool was read (`with_resilver_targets`): what a
    plan changes in the tree explains no mark of before.
    """
    found = (redundancy_in_pool(pool, vdev) for vdev in pool.vdevs if is_vital(vdev))
    return tuple(each for each in found if each is not None)


def is_scrub_for_later(pool: Pool) -> bool:
    """Whether ZFS refuses a scrub now, or a vdev has no redundancy left to lose while it runs."""
    return pool.is_resilvering or any(each.is_used_up for each in pool_redundancy(pool))


def ended_badly(scan: Scan | None) -> bool:
    """Whether the last scan is a resilver with errors, or one that was canceled: devices may lack data."""
    if scan is None or scan.function != "resilver":
        return False
    return scan.state == "canceled" or (scan.state == "finished" and bool(scan.errors))


def unnamed_resilver(pool: Pool) -> Scan | None:
    """The running resilver when no device is marked as its target.

    ZFS marks targets once it has written to them, which may take an hour on a large pool, and never in its
    JSON for a sequential resilver. A device with a deferred resilver does not belong to this one.
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.function != "resilver":
        return None
    if any(vdev.is_resilvering for vdev in pool.walk()):
        return None
    targets = tuple(newcomers(pool))
    is_known = bool(targets) and all(leaf.state in GONE_STATES for leaf in targets)
    return None if is_known else scan


def is_worth_waiting_for(pool: Pool) -> bool:
    """Whether a resilver runs that may fill a device: not of a read-only pool, nor for what has failed."""
    targets = tuple(newcomers(pool))
    is_marked = any(vdev.is_resilvering or AWAITS_RESILVER in vdev.note for vdev in pool.walk())
    fills_nothing = bool(targets) and not is_marked and not any(map(_is_alive, targets))
    return pool.is_resilvering and not fills_nothing and not pool.is_read_only


def newcomers(of: Pool | Vdev, types: Collection[str] = ("replacing", "spare")) -> Iterator[Vdev]:
    """Leaves that stand beside another one, within `types`: new disks, and spares in use."""
    for vdev in of.walk():
        if vdev.type in types:
            for each in vdev.children[1:]:
                yield from each.leaves()


def survivable(pool: Pool) -> int | None:
    """Arbitrary failures that the pool survives: the minimum of its vital vdevs."""
    return min((max(0, each.left) for each in pool_redundancy(pool)), default=None)


def is_vital(vdev: Vdev) -> bool:
    """Whether losing this top-level vdev loses the pool: data, special and dedup."""
    return vdev.vdev_class not in DISPENSABLE_CLASSES and vdev.type not in WITHOUT_DEVICES


def has_all_data(vdev: Vdev, *, trusts_spares: bool = True) -> bool:
    """Whether some device of this child is working and complete."""
    if vdev.is_leaf:
        return vdev.state in ALIVE_STATES and not _is_marked(vdev)
    # All but the first child of a replacement are new devices, incomplete while the replacement lasts.
    has_newcomer = vdev.type == "replacing" or (vdev.type == "spare" and not trusts_spares)
    parts = vdev.children[:1] if has_newcomer else vdev.children
    return any(has_all_data(part, trusts_spares=trusts_spares) for part in parts)


def has_good_copy(vdev: Vdev) -> bool:
    """Whether a complete device of this child is ONLINE, and nothing was counted against what it returns."""
    if vdev.is_leaf:
        return has_all_data(vdev) and vdev.state == "ONLINE" and not _is_doubted(vdev)
    parts = vdev.children[:1] if vdev.type == "replacing" else vdev.children
    return any(map(has_good_copy, parts))


def in_words(redundancy: Redundancy) -> str:
    """One clause: `no redundancy left in raidz2-0`, `mirror-1 survives 1 more failure`."""
    name, left = redundancy.vdev, redundancy.left
    failures = "failure" if left == 1 else "failures"
    if redundancy.is_lost and redundancy.by_design == 0:
        return f"{name} is lost and has no redundancy"
    if redundancy.is_lost:
        return f"{name} has lost {len(redundancy.failed)} devices and can make up for {redundancy.by_design}"
    if redundancy.is_incomplete and redundancy.by_design == 0:
        return f"{name} lacks data and has no redundancy"
    if redundancy.is_incomplete:
        lacking = redundancy.by_design - left
        return f"{name} lacks data of {lacking} devices and can make up for {redundancy.by_design}"
    if redundancy.by_design == 0:
        return f"{name} has no redundancy by design"
    if redundancy.is_suspended:
        return f"what {name} survives is {NOT_KNOWN}"
    if left == 0:
        unread = ", and perhaps not all data can be read" if redundancy.may_be_incomplete else ""
        return f"no redundancy left in {name}{unread}"
    at_most, none = redundancy.hedge
    more = "more " if left < redundancy.by_design else ""
    return f"{name} survives {at_most}{left} {more}{failures}{f', {none}' if none else ''}"


def _filled_spares(parts: Sequence[Vdev]) -> tuple[str, ...]:
    """Children on distributed spares of which at least one is being filled, and ZFS does not tell which.

    What is written to a complete spare is also what belongs to another one, parts of which it holds.
    """
    on_spares = [part for part in parts if not has_all_data(part, trusts_spares=False) and _has_dspare(part)]
    is_filled = any(leaf.is_resilvering for part in on_spares for leaf in _dspares(part))
    return tuple(part.name for part in on_spares) if is_filled and len(on_spares) > 1 else ()


def _dspares(part: Vdev) -> Iterator[Vdev]:
    return (leaf for leaf in part.leaves() if leaf.type == DISTRIBUTED_SPARE and leaf.state in ALIVE_STATES)


def _has_dspare(part: Vdev) -> bool:
    return any(True for _ in _dspares(part))


def _lacks_for_sure(parts: Sequence[Vdev], failed: tuple[str, ...], by_design: int) -> bool:
    """Whether some data is on too few devices, wherever in time the outages were.

    Two devices that were away one after the other lack different data, and each has the other's. One that is
    dead, or whose place has a new disk, lacks all that another one missed.
    """
    members = [_member(part) for part in parts if part.name in failed]
    without = sum(1 for member in members if member.state not in ALIVE_STATES)
    return without >= max(1, by_design) and len(members) > by_design


def _member(part: Vdev) -> Vdev:
    """The device that a child was made around."""
    return _member(part.children[0]) if part.children else part


def _relies_on_spare(part: Vdev) -> bool:
    """Whether nothing but a spare makes it complete: a resilver that names no device may be filling that."""
    return not has_all_data(part, trusts_spares=False)


def _is_repaired(top: Vdev, part: Vdev) -> bool:
    """Whether its only complete device is one that a resilver wrote to, to repair or to fill it."""
    holds_spares = writes_to_distributed_spare(top)
    doubted = {
        id(leaf)
        for leaf in part.leaves()
        if WRITTEN_BY_RESILVER in leaf.note and (leaf.type == DISTRIBUTED_SPARE or not holds_spares)
    }
    return bool(doubted) and not has_all_data(_without(part, doubted))


def written_without_reason(top: Vdev) -> Iterator[Vdev]:
    """Devices that a resilver wrote to and that may have been away: no error and no new disk explains it.

    ZFS writes to the old disk of a replacement what it repairs of another child of the vdev, and to a
    distributed spare what it fills.
    """
    parts = top.children or (top,)
    repaired = [part for part in parts if any(map(_is_repaired_leaf, part.leaves()))]
    for part in parts:
        is_beside = any(each is not part for each in repaired)
        yield from _without_reason(part, is_written_with_new=is_beside)


def _without_reason(part: Vdev, *, is_written_with_new: bool) -> Iterator[Vdev]:
    if part.is_leaf:
        is_marked = WRITTEN_BY_RESILVER in part.note and part.type != DISTRIBUTED_SPARE
        yield from (part,) if is_marked and not _is_repaired_leaf(part) else ()
    elif part.type != "replacing" or not is_written_with_new:
        for child in part.children:
            yield from _without_reason(child, is_written_with_new=is_written_with_new)


def _is_repaired_leaf(leaf: Vdev) -> bool:
    """Whether a resilver wrote to a device, and counted errors explain it."""
    return WRITTEN_BY_RESILVER in leaf.note and bool(leaf.read_errors or leaf.checksum_errors)


def _is_doubted(leaf: Vdev) -> bool:
    """Whether ZFS counted errors of it, degraded it for them, or repaired it."""
    return leaf.state == "DEGRADED" or leaf.has_errors or WRITTEN_BY_RESILVER in leaf.note


def _leaves_gaps(scan: Scan | None, top: Vdev) -> bool:
    """Whether a resilver runs that may still come to a device of the vdev, or did not end well."""
    if scan is None or scan.function != "resilver" or scan.vdev not in (None, top.name):
        return False
    return ended_badly(scan) or (scan.is_running and scan.vdev is None)


def is_unmarked_by_checkpoint(pool: Pool, top: Vdev) -> bool:
    """Whether a resilver ended under a checkpoint: ZFS did not copy what only that has (`dsl_scan_done`)."""
    scan = pool.scan
    is_held = pool.has_checkpoint or pool.is_discarding_checkpoint
    if scan is None or scan.function != "resilver" or scan.state != "finished" or not is_held:
        return False
    is_older = pool.checkpoint_created is None or scan.end is None or pool.checkpoint_created <= scan.end
    return is_older and scan.vdev in (None, top.name)


def _without(vdev: Vdev, leaves: set[int]) -> Vdev:
    """The vdev with these leaves as targets of the resilver."""
    if vdev.children:
        return replace(vdev, children=tuple(_without(child, leaves) for child in vdev.children))
    return replace(vdev, is_resilvering=True) if id(vdev) in leaves else vdev


def _is_marked(vdev: Vdev) -> bool:
    return vdev.is_resilvering or AWAITS_RESILVER in vdev.note


def _is_alive(vdev: Vdev) -> bool:
    return any(leaf.state in ALIVE_STATES for leaf in vdev.leaves())


def _by_design(vdev: Vdev) -> int | None:
    if vdev.type == "mirror":
        return len(vdev.children) - 1
    if found := _PARITY.fullmatch(vdev.type):
        return int(found[1])
    if vdev.is_leaf or vdev.type in {"spare", "replacing"}:
        return 0
    return None
