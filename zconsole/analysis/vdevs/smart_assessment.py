"""Judgement of a disk's SMART data: what is wrong, how bad, and whether disk, cable or cooling is to blame.

Which counters tell of failures to come: Pinheiro, Weber and Barroso, "Failure Trends in a Large Disk Drive
Population" (FAST '07); Backblaze, "What SMART Stats Tell Us About Hard Drives" (2016), which names the
attributes 5, 187, 188, 197 and 198. 188 is left out: some makers keep three numbers in its raw value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.pools.smart_health import DiskHealth, EarlierHealth

MANY_REALLOCATED: Final = 50  # sectors; a few are normal in a disk's life
WORN: Final = 90  # percent of the rated endurance
SPARE_MARGIN: Final = 5  # percent above the maker's threshold
HOT_C: Final = 60  # where the disk names no limit: the usual limit of hard disks and of SATA flash
HOUR_S: Final = 3600
DAY_S: Final = 86_400
STEADY_S: Final = 6 * DAY_S  # a counter that is the same for a week, less the hour of a reading, is steady
HOURS_BELOW_S: Final = 2 * DAY_S  # shorter times are told in hours
_WARNINGS: Final = (  # NVMe Base Specification 2.0, SMART / Health Information log, Critical Warning
    (0, Severity.CRITICAL, "the spare blocks are used up"),
    (2, Severity.CRITICAL, "the disk reports itself unreliable after media or internal errors"),
    (3, Severity.CRITICAL, "the disk has gone read-only"),
    (4, Severity.WARNING, "the backup of its volatile cache has failed"),
    (5, Severity.WARNING, "its persistent memory region is read-only or unreliable"),
)


class Blame(Enum):
    """Which part a complaint is about."""

    DISK = "disk"
    CABLE = "cable"
    COOLING = "cooling"


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing that is wrong with a disk: a stable id, how bad, in words with the numbers, and the part."""

    id: str
    severity: Severity
    words: str
    blame: Blame = Blame.DISK
    has_grown: bool = False  # since the earlier data
    is_steady: bool = False  # a counter that has not grown in a week


def complaints(health: DiskHealth, earlier: EarlierHealth | None = None) -> tuple[Complaint, ...]:
    """Everything that is wrong with a disk, worst first; none for a sound disk.

    A counter that grew since `earlier` weighs more than one that is old.
    """
    found = [
        *_own_verdict(health),
        *_media(health, earlier),
        *_flash(health),
        *_cable(health, earlier),
        *_temperature(health),
        *_self_test(health),
    ]
    return tuple(sorted(found, key=lambda each: -each.severity))


def against_the_disk(found: Iterable[Complaint]) -> tuple[Complaint, ...]:
    """What speaks against the disk itself, and not its cable or cooling, without old numbers that are few."""
    return tuple(each for each in found if each.blame is Blame.DISK and each.severity > Severity.INFO)


def _own_verdict(health: DiskHealth) -> Iterator[Complaint]:
    if health.is_passing is False:
        why = health.verdict_words or ", ".join(health.failing_attributes)
        words = "SMART predicts failure" + (f": {why}" if why else "")
        yield Complaint("smart-failing", Severity.CRITICAL, words)
    elif health.failing_attributes:
        named = ", ".join(health.failing_attributes)
        yield Complaint("smart-attribute", Severity.CRITICAL, f"below the maker's threshold: {named}")


