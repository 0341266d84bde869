"""Rules on speed: disks that are slower than their like, and what was seen of whole vdevs meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.base.formatting import milliseconds
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.slow_disk import LONG_TAIL, STALLING, WRITE_COLLAPSE, Comparison, SlowDiskVerdict

DISK_SLOW: Final = "disk-slow"
DISK_STALLING: Final = "disk-stalling"
SLOW_FINDINGS: Final = frozenset({DISK_SLOW, DISK_STALLING})  # each says what a verdict says
_NS: Final = 1e9
_WHERE: Final = ("pool", "vdev")  # in the evidence of what the detector says; a rule adds them itself


def disk_is_slow(facts: RuleInput) -> Iterator[Finding]:
    """A disk that takes longer than the disks like it, or leaves I/O unanswered while they do not."""
    for verdict in facts.state.slow:
        worst = max(verdict.compared, key=lambda one: one.ratio, default=None)
        tail = verdict.furthest
        yield facts.found(
            DISK_STALLING if verdict.kind == STALLING else DISK_SLOW,
            Severity.WARNING,
            _sentence(verdict, worst),
            vdev=_leaf(facts, verdict),
            kind=verdict.kind,
            operations=verdict.operations,
            ratio=round(verdict.ratio, 2),
            confidence=round(verdict.confidence, 2),
            since=round(verdict.first_at),
            mean_ns=None if worst is None else round(worst.mean_ns),
            peers_mean_ns=None if worst is None else round(worst.reference_ns),
            quantile=None if tail is None else tail.share,
            quantile_ns=None if tail is None else round(tail.value_ns),
            peers_quantile_ns=None if tail is None else round(tail.reference_ns),
            stalls=None if verdict.stalls is None else verdict.stalls.count,
            peers=verdict.peers,
        )


def vdevs_are_unlike(facts: RuleInput) -> Iterator[Finding]:
    """What is slow and no disk's fault: a whole vdev, half of all disks, vdevs of fast and slow disks."""
    if facts.state.judgement is None:
        return
    for said in facts.state.judgement.findings:
        name = said.evidence.get("vdev")
        vdev = next((top for top in facts.pool.vdevs if top.name == name), None)
        evidence = {key: value for key, value in said.evidence.items() if key not in _WHERE}
        yield facts.found(said.id, said.severity, said.summary, vdev=vdev, **evidence)


RULES: Final[tuple[Rule, ...]] = (disk_is_slow, vdevs_are_unlike)


def _leaf(facts: RuleInput, verdict: SlowDiskVerdict) -> Vdev:
    """The disk in the tree; one that has just left it is known by its name."""
    leaves = (leaf for top in facts.pool.vdevs if top.name == verdict.vdev for leaf in top.leaves())
    found = next((leaf for leaf in leaves if leaf.name == verdict.disk), None)
    return found or Vdev(verdict.disk, "disk", "data", "")


def _sentence(verdict: SlowDiskVerdict, worst: Comparison | None) -> str:
    beside = verdict.peers[0] if verdict.is_pair else "its peers"
    if verdict.kind == STALLING and verdict.stalls is not None:
        longest = verdict.stalls.longest_ns / _NS
        times = f"{verdict.stalls.count} times" if verdict.stalls.count > 1 else "once"
        return (
            f"{verdict.disk} stalls: {times} it left I/O unanswered, up to {longest:.0f} s; {beside} did not"
        )
    tail = verdict.furthest
    if verdict.kind == LONG_TAIL and tail is not None:
        numbers = f"{milliseconds(tail.value_ns)} ms against {milliseconds(tail.reference_ns)} ms"
        return (
            f"{verdict.disk} has a long tail: 1 in {tail.one_in} of its {tail.operation}s takes up to "
            f"{_times(tail.ratio)} as long as of {beside} ({numbers})"
        )
    if worst is None:
        return f"{verdict.disk} is slower than {beside}"
    numbers = f"{milliseconds(worst.mean_ns)} ms against {milliseconds(worst.reference_ns)} ms"
    compared = f"{_times(worst.ratio)} slower than {beside} at {worst.operation}s ({numbers})"
    if verdict.kind == WRITE_COLLAPSE:
        return f"{verdict.disk} is {compared} and reads as ever: an SMR drive?"
    if verdict.is_pair:
        return f"{verdict.disk} and {beside} differ: {verdict.disk} is {compared}"
    return f"{verdict.disk} is {compared}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:.0f} times"
