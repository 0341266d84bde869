"""Rules on scrubs, resilvers and other background activity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.analysis.vdevs.redundancy import ended_badly
from zconsole.analysis.vdevs.scan_eta import Estimate, estimate_scan, how_it_ended, in_words, percent_of
from zconsole.base.fixed_width_formatting import duration, size
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity
from zconsole.model.pools.pool import HEALTHY_STATES, SUSPENDED, Pool, PoolActivity, Scan

RESTARTS_WARNING: Final = 3  # a scan that restarts this often may never end
STANDS_STILL: Final = "stands still while the pool is imported read-only"
_UNDER_WAY: Final = frozenset({"active", "suspended"})
EXPANSION: Final = "raidz_expand"
_ACTIVITY_WORDS: Final = {EXPANSION: "expansion"}
REPAIRED_DAYS: Final = 45  # a repair by a scrub is told for so long


def scan_is_under_way(facts: RuleInput) -> Iterator[Finding]:
    """Scrub or resilver that is running, or was restarted; of several vdevs each sequential resilver.

    Of how fast it is only that of the pool's newest scan is known.
    """
    scan, running = facts.pool.scan, facts.pool.running_scans
    if facts.state.state == SUSPENDED:
        return  # nothing runs: it goes on once the pool is cleared
    is_still = facts.pool.is_read_only
    for each in running if is_still else (other for other in running if other is not scan):
        yield facts.found(
            "scan-running",
            Severity.INFO,
            _named(each, in_words(each, None), running) + (f", {STANDS_STILL}" if is_still else ""),
            function=each.function,
            scanned_vdev=each.vdev,
            percent=each.percent,
            start=each.start,
        )
    if scan is None or not scan.is_running or is_still:
        return
    judged = _judge(facts, scan)
    restarts = facts.state.scan_restarts + (judged.restarts if judged is not None else 0)
    is_stalled = judged is not None and judged.is_stalled
    finding_id, severity = "scan-running", Severity.INFO
    if is_stalled:
        finding_id, severity = "scan-stalled", Severity.WARNING
    elif restarts >= RESTARTS_WARNING:
        finding_id, severity = "scan-restarting", Severity.WARNING
    yield facts.found(
        finding_id,
        severity,
        _named(scan, in_words(scan, judged, restarts=facts.state.scan_restarts), running),
        function=scan.function,
        scanned_vdev=scan.vdev,
        percent=judged.percent if judged is not None and judged.percent is not None else percent_of(scan),
        start=scan.start,
        low_s=None if judged is None or judged.low_s is None else round(judged.low_s),
        high_s=None if judged is None or judged.high_s is None else round(judged.high_s),
        bytes_per_s=None if judged is None or judged.rate is None else round(judged.rate),
        stalled_for_s=round(judged.stalled_for_s) if judged is not None and is_stalled else None,
        restarts=restarts,
    )


def _named(scan: Scan, words: str, running: Sequence[Scan]) -> str:
    """The words with the vdev of a sequential resilver, where several run."""
    return f"{scan.vdev}: {words}" if scan.vdev is not None and len(running) > 1 else words


def resilver_ended_with_errors(facts: RuleInput) -> Iterator[Finding]:
    """The last scan is a resilver that could not read some blocks, or that was canceled.

    These stay in the device's list of what it lacks (`vdev_dtl_reassess` of OpenZFS); `zpool status` shows
    the device as complete.
    """
    scan = facts.pool.scan
    if scan is None or not ended_badly(scan):
        return
    yield facts.found(
        "resilver-errors",
        Severity.WARNING,
        f"the last resilver {how_it_ended(scan)}: what it filled may lack blocks",
        errors=scan.errors,
        end=scan.end,
    )


def scrub_found_something(facts: RuleInput) -> Iterator[Finding]:
    """The last scrub met blocks that it could not repair, or repaired some, and nothing else tells of it.

    Counters of devices and the list of damaged files may have been cleared, or emptied by a reboot, since.
    """
    scrub = facts.pool.last_scrub
    if scrub is None or scrub.state != "finished" or scrub.end is None or facts.pool.data_errors:
        return
    if scrub.errors:
        yield facts.found(
            "scrub-errors",
            Severity.WARNING,
            f"the last scrub {how_it_ended(scrub)}, and no damaged file is known",
            errors=scrub.errors,
            end=scrub.end,
        )
    elif scrub.repaired_bytes and facts.now - scrub.end < REPAIRED_DAYS * DAY_S:
        if any(leaf.has_errors for leaf in facts.pool.walk()):
            return
        yield facts.found(
            "scrub-repaired",
            Severity.INFO,
            f"the last scrub repaired {size(scrub.repaired_bytes)}, and no device counts an error now",
            repaired_bytes=scrub.repaired_bytes,
            end=scrub.end,
        )


def scrub_is_due(facts: RuleInput) -> Iterator[Finding]:
    """Every block should be read once a month.

    ZFS records only the last scan: a resilver or a canceled scrub hides the date of the last full scrub,
    which must be older.
    """
    scan, overdue_s = facts.pool.scan, facts.thresholds.scrub_overdue_days * DAY_S
    if scan is None:
        yield from _never_scrubbed(facts, overdue_s)
        return
    scan = scan if scan.is_running else facts.pool.last_scrub or scan
    at = scan.end if scan.end is not None else scan.start
    if scan.is_running or at is None:
        return
    age_s, is_known = facts.now - at, scan.function == "scrub" and scan.state == "finished"
    if scan.state == "paused":
        yield facts.advised(
            "scrub-paused",
            f"{in_words(scan, None)}, started {duration(age_s)} ago",
            Advised(
                f"paused, {duration(age_s)} after its start",
                f"at most {facts.thresholds.scrub_overdue_days:g}d",
                ProposedAction("scrub", facts.pool.name),
            ),
            risk=Severity.WARNING if age_s > overdue_s else Severity.INFO,
            start=scan.start,
            percent=scan.percent,
        )
    elif age_s > overdue_s:
        days = int(age_s // DAY_S)
        canceled = "; the last one was canceled" if scan.state == "canceled" else ""
        skipped = f"; some timers skip a pool that is {facts.pool.state}" if _is_skipped(facts.pool) else ""
        yield facts.advised(
            "scrub-overdue",
            (f"last scrub {days}d ago" if is_known else f"no full scrub for at least {days}d")
            + canceled
            + skipped,
            Advised(
                f"{days}d" if is_known else f"{days}d at least",
                f"at most {facts.thresholds.scrub_overdue_days:g}d",
                ProposedAction("scrub", facts.pool.name),
            ),
            risk=Severity.WARNING,
            last_scrub=at if is_known else None,
            days=days,
            limit_days=facts.thresholds.scrub_overdue_days,
        )


def scan_is_too_slow(facts: RuleInput) -> Iterator[Finding]:
    """A scrub or resilver that takes longer than the time between two scrubs: it cannot keep up."""
    scan, limit_s = facts.pool.scan, facts.thresholds.scrub_overdue_days * DAY_S
    if scan is None or scan.start is None or scan.function not in {"scrub", "resilver"}:
        return
    if scan.is_running:
        judged = _judge(facts, scan)
        left_s = judged.low_s if judged is not None and judged.low_s is not None else 0.0
        took_s = facts.now - scan.start + left_s
        words = f"has run for {duration(facts.now - scan.start)}"
        words += f", and needs {duration(left_s)} more at least" if left_s else " and has not ended"
    elif scan.state == "finished" and scan.end is not None:
        took_s = scan.end - scan.start
        words = f"took {duration(took_s)}"
    else:
        return
    if took_s > limit_s:
        yield facts.advised(
            "scan-too-slow",
            f"the {scan.function} {words}: a pool should be scrubbed within "
            f"{facts.thresholds.scrub_overdue_days:g}d",
            Advised(f"{duration(took_s)}", f"{facts.thresholds.scrub_overdue_days:g}d", None),
            risk=Severity.WARNING if scan.is_running else Severity.INFO,
            function=scan.function,
            took_s=round(took_s),
            limit_days=facts.thresholds.scrub_overdue_days,
        )


def activity_is_running(facts: RuleInput) -> Iterator[Finding]:
    """Removal, expansion, initialize or trim in progress; the same on many devices is one finding."""
    by_kind: dict[tuple[str, str], list[PoolActivity]] = {}
    for activity in _running(facts.pool):
        by_kind.setdefault((activity.kind, activity.state), []).append(activity)
    for (kind, state), running in by_kind.items():
        names = tuple(activity.vdev for activity in running if activity.vdev is not None)
        percents = [activity.percent for activity in running if activity.percent is not None]
        what = names[0] if len(names) == 1 else f"{len(names)} devices"
        yield facts.found(
            "activity-running",
            Severity.INFO,
            _ACTIVITY_WORDS.get(kind, kind.replace("_", " "))
            + (f" of {what}" if names else "")
            + _span_of(percents)
            + _halted(kind, state),
            vdev=next((vdev for vdev in facts.pool.walk() if names == (vdev.name,)), None),
            kind=kind,
            state=state,
            percent=min(percents, default=None),
            devices=names,
        )


def _halted(kind: str, state: str) -> str:
    """An expansion waits for devices, what was suspended by a command waits for another one."""
    if state != "suspended":
        return ""
    return ", paused for a resilver or clear" if kind == EXPANSION else ", suspended"


def _running(pool: Pool) -> Iterator[PoolActivity]:
    of_leaves = (
        PoolActivity(each.kind, vdev.name, each.state, each.percent)
        for vdev in pool.walk()
        for each in vdev.activities
    )
    seen: set[tuple[str, str | None]] = set()
    for activity in (*pool.activities, *of_leaves):
        key = (activity.kind, activity.vdev)
        if activity.state in _UNDER_WAY and key not in seen:
            seen.add(key)
            yield activity


def _span_of(percents: Sequence[float]) -> str:
    if not percents:
        return ""
    low, high = f"{min(percents):.0f}", f"{max(percents):.0f}"
    return f", {low}%" if low == high else f", {low}-{high}%"


def _judge(facts: RuleInput, scan: Scan) -> Estimate | None:
    stalled_after_s = facts.thresholds.scan_stalled_minutes * 60
    return estimate_scan(scan, facts.state.scan_history, facts.now, stalled_after_s=stalled_after_s)


def _is_skipped(pool: Pool) -> bool:
    """Whether Debian's script of the monthly scrub leaves it out."""
    return pool.state not in HEALTHY_STATES


def _never_scrubbed(facts: RuleInput, overdue_s: float) -> Iterator[Finding]:
    creation = facts.pool.creation
    if creation is not None and facts.now - creation <= overdue_s:
        return
    yield facts.advised(
        "scrub-never",
        "never scrubbed",
        Advised(
            "no scrub",
            f"one every {facts.thresholds.scrub_overdue_days:g}d",
            ProposedAction("scrub", facts.pool.name),
        ),
        risk=Severity.INFO if creation is None else Severity.WARNING,
        created=creation,
        limit_days=facts.thresholds.scrub_overdue_days,
    )


RULES: Final[tuple[Rule, ...]] = (
    scan_is_under_way,
    resilver_ended_with_errors,
    scrub_found_something,
    scrub_is_due,
    scan_is_too_slow,
    activity_is_running,
)
