"""Findings that a user has silenced, apart from those that speak."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.silences import Silence
from zconsole.base.user_config_file import Config
from zconsole.model.finding import Finding, Severity

SHARED_ID: Final = "guest-disk-shared"
UNREAD_IDS: Final = frozenset({"pool-unread", "pools-unread"})  # findings about data that could not be read


@dataclass(frozen=True, slots=True)
class SilencedFinding:
    """Finding with the silence that keeps it from counting."""

    finding: Finding
    silence: Silence


def day_of(now: float) -> date:
    """The day of a moment in epoch seconds, in UTC."""
    return datetime.fromtimestamp(now, UTC).date()


def why_not_silenced(finding: Finding) -> str:
    """Why a finding cannot be silenced, as a sentence; empty where it can."""
    if finding.severity is Severity.CRITICAL and not _is_chosen(finding):
        return "a critical finding cannot be silenced"
    if finding.id in UNREAD_IDS:
        return "what could not be read cannot be silenced: nobody knows what it would say"
    return ""


def _is_chosen(finding: Finding) -> bool:
    """Whether a critical finding may be so on purpose: a disk of a cluster, never a backing file."""
    return finding.id == SHARED_ID and finding.evidence.get("is_below") is False


def without_silenced(
    found: Sequence[Finding], host: str, config: Config, now: float
) -> tuple[tuple[Finding, ...], tuple[SilencedFinding, ...]]:
    """The findings that speak, and those with a silence that holds; both in their order.

    `host` is the console's name of the host. A silence on it is also one on its name and address in the
    configuration.
    """
    if not config.silences:
        return tuple(found), ()
    names, today = names_of(host, config), day_of(now)
    last = {(each.finding, each.object): each for each in config.silences if each.host in names}
    holding = {key: each for key, each in last.items() if each.holds(today)}
    spoken, silenced = [], []
    for each in found:
        silence = holding.get((each.id, each.subject))
        if silence is None or why_not_silenced(each):
            spoken.append(each)
        else:
            silenced.append(SilencedFinding(each, silence))
    return tuple(spoken), tuple(silenced)


def names_of(host: str, config: Config) -> frozenset[str]:
    """The names under which a host may stand in the configuration."""
    known = config.reached_as(host)
    return frozenset({host} if known is None else {host, known.name, known.address})
