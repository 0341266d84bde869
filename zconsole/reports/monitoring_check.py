"""`zconsole check`: one line and an exit code, as in monitoring plugins; below it what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntEnum
from typing import Final

from zconsole.actions.action_usage_and_plan_command import with_host
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.analysis.findings.silenced_findings import UNREAD_IDS, SilencedFinding
from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.base.errors import ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.smart_health import SmartCoverage
from zconsole.reports.json.json_line import SCHEMA, Document, rounded
from zconsole.reports.json.status import coverage_document, findings_of_disks, silenced_documents
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.findings.findings_in_short import partial_advice
from zconsole.views.guests.libvirt_without_answer import unanswered

NAMED: Final = 6  # findings in the line; the others are counted
SERVICE: Final = "ZFS"
NOT_ASKED: Final = "settings not read"
MORE: Final = "More: zconsole status"
LONGEST: Final = 8000  # bytes of the whole output; Nagios and Icinga read 8 KiB of a plugin and drop the rest


class CheckLevel(IntEnum):
    """Exit codes of monitoring plugins."""

    OK = 0
    WARNING = 1
    CRITICAL = 2
    UNKNOWN = 3


# A known problem outranks an unreadable pool or host; the line names both.
_RANK: Final = (CheckLevel.OK, CheckLevel.UNKNOWN, CheckLevel.WARNING, CheckLevel.CRITICAL)


@dataclass(frozen=True, slots=True)
class HostCheck:
    """Verdict on one host."""

    host: str
    level: CheckLevel
    summary: str
    findings: tuple[Finding, ...] = ()
    pools: tuple[PoolState, ...] = ()
    smart: SmartCoverage | None = None
    silenced: tuple[SilencedFinding, ...] = ()
    unread_settings: tuple[str, ...] | None = None  # a sentence each; None where nobody asked for them
    remedy_of: Callable[[Finding], str] = what_to_do


def check_host(  # noqa: PLR0913, PLR0917  # all that a verdict is made from
    state: HostState,
    found: Sequence[Finding],
    silenced: Sequence[SilencedFinding] = (),
    unread_settings: tuple[str, ...] | None = None,
    where: Sequence[str] = (),
    remedy_of: Callable[[Finding], str] = what_to_do,
) -> HostCheck:
    """Return the verdict on a host from its findings; unreadable pools and settings are unknown.

    What is silenced does not change the level; its number is in the summary. An OK says when it is not of
    the settings of datasets, of which a single reading costs the host more than that of its pools. `where`
    selects the host in a command, `remedy_of` is what to do about a finding.
    """
    level = max((_level(finding) for finding in found), key=_RANK.index, default=CheckLevel.OK)
    if unread_settings:
        level = max(level, CheckLevel.UNKNOWN, key=_RANK.index)
    if not state.pools and level is CheckLevel.OK:
        return HostCheck(state.host, CheckLevel.UNKNOWN, "no pool is imported")
    worth_saying = _worth_saying(found)
    named = [finding.sentence for finding in worth_saying[:NAMED]]
    if len(worth_saying) > NAMED:
        named.append(f"and {len(worth_saying) - NAMED} more")
    pools = ", ".join(f"{pool.name} {pool.state}" for pool in state.pools)
    words = [pools, *named] if level is CheckLevel.OK else named
    words += [state.smart.problem] if state.smart.problem else []
    words += [silent] if (silent := unanswered(state)) else []
    words += [advised] if (advised := partial_advice(found, where)) else []
    words += [f"{len(silenced)} silenced"] if silenced else []
    words += unread_settings or ([NOT_ASKED] if unread_settings is None and level is CheckLevel.OK else [])
    return HostCheck(
        state.host,
        level,
        "; ".join(words),
        tuple(found),
        state.pools,
        state.smart_coverage,
        tuple(silenced),
        unread_settings,
        remedy_of,
    )


def check_failed(host: str, error: ZConsoleError) -> HostCheck:
    """Return the verdict on a host that could not be read."""
    return HostCheck(host, CheckLevel.UNKNOWN, ". ".join(filter(None, (error.message, error.hint))))


def _no_words(_host: str) -> tuple[str, ...]:
    return ()


def worst(checks: Sequence[HostCheck]) -> CheckLevel:
    """Return the worst level of several hosts."""
    return max((check.level for check in checks), key=_RANK.index, default=CheckLevel.UNKNOWN)


def check_line(checks: Sequence[HostCheck], thresholds: Thresholds, remarks: Sequence[str] = ()) -> str:
    """Return the line: the level, the problems, and behind a bar the performance data.

    `remarks` are on the user's files, and do not change the level.
    """
    are_many = len(checks) > 1
    parts = [f"{check.host}: {check.summary}" if are_many else check.summary for check in checks]
    text = visible("; ".join((*parts, *remarks))).replace("|", "\\x7c")  # the bar begins the performance data
    numbers = [
        number
        for check in checks
        for number in _numbers(check, thresholds, f"{check.host} " if are_many else "")
    ]
    line = f"{SERVICE} {worst(checks).name} - {text}"
    return f"{line} | {' '.join(numbers)}" if numbers else line


def check_text(
    checks: Sequence[HostCheck],
    thresholds: Thresholds,
    remarks: Sequence[str] = (),
    words_for: Callable[[str], Sequence[str]] = _no_words,
) -> str:
    """Return the line, and below it what to do about each finding that is worth a line.

    `words_for` are the words that select a host in a command.

    Monitoring shows these lines as the long output of the service; a bar would begin more performance data.
    """
    text = check_line(checks, thresholds, remarks)
    for check in checks:
        prefix = f"{check.host}: " if len(checks) > 1 else ""
        for finding in _worth_saying(check.findings):
            action = with_host(check.remedy_of(finding), words_for(check.host))
            told = visible(f"{prefix}{finding.id} of {finding.subject}: {action}").replace("|", "\\x7c")
            if not action:
                continue
            if len(f"{text}\n{told}\n{MORE}".encode()) > LONGEST:
                return f"{text}\n{MORE}"
            text = f"{text}\n{told}"
    return text


def check_document(check: HostCheck) -> Document:
    """Return the verdict on one host with its evidence."""
    return {
        "schema": SCHEMA,
        "host": check.host,
        "level": check.level.name.lower(),
        "exit_code": int(check.level),
        "summary": check.summary,
        "pools": [_pool(pool) for pool in check.pools],
        "findings": findings_of_disks(check.findings, check.remedy_of),
        "smart": coverage_document(check.smart),
        "silenced": silenced_documents(check.silenced, check.remedy_of),
        "unread_settings": None if check.unread_settings is None else list(check.unread_settings),
    }


def _worth_saying(found: Sequence[Finding]) -> list[Finding]:
    """The lines of the findings without advice: warnings and worse where there are any."""
    lines = [finding for finding in folded(found) if not finding.is_advice]
    return [finding for finding in lines if finding.severity > Severity.INFO] or lines


def _level(finding: Finding) -> CheckLevel:
    if finding.id in UNREAD_IDS:
        return CheckLevel.UNKNOWN
    return {
        Severity.INFO: CheckLevel.OK,
        Severity.WARNING: CheckLevel.WARNING,
        Severity.CRITICAL: CheckLevel.CRITICAL,
    }[finding.severity]


def _pool(state: PoolState) -> Document:
    full = fill(state.pool.value) if state.pool.value is not None else None
    return {
        "name": state.name,
        "state": state.state if state.pool.value is not None else state.kstat_state,
        "used_percent": None if full is None else rounded(full.percent),
        "used_bytes": None if full is None else full.used_bytes,
        "total_bytes": None if full is None else full.total_bytes,
        "is_raw": None if full is None else full.is_raw,
    }


def _numbers(check: HostCheck, thresholds: Thresholds, prefix: str) -> Iterator[str]:
    """Yield performance data: 'label'=value;warning;critical;minimum;maximum."""
    for state in check.pools:
        pool = state.pool.value
        if pool is None:
            continue
        label = prefix + pool.name
        if full := fill(pool):
            warn = int(full.total_bytes * thresholds.used_warning_percent / 100)
            critical = int(full.total_bytes * thresholds.used_critical_percent / 100)
            yield f"{_label(f'{label} used')}={full.used_bytes}B;{warn};{critical};0;{full.total_bytes}"
        if pool.fragmentation_percent is not None:
            yield f"{_label(f'{label} fragmentation')}={pool.fragmentation_percent}%;;;0;100"
        if pool.error_count is not None:
            yield f"{_label(f'{label} errors')}={pool.error_count};;0;0"


def _label(text: str) -> str:
    """Quote a label: equals signs and quotes are syntax in performance data."""
    return "'" + visible(text).replace("'", "''").replace("=", "\\x3d").replace("|", "\\x7c") + "'"
