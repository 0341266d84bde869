"""Advice on the properties of a pool: autotrim, autoexpand, failmode. Sources: zpoolprops(7)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Advised, Finding, ProposedAction
from zconsole.model.pools.pool import HEALTHY_STATES, Vdev

OFF: Final = "off"
TRIM_DUE_DAYS: Final = 35  # a month, which is how often timers of distributions trim, and some days
GROWN_PERCENT: Final = 110  # larger disk against the smallest of its vdev; makers differ by less
NAMED: Final = 4
_TRIM: Final = "trim"
_NOT_TRIMMED: Final = frozenset({"unsupported"})
_COMPLETE: Final = "complete"


def solid_state_is_not_trimmed(facts: RuleInput) -> Iterator[Finding]:
    """SSDs that neither ZFS itself nor a timer trims."""
    if facts.pool.autotrim != OFF or facts.inventory is None:
        return
    due = [leaf for leaf in facts.pool.walk() if _is_trimmable(facts, leaf) and _is_due(facts, leaf)]
    if not due:
        return
    ages = [facts.now - at for leaf in due if (at := _trimmed_at(leaf)) is not None]
    last = f"the last trim was {duration(max(ages))} ago" if len(ages) == len(due) else "never trimmed"
    yield facts.advised(
        "autotrim-off",
        f"autotrim=off, and of its SSDs {len(due)} are not trimmed otherwise: "
        f"{shortened(tuple(leaf.name for leaf in due), NAMED)}; {last}",
        Advised(
            f"autotrim=off, {last}",
            f"a trim in {TRIM_DUE_DAYS}d",
            ProposedAction("trim", facts.pool.name),
        ),
        autotrim=OFF,
        devices=tuple(leaf.name for leaf in due),
        oldest_trim_s=round(max(ages)) if len(ages) == len(due) else None,
        limit_days=TRIM_DUE_DAYS,
    )


def larger_disks_do_not_expand(facts: RuleInput) -> Iterator[Finding]:
    """Some disks of a vdev are larger than the others, and autoexpand is off: the last one adds no space."""
    if facts.pool.autoexpand != OFF:
        return
    for top in facts.pool.of_class("data"):
        sizes = [leaf.physical_bytes for leaf in top.leaves() if leaf.physical_bytes]
        if len(sizes) < 2 or len(sizes) < sum(1 for _ in top.leaves()):
            continue
        smallest = min(sizes)
        larger = sum(1 for each in sizes if 100 * each >= GROWN_PERCENT * smallest)
        if larger:
            yield facts.advised(
                "autoexpand-off",
                f"autoexpand=off, and {larger} of {len(sizes)} disks of {top.name} are larger than "
                f"{size(smallest)}: when the last one is replaced the space does not come by itself",
                Advised(
                    f"autoexpand=off, {larger} of {len(sizes)} disks larger",
                    f"{GROWN_PERCENT}% of the smallest disk",
                    facts.setting("autoexpand", "on"),
                ),
                vdev=top,
                autoexpand=OFF,
                larger=larger,
                disks=len(sizes),
                smallest_bytes=smallest,
                limit_percent=GROWN_PERCENT,
            )


def failmode_is_not_wait(facts: RuleInput) -> Iterator[Finding]:
    """What a pool does when its devices are lost, other than to wait for them."""
    does = {
        "continue": "new writes fail with EIO when its devices are lost",
        "panic": "the host crashes when its devices are lost",
    }.get(facts.pool.failmode or "")
    if does is not None:
        yield facts.advised(
            "failmode",
            f"failmode={facts.pool.failmode}: {does}",
            Advised(f"failmode={facts.pool.failmode}", "failmode=wait", facts.setting("failmode", "wait")),
            failmode=facts.pool.failmode,
        )


def _is_trimmable(facts: RuleInput, leaf: Vdev) -> bool:
    """Whether it is a healthy SSD of the pool that takes a trim. Spares are trimmed when they are in use."""
    if not leaf.is_leaf or leaf.vdev_class == "spare" or leaf.state not in HEALTHY_STATES:
        return False
    if any(each.kind == _TRIM and each.state in _NOT_TRIMMED for each in leaf.activities):
        return False
    name = facts.inventory.kernel_name(leaf.path or "") if facts.inventory is not None else None
    disk = facts.inventory.disk_of(name) if facts.inventory is not None and name is not None else None
    return disk is not None and disk.is_rotational is False


def _is_due(facts: RuleInput, leaf: Vdev) -> bool:
    """Whether no trim runs, and the last one is too long ago."""
    if any(each.kind == _TRIM and each.state != _COMPLETE for each in leaf.activities):
        return False
    if facts.pool.creation is None or facts.now - facts.pool.creation <= TRIM_DUE_DAYS * DAY_S:
        return False
    at = _trimmed_at(leaf)
    return at is None or facts.now - at > TRIM_DUE_DAYS * DAY_S


def _trimmed_at(leaf: Vdev) -> int | None:
    """When its last trim ended, epoch seconds; None where ZFS knows of none."""
    ended = (each for each in leaf.activities if each.kind == _TRIM and each.state == _COMPLETE)
    return next((each.at or 0 for each in ended), None)


RULES: Final[tuple[Rule, ...]] = (
    solid_state_is_not_trimmed,
    larger_disks_do_not_expand,
    failmode_is_not_wait,
)