def _media(health: DiskHealth, earlier: EarlierHealth | None) -> Iterator[Complaint]:
    before = earlier.health if earlier is not None else DiskHealth()
    warning, info = Severity.WARNING, Severity.INFO
    if health.pending:
        words = f"{health.pending} pending {'sector' if health.pending == 1 else 'sectors'} (unreadable)"
        yield _counter("pending-sectors", warning, words, (health.pending, before.pending), earlier)
    if health.offline_uncorrectable:
        now, then = health.offline_uncorrectable, before.offline_uncorrectable
        words = f"{_sectors(now)} uncorrectable in offline tests"
        yield _counter("uncorrectable-sectors", warning, words, (now, then), earlier)
    if health.reported_uncorrectable:
        now, then = health.reported_uncorrectable, before.reported_uncorrectable
        severity = warning if now > 1 or _grew(now, then) else info
        words = f"{now} uncorrectable error{'s' if now != 1 else ''} reported"
        yield _counter("uncorrectable-errors", severity, words, (now, then), earlier)
    if health.reallocated:
        now, then = health.reallocated, before.reallocated
        severity = warning if now >= MANY_REALLOCATED or _grew(now, then) else info
        words = f"{now} grown defects" if health.protocol == "SCSI" else f"{_sectors(now)} reallocated"
        yield _counter("reallocated-sectors", severity, words, (now, then), earlier)


def _flash(health: DiskHealth) -> Iterator[Complaint]:
    for bit, severity, words in _WARNINGS:
        if health.critical_warning & 1 << bit:
            yield Complaint("nvme-warning", severity, words)
    spare, threshold = health.available_spare, health.spare_threshold
    is_kept = bool(spare or threshold)  # virtual disks keep neither: both are 0
    if is_kept and spare is not None and threshold is not None and spare <= threshold + SPARE_MARGIN:
        severity = Severity.CRITICAL if spare <= threshold else Severity.WARNING
        yield Complaint(
            "spare-blocks", severity, f"{spare} % of the spare blocks left (threshold {threshold} %)"
        )
    if health.wear is not None and health.wear >= WORN:
        severity = Severity.WARNING if health.wear >= 100 else Severity.INFO
        yield Complaint("worn", severity, f"{health.wear} % of the rated endurance used")


def _cable(health: DiskHealth, earlier: EarlierHealth | None) -> Iterator[Complaint]:
    if not health.crc_errors:
        return
    before = earlier.health.crc_errors if earlier is not None else None
    severity = Severity.WARNING if _grew(health.crc_errors, before) else Severity.INFO
    words = f"{health.crc_errors} CRC errors on the cable" + _since(health.crc_errors, before, earlier)
    yield Complaint("crc-errors", severity, words, Blame.CABLE, _grew(health.crc_errors, before))


def _temperature(health: DiskHealth) -> Iterator[Complaint]:
    now, limit = health.temperature_c, health.temperature_limit_c or HOT_C
    if health.critical_warning & 1 << 1 or (now is not None and now >= limit):
        degrees = f"{now} °C" if now is not None else "out of its range"
        yield Complaint("hot", Severity.WARNING, f"temperature {degrees} (limit {limit} °C)", Blame.COOLING)


def _self_test(health: DiskHealth) -> Iterator[Complaint]:
    test = health.self_test
    if test is not None and not test.has_passed:
        at = f" at {test.at_hours} h" if test.at_hours is not None else ""
        yield Complaint("self-test-failed", Severity.WARNING, f"self-test failed{at}: {test.words}")


def _counter(
    name: str, severity: Severity, words: str, now_then: tuple[int, int | None], earlier: EarlierHealth | None
) -> Complaint:
    """A complaint about a counter of the medium, with what became of it."""
    now, before = now_then
    is_steady = now == before and earlier is not None and earlier.age_s >= STEADY_S
    words += _since(now, before, earlier)
    return Complaint(name, severity, words, has_grown=_grew(now, before), is_steady=is_steady)


def _grew(now: int, before: int | None) -> bool:
    return before is not None and now > before


def _since(now: int, before: int | None, earlier: EarlierHealth | None) -> str:
    """`, 3 new in 7 d`; empty without earlier data."""
    if before is None or earlier is None:
        return ""
    is_short = earlier.age_s < HOURS_BELOW_S
    span = f"{max(1, round(earlier.age_s / HOUR_S))} h" if is_short else f"{round(earlier.age_s / DAY_S)} d"
    if now == before:
        return f", none new in {span}"
    return f", {now - before} new in {span}" if now > before else ""


def _sectors(count: int) -> str:
    return f"{count} sector{'s' if count != 1 else ''}"
