"""Space that a plan takes from all other datasets, and the running guests that write there.

A reservation, a refreservation, a thick volume or a larger one, a received stream, the snapshot of a thick
volume, a restored file, a rename to another parent, a promotion and the removal of a vdev leave less to the
rest of the pool, or of what is below a quota.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft, Needs
from zconsole.actions.checks.property_value_checks import size_bytes
from zconsole.actions.guest.writes_stopped_by_property import LEAST_LEFT, beyond_limit
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Dependent
from zconsole.analysis.dependencies.dataset_or_device_of_path import dataset_of_object
from zconsole.analysis.dependencies.space_left_after_change import (
    SpaceAccount,
    SpaceAccounts,
    space_accounts,
    unused_after,
)
from zconsole.analysis.dependencies.uses_by_containers import CONTAINER
from zconsole.analysis.dependencies.uses_by_guests import GUEST
from zconsole.analysis.dependencies.volume_overhead import reserved_for_volume
from zconsole.analysis.guests.guests_of_a_full_pool import FullEffect, guests_when_full
from zconsole.base.bounded_int import natural
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import OutsideUse, PlanFacts

RESERVATION, REFRESERVATION, VOLSIZE = "reservation", "refreservation", "volsize"
OF_SPACE: Final = frozenset({RESERVATION, REFRESERVATION, VOLSIZE})
AUTO: Final = "auto"  # refreservation: the whole volume
_NAMED: Final = 5
_FELT: Final = 100  # of so many parts of what is left, one taken is worth a warning
_WHEN_FULL: Final = {
    FullEffect.WRITES_LOST: "writes are lost, because the disks ignore errors",
    FullEffect.SEES_ERRORS: "these guests see write errors",
    FullEffect.PROGRAMS_FAIL: "the writes of these containers fail",
    FullEffect.PAUSED: "these guests are paused until there is space and they are resumed",
    FullEffect.UNKNOWN: "what happens to these is not known",
}


def takes_space(properties: Iterable[str]) -> bool:
    """Whether one of these settings, `NAME=VALUE`, reserves space."""
    return any(each.partition("=")[0] in {RESERVATION, REFRESERVATION} for each in properties)


def guests_of_pool(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the disks of the guests on the pool, whose policies tell what a full pool does to them.

    Of their volumes with a refreservation the size, which that may not cover.
    """
    places = {dataset_of_object(use.object) for use in facts.uses or () if use.kind == GUEST and use.object}
    is_used = any(pool_of(place) == intent.pool for place in places)
    return Needs(guests=is_used, properties=sizes_of_volumes(intent, facts).properties)


