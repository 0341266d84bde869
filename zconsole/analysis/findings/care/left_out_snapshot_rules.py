"""Rule on a dataset of which ZFS knows no snapshot, now or before, while its siblings have recent ones.

By names it leaves out what nobody keeps: temporary files, swap, caches and the like.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.base.fixed_width_formatting import size
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction

LEAST_BYTES: Final = 64 << 20  # of its own; less is metadata and configuration
YOUNG_S: Final = 7 * DAY_S  # a schedule reaches a new dataset in this time
RECENT_S: Final = 35 * DAY_S  # of a sibling's snapshot
NAMED: Final = 3
FIRST: Final = "before-schedule"  # name of the snapshot that is proposed
_NOT_KEPT: Final = re.compile(
    r"(^|[-_. ])(te?mp|swap|cache|ccache|scratch|spool|dumps?|crash|builds?|downloads?|trash|none)($|[-_. ])"
    r"|^[0-9a-f]{32,64}(-init)?$",  # layers of Docker's images
    re.ASCII | re.IGNORECASE,
)


def dataset_is_left_out(facts: RuleInput) -> Iterator[Finding]:
    """A dataset without snapshots beside at least as many of one kind that have them."""
    groups: defaultdict[tuple[str, str], list[DatasetSettings]] = defaultdict(list)
    for each in facts.state.settings.value or ():
        if each.parent and is_kept(each):
            groups[each.parent, each.type].append(each)
    for group in groups.values():
        having = [each for each in group if has_recent(facts, each)]
        lacking = [each for each in group if has_none(facts, each)]
        if len(having) >= len(lacking):
            yield from (_left_out(facts, each, having) for each in lacking)


def is_not_kept(name: str) -> bool:
    """Whether the name of a dataset, or of one above it, is that of data which nobody keeps."""
    return any(_NOT_KEPT.search(part) for part in name.split("/")[1:])


def _left_out(facts: RuleInput, each: DatasetSettings, having: Sequence[DatasetSettings]) -> Finding:
    siblings = tuple(sorted(other.name for other in having))
    return facts.advised(
        "snapshots-left-out",
        f"no snapshot of {each.name} is known, now or before ({size(each.own_bytes)}); "
        f"{shortened(siblings, NAMED)} beside it {'has' if len(siblings) == 1 else 'have'} recent ones",
        Advised("no snapshot", f"snapshots as of {shortened(siblings, NAMED)}", first_snapshot(each.name)),
        on=each.name,
        dataset=each.name,
        own_bytes=each.own_bytes,
        siblings=siblings,
        limit_days=RECENT_S // DAY_S,
    )


def first_snapshot(dataset: str) -> ProposedAction:
    """A snapshot of a dataset that has none, until a schedule takes them."""
    return ProposedAction("snapshot", f"{dataset}@{FIRST}")


def is_kept(each: DatasetSettings) -> bool:
    """Whether its data are its own and worth keeping; copies take no snapshots themselves."""
    return each.tells_snapshots_changed and not each.is_read_only and not is_not_kept(each.name)


def has_recent(facts: RuleInput, each: DatasetSettings) -> bool:
    """Whether a snapshot was taken or destroyed in the last 35 days."""
    return each.snapshots_changed is not None and facts.now - each.snapshots_changed <= RECENT_S


def has_none(facts: RuleInput, each: DatasetSettings) -> bool:
    """No snapshot now, none remembered; large and old enough to matter."""
    is_old = each.creation is not None and facts.now - each.creation > YOUNG_S
    is_large = (each.own_bytes or 0) >= LEAST_BYTES
    return each.snapshots_changed is None and each.by_snapshots_bytes == 0 and is_old and is_large


RULES: Final[tuple[Rule, ...]] = (dataset_is_left_out,)
