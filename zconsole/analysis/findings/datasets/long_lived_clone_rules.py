"""Rule on old clones that keep an old snapshot; one finding per snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, Severity

MUCH_BYTES: Final = 1 << 30  # minimum worth reporting
OLD_ORIGIN_S: Final = 365 * DAY_S
LONG_LIVED_S: Final = 180 * DAY_S
MOST_NAMED: Final = 3


def clones_are_long_lived(facts: RuleInput) -> Iterator[Finding]:
    """Old snapshots that hold much and cannot go because of old clones, as far as origins were read."""
    clones: dict[str, list[DatasetSettings]] = {}
    for each in facts.state.settings.value or ():
        if each.origin and each.origin_created is not None:
            clones.setdefault(each.origin, []).append(each)
    for origin, made in sorted(clones.items()):
        ages = {each.name: facts.now - each.creation for each in made if each.creation is not None}
        found = long_lived_clones_of(
            origin, made[0].origin_created, made[0].origin_used_bytes, ages, facts.now
        )
        if found is not None:
            yield found


def long_lived_clones_of(
    origin: str, created: int | None, alone_bytes: int | None, ages: Mapping[str, float], now: float
) -> Finding | None:
    """One finding per origin for any number of clones: an image is made to be cloned."""
    old = tuple(sorted(name for name, age in ages.items() if age >= LONG_LIVED_S))
    if created is None or now - created < OLD_ORIGIN_S or not old or (alone_bytes or 0) < MUCH_BYTES:
        return None
    return Finding(
        "clone-long-lived",
        Severity.INFO,
        origin,
        f"is {duration(now - created)} old and cannot be destroyed while {shortened(old, MOST_NAMED)} "
        "needs it; "
        f"it keeps {size(alone_bytes)} that its own dataset does not need",
        {
            "pool": pool_of(origin),
            "dataset": dataset_of(origin),
            "created": created,
            "clones": old,
            "oldest_clone_s": int(max(ages.values())),
            "origin_alone_bytes": alone_bytes,
        },
        is_advice=True,
        advised=Advised(
            f"{size(alone_bytes)} held for {duration(now - created)}",
            f"{size(MUCH_BYTES)} for {OLD_ORIGIN_S // DAY_S}d",
            None,  # a promotion frees nothing, and turns the same finding round
        ),
    )


RULES: Final[tuple[Rule, ...]] = (clones_are_long_lived,)
