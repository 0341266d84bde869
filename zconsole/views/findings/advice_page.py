"""Advice screen: every host's advice by group, worst first, and what is silenced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.views.findings.advice import ADVICE, GROUP_OF, AdviceGroup
from zconsole.views.findings.advice_list import (
    NO_PLAN,
    SOUND,
    advice_of,
    kind_of,
    plan_words,
    silenced_line,
    style_of,
)
from zconsole.views.findings.by_id.what_to_do import with_names
from zconsole.views.findings.not_judged.unread_or_old_readings import (
    NOT_WHOLE,
    settings_age,
    still_reading,
    unread_or_old,
)
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_GLYPH, SEVERITY_STYLE, counted, join
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of
from zconsole.views.pools.event_list_and_detail import without_host

NUMBERS: Final = "worst first in each group; Enter plans what follows"


@dataclass(frozen=True, slots=True)
class AdvisedRow:
    """Piece of advice on a host; with its silence where there is one."""

    host: HostView
    finding: Finding
    silenced: SilencedFinding | None = None

    @property
    def key(self) -> str:
        """Its identity, stable while its numbers change."""
        kind = "" if self.silenced is None else "silenced\0"
        return f"{kind}{self.host.state.host}\0{self.finding.id}\0{self.finding.subject}"


def page(view: View, problems: Iterable[str] = ()) -> Page:
    """The advice of all hosts under the heading of each group, then the silenced findings.

    On top is what was not read of a host, so that what is not advised is not taken for sound, and the
    `problems` of the user's silences. What is being read is told in the line below the title, whose
    place is there before and after: no row moves for it.
    """
    rows = [_remark(f"{each}.", "warn") for each in problems]
    unread = [(host, remark) for host in view.hosts for remark in unread_or_old(host.state)]
    shown = [(host, remark) for host, remark in unread if not remark.is_awaited]
    rows += [
        _remark(
            f"Not judged{f' of {host.name}' if len(view.hosts) > 1 else ''}: {remark.words}", remark.style
        )
        for host, remark in shown
    ]
    advised, silenced = tuple(_advised(view)), tuple(_silenced(view))
    for group in AdviceGroup:
        of_group = [each for each in advised if GROUP_OF[each.finding.id] is group]
        if of_group:
            rows.append(_heading(group.value, counted(len(of_group), "point")))
            rows += map(_row, of_group)
    if silenced:
        rows.append(_heading("Silenced", "until a day, with a reason; z ends a silence"))
        rows += map(_row, silenced)
    is_whole = not any(remark.is_missing for _, remark in unread)
    if not advised and is_whole:
        rows.insert(0, Row("none", line=line((f"{SOUND.capitalize()}.", "ok")), is_selectable=False))
    states = [host.state for host in view.hosts]
    age = settings_age(states, view.monotonic)
    reading = still_reading(states)
    told = line((reading, "info")) if reading else line((f"{NUMBERS} · {age}" if age else NUMBERS, "dim"))
    name = view.hosts[0].name if len(view.hosts) == 1 else counted(len(view.hosts), "host")
    return Page(
        join([line((name, "title"), (" · advice", "dim")), *_counts(advised, silenced, is_whole=is_whole)]),
        (),
        told,
        without_host(Table(COLUMNS, tuple(rows)), view),
    )


def row_at(view: View, key: str | None) -> AdvisedRow | None:
    """The advice of a row, or the silenced finding."""
    return next((each for each in (*_advised(view), *_silenced(view)) if each.key == key), None)


def notes(view: View, key: str | None) -> Iterator[Line]:
    """The advice under the cursor: its words, its plan, its numbers, its reason, its cost."""
    found = row_at(view, key)
    if found is None:
        return
    finding, advised = found.finding, found.finding.advised
    yield line((f"{SEVERITY_GLYPH[finding.severity]} ", SEVERITY_STYLE[finding.severity]), finding.words)
    if found.silenced is not None:
        silence = found.silenced.silence
        yield line((f"silenced on {silence.since} until {silence.until}: ", "dim"), silence.reason)
    if advised is None:
        return
    plan = plan_words(finding)
    yield line(("Enter ", "key"), plan) if plan else line((f"{NO_PLAN}; w has all of it", "dim"))
    told = ADVICE[finding.id]
    yield line(("Found ", "dim"), f"{advised.found}; limit: {advised.limit}")
    yield line(("Why ", "dim"), told.why)
    yield line(("Do ", "dim"), with_names(told.action, finding))
    yield line(("Cost ", "dim"), told.cost)
    yield line(("Helps ", "dim"), f"{told.helps.value}; at stake: {told.stake.word}")


def _advised(view: View) -> Iterator[AdvisedRow]:
    pairs = [AdvisedRow(host, each) for host in view.hosts for each in advice_of(host.findings)]
    order = {id(each): at for at, each in enumerate(advice_of([pair.finding for pair in pairs]))}
    return iter(sorted(pairs, key=lambda pair: order[id(pair.finding)]))


def _silenced(view: View) -> Iterator[AdvisedRow]:
    return (AdvisedRow(host, each.finding, each) for host in view.hosts for each in host.silenced)


def _counts(
    advised: tuple[AdvisedRow, ...], silenced: tuple[AdvisedRow, ...], *, is_whole: bool
) -> Iterator[Line]:
    risks = [each for each in advised if not each.finding.is_advice]
    if risks:
        yield line((counted(len(risks), "risk"), style_of(risks[0].finding)))
    if len(risks) < len(advised):
        yield line((f"advice ({len(advised) - len(risks)})", "dim"))
    if silenced:
        yield line((f"silenced ({len(silenced)})", "dim"))
    if not is_whole:
        yield line((NOT_WHOLE, "warn"))
    elif not advised and not silenced:
        yield line((SOUND, "dim"))


def _remark(words: str, style: str) -> Row:
    return Row(f"remark {words}", line=line((words, style)), is_selectable=False)


def _heading(words: str, explained: str) -> Row:
    return Row(words, line=line((words, "section"), (f"  {explained}", "dim")), is_selectable=False)


def _row(each: AdvisedRow) -> Row:
    return Row(each.key, cells_of(COLUMNS, each), words=f"{each.finding.id} {each.finding.subject}")


def _stake(each: AdvisedRow) -> Cell:
    if each.finding.advised is None:
        return Cell("·")
    stake = ADVICE[each.finding.id].stake
    return Cell(stake.word, sort=int(stake))


def _words(each: AdvisedRow) -> Cell:
    if each.silenced is not None:
        return Cell("".join(span.text for span in silenced_line(each.silenced)), "dim")
    return Cell(each.finding.words)


COLUMNS: Final[tuple[Column[AdvisedRow], ...]] = (
    Column("kind", "KIND", 8, lambda each: Cell(kind_of(each.finding), style_of(each.finding)),
           need=95, is_right=False),
    Column("host", "HOST", 8, lambda each: Cell(each.host.name, "dim", sort=each.host.name),
           need=50, is_right=False, grows_to=16),
    Column("object", "OBJECT", 14, lambda each: Cell(each.finding.subject), need=80, is_right=False,
           grows_to=24, cuts_middle=True),
    Column("stake", "AT STAKE", 8, _stake, need=60, is_right=False),
    Column("summary", "ADVICE", 30, _words, need=100, is_right=False, grows_to=300),
)  # fmt: skip
