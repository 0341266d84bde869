"""Rules on the health of a pool and its top-level vdevs, and their remaining redundancy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.rule_input import Rule, RuleInput
from zconsole.analysis.repair.data_at_stake.pool_that_is_not_open import missing_log
from zconsole.analysis.vdevs.disk_places_now_and_last_seen import name_to_find
from zconsole.analysis.vdevs.redundancy import (
    Redundancy,
    can_lack_data,
    in_words,
    pool_redundancy,
    survivable,
    vdev_redundancy,
)
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.name_lists import joined_by_and, shortened
from zconsole.model.finding import Advised, Finding, ProposedAction, Severity
from zconsole.model.pools.pool import DEAD_STATES, HEALTHY_STATES, SUSPENDED, Pool, Vdev

DEGRADED: Final = "DEGRADED"
OFFLINE: Final = "OFFLINE"
MULTIHOST: Final = "multihost"  # in what ZFS prints of a pool that it suspended for the writes of `multihost`
NOT_SHOWN: Final = "a resilver runs, and ZFS does not show yet what it fills"
CAUSES_NAMED: Final = 4  # in the sentence; the evidence has all


def pool_is_suspended(facts: RuleInput) -> Iterator[Finding]:
    """A suspended pool does no I/O until its devices are back and it is cleared."""
    if SUSPENDED in (facts.state.kstat_state, facts.pool.state):
        is_multihost = MULTIHOST in f"{facts.pool.status} {facts.pool.action}".lower()
        why = "multihost writes failed or were late; another host may have the pool"
        yield facts.found(
            "pool-suspended",
            Severity.CRITICAL,
            f"SUSPENDED: {why}" if is_multihost
            else "SUSPENDED: all I/O waits until its devices are back and the pool is cleared",
            status=facts.pool.status or None,
            is_multihost=is_multihost,
        )  # fmt: skip


def pool_is_read_only(facts: RuleInput) -> Iterator[Finding]:
    """ZFS writes nothing of it: it neither resilvers what came back nor shows that it lacks data."""
    if facts.pool.is_read_only:
        yield facts.found(
            "pool-read-only",
            Severity.INFO,
            "imported read-only: ZFS repairs and resilvers nothing of it, nor does it show what a disk "
            "that was away has missed",
        )


def pool_is_dead(facts: RuleInput) -> Iterator[Finding]:
    """A faulted or unavailable pool cannot be used."""
    state = facts.pool.state
    if state in DEAD_STATES:
        yield facts.found(
            "pool-faulted" if state == "FAULTED" else "pool-unavail",
            Severity.CRITICAL,
            f"{state}: the pool cannot be used, because its log is missing"
            if (logs := missing_log(facts.pool))
            else f"{state}: the pool cannot be used",
            state=state,
            missing_log=logs or None,
            status=facts.pool.status or None,
        )


def pool_state_is_unknown(facts: RuleInput) -> Iterator[Finding]:
    """A state that zconsole does not know may be serious."""
    state = facts.pool.state
    if state not in HEALTHY_STATES | DEAD_STATES | {DEGRADED, SUSPENDED}:
        yield facts.found(
            "pool-state-unknown", Severity.WARNING, f"in state {state}, which is not known here", state=state
        )


def vdev_is_lost(facts: RuleInput) -> Iterator[Finding]:
    """More devices of a vdev failed than its redundancy allows."""
    for each in pool_redundancy(facts.pool):
        if each.is_lost:
            yield facts.found(
                "vdev-lost",
                Severity.CRITICAL,
                in_words(each),
                vdev=_named(facts.pool, each.vdev),
                by_design=each.by_design,
                failed=each.failed,
            )


def vdev_is_incomplete(facts: RuleInput) -> Iterator[Finding]:
    """A vdev that works, and of which more devices lack data than it can make up for.

    What a device missed during its outage is on the others only: one of them has failed since.
    """
    for each in pool_redundancy(facts.pool):
        if each.is_incomplete:
            lacking = joined_by_and(_names_to_find(facts.pool, each.vdev, each.failed))
            yield facts.found(
                "vdev-incomplete",
                Severity.CRITICAL,
                f"{in_words(each)}: what {_so_many(each)} of {lacking} lack cannot be read"
                if len(each.failed) > 1
                else f"{in_words(each)}: what it lacks cannot be read",
                vdev=_named(facts.pool, each.vdev),
                by_design=each.by_design,
                failed=each.failed,
            )


def _names_to_find(pool: Pool, top: str, failed: Sequence[str]) -> list[str]:
    """The names of a vdev's children, of devices such as an administrator finds."""
    named = {each.name: each for each in _named(pool, top).walk()}
    return [name_to_find(named[name]) if name in named else name for name in failed]


def _so_many(each: Redundancy) -> str:
    """How many devices that lack the same make it unreadable."""
    return "all" if len(each.failed) == each.by_design + 1 else f"more than {each.by_design}"


