"""Findings on the copies of a host's datasets, by their last comparison (`zconsole replicas`).

Of what happened since nothing is known: an old comparison is a finding itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.care.left_out_snapshot_rules import is_not_kept
from zconsole.analysis.findings.rule_input import DAY_S
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Advised, Evidence, Finding, ProposedAction, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Pool

COMPARED_WITHIN_S: Final = 7 * DAY_S
VERIFIED_WITHIN_S: Final = 35 * DAY_S  # the time between two scrubs
NAMED: Final = 4


def findings_of_replication(state: HostState, now: float) -> Iterator[Finding]:
    """Judge copies as they were last compared; nothing where they never were."""
    seen = state.replication.value
    if seen is None:
        return
    pools = {each.name for each in state.pools}
    for each in seen.findings:
        if each.id == "dataset-no-copy":
            yield from _without_copy(each, seen)
        elif (told := _FOUND.get(each.id)) is not None:
            found, limit = told(each.evidence)
            dataset, action = _here(each, seen), None
            if each.id == "receive-cut" and dataset:
                action = ProposedAction("resume-receive", dataset)
            yield _advised(
                replace(each, subject=dataset or each.subject), Advised(found, limit, action), seen, {}
            )
    yield from _old(seen, state, now)
    if state.pools:
        yield from _unverified(seen, state, now, pools)


def _here(each: Finding, seen: ReplicationSeen) -> str:
    """The dataset of this host that a finding is about; empty where it is about two."""
    dataset = each.evidence.get("dataset")
    return dataset if isinstance(dataset, str) and each.evidence.get("host") == seen.host else ""


def _without_copy(each: Finding, seen: ReplicationSeen) -> Iterator[Finding]:
    """A finding for each highest dataset at and below which nothing has a copy."""
    names = each.evidence.get("datasets")
    lacking = [name for name in names if not is_not_kept(name)] if isinstance(names, tuple) else []
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in sorted(lacking):
        groups[_highest_without_copy(name, seen.sent)].append(name)
    for top, found in groups.items():
        which = f"{top} has no" if found == [top] else f"none of {len(found)} datasets below {top} has a"
        made = replace(each, subject=top, summary=f"{which} copy in another pool that was compared")
        advised = Advised("no copy", "a copy, as others of its pool have", None)
        yield _advised(made, advised, seen, {"datasets": tuple(found)})


def _highest_without_copy(name: str, sent: Sequence[str]) -> str:
    """The highest dataset above, below the pool itself, under which nothing was sent."""
    parts = name.split("/")
    for end in range(2, len(parts)):
        top = "/".join(parts[:end])
        if not any(each == top or each.startswith(f"{top}/") for each in sent):
            return top
    return name


def _old(seen: ReplicationSeen, state: HostState, now: float) -> Iterator[Finding]:
    """Copies that were not compared for long may have fallen behind unseen."""
    age_s = now - seen.seen_at
    if age_s > COMPARED_WITHIN_S and (seen.findings or seen.received):
        yield Finding(
            "replicas-not-compared",
            Severity.INFO,
            state.host,
            f"its copies were last compared with their sources {duration(age_s)} ago",
            {"seen_at": round(seen.seen_at), "limit_days": COMPARED_WITHIN_S // DAY_S},
            is_advice=True,
            advised=Advised(f"{duration(age_s)} ago", f"within {COMPARED_WITHIN_S // DAY_S}d", None),
        )


def _unverified(seen: ReplicationSeen, state: HostState, now: float, pools: set[str]) -> Iterator[Finding]:
    """Copies that were never read back: no scrub of their pool has ended since they were received."""
    of_pool: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for name, created in dict(seen.received).items():
        if pool_of(name) in pools:
            of_pool[pool_of(name)].append((name, created))
    for each in state.pools:
        pool = each.pool.value
        if pool is not None and each.name in of_pool:
            yield from _unverified_in(pool, of_pool[each.name], now)


def _unverified_in(pool: Pool, copies: Sequence[tuple[str, int]], now: float) -> Iterator[Finding]:
    scan = pool.scan
    if scan is not None and (scan.function, scan.state) != ("scrub", "finished"):
        return  # a running one reads the copies; another one hides when the last scrub was
    read_at = None if scan is None else scan.end
    never = [
        (name, created)
        for name, created in copies
        if now - created > VERIFIED_WITHIN_S and (read_at is None or read_at < created)
    ]
    if not never:
        return
    names = tuple(sorted(name for name, _ in never))
    age = duration(now - min(created for _, created in never))
    yield Finding(
        "replicas-unverified",
        Severity.INFO,
        pool.name,
        f"{len(names)} {'copy' if len(names) == 1 else 'copies'} on it, received up to {age} ago, "
        f"{'was' if len(names) == 1 else 'were'} never read back by a scrub: {shortened(names, NAMED)}",
        {
            "pool": pool.name,
            "datasets": names,
            "last_scrub": read_at,
            "limit_days": VERIFIED_WITHIN_S // DAY_S,
        },
        is_advice=True,
        advised=Advised(
            f"no scrub since they were received, up to {age} ago",
            f"a scrub within {VERIFIED_WITHIN_S // DAY_S}d",
            ProposedAction("scrub", pool.name),
        ),
    )


def _advised(each: Finding, advised: Advised, seen: ReplicationSeen, evidence: Evidence) -> Finding:
    told = {**each.evidence, **evidence, "seen_at": round(seen.seen_at)}
    source = each.evidence.get("source")
    if isinstance(source, str) and each.evidence.get("host") != seen.host:
        told["pool"] = pool_of(source.removeprefix(f"{seen.host}:"))  # its pool here; the copy is elsewhere
    return replace(each, evidence=told, is_advice=True, advised=advised)


def _time(evidence: Evidence, name: str) -> str:
    value = evidence.get(name)
    return duration(value) if isinstance(value, int | float) else "·"


_FOUND: Final[Mapping[str, Callable[[Evidence], tuple[str, str]]]] = {
    "replica-stale": lambda of: (f"{_time(of, 'behind_s')} behind", f"at most {_time(of, 'limit_s')}"),
    "snapshots-stopped": lambda of: (f"{_time(of, 'age_s')} old", f"at most {_time(of, 'limit_s')}"),
    "replica-diverged": lambda of: (f"{of.get('own')} of its own", "none that its source lacks"),
    "receive-cut": lambda _of: ("a receive that was cut", "none"),
}
