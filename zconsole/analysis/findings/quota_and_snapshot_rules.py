"""Advice on quotas that are nearly reached or limit nothing, and on pools without recent snapshots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.analysis.guests.guests_by_dataset import GuestsByDataset
from zconsole.base.fixed_width_formatting import duration, size, used_percent, zfs_size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction

NAMED: Final = 4
PERCENT: Final = 100
NEAR_PERCENT: Final = 90
LARGER_PERCENT: Final = 125  # of a quota, that is proposed in its place
GIB: Final = 1 << 30
MUCH_BYTES: Final = 1 << 30  # of a dataset whose loss would matter
STALE_DAYS: Final = 35  # as a scrub is overdue


def quotas_are_nearly_reached(facts: RuleInput) -> Iterator[Finding]:
    """Datasets that have used nearly all that a quota of theirs allows. What is read-only stays as it is."""
    found: list[tuple[float, str, str, int, int]] = []
    for each in facts.state.settings.value or ():
        near = [
            (used / limit, each.name, setting, used, limit)
            for setting, used, limit in (
                ("quota", each.used_bytes, each.quota_bytes),
                ("refquota", each.referenced_bytes, each.refquota_bytes),
            )
            if used is not None and limit and PERCENT * used >= NEAR_PERCENT * limit
        ]
        if near and not each.is_read_only:
            found.append(max(near))
    by_dataset = GuestsByDataset(facts.residents)
    for share, name, setting, used, limit in sorted(found, key=lambda each: (-each[0], each[1])):
        guests = _writing(by_dataset, name, with_below=setting == "quota")
        at_it = f"; at it the writes of {shortened(guests, NAMED)} fail" if guests else ""
        larger = -(-limit * LARGER_PERCENT // (PERCENT * GIB))
        yield facts.advised(
            "quota-near",
            f"{name} has used {size(used)}, {used_percent(PERCENT * share)} of "
            f"{setting}={zfs_size(limit)}{at_it}",
            Advised(
                f"{used_percent(PERCENT * share)} of {setting}",
                f"{NEAR_PERCENT}% of the quota",
                ProposedAction("set", name, (f"{setting}={larger}G",)),
            ),
            guests=guests,
            on=name,
            dataset=name,
            setting=setting,
            used_bytes=used,
            quota_bytes=limit,
            limit_percent=NEAR_PERCENT,
        )


def quotas_limit_nothing(facts: RuleInput) -> Iterator[Finding]:
    """Quotas beyond all that the pool can hold."""
    usable = facts.pool.usable_bytes
    for each in facts.state.settings.value or ():
        largest = max(("quota", each.quota_bytes or 0), ("refquota", each.refquota_bytes or 0),
                      key=lambda of: of[1])  # fmt: skip
        setting, limit = largest
        if usable is None or limit <= usable:
            continue
        yield facts.advised(
            "quota-beyond-pool",
            f"{setting}={zfs_size(limit)} of {each.name} is larger than the pool, which has {size(usable)}",
            Advised(size(limit), f"{size(usable)} of the pool", None),
            on=each.name,
            dataset=each.name,
            setting=setting,
            quota_bytes=limit,
            usable_bytes=usable,
        )


def _writing(by_dataset: GuestsByDataset, name: str, *, with_below: bool) -> tuple[str, ...]:
    """Guests that are not off, with storage on a dataset; a quota counts what is below too, no refquota."""
    guests = by_dataset.within(name) if with_below else [each.guest for each in by_dataset.on(name)]
    return tuple(dict.fromkeys(each.name for each in guests if each.status.state.is_active))


def snapshots_are_missing(facts: RuleInput) -> Iterator[Finding]:
    """Data of which no snapshot was taken for long, as far as ZFS remembers changes of snapshots (2.2)."""
    listed = [each for each in facts.state.settings.value or () if _matters(each)]
    if not listed or not all(each.tells_snapshots_changed for each in listed):
        return
    changes = [each.snapshots_changed for each in listed if each.snapshots_changed]
    last = max(changes, default=None)
    held = sum(each.by_snapshots_bytes or 0 for each in listed)
    if last is None and held:
        return  # snapshots of a time before the property
    if last is not None and facts.now - last <= STALE_DAYS * DAY_S:
        return
    if last is None and any(_is_young(facts, each) for each in listed):
        return
    told = "no snapshot is known" if last is None else f"none was taken for {duration(facts.now - last)}"
    names = tuple(sorted(each.name for each in listed))
    yield facts.advised(
        "snapshots-missing",
        f"{told} of {shortened(names, NAMED)}",
        Advised(told, f"a snapshot in {STALE_DAYS}d", None),
        datasets=names,
        last_change=last,
        limit_days=STALE_DAYS,
    )


def _matters(each: DatasetSettings) -> bool:
    return (each.own_bytes or 0) >= MUCH_BYTES


def _is_young(facts: RuleInput, each: DatasetSettings) -> bool:
    return each.creation is None or facts.now - each.creation <= STALE_DAYS * DAY_S


RULES: Final[tuple[Rule, ...]] = (
    quotas_are_nearly_reached,
    quotas_limit_nothing,
    snapshots_are_missing,
)
