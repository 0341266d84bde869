"""Findings, worst first; and one finding with its evidence and meaning."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.findings_by_rule_and_pool import by_rule_and_pool
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Advised, Finding, Severity
from zconsole.model.host.host_state import LinkState
from zconsole.views.findings.advice import ADVICE, GROUP_OF
from zconsole.views.findings.advice_list import (
    FREES,
    NO_PLAN,
    AdvicePoint,
    plan_words,
    silence_lines,
    without_plan,
)
from zconsole.views.findings.by_id.what_to_do import what_to_do, with_names
from zconsole.views.findings.evidence_values import in_words
from zconsole.views.findings.explanations import meaning
from zconsole.views.findings.findings_in_short import key_of
from zconsole.views.findings.not_judged.unread_or_old_readings import is_advice_partial
from zconsole.views.findings.ssh_login_causes import causes_of
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_GLYPH,
    SEVERITY_STYLE,
    advice_words,
    counted,
    counted_by_severity,
    join,
    link_words,
)
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of
from zconsole.views.pools.event_list_and_detail import without_host

NOTHING: Final = "Nothing to report: nothing that is checked is wrong."
NOT_SILENCED: Final = "Nothing to report but what is silenced."
SILENCED_WORDS: Final = "  until a time, with a reason; z ends a silence"
ADVICE_WORDS: Final = "  no alarm; key I says what to do, and plans it"


def page(view: View) -> Page:
    """All findings of all hosts, advice under a heading of its own."""
    found = list(_sorted(view))
    rows = [
        Row(
            f"down {host.state.host}",
            line=join([line((host.name, "title")), link_words(host, view)]),
            is_selectable=False,
        )
        for host in view.hosts
        if host.state.link.state is not LinkState.UP
    ]
    wrong = sum(1 for _, point in found if not point.first.is_advice)
    rows += [_row(host, point, at) for at, (host, point) in enumerate(found[:wrong])]
    if wrong < len(found):
        rows.append(
            Row("advice", line=line(("Advice", "section"), (ADVICE_WORDS, "dim")), is_selectable=False)
        )
        rows += [_row(host, point, at + wrong) for at, (host, point) in enumerate(found[wrong:])]
    silenced = list(_silenced(view))
    if not rows:
        rows = [
            Row(
                "none",
                line=line((NOT_SILENCED if silenced else NOTHING, "ok")),
                is_selectable=False,
            )
        ]
    if silenced:
        rows.append(
            Row("silenced", line=line(("Silenced", "section"), (SILENCED_WORDS, "dim")), is_selectable=False)
        )
        rows += [_silenced_row(*each, at + len(found)) for at, each in enumerate(silenced)]
    name = view.hosts[0].name if len(view.hosts) == 1 else counted(len(view.hosts), "host")
    quiet = [line((f"silenced ({len(silenced)})", "dim"))] if silenced else []
    is_partial = is_advice_partial([host.state for host in view.hosts])
    is_none_read = all(host.state.link.state is not LinkState.UP for host in view.hosts)
    answer = join(
        [
            line((name, "title")),
            _down(view),
            EMPTY if not found and is_none_read else _counts(found, is_partial=is_partial),
            *quiet,
        ]
    )
    return Page(
        answer,
        (),
        line(("worst first; Enter shows the evidence", "dim")),
        without_host(Table(COLUMNS, tuple(rows)), view),
    )


def _down(view: View) -> Line:
    """`121 down`: the hosts of which nothing is known now."""
    down = sum(1 for host in view.hosts if host.state.link.state in {LinkState.DOWN, LinkState.REFUSED})
    if not down:
        return EMPTY
    return line((f"{down} down" if len(view.hosts) > 1 else "down", "bad"))


def point_of(view: View, key: str | None) -> tuple[HostView, AdvicePoint] | None:
    """The finding of a row, silenced or not; of advice all findings of its point."""
    for host, point in _sorted(view):
        if _key(host, point.first) == key:
            return host, point
    for host, each in _silenced(view):
        if _silenced_key(host, each) == key:
            return host, AdvicePoint((each.finding,))
    return None


def silenced_at(view: View, key: str | None) -> SilencedFinding | None:
    """The silenced finding of a row; None where the row is none of those."""
    return next((each for host, each in _silenced(view) if _silenced_key(host, each) == key), None)


def notes(view: View, key: str | None) -> tuple[Line, ...]:
    """The selected finding: its full sentence, and its meaning."""
    found = point_of(view, key)
    if found is None:
        return ()
    _, point = found
    finding = point.first
    quiet = silenced_at(view, key)
    return (
        *(silence_lines(quiet.silence) if quiet is not None else ()),
        line((f"{SEVERITY_GLYPH[finding.severity]} ", SEVERITY_STYLE[finding.severity]), point.words),
        *(_procedure(finding, "R"),) * bool(finding.repaired_pool),
        line((meaning(finding.id), "dim")),
    )


def heading(host: HostView, point: AdvicePoint) -> tuple[Line, Line]:
    """The two lines above one finding in full: what is found; of what kind and on what object that is."""
    finding = point.first
    style = SEVERITY_STYLE[finding.severity]
    kind = "advice" if finding.is_advice else f"{finding.severity.word} {SEVERITY_GLYPH[finding.severity]}"
    group = f" · {GROUP_OF[finding.id].value}" if finding.advised is not None else ""
    objects = len(point.findings)
    of = finding.subject if objects == 1 else counted(objects, "object")
    first = join(
        [line((host.name, "title")), line((finding.sentence, "text" if finding.is_advice else style))]
    )
    return first, line((kind, "dim" if finding.is_advice else style), (f"{group} · {of}", "dim"))


def details(point: AdvicePoint, remedy_of: Callable[[Finding], str] = what_to_do) -> Iterator[Line]:
    """One finding in full: the sentence, the meaning, the numbers; of a point of advice all its objects."""
    finding = point.first
    for each in point.findings:
        yield line(each.sentence)
    for each in finding.folded:
        yield line((f"{SEVERITY_GLYPH[each.severity]} also ", SEVERITY_STYLE[each.severity]), each.summary)
    yield ()
    if meaning(finding.id):
        yield line(("What it means", "section"))
        yield line(meaning(finding.id))
        yield ()
    if finding.id in ADVICE and finding.advised is not None:
        yield from advice_in_full(point, finding.advised)
    elif action := remedy_of(finding):
        yield line(("What to do", "section"))
        yield line(action)
        yield ()
    if finding.repaired_pool:
        yield line(("Guided repair", "section"))
        yield _procedure(finding, "Enter")
        yield ()
    for each in point.findings:
        of = f"Evidence of {each.subject}" if len(point.findings) > 1 else "Evidence"
        yield from _evidence_section(of, each)
    for each in finding.folded:
        yield from _evidence_section(f"Evidence of {each.id}", each, finding)
    yield line((f"{'id of the rule':<20} ", "dim"), finding.id)


def advice_in_full(point: AdvicePoint, advised: Advised) -> Iterator[Line]:
    """What was found, what to do and its plan, what that costs and helps, then the rule and its limit.

    Causes that are known of this very case are told in the place of all that the rule has.
    """
    finding, advice = point.first, point.told
    causes = causes_of(finding)
    action = with_names(advice.action, finding)
    to_do = ("Known causes, and how to tell", causes) if causes else ("What to do", (action,))
    for title, lines in (
        ("Found", (line(f"{advised.found}; expected: {advised.limit}"),)),
        (to_do[0], (*map(line, to_do[1]), *_planned(point))),
        ("What that costs", (line(advice.cost),)),
        ("What it helps", (line(f"{advice.helps.value}; at stake: {advice.stake.word}"),)),
        ("When it is said", (line(f"{advice.when} Where the limit comes from: {advice.source}."),)),
    ):
        yield line((title, "section"))
        yield from lines
        yield ()


def _evidence_section(heading: str, finding: Finding, told: Finding | None = None) -> Iterator[Line]:
    """The values behind a finding, without those that another one has told."""
    values = [
        in_words(name, value)
        for name, value in finding.evidence.items()
        if told is None or told.evidence.get(name, told) != value
    ]
    if values:
        yield line((heading, "section"))
        yield from (line((f"{title:<20} ", "dim"), text) for title, text in values)
        yield ()


def _planned(point: AdvicePoint) -> Iterator[Line]:
    """The plans of the actions that follow advice."""
    finding = point.first
    plans = [plan for each in point.findings if (plan := plan_words(each))]
    if not plans:
        words = without_plan(ADVICE[finding.id])
        how = {NO_PLAN: "By hand", FREES: "In this console"}.get(words, "On a command line")
        yield line((f"{how}: {words}.", "dim"))
    for plan in plans:
        key = () if finding.repaired_pool else (("Enter", "key"), " plans it; on a command line ")
        yield line(*key, (plan, "dim"))


def _procedure(finding: Finding, key: str) -> Line:
    """The guided repair, on the screen and on the command line."""
    command = shlex.join(("zconsole", "repair", finding.repaired_pool))
    return line((key, "key"), " repair, step by step; on a command line ", (command, "dim"))


def counts(view: View) -> list[Line]:
    """`1 critical`, `2 warnings`: the lines of the list, without notices and advice."""
    known = _numbers([point.first for _, point in _sorted(view)])
    return [
        line((counted_by_severity(number, each), SEVERITY_STYLE[each]))
        for each, number in known
        if each > Severity.INFO
    ]


def _numbers(found: Sequence[Finding]) -> Iterator[tuple[Severity, int]]:
    """How many there are of each severity that occurs, worst first, without advice."""
    for severity in sorted(Severity, reverse=True):
        number = sum(1 for finding in found if finding.severity is severity and not finding.is_advice)
        if number:
            yield severity, number


def _counts(shown: list[tuple[HostView, AdvicePoint]], *, is_partial: bool) -> Line:
    found = [point.first for _, point in shown]
    parts = []
    for severity, number in _numbers(found):
        mark = "" if severity is Severity.INFO else f" {SEVERITY_GLYPH[severity]}"  # its dot parts phrases
        parts.append(line((f"{counted_by_severity(number, severity)}{mark}", SEVERITY_STYLE[severity])))
    advised = sum(1 for finding in found if finding.is_advice)
    if advised:
        parts.append(line((advice_words(advised, is_partial=is_partial), "dim")))
    return join(parts) or line(("no findings", "dim"))


def _sorted(view: View) -> Iterator[tuple[HostView, AdvicePoint]]:
    pairs = [(host, AdvicePoint(each)) for host in view.hosts for each in _points(folded(host.findings))]
    pairs.sort(key=lambda pair: pair[1].first.place)
    yield from pairs


def _points(found: Sequence[Finding]) -> Iterator[tuple[Finding, ...]]:
    """Each finding by itself; the advice of one rule on several objects of a pool together."""
    yield from ((each,) for each in found if not each.is_advice)
    yield from by_rule_and_pool(each for each in found if each.is_advice)


def _key(host: HostView, finding: Finding) -> str:
    return key_of(host.state.host, finding)


def _row(host: HostView, point: AdvicePoint, at: int) -> Row:
    shown = cells_of(COLUMNS, (host, point, at))
    subjects = " ".join(each.subject for each in point.findings)
    return Row(_key(host, point.first), shown, words=f"{point.first.id} {subjects}")


def _silenced(view: View) -> Iterator[tuple[HostView, SilencedFinding]]:
    return ((host, each) for host in view.hosts for each in host.silenced)


def _silenced_key(host: HostView, each: SilencedFinding) -> str:
    return f"silenced\0{_key(host, each.finding)}"


def _silenced_row(host: HostView, each: SilencedFinding, at: int) -> Row:
    shown = cells_of(COLUMNS, (host, AdvicePoint((each.finding,)), at))
    dim = tuple(replace(cell, style="dim", tail="") for cell in shown)
    return Row(_silenced_key(host, each), dim, words=f"{each.finding.id} {each.finding.subject} silenced")


def _severity(finding: Finding) -> Cell:
    of = finding.severity
    if finding.is_advice:
        return Cell("advice", "dim", sort=-1, shorter=" +")
    return Cell(of.word, SEVERITY_STYLE[of], sort=int(of), tail=f" {SEVERITY_GLYPH[of]}")


def _pool(finding: Finding) -> Cell:
    pool = finding.evidence.get("pool")
    return Cell(pool if isinstance(pool, str) else "·")


COLUMNS: Final[tuple[Column[tuple[HostView, AdvicePoint, int]], ...]] = (  # the last is its rank, worst first
    Column("severity", "SEVERITY", 10, lambda each: _severity(each[1].first), need=95, is_right=False,
           mark=2),
    Column("host", "HOST", 8, lambda each: Cell(each[0].name, "dim", sort=each[0].name),
           need=50, is_right=False, grows_to=16),
    Column("pool", "POOL", 8, lambda each: _pool(each[1].first), need=80, is_right=False, grows_to=16,
           cuts_middle=True, narrow=6),
    Column("summary", "FINDING", 30, lambda each: Cell(each[1].words, sort=float(-each[2])),
           need=100, is_right=False, grows_to=300, narrow=20),
)  # fmt: skip
