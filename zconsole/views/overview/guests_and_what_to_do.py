"""Guests as they were read last, and what to do about findings: where a tall terminal has rows for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.fixed_width_formatting import UNKNOWN, bandwidth, recent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import Guest
from zconsole.views.findings.evidence_values import in_words
from zconsole.views.findings.explanations import meaning
from zconsole.views.findings.findings_in_short import in_points, key_of
from zconsole.views.guests.disk_io_rates import read_bytes_per_second, written_bytes_per_second
from zconsole.views.guests.guest_list import state_in_words
from zconsole.views.guests.guests_page import shown_guests
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.click_targets import ClickTarget, clickable
from zconsole.views.layout.escape_measure_cut_text import cut, middle
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_GLYPH, SEVERITY_STYLE
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.repair.due_step import NOW

NAME_CELLS: Final = 24
STATE_CELLS: Final = 24
NARROWEST: Final = 110  # cells of a line on a guest
_NAMES: Final = frozenset({"pool", "host", "vdev", "vdev_guid"})  # in the evidence: they are told already
Remedies = Callable[[HostView], Callable[[Finding], str]]  # what to do about each finding of a host


def no_remedies(_host: HostView) -> Callable[[Finding], str]:
    """Nothing to do about any finding."""
    return lambda _finding: ""


def read_at(view: View) -> str:
    """The time of the reading of the guests; empty for several hosts, and where none was read."""
    if len(view.hosts) != 1 or not shown_guests(view, view.hosts[0].state.host):
        return ""
    taken = view.hosts[0].state.guests.taken_at
    return "" if taken is None else recent(view.now - (view.monotonic - taken), view.now)


def guest_lines(view: View, cells: int, most: int) -> Iterator[Line]:
    """The guests of the host, those in trouble first: state, what they are on, what they read and write."""
    if cells < NARROWEST or not read_at(view):
        return
    guests = shown_guests(view, view.hosts[0].state.host)
    yield from (_guest(each, cells) for each in guests[:most])


def _guest(guest: Guest, cells: int) -> Line:
    state, style = state_in_words(guest)
    read, written = read_bytes_per_second(guest), written_bytes_per_second(guest)
    rates = f"read {bandwidth(read):>10}   write {bandwidth(written):>10}   "
    room = cells - NAME_CELLS - STATE_CELLS - len(rates) - 2
    return line(
        f"{middle(guest.name, NAME_CELLS):<{NAME_CELLS}} ",
        (f"{cut(state, STATE_CELLS):<{STATE_CELLS}} ", style),
        rates,
        (cut(", ".join(guest.places) or UNKNOWN, room), "dim"),
    )


@dataclass(frozen=True, slots=True)
class ToDo:
    """What to do in a line; what the findings mean, and the numbers behind them, in further ones."""

    words: Line
    reasons: tuple[Line, ...]


def to_do(view: View, remedies: Remedies) -> Iterator[ToDo]:
    """What to do about what is wrong, worst first; once for those with the same remedy."""
    told: dict[tuple[str, str], list[Finding]] = {}
    hosts = {host.state.host: host for host in view.hosts}
    found = [(each, host) for host in view.hosts for each in in_points(folded(host.findings))]
    for finding, host in sorted(found, key=lambda each: each[0].place):
        if finding.is_advice or finding.severity <= Severity.INFO:
            continue
        words = remedies(host)(finding).removeprefix(NOW)
        if words:
            told.setdefault((host.state.host, words), []).append(finding)
    for (host_name, words), findings in told.items():
        first = findings[0]
        target = ClickTarget(host_name, finding=key_of(host_name, first))
        told_of = line(
            (f"{SEVERITY_GLYPH[first.severity]} ", SEVERITY_STYLE[first.severity]),
            (f"{hosts[host_name].name} " if len(hosts) > 1 else "", "dim"),
            (f"{_subjects(findings)}: ", "dim"),
            with_serials(words),
        )
        reasons = (line((f"  {each}", "dim")) for finding in findings for each in _reasons(finding))
        yield ToDo(clickable(told_of, target), tuple(clickable(each, target) for each in reasons))


def _reasons(finding: Finding) -> Iterator[str]:
    """What a finding means, and its numbers."""
    if meaning(finding.id):
        yield meaning(finding.id)
    known = {name: value for name, value in finding.evidence.items() if value is not None}
    values = (in_words(name, value) for name, value in known.items() if name not in _NAMES)
    numbers = " · ".join(f"{title} {with_serials(value)}" for title, value in values)
    if numbers:
        yield f"{with_serials(finding.subject)}: {numbers}"


def _subjects(findings: Sequence[Finding]) -> str:
    """`bulk raidz2-0, bulk ZL2F0A91`: without a pool of which something else is named."""
    named = list(dict.fromkeys(with_serials(each.subject) for each in findings))
    return ", ".join(
        each for each in named if not any(other.startswith((f"{each} ", f"{each}/")) for other in named)
    )
