"""Rules on speed: disks slower than their peers, and observations on whole vdevs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import on_disk
from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.guests.added_latency_sentences import adds_in_short
from zconsole.analysis.guests.latency_added_to_guests import added_latency
from zconsole.analysis.slow_disks.slightly_slower.paired_seconds_evidence import LASTING_S
from zconsole.analysis.slow_disks.verdict_sentence import (
    slightly_slower_sentence,
    slowness_in_short,
    verdict_sentence,
    worst_comparison,
)
from zconsole.model.finding import DISK_SLOW, DISK_STALLING, Advised, Finding, Severity
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.slow_disk import READ, STALLING, WRITE, SlightlySlowerDisk, SlowDiskVerdict

DISK_SLIGHTLY_SLOWER: Final = "disk-slightly-slower"
MIXED_VDEV: Final = "mixed-vdev"  # a matter of how the vdev is built, and no fault of a disk
_WHERE: Final = ("pool", "vdev")  # keys in the detector's evidence that a rule adds itself


def disk_is_slow(facts: RuleInput) -> Iterator[Finding]:
    """Disk that takes longer than its peers, or leaves I/O unanswered while they do not."""
    for verdict in facts.state.slow:
        worst = worst_comparison(verdict)
        tail = verdict.furthest
        leaf = _leaf(facts, verdict)
        added = added_latency(verdict, facts.pool, facts.residents)
        costs = adds_in_short(added)
        found = facts.found(
            DISK_STALLING if verdict.kind == STALLING else DISK_SLOW,
            Severity.WARNING,
            verdict_sentence(verdict) + (f"; {costs}" if costs else ""),
            vdev=leaf,
            kind=verdict.kind,
            operations=verdict.operations,
            ratio=None if verdict.measured_ratio is None else round(verdict.measured_ratio, 2),
            confidence=round(verdict.confidence, 2),
            since=round(verdict.first_at),
            mean_ns=None if worst is None else round(worst.mean_ns),
            peers_mean_ns=None if worst is None else round(worst.reference_ns),
            quantile=None if tail is None else tail.share,
            quantile_ns=None if tail is None else round(tail.value_ns),
            peers_quantile_ns=None if tail is None else round(tail.reference_ns),
            stalls=None if verdict.stalls is None else verdict.stalls.count,
            longest_s=None if verdict.stalls is None else round(verdict.stalls.longest_ns / 1e9, 1),
            outstanding=None if verdict.stalls is None else verdict.stalls.outstanding,
            peers=verdict.peers,
            guests=added[0].guests if added else (),
            guests_read_ns=next((round(each.pool_ns) for each in added if each.operation == READ), None),
            guests_write_ns=next((round(each.pool_ns) for each in added if each.operation == WRITE), None),
        )
        yield on_disk(found, leaf, slowness_in_short(verdict))


def disk_is_slightly_slower(facts: RuleInput) -> Iterator[Finding]:
    """Disk that has been a little slower than its peers for minutes: to be watched, and no trouble yet."""
    for one in facts.state.slightly_slower:
        if not one.is_sure or one.last_at - one.first_at < LASTING_S:
            continue
        leaf = _leaf(facts, one)
        found = facts.found(
            DISK_SLIGHTLY_SLOWER,
            Severity.INFO,
            slightly_slower_sentence(one),
            vdev=leaf,
            operations=tuple(each.operation for each in one.compared),
            ratio=round(one.ratio, 2),
            slower_seconds=one.slower_seconds,
            seconds=one.seconds,
            since=round(one.first_at),
            peers=one.peers,
        )
        yield on_disk(found, leaf, f"{one.ratio:.1f}x the latency of its peers", needs_repair=False)


def vdevs_are_unlike(facts: RuleInput) -> Iterator[Finding]:
    """Slowness that is no single disk's fault: a whole vdev, half of all disks, vdevs of mixed disks."""
    if facts.state.judgement is None:
        return
    for said in facts.state.judgement.findings:
        name = said.evidence.get("vdev")
        vdev = next((top for top in facts.pool.vdevs if top.name == name), None)
        evidence = {key: value for key, value in said.evidence.items() if key not in _WHERE}
        kinds = evidence.get("kinds")
        if said.id == MIXED_VDEV and isinstance(kinds, tuple):
            yield facts.advised(
                MIXED_VDEV,
                said.summary,
                Advised(" beside ".join(kinds), "one kind of disk", None),
                vdev=vdev,
                kinds=kinds,
            )
        else:
            yield facts.found(said.id, said.severity, said.summary, vdev=vdev, **evidence)


RULES: Final[tuple[Rule, ...]] = (disk_is_slow, disk_is_slightly_slower, vdevs_are_unlike)


def _leaf(facts: RuleInput, verdict: SlowDiskVerdict | SlightlySlowerDisk) -> Vdev:
    """The disk in the tree; one that has just left is known by name."""
    leaves = (leaf for top in facts.pool.vdevs if top.name == verdict.vdev for leaf in top.leaves())
    found = next((leaf for leaf in leaves if leaf.name == verdict.disk), None)
    return found or Vdev(verdict.disk, "disk", "data", "")
