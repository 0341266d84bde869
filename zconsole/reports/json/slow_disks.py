"""`zconsole slow --json`: verdicts on the slow disks of one pool, with the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.guests.latency_added_to_guests import AddedLatency, added_latency
from zconsole.analysis.slow_disks.slow_disk_identity_and_next_checks import (
    DiskIdentity,
    identify,
    next_checks,
)
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import NOTHING, ZfsFacts, ZfsView, zfs_view
from zconsole.model.guests.guest import Guest
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import (
    READ,
    WRITE,
    Comparison,
    Cost,
    EpisodicDisk,
    Judgement,
    LatencyBound,
    Pause,
    Quantile,
    SlightlySlowerDisk,
    SlowDiskVerdict,
)
from zconsole.reports.json.json_line import SCHEMA, Document, rounded
from zconsole.reports.json.status import finding_document


def slow_document(  # noqa: PLR0913 - readings that are independent of each other
    judgement: Judgement,
    *,
    host: str | None = None,
    pool: Pool | None = None,
    inventory: Inventory | None = None,
    known: ZfsFacts = NOTHING,
    guests: Sequence[Guest] = (),
) -> Document:
    """Return one pool's verdicts. Without `pool` they are of a recording, whose times are not known."""
    return {
        "schema": SCHEMA,
        "samples": judgement.samples,
        "verdicts": [
            _verdict(
                one,
                identify(one.disk, one.vdev, pool, inventory),
                None if pool is None else zfs_view(one, pool, known),
                added_latency(one, pool, guests),
            )
            for one in judgement.verdicts
        ],
        "slightly_slower": [
            _slightly(one, has_times=pool is not None)
            for one in (*judgement.slightly, *judgement.were_slightly)
        ],
        "slightly_slower_vdevs": [
            _slightly(one, has_times=pool is not None) for one in judgement.slightly_vdevs
        ],
        "slow_for_short_times": [_episodes(one) for one in judgement.episodes],
        "perhaps_slower": [_slightly(one, has_times=pool is not None) for one in judgement.perhaps],
        "tails_judged": judgement.has_tails,
        "pauses": [_pause(one, has_times=pool is not None) for one in judgement.pauses],
        "quiet": [
            {
                "disk": one.disk,
                "sure": one.is_sure,
                "seconds": round(one.seconds),
                "peers": one.peers,
                "peers_operations": round(one.peers_operations),
                "late_ns": round(one.late_ns) or None,
                "first_sample": one.first_sample,
            }
            for one in judgement.quiet
        ],
        "all_slow": None
        if judgement.all_slow is None
        else {
            "sure": judgement.all_slow.is_sure,
            "mean_ns": round(judgement.all_slow.mean_ns),
            "outstanding": round(judgement.all_slow.outstanding, 2),
        },
        "undecided": [{"disk": one.disk, "reason": one.reason} for one in judgement.undecided],
        "findings": [finding_document(one) for one in judgement.findings],
        "not_known_how_much_slower": [_slightly(one, has_times=pool is not None) for one in judgement.hidden],
        "bounds": [_bound(one) for one in judgement.bounds],
        "vdev_bounds": [_bound(one) for one in judgement.vdev_bounds],
        "host": host,
        "pool": judgement.pool,
        "disks": judgement.disks,
    }


def _episodes(one: EpisodicDisk) -> Document:
    return {
        "disk": one.disk,
        "vdev": one.vdev,
        "ratio": round(one.ratio, 2),
        "sure": one.is_sure,
        "times": one.episodes,
        "every_samples": round(one.every_samples),
        "slow_seconds": one.far_seconds,
        "seconds": one.seconds,
        "first_sample": one.first_sample,
        "mean_ns": round(one.mean_ns),
        "peers_ns": round(one.reference_ns),
    }


def _pause(one: Pause, *, has_times: bool) -> Document:
    return {
        "disks": list(one.disks),
        "sure": one.is_sure,
        "ongoing": one.is_ongoing,
        "times": one.times,
        "longest_ns": round(one.longest_ns),
        "outstanding": one.outstanding,
        "answered": list(one.answered),
        "what": one.what or None,
        "first_sample": one.first_sample,
        "last_sample": one.last_sample,
        "first_at": one.first_at if has_times else None,
        "last_at": one.last_at if has_times else None,
    }


def _bound(one: LatencyBound) -> Document:
    return {
        "operation": one.operation,
        "ratio": round(one.ratio, 3),
        "widened": round(one.widened, 2),
        "apart": round(one.apart, 2),
        "confidence": one.confidence,
        "disks": one.disks,
        "operations": one.operations,
    }


