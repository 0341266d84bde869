"""Space that the copy of a guest's dataset takes: its data in the other pool, and its reservations."""

from __future__ import annotations

from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.command_to_free_space import space_to_free
from zconsole.actions.checks.new_dataset_checks import nearest_above
from zconsole.actions.guest.space_taken_from_guests import tell_space_of_copy
from zconsole.analysis.dependencies.space_left_after_change import SpaceAccount
from zconsole.analysis.dependencies.volume_overhead import data_in_other_pool
from zconsole.base.fixed_width_formatting import size, used_percent, zfs_size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

SLOW_PERCENT: Final = 80  # from which `status` warns of a pool's capacity by default
NEAR: Final = 50  # of so many parts one more or less is not told


@dataclass(frozen=True, slots=True)
class SpaceOfCopy:
    """What a copy takes, in bytes as `zfs list` counts them in its pool."""

    data: int
    refreservation: int = 0
    reservation: int = 0
    is_rest: bool = False  # of a copy that is there in part: what it takes besides

    @property
    def whole(self) -> int:
        """All that others lose: a snapshot holds the data, so that the refreservation comes beside it."""
        return max(self.data + self.refreservation, self.reservation)


def space_of_copy(source: Dataset, facts: PlanFacts, target: Pool | None) -> SpaceOfCopy | None:
    """What the copy of a dataset takes in the target pool; None where its data is not known."""
    if source.referenced_bytes is None:
        return None
    return SpaceOfCopy(
        data_in_other_pool(source, facts.pool(source.pool), target) or source.referenced_bytes,
        source.refreservation_bytes or 0,
        source.reservation_bytes or 0,
    )


def check_space_of_rest(
    draft: Draft,
    names: tuple[Dataset, Dataset],
    rest: int | None,
    both: tuple[PlanFacts, PlanFacts],
    *,
    host: str = "",
) -> None:
    """Space for what is still to be sent to a copy that is there in part, and for what is then reserved.

    `names` are the source and the copy, `both` the facts of their hosts.
    """
    (source, target), (facts, there) = names, both
    whole = space_of_copy(source, facts, there.pool(target.pool))
    where = nearest_above(target.name, there)
    if rest is None or whole is None or where is None or not source.referenced_bytes:
        return
    copy = SpaceOfCopy(
        round(rest * whole.data / source.referenced_bytes),
        0 if target.refreservation_bytes else whole.refreservation,
        0 if target.reservation_bytes else whole.reservation,
        is_rest=True,
    )
    if not copy.whole:
        return
    available = size(where.available_bytes)
    draft.space.append(f"{target.name} needs {size(copy.whole)} more; {where.name} has {available} available")
    refuse_without_space(draft, target.name, copy, there, host=host)


def tell_space(draft: Draft, name: str, copy: SpaceOfCopy | None, source: Dataset, facts: PlanFacts) -> None:
    """What the copy needs, what the place has, and what is left there; `facts` are of the place's host."""
    if copy is None or source.referenced_bytes is None:
        return
    where = nearest_above(name, facts)
    parts = [f"{size(copy.data)} of data"]
    if abs(copy.data - source.referenced_bytes) * NEAR > source.referenced_bytes:
        block = zfs_size(source.volblocksize_bytes or source.recordsize_bytes or 0)
        why = f"{block} blocks have other parity and padding in {pool_of(name)}"
        parts = [f"about {size(copy.data)} of data, {size(source.referenced_bytes)} in {source.pool} ({why})"]
    if copy.refreservation:
        parts.append(f"{size(copy.refreservation)} of refreservation beside it")
    if copy.reservation:
        parts.append(f"{size(copy.reservation)} of reservation with it")
    free = "" if where is None else f"; {where.name} has {size(where.available_bytes)} available"
    draft.space.append(f"{name} needs {size(copy.whole)}: {', '.join(parts)}{free}")
    _warn_of_filled_pool(draft, pool_of(name), copy, facts)
    if facts.uses is not None:
        account = SpaceAccount(
            copy.data + copy.refreservation, copy.refreservation, reservation_bytes=copy.reservation
        )
        tell_space_of_copy(draft, name, account, facts)


def _warn_of_filled_pool(draft: Draft, pool: str, copy: SpaceOfCopy, facts: PlanFacts) -> None:
    """A pool that passes by the copy the share from which its allocation slows down."""
    root = facts.dataset(pool)
    if root is None or root.used_bytes is None or root.available_bytes is None:
        return
    size_bytes = root.used_bytes + root.available_bytes
    before, after = root.used_bytes * 100 / size_bytes, (root.used_bytes + copy.whole) * 100 / size_bytes
    if before < SLOW_PERCENT <= after:
        draft.warnings.append(
            f"{pool} is {used_percent(after)} used afterwards, {used_percent(before)} now: its writes slow "
            f"down from {SLOW_PERCENT}% on"
        )


def refuse_without_space(
    draft: Draft, name: str, copy: SpaceOfCopy | None, facts: PlanFacts, *, host: str = ""
) -> None:
    """Refuse a place that has less than the copy needs. `host` names another host than the plan's."""
    where = nearest_above(name, facts)
    if copy is None or where is None or where.available_bytes is None or copy.whole <= where.available_bytes:
        return
    more, left = " more" if copy.is_rest else "", size(where.available_bytes)
    draft.refuse_for_space(
        "space", f"{name} needs {size(copy.whole)}{more}, and {where.name} has {left} left",
        "free space first",
        space_to_free(where.name, copy.whole - where.available_bytes, host),
    )  # fmt: skip
