"""Rules on snapshots of guests: storage that is left out, and guests that no snapshot can freeze."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.care.left_out_snapshot_rules import (
    RECENT_S,
    dataset_is_left_out,
    first_snapshot,
    has_none,
    has_recent,
    is_kept,
)
from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding
from zconsole.model.guests.guest import SYSTEM, Guest

NAMED: Final = 3


def guest_is_left_out(facts: RuleInput) -> Iterator[Finding]:
    """A dataset that running guests write to, without snapshots, beside at least as many that have them.

    Where the datasets beside it have some, the rule on those has said so.
    """
    guests = _guests_by_dataset(facts)
    if not guests:
        return
    listed = [each for each in facts.state.settings.value or () if each.name in guests and is_kept(each)]
    having = [each for each in listed if has_recent(facts, each)]
    lacking = [each for each in listed if has_none(facts, each)]
    if not lacking or len(having) < len(lacking):
        return
    told = {each.subject for each in dataset_is_left_out(facts)}
    for each in lacking:
        if each.name not in told:
            yield _left_out(facts, each, guests[each.name], having)


def guests_cannot_be_frozen(facts: RuleInput) -> Iterator[Finding]:
    """Guests that run without a channel for an agent, all of whose storage on the pool has recent snapshots.

    One finding for all of a pool. Plans freeze guests of the system's libvirt only.
    """
    recent = {each.name for each in facts.state.settings.value or () if has_recent(facts, each)}
    found: dict[str, tuple[str, ...]] = {}
    for guest in facts.guests:
        definition = guest.definition
        if definition.connection != SYSTEM or definition.is_container or definition.has_agent_channel:
            continue
        places = _written_on(facts, guest) if guest.status.state.is_running else ()
        if places and recent.issuperset(places):
            found[guest.name] = places
    if not found:
        return
    names = tuple(sorted(found))
    word, has, whose = ("guest", "has", "its") if len(names) == 1 else ("guests", "have", "their")
    yield facts.advised(
        "guest-without-agent-channel",
        f"{word} {shortened(names, NAMED)} {has} no channel for a guest agent: snapshots of {whose} storage "
        "are crash-consistent, as after a power failure",
        Advised("no channel org.qemu.guest_agent.0", "one, with the agent in the guest", None),
        guests=names,
        places=tuple(sorted({place for places in found.values() for place in places})),
        limit_days=RECENT_S // DAY_S,
    )


def _left_out(
    facts: RuleInput, each: DatasetSettings, guests: Sequence[str], having: Sequence[DatasetSettings]
) -> Finding:
    others = tuple(sorted(other.name for other in having))
    word, verb = ("guest", "writes") if len(guests) == 1 else ("guests", "write")
    return facts.advised(
        "guest-without-snapshots",
        f"no snapshot of {each.name} is known, now or before ({size(each.own_bytes)}), which {word} "
        f"{shortened(guests, NAMED)} {verb} to; {shortened(others, NAMED)}, of other guests, "
        f"{'has' if len(others) == 1 else 'have'} recent ones",
        Advised("no snapshot", f"snapshots as of {shortened(others, NAMED)}", first_snapshot(each.name)),
        on=each.name,
        dataset=each.name,
        guests=tuple(guests),
        own_bytes=each.own_bytes,
        others=others,
        limit_days=RECENT_S // DAY_S,
    )


def _guests_by_dataset(facts: RuleInput) -> dict[str, list[str]]:
    """The guests of libvirt that are not off, by the datasets and volumes that take their writes."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for guest in facts.guests:
        if not guest.is_of_libvirt or not guest.status.state.is_active:
            continue
        for place in _written(guest):
            found[place].append(guest.name)
    return found


def _written(guest: Guest) -> tuple[str, ...]:
    """What takes the writes of its disks, each once."""
    return tuple(
        dict.fromkeys(disk.images[0].place for disk in guest.disks if disk.is_written and disk.images)
    )


def _written_on(facts: RuleInput, guest: Guest) -> tuple[str, ...]:
    """These, as far as they are datasets and volumes of the pool."""
    return tuple(
        place
        for place in _written(guest)
        if place and not place.startswith("/") and pool_of(place) == facts.pool.name
    )


RULES: Final[tuple[Rule, ...]] = (guest_is_left_out, guests_cannot_be_frozen)
