"""Findings below a list: each fact once, and disks by the serial numbers printed on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.findings_by_rule_and_pool import by_rule_and_pool, points_of_advice
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding
from zconsole.views.layout.click_targets import ClickTarget, clickable
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_GLYPH, SEVERITY_STYLE, advice_words
from zconsole.views.layout.styled_text import Line, line

DEGRADED: Final = "pool-degraded"
TAKEN_OFFLINE: Final = " taken OFFLINE by an administrator"  # in the words of a cause
_NAMED: Final = 4  # further objects of a point of advice


def told_once(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, of advice a line for each point.

    Not that a pool is degraded where each device at fault has a finding of its own.
    """
    found = tuple(in_points(found))
    devices = {str(each.evidence.get("vdev")) for each in found if each.disk}
    for each in found:
        causes = {device_of(cause) for cause in causes_of(each)}
        if each.id != DEGRADED or not causes or not causes <= devices:
            yield each


def in_points(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; the advice of one rule on several objects of a pool as one, which names them."""
    found = tuple(found)
    advised = by_rule_and_pool(each for each in found if each.is_advice)
    points = {
        id(point[0]): replace(point[0], summary=f"{point[0].summary}{likewise(point)}") for point in advised
    }
    for each in found:
        if not each.is_advice:
            yield each
        elif id(each) in points:
            yield points[id(each)]


def partial_advice(found: Iterable[Finding], where: Sequence[str] = ()) -> str:
    """`at least 3 points of advice (zconsole advise reads more)`, of a command that reads less.

    Empty without any. `where` selects the host in the command.
    """
    points = points_of_advice(found)
    import shlex  # noqa: PLC0415  # only where advice is told

    command = shlex.join(("zconsole", "advise", *where))
    return f"at least {advice_words(points)} ({command} reads more)" if points else ""


def likewise(point: Sequence[Finding]) -> str:
    """`; likewise tank/b and tank/c`: the objects of a point but for the first; empty of a single one."""
    others = tuple(each.subject for each in point[1:])
    return f"; likewise {shortened(others, _NAMED)}" if others else ""


def causes_of(degraded: Finding) -> tuple[str, ...]:
    """`ata-X FAULTED` of each device because of which a pool is degraded."""
    causes = degraded.evidence.get("causes")
    return tuple(map(str, causes)) if isinstance(causes, (tuple, list)) else ()


def device_of(cause: str) -> str:
    """The device that a cause names."""
    return cause.partition(" ")[0]


def causes_in_short(found: Iterable[Finding]) -> list[str]:
    """`ZC13A0R7 FAULTED`, `ZC13A01K OFFLINE`: the devices because of which a pool is degraded."""
    causes = [cause for each in found if each.id == DEGRADED for cause in causes_of(each)]
    return [with_serials(each.replace(TAKEN_OFFLINE, " OFFLINE")) for each in causes]


def line_with_serials(finding: Finding, words: str = "", *, host: str = "") -> Line:
    """A finding with its glyph, each disk by its serial number alone; `words` in place of its sentence.

    With the `host` that it is of, a click on it leads to the finding.
    """
    style = SEVERITY_STYLE[finding.severity]
    told = line((f"{SEVERITY_GLYPH[finding.severity]} ", style), with_serials(words or finding.sentence))
    return clickable(told, ClickTarget(host, finding=key_of(host, finding))) if host else told


def key_of(host: str, finding: Finding) -> str:
    """The identity of a finding of a host, stable while its numbers change."""
    return f"{host}\0{finding.id}\0{finding.subject}\0{finding.evidence.get('vdev_guid')}"
