"""Several disks that count about the same errors: what they share comes before any of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from zconsole.analysis.repair.common_cause.same_errors_on_all_copies import counted_on_every_disk
from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.repair.disk_or_cable import WAY_PARTS, CauseFound
from zconsole.analysis.repair.spare_and_replacing_vdevs import places
from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.base.name_lists import shortened
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.repair import Certainty, RepairCause

LEAST_DISKS: Final = 3  # two may fail alike by chance
LEAST_ERRORS: Final = 5
ALIKE: Final = 0.9  # the smaller count of the larger one
MOST_NAMED: Final = 4
_KINDS: Final[tuple[tuple[str, Callable[[Vdev], Count | None]], ...]] = (
    ("write", lambda leaf: leaf.write_errors),
    ("checksum", lambda leaf: leaf.checksum_errors),
)


def way_by_equal_errors(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The way to several disks, where each counts about as many errors and none returned a read error.

    A sector that cannot be read is the disk's own; damaged or lost transfers are mostly of what lies before
    it, and disks that wear out do not count the same on the same day.
    """
    if not _is_candidate(facts, leaf):
        return _way_to_most(facts, leaf)
    for kind, of in _KINDS:
        own = _value(of(leaf))
        if own < LEAST_ERRORS or (kind == "checksum" and counted_on_every_disk(facts.pool, leaf)):
            continue
        alike = [
            each
            for each in _members(facts)
            if _is_candidate(facts, each)
            and _are_alike(own, _value(of(each)))
            and _is_single_kind(kind, each)
        ]
        if leaf in alike and len(alike) >= LEAST_DISKS:
            names = shortened([facts.identity(each).label for each in alike], MOST_NAMED)
            least, most = min(_value(of(each)) for each in alike), max(_value(of(each)) for each in alike)
            count = str(most) if least == most else f"{least} to {most}"
            return CauseFound(
                RepairCause.CABLE,
                Certainty.LIKELY,
                f"{names} count {count} {kind} errors each, and none that is of a medium: what they share "
                f"{WAY_PARTS}, or memory, rather than {len(alike)} disks at once",
            )
    return _way_to_most(facts, leaf)


def _way_to_most(facts: PoolFacts, leaf: Vdev) -> CauseFound | None:
    """The way to the disks of a pool, of which half and more count errors: so many do not fail in one day."""
    members = [each for each in _members(facts) if each.vdev_class not in {"spare", "cache"}]
    ailing = [each for each in members if each.has_errors and not counted_on_every_disk(facts.pool, each)]
    is_known = any(facts.of_leaf(each).complaints or facts.of_leaf(each).slow for each in ailing)
    if leaf not in ailing or len(ailing) < LEAST_DISKS or 2 * len(ailing) < len(members) or is_known:
        return None
    return CauseFound(
        RepairCause.CABLE,
        Certainty.UNCLEAR,
        f"{len(ailing)} of the {len(members)} disks of {facts.pool.name} count errors: what they share "
        f"{WAY_PARTS}, or memory, before any of them",
    )


def _members(facts: PoolFacts) -> Iterator[Vdev]:
    return (each.member for each in places(facts.pool))


def _value(count: Count | None) -> int:
    return 0 if count is None else count.value


def _are_alike(one: int, other: int) -> bool:
    return min(one, other) >= ALIKE * max(one, other)


def _is_single_kind(kind: str, leaf: Vdev) -> bool:
    """Whether the other counters say nothing of their own."""
    return all(other == kind or not of(leaf) for other, of in _KINDS)


def _is_candidate(facts: PoolFacts, leaf: Vdev) -> bool:
    """Whether nothing is known against the disk itself."""
    known = facts.of_leaf(leaf)
    is_blamed = any(each.blame is Blame.DISK for each in known.complaints)
    return not leaf.read_errors and not is_blamed and known.slow is None
