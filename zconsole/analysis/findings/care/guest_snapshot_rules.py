"""Rule on what running guests write to without snapshots, while what other guests write to has them."""

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
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding

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


def _left_out(
    facts: RuleInput, each: DatasetSettings, guests: Sequence[str], having: Sequence[DatasetSettings]
) -> Finding:
    others = tuple(sorted(other.name for other in having))
    word, verb = ("guest", "writes") if len(guests) == 1 else ("guests", "write")
    return facts.advised(
        "guest-without-snapshots",
        f"no snapshot was ever taken of {each.name} ({size(each.own_bytes)}), which {word} "
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
        disks = (disk.images[0].place for disk in guest.disks if disk.is_written and disk.images)
        for place in dict.fromkeys(disks):
            found[place].append(guest.name)
    return found


RULES: Final[tuple[Rule, ...]] = (guest_is_left_out,)
