"""The smallest layout that holds given data: the one answer of the planner and of `zconsole capacity`.

Smallest is fewest drives; of equally many the one against which least is said, then the one with the least
space beyond what is needed. What has a serious warning is never proposed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DEFAULT_ASHIFT,
    DRAID,
    MIRROR,
    MOST_VDEVS,
    RAIDZ,
    STRIPE,
    Layout,
    PlannedVdev,
    VdevShape,
    draid,
)
from zconsole.analysis.pool_layouts.layout_advice import SERIOUS, WIDEST_RAIDZ, advice
from zconsole.analysis.pool_layouts.layout_comparison import (
    DRAID_DATA,
    FEWEST_FOR_DRAID,
    Candidate,
    Costs,
    compare,
    draid_spares,
    usual_layouts,
)
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import (
    DEFLATED_BLOCK,
    layout_space,
    pool_space,
    vdev_space,
)
from zconsole.analysis.pool_layouts.usable_space_by_block_size import relative
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import both

MOST_DRIVES: Final = 480  # eight shelves of 60: no larger pool is built
_WIDEST_DRAID: Final = 255
_MIRRORS: Final = (2, 3)
_AS_MIRRORS: Final = (MIRROR, "as mirrors", "most random I/O, a short resilver, growth by two disks")
_AS_RAIDZ: Final = (RAIDZ, "as a raidz", "its small blocks take less")
_OTHER_KINDS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {  # that are told beside a proposal
    DRAID: (_AS_RAIDZ, _AS_MIRRORS),
    RAIDZ: (_AS_MIRRORS,),
    MIRROR: (),
    STRIPE: (),
}
_KEPT: Final = 64  # answers: most keys of the planner do not change them


@dataclass(frozen=True, slots=True)
class LayoutDemand:
    """What a layout must hold, of which drives, and for how many of them there is room, if known."""

    wanted_bytes: int
    drive: Drive
    bays: int | None = None
    block_bytes: int = DEFLATED_BLOCK
    ashift: int = DEFAULT_ASHIFT


def proposed(candidates: Sequence[Candidate], wanted_bytes: int) -> Candidate | None:
    """The smallest that holds the data of those without a serious warning."""
    enough = [each for each in candidates if each.is_sound and each.held_bytes >= wanted_bytes]
    return min(enough, key=lambda each: order(each, wanted_bytes), default=None)


def compared_for_data(
    demand: LayoutDemand, assumed: Assumptions, costs: Costs, named: tuple[Layout, ...] = ()
) -> tuple[Candidate, ...]:
    """The layouts worth a look for this much data, in their order: what is proposed comes first.

    They are the smallest of each kind that holds it in these bays, and those that use all bays; or the named
    ones, and as many of their vdevs as hold it. Where none of them can be proposed, larger ones follow.
    """
    wanted = demand.wanted_bytes

    def found(layouts: Iterable[Layout]) -> tuple[Candidate, ...]:
        return _compared(tuple(dict.fromkeys(layouts)), demand.block_bytes, assumed, costs)

    if named:
        candidates = found(named)
        if proposed(candidates, wanted) is None:
            candidates = found((*named, *_multiples(named, demand)))
    else:
        all_bays: tuple[Layout, ...] = ()
        if demand.bays is not None:
            all_bays = usual_layouts(demand.drive, demand.bays, ashift=demand.ashift)
        candidates = found((*smallest_of_each_kind(demand), *all_bays))
    if proposed(candidates, wanted) is None:
        larger = found(smallest_of_each_kind(replace(demand, bays=None)))
        known = {each.layout for each in candidates}
        candidates += tuple(each for each in larger if each.is_sound and each.layout not in known)
    return tuple(sorted(candidates, key=lambda each: order(each, wanted)))


def why_proposed(candidates: Sequence[Candidate], wanted_bytes: int, bays: int | None = None) -> str:
    """Why that layout is proposed, and what mirrors would take; or why nothing is."""
    proposal = proposed(candidates, wanted_bytes)
    if proposal is None:
        return (
            f"no layout of at most {MOST_DRIVES} drives that is not advised against holds "
            f"{both(wanted_bytes)}: take larger drives, or several pools"
        )
    drives = proposal.layout.drives
    told = [f"the smallest that holds it, {drives} drives"]
    if bays is not None and drives > bays:
        told.append(
            f"{drives - bays} more than there are bays: {_in_these_bays(candidates, wanted_bytes, bays)}"
        )
    elif bays is not None and drives < bays:
        left = bays - drives
        told.append(f"{left} of {bays} bays {'stays' if left == 1 else 'stay'} free")
    kind = _kind(proposal)
    for other, begin, end in _OTHER_KINDS[kind]:
        enough = [each for each in candidates if _kind(each) == other and each.is_sound]
        found = proposed(enough, wanted_bytes)
        if found is not None:
            told.append(f"{begin} {found.layout.name} does, {found.layout.drives} drives: {end}")
    return "; ".join(told)


def _in_these_bays(candidates: Sequence[Candidate], wanted_bytes: int, bays: int) -> str:
    """What there is of candidates in these bays, where none is to be proposed."""
    fitting = [each for each in candidates if each.layout.drives <= bays]
    holding = [each for each in fitting if each.held_bytes >= wanted_bytes]
    if holding:
        return f"in {bays} only {holding[0].layout.name} holds it, which is advised against"
    if not fitting:
        return "no layout named here fits into them"
    most = max(fitting, key=lambda each: each.held_bytes)
    return f"in {bays} none holds it, {most.layout.name} has most, {both(most.held_bytes)}"


def order(candidate: Candidate, wanted_bytes: int) -> tuple[int, int, int, int]:
    """The place of a candidate: those that hold it and are sound, those advised against, those too small.

    The smallest first; of those that are too small the largest.
    """
    held = candidate.held_bytes
    if held < wanted_bytes:
        return 2, -held, candidate.layout.drives, 0
    beyond = held - wanted_bytes
    return int(not candidate.is_sound), candidate.layout.drives, len(candidate.advice), beyond


@lru_cache(maxsize=_KEPT)
def smallest_of_each_kind(demand: LayoutDemand) -> tuple[Layout, ...]:
    """Of mirrors, raidz1 to raidz3 and draid the smallest layout that holds the data in these bays.

    A kind none of whose layouts holds it is left out; a layout that is advised against is taken where no
    other of its kind holds it.
    """
    found = []
    for shapes in _kinds(demand.bays or MOST_DRIVES):
        holding = [layout for shape in shapes if (layout := _least(shape, demand)) is not None]
        if holding:
            found.append(min(holding, key=lambda layout: _place(layout, demand.block_bytes)))
    return tuple(found)


def fewest_vdevs(
    vdev: PlannedVdev, wanted_bytes: int, block_bytes: int = DEFLATED_BLOCK, most: int = MOST_VDEVS
) -> int | None:
    """How many of a vdev hold this much; None when not even the most do."""
    space = vdev_space(vdev)
    part = relative([(vdev.shape, vdev.ashift, 1)], block_bytes)

    def holds(times: int) -> bool:
        usable = pool_space([(DATA, space)] * times).usable_bytes
        return min(usable, int(usable * part)) >= wanted_bytes

    if most < 1 or not holds(most):
        return None
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _multiples(named: Sequence[Layout], demand: LayoutDemand) -> Iterator[Layout]:
    for vdev in dict.fromkeys(layout.of_class(DATA)[0] for layout in named):
        most = MOST_DRIVES // vdev.shape.width
        times = fewest_vdevs(vdev, demand.wanted_bytes, demand.block_bytes, most)
        if times is not None:
            yield Layout((vdev,) * times)


@lru_cache(maxsize=_KEPT)
def _compared(
    layouts: tuple[Layout, ...], block_bytes: int, assumed: Assumptions, costs: Costs
) -> tuple[Candidate, ...]:
    return compare(layouts, block_bytes, assumed, costs)


def _kinds(most_drives: int) -> Iterator[tuple[VdevShape, ...]]:
    """The shapes of each kind; a draid grows in width, so that each width is a shape of its own."""
    for width in _MIRRORS:
        yield (VdevShape(MIRROR, width),)
    for parity in (1, 2, 3):
        yield tuple(VdevShape(RAIDZ, width, parity) for width in range(parity + 2, WIDEST_RAIDZ + 1))
    widths = range(FEWEST_FOR_DRAID, min(most_drives, _WIDEST_DRAID) + 1)
    yield tuple(draid(2, width, DRAID_DATA, draid_spares(width)) for width in widths)


def _least(shape: VdevShape, demand: LayoutDemand) -> Layout | None:
    vdev = PlannedVdev(shape, (demand.drive,) * shape.width, DATA, demand.ashift)
    most = (demand.bays or MOST_DRIVES) // shape.width
    times = fewest_vdevs(vdev, demand.wanted_bytes, demand.block_bytes, most)
    return None if times is None else Layout((vdev,) * times)


def _place(layout: Layout, block_bytes: int) -> tuple[bool, int, int, int]:
    told = advice(layout, block_bytes)
    is_advised_against = any(each.id in SERIOUS for each in told)
    return is_advised_against, layout.drives, len(told), layout_space(layout).usable_bytes


def _kind(candidate: Candidate) -> str:
    return candidate.layout.of_class(DATA)[0].shape.kind