def _verdict(
    verdict: SlowDiskVerdict, seen: DiskIdentity, view: ZfsView | None, added: Sequence[AddedLatency]
) -> Document:
    return {
        "disk": verdict.disk,
        "vdev": verdict.vdev,
        "operations": list(verdict.operations),
        "ratio": rounded(verdict.measured_ratio),
        "confidence": round(verdict.confidence, 3),
        "first_sample": verdict.first_sample,
        "decided_sample": verdict.decided_sample,
        "last_sample": verdict.last_sample,
        "ongoing": verdict.is_ongoing,
        "peers": list(verdict.peers),
        "evidence": _evidence(verdict, seen, view),
        "guests": list(added[0].guests) if added else [],
        "added_to_guests": {
            operation: next((_added(one) for one in added if one.operation == operation), None)
            for operation in (READ, WRITE)
        },
    }


def _evidence(verdict: SlowDiskVerdict, seen: DiskIdentity, view: ZfsView | None) -> Document:
    compared = {one.operation: _comparison(one) for one in verdict.compared}
    costs = {one.operation: _cost(one) for one in verdict.costs}
    stalls: Document | None = None
    if verdict.stalls is not None:
        stalls = {"count": verdict.stalls.count, "longest_ns": round(verdict.stalls.longest_ns),
                  "outstanding": verdict.stalls.outstanding}  # fmt: skip
    return {
        "kind": verdict.kind,
        READ: compared.get(READ),
        WRITE: compared.get(WRITE),
        "quantiles": {
            operation: [_quantile(one) for one in verdict.quantiles if one.operation == operation]
            for operation in (READ, WRITE)
        },
        "stalls": stalls,
        "busy": rounded(verdict.busy),
        "peers_busy": rounded(verdict.peers_busy),
        "queued": rounded(verdict.queued),
        "peers_queued": rounded(verdict.peers_queued),
        "cost": {READ: costs.get(READ), WRITE: costs.get(WRITE)},
        "first_at": verdict.first_at if view is not None else None,
        "last_at": verdict.last_at if view is not None else None,
        "serial": seen.serial or None,
        "model": seen.model or None,
        "device": seen.device or None,
        "slot": seen.slot or None,
        "slow_ios": seen.slow_ios,
        "zfs": None if view is None else _view(view),
        "next": list(next_checks(verdict, seen)),
    }


def _slightly(one: SlightlySlowerDisk, *, has_times: bool) -> Document:
    compared = {each.operation: _comparison(each) for each in one.compared}
    return {
        "disk": one.disk,
        "vdev": one.vdev,
        "ongoing": one.is_ongoing,
        "ratio": round(one.ratio, 2),
        "slower_seconds": one.slower_seconds,
        "reads_alone": bool(one.alone),
        "within_a_bucket": one.is_within_a_step,
        "seconds": one.seconds,
        "first_sample": one.first_sample,
        "decided_sample": one.decided_sample,
        "first_at": one.first_at if has_times else None,
        READ: compared.get(READ),
        WRITE: compared.get(WRITE),
        "peers": list(one.peers),
    }


def _comparison(one: Comparison) -> Document:
    return {
        "mean_ns": round(one.mean_ns),
        "peers_ns": round(one.reference_ns),
        "ratio": round(one.ratio, 2),
        "ratio_range": [round(each, 2) for each in one.ratios],
        "operations": round(one.operations),
        "samples": one.samples,
        "watch_samples": one.seconds,
        "watch_mean_ns": round(one.watch_mean_ns) or None,
        "watch_peers_ns": round(one.watch_reference_ns) or None,
        "score": round(one.score, 1),
    }


def _view(view: ZfsView) -> Document:
    return {
        "agrees": view.agrees,
        "slow_ios_rise": view.has_risen,
        "delays": view.delays,
        "deadmen": view.deadmen,
        "autosit": view.autosit,
        "sits_out": view.sits_out,
        "state": view.state or None,
        "degraded_for_slow_io": view.is_degraded,
    }


def _quantile(one: Quantile) -> Document:
    return {
        "share": one.share,
        "value_ns": round(one.value_ns),
        "peers_ns": round(one.reference_ns),
        "ratio": round(one.ratio, 2),
        "operations": one.operations,
        "far": one.is_far,
    }


def _added(one: AddedLatency) -> Document:
    return {
        "pool_ns": round(one.pool_ns),
        "vdev_ns": round(one.vdev_ns),
        "share": round(one.share, 3),
    }


def _cost(one: Cost) -> Document:
    return {
        "vdev_with_ns": round(one.vdev_with_ns),
        "vdev_without_ns": round(one.vdev_without_ns),
        "pool_with_ns": round(one.pool_with_ns),
        "pool_without_ns": round(one.pool_without_ns),
        "share": one.share,
    }