def sizes_of_volumes(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs the sizes of volumes in use that have a refreservation, which may cover less."""
    places = sorted(
        {dataset_of_object(use.object) for use in facts.uses or () if use.kind in {GUEST, CONTAINER}}
    )
    known = [facts.dataset(place) for place in places if pool_of(place) == intent.pool]
    return Needs(
        properties=tuple((each.name, VOLSIZE) for each in known if each and each.refreservation_bytes)
    )


def tell_space_of_property(
    draft: Draft, dataset: Dataset, setting: tuple[str, str], facts: PlanFacts
) -> None:
    """What a property, by name and value, takes from the other datasets of the pool."""
    name, value = setting
    if name not in OF_SPACE:
        return
    volsize = natural(facts.property(dataset.name, VOLSIZE) or "")
    wanted = 0 if value == "none" else volsize if value == AUTO else size_bytes(value)
    if wanted is None:
        return
    pool, block = facts.pool(dataset.pool), dataset.volblocksize_bytes
    if name == VOLSIZE or value == AUTO:
        wanted = reserved_for_volume(pool, wanted, block)
    match name:
        case "reservation":
            change = _reserved(dataset.name, wanted)
        case "refreservation":
            change = _unused(dataset, wanted)
        case _ if volsize and (dataset.refreservation_bytes or 0) >= volsize:
            change = _unused(dataset, wanted)
        case _:
            return
    _tell(draft, facts, dataset.pool, change)


def tell_space_of_new(
    draft: Draft, name: str, settings: Iterable[str], volume: int, facts: PlanFacts
) -> None:
    """What a new dataset takes by its reservations; `volume` is the size of one that is not sparse, or 0."""
    given = dict(each.partition("=")[::2] for each in settings)
    unused = volume if REFRESERVATION not in given else _bytes(given[REFRESERVATION], volume)
    account = SpaceAccount(
        unused, unused_refreservation_bytes=unused, reservation_bytes=_bytes(given.get(RESERVATION, ""), 0)
    )
    _tell(draft, facts, pool_of(name), lambda now: now.with_account(name, account))


def tell_space_of_data(draft: Draft, name: str, data: int | None, facts: PlanFacts) -> None:
    """What so many bytes of data take that are written to a dataset, or to a new one."""
    if not data:
        return
    is_new = facts.dataset(name) is None
    _tell(
        draft,
        facts,
        pool_of(name),
        lambda now: now.with_account(name, SpaceAccount(data)) if is_new else now.with_written(name, data),
    )


def tell_space_of_copy(draft: Draft, name: str, account: SpaceAccount, facts: PlanFacts) -> None:
    """What a new dataset takes with its data and its reservations."""
    _tell(draft, facts, pool_of(name), lambda now: now.with_account(name, account))


def takes_much(taken: int | None, room: int | None) -> bool:
    """Whether so many bytes are felt by others: it is worth reading who writes."""
    return taken is not None and room is not None and taken * _FELT >= room


def tell_space_of_smaller_pool(draft: Draft, pool: str, less: int, facts: PlanFacts) -> None:
    """What is left once a vdev with so many bytes has left the pool."""
    _tell(draft, facts, pool, lambda now: replace(now, size_bytes=now.size_bytes - less))


def tell_space_of_snapshots(draft: Draft, needs: Mapping[str, int], pool: str, facts: PlanFacts) -> None:
    """What snapshots of datasets with refreservations take, in bytes by dataset."""

    def change(now: SpaceAccounts) -> SpaceAccounts:
        for name, more in needs.items():
            unused = now.of[name].unused_refreservation_bytes
            now = now.with_unused_refreservation(name, unused + more)
        return now

    if any(needs.values()):
        _tell(draft, facts, pool, change)


def tell_space_of_rename(draft: Draft, old: str, new: str, facts: PlanFacts) -> None:
    """What a dataset takes from those below its new parent, and no longer from those below its old one."""

    def name_after(name: str) -> str:
        return new + name.removeprefix(old) if f"{name}/".startswith(f"{old}/") else name

    _tell(draft, facts, pool_of(old), lambda now: now.renamed(old, new), name_after)


def tell_space_of_promotion(
    draft: Draft, clone: str, origin_dataset: str, size_bytes: int, facts: PlanFacts
) -> None:
    """What the snapshots that a clone takes over take from those below its quotas and reservations."""
    _tell(draft, facts, pool_of(clone), lambda now: now.promoted(clone, origin_dataset, size_bytes))


def _reserved(name: str, wanted: int) -> Callable[[SpaceAccounts], SpaceAccounts]:
    return lambda now: now.with_reservation(name, wanted)


def _unused(dataset: Dataset, wanted: int) -> Callable[[SpaceAccounts], SpaceAccounts]:
    return lambda now: now.with_unused_refreservation(dataset.name, unused_after(dataset, wanted))


def _bytes(value: str, auto: int) -> int:
    return auto if value == AUTO else size_bytes(value) or 0


@dataclass(frozen=True, slots=True)
class _Less:
    """Space of a dataset before and after, in bytes, and the size of what limits it."""

    before_bytes: int
    after_bytes: int
    limit_bytes: int
    is_below_quota: bool
    keeps_reservation: bool  # a reservation above it still has a tenth of itself for it

    @property
    def is_next_to_nothing(self) -> bool:
        return self.after_bytes * LEAST_LEFT < self.limit_bytes and not self.keeps_reservation


def _tell(
    draft: Draft,
    facts: PlanFacts,
    pool: str,
    change: Callable[[SpaceAccounts], SpaceAccounts],
    name_after: Callable[[str], str] = str,
) -> None:
    """What is left for others; the running guests for which that is next to nothing are dependents."""
    now = space_accounts(pool, facts.datasets)
    if now is None:
        draft.warnings.append(
            f"what it leaves to the datasets of {pool}, by quota and reservation, is not known"
        )
        return
    less = dict(_lessened(now, change(now), name_after))
    if not less:
        return
    top = min(less, key=lambda name: (name.count("/"), name))
    at_top = less[top]
    draft.not_binding.append("how much is left for other datasets")
    after, before = size(at_top.after_bytes), size(at_top.before_bytes)
    at_present = "as now" if after == before else f"{before} now"
    draft.space.append(f"{after} are left then for all else in {top}, {at_present}")
    if facts.uses is None:
        draft.warnings.append(f"which running guests write to {top} is not known")
        return
    running = [
        use
        for use in facts.uses
        if use.kind in {GUEST, CONTAINER} and use.is_written and dataset_of_object(use.object) in less
        if not _has_all_reserved(facts.dataset(dataset_of_object(use.object)), facts)
    ]
    if not running:
        return
    stopped = [use for use in running if less[dataset_of_object(use.object)].is_next_to_nothing]
    if not stopped:
        return
    names = sorted({use.name for use in stopped})
    draft.saw("running guests that have less space", ", ".join(names))
    left = min(less[dataset_of_object(use.object)].after_bytes for use in stopped)
    effects = "; ".join(_beyond(stopped, less, facts))
    draft.warnings.append(
        f"{size(left)} are left then for what writes to {top} and runs: {shortened(names, _NAMED)}. "
        f"Beyond that {effects}"
    )
    for use in stopped:
        after = size(less[dataset_of_object(use.object)].after_bytes)
        draft.dependents.append(
            Dependent(use.kind, use.name, f"on {dataset_of_object(use.object)}, which has {after} left")
        )


def _lessened(
    now: SpaceAccounts, then: SpaceAccounts, name_after: Callable[[str], str]
) -> Iterator[tuple[str, _Less]]:
    """The datasets that have less space than before."""
    before, after = now.available(), then.available()
    used = then.used()
    for name, had in before.items():
        renamed = name_after(name)
        has = after[renamed]
        if has < had:
            limit = then.limit_of(renamed)
            keeps = any(
                (account.reservation_bytes - used[each]) * LEAST_LEFT >= account.reservation_bytes > 0
                for each, account in then.of.items()
                if f"{renamed}/".startswith(f"{each}/")
            )
            yield name, _Less(had, has, limit, limit != then.size_bytes, keeps)


def _has_all_reserved(dataset: Dataset | None, facts: PlanFacts) -> bool:
    """Whether a volume has its whole size reserved, so that it takes nothing of what others have."""
    if dataset is None or dataset.type != "volume":
        return False
    volsize = natural(facts.property(dataset.name, VOLSIZE) or "")
    return volsize is not None and (dataset.refreservation_bytes or 0) >= volsize


def _beyond(running: Sequence[OutsideUse], less: Mapping[str, _Less], facts: PlanFacts) -> Iterator[str]:
    """What happens to them without space, a clause each with its guests, the worst first."""
    limited = [use for use in running if less[dataset_of_object(use.object)].is_below_quota]
    if limited:
        yield from beyond_limit(limited, facts)
    pools = {pool_of(dataset_of_object(use.object)) for use in running}
    known = {
        (each.guest, each.effect) for pool in pools for each in guests_when_full(facts.guests or (), pool)
    }
    free = {use.name: use.kind for use in running if use not in limited}
    by_effect: dict[FullEffect, list[str]] = {}
    for name, kind in sorted(free.items()):
        effects = {effect for guest, effect in known if guest == name}
        if kind == CONTAINER:
            effects = {FullEffect.PROGRAMS_FAIL}
        for effect in effects or {FullEffect.UNKNOWN}:
            by_effect.setdefault(effect, []).append(name)
    for effect, words in _WHEN_FULL.items():
        if effect in by_effect:
            yield f"{words}: {shortened(by_effect[effect], _NAMED)}"
