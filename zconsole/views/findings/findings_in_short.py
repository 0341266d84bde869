"""Findings below a list: each fact once, and disks by the serial numbers printed on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.model.finding import Finding
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_GLYPH, SEVERITY_STYLE
from zconsole.views.layout.styled_text import Line, line

DEGRADED: Final = "pool-degraded"
TAKEN_OFFLINE: Final = " taken OFFLINE by an administrator"  # in the words of a cause


def told_once(found: Iterable[Finding]) -> Iterator[Finding]:
    """The findings; not that a pool is degraded where each device at fault has a finding of its own."""
    found = tuple(found)
    devices = {str(each.evidence.get("vdev")) for each in found if each.disk}
    for each in found:
        causes = {device_of(cause) for cause in causes_of(each)}
        if each.id != DEGRADED or not causes or not causes <= devices:
            yield each


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


def line_with_serials(finding: Finding, words: str = "") -> Line:
    """A finding with its glyph, each disk by its serial number alone; `words` in place of its sentence."""
    style = SEVERITY_STYLE[finding.severity]
    return line((f"{SEVERITY_GLYPH[finding.severity]} ", style), with_serials(words or finding.sentence))
