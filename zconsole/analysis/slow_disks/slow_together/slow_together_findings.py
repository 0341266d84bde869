"""Findings on disks that are slow together, of which no single one is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import Suspicion
from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slow_together.faster_and_slower_disks import Sides
from zconsole.analysis.slow_disks.verdict_sentence import pause_sentence
from zconsole.base.fixed_width_formatting import latency
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity
from zconsole.model.pools.slow_disk import HALF_SLOW, NOT_ANSWERING, VDEV_SLOW, Pause

MOST_NAMED: Final = 8  # disks named in a sentence
_STANDS_OUT: Final = "no disk of it stands out"


def half_are_slow(moment: SampleContext, slow: Sequence[int], judged: int, sides: Sides | None) -> Finding:
    """Half of the disks of a kind; `sides` has them beside the faster ones, if they are known."""
    names = _names(moment, slow)
    ratio = max(_largest_ratio(moment.disks[at]) for at in slow) if sides is None else sides.ratio
    return Finding(
        HALF_SLOW,
        Severity.INFO,
        moment.sample.pool,
        f"{len(slow)} of {judged} disks are slower than the others at once, up to {ratio:.1f}x "
        f"({shortened(names, MOST_NAMED)}), and more load does not explain it: what they share (controller, "
        f"cable, firmware, the kind of disk) does as well as {len(slow)} slow disks do, so none is named",
        {"pool": moment.sample.pool, "disks": names, "judged": judged, "ratio": ratio},
    )


def most_are_slow(moment: SampleContext, sides: Sides) -> Finding:
    """More than half of the disks that are alike: they are slow, or the others are of a faster kind."""
    pool, members = moment.sample.pool, moment.layout.members
    slow, fast = _names(moment, sides.slow), _names(moment, sides.fast)
    vdevs = {members[at].vdev for at in sides.group}
    is_one_of_several = len(vdevs) == 1 < len({member.vdev for member in members})
    vdev = members[sides.group[0]].vdev if is_one_of_several else ""
    of = f" of {vdev}" if vdev else ""
    others, them = ("other one", "that is") if len(fast) == 1 else (f"other {len(fast)}", "those are")
    return Finding(
        HALF_SLOW,
        Severity.INFO,
        f"{pool} {vdev}".strip(),
        f"{len(slow)} of {len(slow) + len(fast)} disks{of} are slower than the {others} at once, up to "
        f"{sides.ratio:.1f}x ({shortened(slow, MOST_NAMED)}): {sides.operation}s take up to "
        f"{latency(sides.slow_ns)}, those of {shortened(fast, MOST_NAMED)} {latency(sides.fast_ns)}, and "
        f"more load does not explain it. Either they are slow, or what they share is (controller, cable, "
        f"firmware), or {them} of a faster kind (flash, a cache); none is named",
        {
            "pool": pool,
            **({"vdev": vdev} if vdev else {}),
            "disks": slow,
            "judged": len(slow) + len(fast),
            "ratio": sides.ratio,
            "faster": fast,
            "operation": sides.operation,
            "mean_ns": sides.slow_ns,
            "reference_ns": sides.fast_ns,
        },
    )


def are_not_answering(pool: str, pause: Pause) -> Finding:
    """Disks that hold I/O at the same time and complete none."""
    return Finding(
        NOT_ANSWERING,
        Severity.WARNING,
        pool,
        f"{pause_sentence(pause)}: what they share, or the host, explains that better than "
        f"{len(pause.disks)} disks that fail at once",
        {
            "pool": pool,
            "disks": pause.disks,
            "times": pause.times,
            "longest_s": round(pause.longest_ns / 1e9, 1),
            "outstanding": pause.outstanding,
            "answered": pause.answered,
            "since": round(pause.first_at),
            "until": None if pause.is_ongoing else round(pause.last_at),
        },
    )


def has_all_of(known: Finding, found: Finding) -> bool:
    """Whether what is known compares all of these disks with the faster ones, and more of them."""
    told, disks = known.evidence.get("disks"), found.evidence["disks"]
    return (
        "faster" in known.evidence
        and isinstance(told, tuple)
        and isinstance(disks, tuple)
        and {*told} >= {*disks}
    )


def _names(moment: SampleContext, disks: Sequence[int]) -> tuple[str, ...]:
    return tuple(moment.layout.members[at].disk for at in disks)


def _largest_ratio(state: DiskMemory) -> float:
    seen = (track.suspicion for track in state.tracks if track.suspicion is not None)
    return max(
        (each.mean_ns / each.mean_reference_ns for each in seen if each.mean_reference_ns), default=1.0
    )


def vdev_is_slow(moment: SampleContext, group: Sequence[int], seen: Suspicion, operations: str) -> Finding:
    """A vdev by the faster half of its disks, against the others like it."""
    pool, vdev = moment.sample.pool, moment.layout.members[group[0]].vdev
    own, others = seen.mean_ns, seen.mean_reference_ns
    return Finding(
        VDEV_SLOW,
        Severity.INFO,
        f"{pool} {vdev}",
        f"more than half of the disks of {vdev} are slow: their {operations} take {latency(own)} or "
        f"more, those of the other vdevs {latency(others)}; {_STANDS_OUT}",
        {"pool": pool, "vdev": vdev, "operations": operations, "mean_ns": own, "reference_ns": others},
    )


def beside(finding: Finding, named: Mapping[str, str]) -> Finding:
    """A slow vdev of which a disk is `named`, by vdev, does not say that none stands out."""
    disk = named.get(str(finding.evidence.get("vdev"))) if finding.id == VDEV_SLOW else None
    if disk is None:
        return finding
    return replace(finding, summary=finding.summary.replace(_STANDS_OUT, f"{disk} is slower still"))
