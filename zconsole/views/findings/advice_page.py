"""Advice screen: every host's advice by group, worst first, and what is silenced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.findings_by_rule_and_pool import by_rule_and_pool
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding
from zconsole.views.findings.advice_list import (
    SOUND,
    AdvicePoint,
    groups_without,
    in_parts,
    numbers_of,
    plan_words,
    silence_lines,
    silenced_line,
    style_of,
    without_plan,
    wrong_of,
    wrong_words,
)
from zconsole.views.findings.by_id.what_to_do import action_lines
from zconsole.views.findings.not_judged.judged_groups import group_on_hosts
from zconsole.views.findings.not_judged.unread_or_old_readings import (
    NOT_WHOLE,
    settings_age,
    still_reading,
    unread_or_old,
)
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_GLYPH,
    SEVERITY_STYLE,
    advice_words,
    counted,
    join,
)
from zconsole.views.layout.styled_text import FixedLines, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of
from zconsole.views.pools.event_list_and_detail import without_host

OBJECT_CELLS: Final = 14  # at least
MOST_OBJECT_CELLS: Final = 30  # a longer name is cut in its middle
COMMAND: Final = "zconsole plan "  # of the command line in front of a plan
NUMBERS: Final = "risks first, then by what is at stake; Enter plans"


@dataclass(frozen=True, slots=True)
class AdvisedRow:
    """Point of advice on a host; with its silence where there is one."""

    host: HostView
    point: AdvicePoint
    silenced: SilencedFinding | None = None

    @property
    def finding(self) -> Finding:
        """The finding that it is told by."""
        return self.point.first

    @property
    def planned(self) -> tuple[Finding, ...]:
        """Its findings that a plan follows."""
        return tuple(each for each in self.point.findings if plan_words(each))

    @property
    def object_words(self) -> str:
        """The object; of several their number and their pool or host."""
        objects = len(self.point.findings)
        pool = self.finding.evidence.get("pool")
        if objects > 1:
            return f"{objects} of {pool or self.host.name}"
        return self.finding.subject.removeprefix(f"{self.host.state.host}:")  # the host has its own column

    @property
    def key(self) -> str:
        """Its identity, stable while its numbers and its objects change."""
        finding = self.finding
        if self.silenced is not None:
            return f"silenced\0{self.host.state.host}\0{finding.id}\0{finding.subject}"
        of = finding.evidence.get("pool") or finding.subject
        return f"{self.host.state.host}\0{finding.id}\0{of}\0{int(finding.severity)}"


def page(view: View, problems: Iterable[str] = ()) -> Page:
    """The risks of all hosts, their advice by group, the groups without any, then the silenced findings.

    On top is what was not read of a host, so that what is not advised is not taken for sound, and the
    `problems` of the user's silences. What is being read is told in the line below the title, whose
    place is there before and after: no row moves for it.
    """
    rows = [*_wrong(view), *(_remark(f"{each}.", "warn") for each in problems)]
    unread = [(host, remark) for host in view.hosts for remark in unread_or_old(host.state)]
    shown = [(host, remark) for host, remark in unread if not remark.is_awaited]
    rows += [
        _remark(
            f"Not judged{f' of {host.name}' if len(view.hosts) > 1 else ''}: {remark.words}", remark.style
        )
        for host, remark in shown
    ]
    advised, silenced = tuple(_advised(view)), tuple(_silenced(view))
    for heading, part in in_parts(advised, lambda each: each.point):
        rows.append(_heading(heading, counted(len(part), "point")))
        rows += map(_row, part)
    for group in groups_without([each.point for each in advised]):
        words, style = group_on_hosts(group, [host.state for host in view.hosts])
        rows.append(
            Row(group.value, line=line((group.value, "section"), (f"  {words}", style)), is_selectable=False)
        )
    if silenced:
        rows.append(_heading("Silenced", "until a time, with a reason; z ends a silence"))
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
        join([line((name, "title")), *_counts(advised, silenced, is_whole=is_whole), *_worst(advised)]),
        (),
        told,
        without_host(Table(_columns((*advised, *silenced)), tuple(rows)), view),
    )


def _wrong(view: View) -> Iterator[Row]:
    """What is wrong beside advice, which the Findings screen has."""
    for host in view.hosts:
        wrong = wrong_of(host.findings)
        if wrong:
            worst = max(wrong, key=lambda each: each.severity)
            of = f" on {host.name}" if len(view.hosts) > 1 else ""
            words = f"Wrong now{of}, and no matter of advice (key f): {wrong_words(wrong)}: {worst.sentence}"
            yield _remark(words, SEVERITY_STYLE[worst.severity])


def row_at(view: View, key: str | None) -> AdvisedRow | None:
    """The advice of a row, or the silenced finding."""
    return next((each for each in (*_advised(view), *_silenced(view)) if each.key == key), None)


def choices(of: Sequence[Finding]) -> FixedLines:
    """A line for each finding of a point, by its object; the keys of the lines are their numbers."""
    return FixedLines(tuple(line((f"{each.subject}  ", "title"), (each.summary, "dim")) for each in of))


def notes(view: View, key: str | None) -> Iterator[Line]:
    """The advice under the cursor: its words, its plan, its numbers, its reason, its cost."""
    found = row_at(view, key)
    if found is None:
        return
    finding, advised = found.finding, found.finding.advised
    yield line((f"{SEVERITY_GLYPH[finding.severity]} ", SEVERITY_STYLE[finding.severity]), finding.sentence)
    if found.silenced is not None:
        yield from silence_lines(found.silenced.silence)
    if advised is None:
        return
    told = found.point.told
    plans = [plan_words(each) for each in found.planned]
    if plans:
        yield line(
            ("Enter", "key"),
            (" plans: ", "dim"),
            plans[0].removeprefix(COMMAND),
            (f" and {len(plans) - 1} more" if len(plans) > 1 else "", "dim"),
        )
    else:
        yield line(("Enter ", "key"), "what to do", (f"; {without_plan(told)}", "dim"))
    for each in found.point.findings[1:]:
        yield line(("also ", "dim"), each.summary)
    for words in numbers_of(found.point):
        yield line(("Found ", "dim"), words)
    yield line(("Why ", "dim"), told.why)
    for at, words in enumerate(action_lines(finding)):
        yield line(("· " if at else "Do ", "dim"), words)
    yield line(("Cost ", "dim"), told.cost)
    yield line(("Helps ", "dim"), f"{told.helps.value}; at stake: {told.stake.word}")


def _advised(view: View) -> Iterator[AdvisedRow]:
    """All points, in the order of the screen."""
    rows = [
        AdvisedRow(host, AdvicePoint(each))
        for host in view.hosts
        for each in by_rule_and_pool(found for found in host.findings if found.advised is not None)
    ]
    return (row for _, part in in_parts(rows, lambda each: each.point) for row in part)


def _silenced(view: View) -> Iterator[AdvisedRow]:
    return (
        AdvisedRow(host, AdvicePoint((each.finding,)), each) for host in view.hosts for each in host.silenced
    )


def _columns(shown: Iterable[AdvisedRow]) -> tuple[Column[AdvisedRow], ...]:
    """The columns, that of the objects as wide as the longest of them."""
    longest = max((width(each.object_words) for each in shown), default=0)
    cells = min(MOST_OBJECT_CELLS, max(OBJECT_CELLS, longest))
    return tuple(replace(each, width=cells) if each is _OBJECT else each for each in COLUMNS)


def _worst(advised: tuple[AdvisedRow, ...]) -> Iterator[Line]:
    """The first point in words: the most important one."""
    first = next((row for _, part in in_parts(advised, lambda each: each.point) for row in part), None)
    if first is not None:
        yield line((first.finding.sentence, style_of(first.finding)))


def _counts(
    advised: tuple[AdvisedRow, ...], silenced: tuple[AdvisedRow, ...], *, is_whole: bool
) -> Iterator[Line]:
    risks = [each for each in advised if not each.finding.is_advice]
    if risks:
        yield line((counted(len(risks), "risk"), style_of(risks[0].finding)))
    if len(risks) < len(advised):
        yield line((advice_words(len(advised) - len(risks)), "dim"))
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
    subjects = " ".join(found.subject for found in each.point.findings)
    return Row(each.key, cells_of(COLUMNS, each), words=f"{each.finding.id} {subjects}")


def _stake(each: AdvisedRow) -> Cell:
    if each.finding.advised is None:
        return Cell("·")
    stake = each.point.told.stake
    return Cell(stake.word, sort=int(stake))


def _words(each: AdvisedRow) -> Cell:
    if each.silenced is not None:
        return Cell("".join(span.text for span in silenced_line(each.silenced)), "dim")
    finding = each.finding
    glyph = "" if finding.is_advice else f"{SEVERITY_GLYPH[finding.severity]} "
    return Cell(_without_object(each.point), lead=glyph)


def _without_object(point: AdvicePoint) -> str:
    """The words of a point; not its only object, which the row has beside them."""
    words, subject = point.words, point.first.subject
    if len(point.findings) > 1:
        return words
    for named in (f"{subject} ", f" of {subject}", f" on {subject}", f" into {subject}"):
        before, found, after = words.partition(named)
        if found and not (before if named.startswith(subject) else after[:1] not in {"", " ", ":", ","}):
            return f"{before}{after}"
    return words


_OBJECT: Final[Column[AdvisedRow]] = Column(
    "object", "OBJECT", OBJECT_CELLS, lambda each: Cell(each.object_words), need=80, is_right=False,
    cuts_middle=True,
)  # fmt: skip
COLUMNS: Final[tuple[Column[AdvisedRow], ...]] = (
    Column("host", "HOST", 8, lambda each: Cell(each.host.name, "dim", sort=each.host.name),
           need=50, is_right=False, grows_to=16),
    _OBJECT,
    Column("stake", "AT STAKE", 8, _stake, need=60, is_right=False),
    Column("summary", "ADVICE", 30, _words, need=100, is_right=False, grows_to=300),
)  # fmt: skip
