"""Advice on promised space: reservations without use or used up, and quotas of all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import size, used_percent, zfs_size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction

NAMED: Final = 4
PERCENT: Final = 100
UNUSED_PERCENT: Final = 10  # of the pool, that a reservation keeps from others without use
EMPTY_PERCENT: Final = 1  # of a reservation, below which its file system is there for the reservation only
ENOUGH_PERCENT: Final = 150  # of what is used: neither unused nor nearly used up
MIB: Final = 1 << 20
USED_PERCENT: Final = 50  # of a reservation, from which it is in use
SETTLED_DAYS: Final = 30  # after which a file system should have taken what was reserved for it
NEAR_PERCENT: Final = 90
FULL_PERCENT: Final = 80  # of the pool, from which promises are called in
VOLUME: Final = "volume"


def reservations_are_unused(facts: RuleInput) -> Iterator[Finding]:
    """Space that is kept for a file system that has not come to need it, in a pool that becomes full.

    One that is empty is left alone: its reservation is there to keep the pool from filling.
    """
    usable = facts.pool.usable_bytes
    if not usable or (facts.pool.used_percent or 0) < FULL_PERCENT:
        return
    for each in facts.state.settings.value or ():
        if each.type == VOLUME or each.creation is None:
            continue  # a volume has one for what its guest may write
        if facts.now - each.creation < SETTLED_DAYS * DAY_S:
            continue
        found = [
            (reserved - used, setting, used, reserved)
            for setting, used, reserved in _reservations(each)
            if EMPTY_PERCENT * reserved <= PERCENT * used < USED_PERCENT * reserved
            and PERCENT * (reserved - used) >= UNUSED_PERCENT * usable
        ]
        if not found:
            continue
        unused, setting, used, reserved = max(found)
        enough = -(-used * ENOUGH_PERCENT // PERCENT // MIB) * MIB
        yield facts.advised(
            "reservation-unused",
            f"{setting}={zfs_size(reserved)} of {each.name}, which has {size(used)}: {size(unused)} are kept "
            f"from all others, {PERCENT * unused / usable:.0f}% of a pool that is "
            f"{used_percent(facts.pool.used_percent)} full",
            Advised(
                f"{size(unused)} unused",
                f"{UNUSED_PERCENT}% of the pool",
                ProposedAction("set", each.name, (f"{setting}={enough // MIB}M",)),
            ),
            on=each.name,
            dataset=each.name,
            setting=setting,
            reserved_bytes=reserved,
            used_bytes=used,
            proposed_bytes=enough,
            usable_bytes=usable,
            limit_percent=UNUSED_PERCENT,
        )


def reservations_are_used_up(facts: RuleInput) -> Iterator[Finding]:
    """Reservations that will not help any more, in a pool that becomes full."""
    if (facts.pool.used_percent or 0) < FULL_PERCENT:
        return
    for each in facts.state.settings.value or ():
        near = [
            (used / reserved, setting, used, reserved)
            for setting, used, reserved in _reservations(each)
            if PERCENT * used >= NEAR_PERCENT * reserved
        ]
        if each.type == VOLUME or not near:
            continue
        share, setting, used, reserved = max(near)
        yield facts.advised(
            "reservation-used-up",
            f"{setting}={zfs_size(reserved)} of {each.name} is nearly used up, by {size(used)}, in "
            f"a pool that is {used_percent(facts.pool.used_percent)} full",
            Advised(f"{used_percent(PERCENT * share)} used", f"{NEAR_PERCENT}% of the {setting}", None),
            on=each.name,
            dataset=each.name,
            setting=setting,
            used_bytes=used,
            reserved_bytes=reserved,
            limit_percent=NEAR_PERCENT,
        )


def quotas_promise_too_much(facts: RuleInput) -> Iterator[Finding]:
    """Quotas under which more may still be written than a pool has that becomes full."""
    free = facts.pool.usable_available_bytes
    if free is None or (facts.pool.used_percent or 0) < FULL_PERCENT:
        return
    room = {
        each.name: each.quota_bytes - each.used_bytes
        for each in facts.state.settings.value or ()
        if each.quota_bytes and each.used_bytes is not None and each.quota_bytes > each.used_bytes
    }
    outermost = {name: left for name, left in room.items() if not _has_one_above(name, room)}
    promised = sum(outermost.values())
    if promised <= free or not outermost:
        return
    names = tuple(sorted(outermost, key=lambda name: (-outermost[name], name)))
    yield facts.advised(
        "quotas-overcommitted",
        f"its quotas allow {size(promised)} more, and the pool has {size(free)}: {shortened(names, NAMED)}",
        Advised(f"{size(promised)} allowed", f"{size(free)} available", None),
        datasets=names,
        promised_bytes=promised,
        available_bytes=free,
    )


def _reservations(each: DatasetSettings) -> Iterator[tuple[str, int, int]]:
    """Property, bytes used of it, and bytes reserved."""
    if each.reservation_bytes and each.used_bytes is not None:
        yield "reservation", each.used_bytes, each.reservation_bytes
    if each.refreservation_bytes and each.own_bytes is not None:
        yield "refreservation", each.own_bytes, each.refreservation_bytes


def _has_one_above(name: str, room: dict[str, int]) -> bool:
    above = name.rpartition("/")[0]
    while above:
        if above in room:
            return True
        above = above.rpartition("/")[0]
    return False


RULES: Final[tuple[Rule, ...]] = (
    reservations_are_unused,
    reservations_are_used_up,
    quotas_promise_too_much,
)