def vdev_survives_nothing(facts: RuleInput) -> Iterator[Finding]:
    """A vdev that had redundancy has none left: the next failure loses the pool.

    A warning while every device works and one is only resilvering, or where ZFS does not show whether there
    is none; information while a device fills that was attached.
    """
    perhaps_filled = [each for each in pool_redundancy(facts.pool) if _is_not_shown(each)]
    if len(perhaps_filled) > 1:
        yield _one_of_them_survives_nothing(facts, perhaps_filled)
    for each in pool_redundancy(facts.pool):
        if not (each.is_used_up or each.may_be_used_up) or (
            len(perhaps_filled) > 1 and each in perhaps_filled
        ):
            continue
        vdev = _named(facts.pool, each.vdev)
        is_catching_up = vdev.state == "ONLINE" and each.is_used_up
        severity, words = Severity.CRITICAL, in_words(each)
        if is_catching_up:
            is_new = _is_attached(facts, vdev, each)
            severity, words = (
                Severity.INFO if is_new else Severity.WARNING,
                f"{in_words(each)} until it is resilvered",
            )
        elif each.may_be_used_up:
            severity = Severity.WARNING
        is_told = each in perhaps_filled
        if is_told:
            severity, words = _of_what_is_not_shown(facts, vdev, each)
        is_open = each.at_least < 0 and not each.may_be_incomplete and not is_catching_up
        if not is_told and each.in_doubt and (is_open or (each.may_be_used_up and not is_catching_up)):
            words += f": ZFS does not show whether {_have(each.in_doubt)} all data"
        yield facts.found(
            "vdev-no-redundancy",
            severity,
            words,
            vdev=vdev,
            by_design=each.by_design,
            left=each.left,
            failed=each.failed,
            in_doubt=each.in_doubt,
            may_be_incomplete=each.may_be_incomplete,
            **({"is_not_shown": True} if is_told else {}),
        )


def _is_not_shown(each: Redundancy) -> bool:
    """Whether its last redundancy may be what a resilver fills, and no device of it is named."""
    return each.may_be_filled and each.left == 1 and not each.in_doubt


def _of_what_is_not_shown(facts: RuleInput, top: Vdev, each: Redundancy) -> tuple[Severity, str]:
    """Of the only vdev with one failure left, while a resilver runs that names no device."""
    if can_lack_data(facts.pool) != (top.name,) or any(leaf.state in DEAD_STATES for leaf in top.leaves()):
        return Severity.WARNING, f"{in_words(each)}: {NOT_SHOWN}"
    is_new = any(leaf.guid in facts.attached for leaf in top.leaves())
    unless = "unless what the resilver fills was detached meanwhile"
    words = f"no redundancy left in {top.name} until it is resilvered, {unless}"
    return Severity.INFO if is_new else Severity.WARNING, words


def _one_of_them_survives_nothing(facts: RuleInput, those: Sequence[Redundancy]) -> Finding:
    """A resilver fills a device that it has not written to yet, in one of several vdevs."""
    names = tuple(each.vdev for each in those)
    listed = joined_by_and(names) if len(names) <= CAUSES_NAMED else shortened(names, CAUSES_NAMED)
    return facts.found(
        "vdev-no-redundancy",
        Severity.WARNING,
        f"perhaps no redundancy left in one of {listed}: {NOT_SHOWN}",
        vdevs=names,
        left=1,
        failed=(),
        in_doubt=names,
        is_not_shown=True,
    )


def _have(names: Sequence[str]) -> str:
    """`spare-2 has`, `spare-2 and spare-5 have`."""
    return f"{joined_by_and(names)} {'has' if len(names) == 1 else 'have'}"


def _is_attached(facts: RuleInput, top: Vdev, redundancy: Redundancy) -> bool:
    """Whether what is filled was attached just now: only that is rebuilt in sequence, or an event says so."""
    if any(each.vdev == top.name for each in facts.pool.running_scans):
        return True
    filled = [leaf for child in top.children if child.name in redundancy.failed for leaf in child.leaves()]
    return bool(filled) and all(leaf.guid in facts.attached for leaf in filled)


def pool_is_degraded(facts: RuleInput) -> Iterator[Finding]:
    """A degraded pool has less redundancy than designed; since when, and because of which devices."""
    if facts.pool.state != DEGRADED:
        return
    since = facts.state.degraded_since
    causes = tuple(_cause(vdev) for vdev in facts.pool.walk() if vdev.is_leaf and _is_a_cause(vdev))
    listed = shortened(causes, CAUSES_NAMED)
    weakened = [each for each in pool_redundancy(facts.pool) if 0 < each.left < each.by_design]
    remaining = f"; {in_words(min(weakened, key=lambda each: each.left))}" if weakened else ""
    lasting = "" if since is None else f" for {duration(facts.now - since)}"
    yield facts.found(
        "pool-degraded",
        Severity.WARNING,
        f"DEGRADED{lasting}" + (f": {listed}" if listed else "") + remaining,
        survives=survivable(facts.pool),
        since=None if since is None else int(since),
        causes=causes,
        status=facts.pool.status or None,
    )


