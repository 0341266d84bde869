"""Advice on hosts: risks first, then by group, each with its numbers, reason, cost and plan."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_usage_and_plan_command import plan_command, usage_of, with_host
from zconsole.actions.intent import proposed_intent
from zconsole.analysis.findings.findings_by_rule_and_pool import by_rule_and_pool
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.analysis.findings.silenced_findings import SHARED_ID, SilencedFinding, why_not_silenced
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.silences import Silence
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.views.findings.advice import ADVICE, GROUP_OF, AdviceGroup
from zconsole.views.findings.advice_wording import Advice
from zconsole.views.findings.by_id.what_to_do import action_lines
from zconsole.views.findings.findings_in_short import likewise
from zconsole.views.findings.not_judged.judged_groups import group_in_words
from zconsole.views.findings.not_judged.unread_or_old_readings import NOT_WHOLE, unread_or_old
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_STYLE,
    advice_words,
    counted,
    counted_by_severity,
)
from zconsole.views.layout.styled_text import EMPTY, Line, line

NO_PLAN: Final = "no plan of this program does it"
FREES: Final = "F on the first screen proposes snapshots that free so much, and plans their destruction"
TO_COMPLETE: Final = "{}, with names that you choose"
SOUND: Final = "nothing to advise"
RISKS: Final = "Risks"  # heading of what counts, of all groups
_RECLAIM: Final = "zconsole reclaim"
_PLANNED: Final = re.compile(r"zconsole plan ([a-z-]+)")
_ORDER: Final = {group: at for at, group in enumerate(AdviceGroup)}
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class AdvicePoint:
    """What one rule advises on one pool or host: one finding, or one for each of several objects."""

    findings: tuple[Finding, ...]  # the first one is told

    @property
    def first(self) -> Finding:
        """The finding that it is told by."""
        return self.findings[0]

    @property
    def told(self) -> Advice:
        """The wording of its rule."""
        return ADVICE[self.first.id]

    @property
    def also(self) -> str:
        """`; likewise tank/b and tank/c`; empty of a single object."""
        return likewise(self.findings)

    @property
    def words(self) -> str:
        """The sentence, and its other objects."""
        return f"{self.first.words}{self.also}"


def advice_of(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that advise, in the order in which they are told."""
    return tuple(each for point in points_of(found) for each in point.findings)


def points_of(found: Sequence[Finding]) -> tuple[AdvicePoint, ...]:
    """What is advised: the risks of all groups by severity, then the groups, in each the highest stake first.

    The group with the highest stake comes first.
    """
    advised = [each for each in found if each.advised is not None]
    points = [AdvicePoint(each) for each in by_rule_and_pool(advised)]
    return tuple(point for _, part in in_parts(points, lambda point: point) for point in part)


def in_parts(
    items: Sequence[_Item], point_of: Callable[[_Item], AdvicePoint]
) -> Iterator[tuple[str, tuple[_Item, ...]]]:
    """Items by the heading they are under, in the order of the headings and of what is at stake."""
    risks = [each for each in items if not point_of(each).first.is_advice]
    if risks:
        risks.sort(key=lambda each: (-point_of(each).first.severity, -point_of(each).told.stake))
        yield RISKS, tuple(risks)
    groups: dict[AdviceGroup, list[_Item]] = {}
    for each in items:
        if point_of(each).first.is_advice:
            groups.setdefault(GROUP_OF[point_of(each).first.id], []).append(each)
    for of_group in groups.values():
        of_group.sort(key=lambda each: -point_of(each).told.stake)
    worst_first = sorted(groups, key=lambda group: (-point_of(groups[group][0]).told.stake, _ORDER[group]))
    for group in worst_first:
        yield group.value, tuple(groups[group])


def kind_of(finding: Finding) -> str:
    """The word for it: `advice`, or the severity of a risk."""
    return "advice" if finding.is_advice else finding.severity.word


def style_of(finding: Finding) -> str:
    """The style of that word."""
    return "dim" if finding.is_advice else SEVERITY_STYLE[finding.severity]


def plan_words(finding: Finding, where: Sequence[str] = ()) -> str:
    """The command line that plans the action that follows; empty where no plan does it."""
    if finding.advised is None or finding.advised.action is None:
        return ""
    return plan_command(proposed_intent(finding.advised.action), where)


def without_plan(told: Advice, where: Sequence[str] = ()) -> str:
    """What is said in the place of a plan: that none does it, or the command whose words are to be chosen."""
    found = _PLANNED.search(told.action)
    if _RECLAIM in told.action:
        return FREES
    if found is None:
        return NO_PLAN
    return TO_COMPLETE.format(with_host(f"zconsole plan {usage_of(spec(found[1]))}", where))


def silence_command(finding: Finding, where: Sequence[str] = ()) -> str:
    """The command line that silences a finding, but for the reason and the day; empty where nothing may."""
    if why_not_silenced(finding):
        return ""
    words = ("zconsole", "advise", "--silence", finding.id, finding.subject)
    return f"{shlex.join((*words, *where))} --reason TEXT --until WHEN"


