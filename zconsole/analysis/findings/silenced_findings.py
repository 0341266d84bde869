"""Findings that a user has silenced, apart from those that speak."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.silences import ANY_FINDING, Silence
from zconsole.base.user_config_file import Config
from zconsole.model.finding import Finding, Severity

SHARED_ID: Final = "guest-disk-shared"
UNREAD_IDS: Final = frozenset({"pool-unread", "pools-unread"})  # findings about data that could not be read


@dataclass(frozen=True, slots=True)
class SilencedFinding:
    """Finding with the silence that keeps it from counting."""

    finding: Finding
    silence: Silence


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


def object_of(finding: Finding) -> str:
    """The object under which all findings of it are silenced: a disk is named as its pool names it."""
    pool, vdev = finding.evidence.get("pool"), finding.evidence.get("vdev")
    return f"{pool} {vdev}" if finding.disk and pool and vdev else finding.subject


def silence_of(finding: Finding, held: Mapping[tuple[str, str], Silence]) -> Silence | None:
    """The silence that is on a finding, of those by id and object."""
    own = held.get((finding.id, finding.subject))
    if own is not None:
        return own
    return held.get((ANY_FINDING, object_of(finding))) or held.get((ANY_FINDING, finding.subject))


def without_silenced(
    found: Sequence[Finding], host: str, config: Config, now: float
) -> tuple[tuple[Finding, ...], tuple[SilencedFinding, ...]]:
    """The findings that speak, and those with a silence that holds; both in their order.

    `host` is the console's name of the host. A silence on it is also one on its name and address in the
    configuration.
    """
    if not config.silences:
        return tuple(found), ()
    names, moment = names_of(host, config), datetime.fromtimestamp(now, UTC)
    last = {(each.finding, each.object): each for each in config.silences if each.host in names}
    holding = {key: each for key, each in last.items() if each.holds(moment)}
    spoken, silenced = [], []
    for each in found:
        silence = silence_of(each, holding)
        if silence is None or why_not_silenced(each):
            spoken.append(each)
        else:
            silenced.append(SilencedFinding(each, silence))
    return tuple(spoken), tuple(silenced)


def names_of(host: str, config: Config) -> frozenset[str]:
    """The names under which a host may stand in the configuration."""
    known = config.reached_as(host)
    return frozenset({host} if known is None else {host, known.name, known.address})