def pool_has_no_redundancy(facts: RuleInput) -> Iterator[Finding]:
    """A pool of single disks, by design: a failed disk loses it, and few damaged blocks can be repaired."""
    redundancies = pool_redundancy(facts.pool)
    if not redundancies or any(each.by_design or each.is_lost for each in redundancies):
        return
    number = len(redundancies)
    who = "its only device has no" if number == 1 else f"none of its {number} devices has"
    yield facts.advised(
        "pool-without-redundancy",
        f"{who} redundancy: losing {'it' if number == 1 else 'one'} loses the pool, and of damaged data "
        "only what has copies (metadata, or copies=2 and 3) can be repaired",
        Advised("0 failures survived", "1 or more", _attach(facts.pool, redundancies[0].vdev)),
        risk=Severity.INFO,
        vdevs=tuple(each.vdev for each in redundancies),
    )


def vdev_is_weaker(facts: RuleInput) -> Iterator[Finding]:
    """A pool is as safe as its weakest vdev; a vdev without redundancy among redundant ones is reported."""
    redundancies = pool_redundancy(facts.pool)
    strongest = max((each.by_design for each in redundancies), default=0)
    for each in redundancies:
        if each.by_design == strongest or each.is_lost:
            continue
        vdev = _named(facts.pool, each.vdev)
        what = each.vdev if each.vdev_class == "data" else f"{each.vdev} ({each.vdev_class})"
        if each.by_design == 0:
            yield facts.advised(
                "vdev-without-redundancy",
                f"{what} has no redundancy: losing it loses the whole pool",
                Advised(
                    "0 failures survived",
                    f"{strongest}, as other vdevs of the pool",
                    _attach(facts.pool, each.vdev),
                ),
                risk=Severity.WARNING,
                vdev=vdev,
                by_design=0,
                strongest=strongest,
            )
        else:
            yield facts.advised(
                "redundancy-uneven",
                f"{what} survives {each.by_design} by design, the strongest of the pool {strongest}",
                Advised(
                    f"{each.by_design} failures survived",
                    f"{strongest}, as other vdevs of the pool",
                    _attach(facts.pool, each.vdev),
                ),
                risk=Severity.INFO,
                vdev=vdev,
                by_design=each.by_design,
                strongest=strongest,
            )


def log_has_no_redundancy(facts: RuleInput) -> Iterator[Finding]:
    """A log on a single device in a pool whose data has redundancy.

    What is in the log is read once: at the import after a crash. Until then it is in memory as well.
    """
    weakest = min((each.by_design for each in pool_redundancy(facts.pool)), default=0)
    if weakest == 0:
        return
    for top in facts.pool.of_class("log"):
        of_log = vdev_redundancy(top)
        if of_log is None or of_log.by_design or top.state not in HEALTHY_STATES:
            continue
        yield facts.advised(
            "log-without-redundancy",
            f"its log is on {top.name} alone: a crash in which that device fails loses synchronous writes "
            "of the last seconds",
            Advised("0 failures survived by the log", "1 or more", _attach(facts.pool, top.name)),
            vdev=top,
            by_design=0,
            weakest_of_data=weakest,
        )


def _attach(pool: Pool, vdev: str) -> ProposedAction | None:
    """The attachment of a further disk to a single device or to a mirror; the disk is asked for."""
    top = _named(pool, vdev)
    leaf = next((leaf for leaf in top.leaves() if leaf.state in HEALTHY_STATES), None)
    if leaf is None or not (top.is_leaf or top.type == "mirror"):
        return None
    return ProposedAction("attach", pool.name, (leaf.name,))


def _named(pool: Pool, name: str) -> Vdev:
    return next(vdev for vdev in pool.vdevs if vdev.name == name)


def _is_a_cause(vdev: Vdev) -> bool:
    return vdev.vdev_class not in {"cache", "spare"} and vdev.state not in HEALTHY_STATES


def _cause(vdev: Vdev) -> str:
    if vdev.state == OFFLINE:
        return f"{name_to_find(vdev)} taken OFFLINE by an administrator"
    return f"{name_to_find(vdev)} {vdev.state}"


RULES: Final[tuple[Rule, ...]] = (
    pool_is_suspended,
    pool_is_dead,
    pool_is_read_only,
    vdev_is_lost,
    vdev_is_incomplete,
    vdev_survives_nothing,
    pool_is_degraded,
    pool_state_is_unknown,
    vdev_is_weaker,
    pool_has_no_redundancy,
    log_has_no_redundancy,
)