def advice_lines(
    state: HostState, found: Sequence[Finding], silenced: Sequence[SilencedFinding], where: Sequence[str] = ()
) -> Iterator[Line]:
    """What was not read of a host, its advice in full, the groups without any, then what is silenced.

    `where` selects the host in a command.
    """
    points, remarks = points_of(found), tuple(unread_or_old(state))
    quiet = f", {len(silenced)} silenced" if silenced else ""
    sound = f"nothing known to advise, {NOT_WHOLE}" if any(each.is_missing for each in remarks) else SOUND
    risks = [each for each in points if not each.first.is_advice]
    counts = (
        counted(len(risks), "risk") if risks else "",
        advice_words(n) if (n := len(points) - len(risks)) else "",
    )
    summary = ", ".join(filter(None, counts)) or sound
    yield line((state.host, "title"), f": {summary}{quiet}.")
    yield from wrong_now(found, where)
    for remark in remarks:
        yield line((f"Not judged: {remark.words}.", remark.style))
    for heading, part in in_parts(points, lambda point: point):
        yield EMPTY
        yield line((heading, "section"))
        for each in part:
            yield line(
                (kind_of(each.first).capitalize(), style_of(each.first)),
                f": {each.first.sentence}{each.also}.",
            )
            for told in in_full(each, where):
                yield (*line("  "), *told)
    without = groups_without(points)
    if without:
        yield EMPTY
    for group in without:
        words, style = group_in_words(group, state)
        yield line((group.value, "section"), (f": {words}.", style))
    if silenced:
        yield EMPTY
        yield line(("Silenced", "section"))
        yield from map(silenced_line, silenced)


def wrong_now(found: Sequence[Finding], where: Sequence[str] = ()) -> Iterator[Line]:
    """What is wrong beside advice, counted, with the worst and the command that tells all.

    `where` selects the host in a command.
    """
    wrong = wrong_of(found)
    if not wrong:
        return
    worst = max(wrong, key=lambda each: each.severity)
    repaired = next((each.repaired_pool for each in wrong if each.repaired_pool), "")
    command = shlex.join(("zconsole", "status", *where))
    repair = f"; to mend it: {shlex.join(('zconsole', 'repair', repaired, *where))}" if repaired else ""
    yield line(
        (f"Wrong now, and no matter of advice: {wrong_words(wrong)}", SEVERITY_STYLE[worst.severity]),
        f": {worst.sentence}. All of it: {_and_guests(wrong, command, where)}{repair}.",
    )


def _and_guests(wrong: Sequence[Finding], command: str, where: Sequence[str]) -> str:
    """The command, and that for guests where some of it is of guests that `status` does not read."""
    is_of_off = any(each.id == SHARED_ID and each.severity < Severity.CRITICAL for each in wrong)
    return f"{command}; {shlex.join(('zconsole', 'guests', *where))}" if is_of_off else command


def wrong_of(found: Sequence[Finding]) -> list[Finding]:
    """Warnings and worse that are no matter of advice, those of one disk as one."""
    return [each for each in folded(found) if each.advised is None and each.severity > Severity.INFO]


def wrong_words(wrong: Sequence[Finding]) -> str:
    """`1 critical, 2 warnings`."""
    known = [each.severity for each in wrong]
    worst_first = (Severity.CRITICAL, Severity.WARNING)
    return ", ".join(counted_by_severity(known.count(each), each) for each in worst_first if each in known)


def groups_without(points: Sequence[AdvicePoint]) -> tuple[AdviceGroup, ...]:
    """The groups of which nothing is advised."""
    having = {GROUP_OF[each.first.id] for each in points}
    return tuple(group for group in AdviceGroup if group not in having)


def in_full(point: AdvicePoint, where: Sequence[str] = ()) -> Iterator[Line]:
    """What is behind a point: its objects, numbers, reason, action, cost, use, plans."""
    told = point.told
    plans = [plan for each in point.findings if (plan := plan_words(each, where))]
    for each in point.findings * (len(point.findings) > 1):
        yield _titled("Of", f"{each.subject}: {each.summary}.")
    for words in numbers_of(point):
        yield _titled("Found", f"{words}.")
    actions = [with_host(each, where) for each in action_lines(point.first)]
    for title, text in (
        ("From", f"{told.source}."),
        ("Why", told.why),
        *(("" if at else "Do", each) for at, each in enumerate(actions)),
        ("Cost", told.cost),
        ("Helps", f"{told.helps.value}."),
        ("Stake", f"{told.stake.word}."),
    ):
        yield _titled(title, text)
    for plan in plans:
        yield _titled("Plan", (plan, "key"))
    if not plans:
        yield _titled("Plan", (f"{without_plan(told, where)}.", "dim"))
    for each in point.findings:
        words = silence_command(each, where)
        yield _titled("Silence", (words, "key") if words else f"{why_not_silenced(each)}.")


def numbers_of(point: AdvicePoint) -> Iterator[str]:
    """What was found and what is expected: once where it is equal for all objects, else of each."""
    told = {
        each.subject: f"{each.advised.found}; expected: {each.advised.limit}"
        for each in point.findings
        if each.advised is not None
    }
    if len(set(told.values())) == 1:
        yield next(iter(told.values()))
    else:
        yield from (f"{subject}: {words}" for subject, words in told.items())


def _titled(title: str, words: str | tuple[str, str]) -> Line:
    return line((f"{title:<7} ", "dim"), words)


def silence_lines(silence: Silence) -> Iterator[Line]:
    """What is silenced, until when and why, below the list."""
    yield line((f"{silence.title}: silenced until {silence.end}: ", "dim"), silence.reason)


def silenced_line(each: SilencedFinding) -> Line:
    """A silenced finding with its reason, and when it speaks again."""
    silence = each.silence
    scope = f" with {silence.title}" if silence.is_of_all else ""
    return line(
        f"{each.finding.id} of {each.finding.subject}: {each.finding.words}",
        (f"; silenced{scope} until {silence.end}: {silence.reason}", "dim"),
    )
