"""Advice on hosts: by group, worst first, each with its numbers, reason, cost and plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from zconsole.actions.action_usage_and_plan_command import plan_command, with_host
from zconsole.actions.intent import proposed_intent
from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.views.findings.advice import ADVICE, GROUP_OF, AdviceGroup
from zconsole.views.findings.by_id.what_to_do import with_names
from zconsole.views.findings.not_judged.unread_or_old_readings import NOT_WHOLE, unread_or_old
from zconsole.views.layout.state_age_and_link_phrases import SEVERITY_STYLE, counted
from zconsole.views.layout.styled_text import EMPTY, Line, line

NO_PLAN: Final = "no plan of this program does it"
SOUND: Final = "nothing to advise"
_ORDER: Final = {group: at for at, group in enumerate(AdviceGroup)}


def advice_of(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings that advise, by group, in each the worst first: severity, then what is at stake."""
    advised = (each for each in found if each.advised is not None)
    return tuple(
        sorted(
            advised,
            key=lambda each: (
                _ORDER[GROUP_OF[each.id]],
                -each.severity,
                each.is_advice,
                -ADVICE[each.id].stake,
            ),
        )
    )


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


def advice_lines(
    state: HostState, found: Sequence[Finding], silenced: Sequence[SilencedFinding], where: Sequence[str] = ()
) -> Iterator[Line]:
    """What was not read of a host, its advice in full, then what is silenced.

    `where` selects the host in a command.
    """
    advised, remarks = advice_of(found), tuple(unread_or_old(state))
    quiet = f", {len(silenced)} silenced" if silenced else ""
    sound = f"nothing known to advise, {NOT_WHOLE}" if any(each.is_missing for each in remarks) else SOUND
    summary = counted(len(advised), "point") if advised else sound
    yield line((state.host, "title"), f": {summary}{quiet}.")
    for remark in remarks:
        yield line((f"Not judged: {remark.words}.", remark.style))
    for group, of_group in groupby(advised, key=lambda each: GROUP_OF[each.id]):
        yield EMPTY
        yield line((group.value, "section"))
        for each in of_group:
            yield line((kind_of(each).capitalize(), style_of(each)), f": {each.sentence}.")
            for told in in_full(each, where):
                yield (*line("  "), *told)
    if silenced:
        yield EMPTY
        yield line(("Silenced", "section"))
        yield from map(silenced_line, silenced)


def in_full(finding: Finding, where: Sequence[str] = ()) -> Iterator[Line]:
    """What is behind a piece of advice: numbers, reason, action, cost, use, plan."""
    if finding.advised is None:
        return
    told, advised = ADVICE[finding.id], finding.advised
    plan = plan_words(finding, where)
    for title, text in (
        ("Found", f"{advised.found}; limit: {advised.limit} ({told.source})."),
        ("Why", told.why),
        ("Do", with_host(with_names(told.action, finding), where)),
        ("Cost", told.cost),
        ("Helps", f"{told.helps.value}; at stake: {told.stake.word}."),
    ):
        yield line((f"{title:<6}", "dim"), text)
    yield line((f"{'Plan':<6}", "dim"), (plan, "key") if plan else (f"{NO_PLAN}.", "dim"))
    yield line((f"{'Id':<6}", "dim"), f"{finding.id} of {finding.subject}")


def silenced_line(each: SilencedFinding) -> Line:
    """A silenced finding with its reason, and when it speaks again."""
    silence = each.silence
    return line(
        f"{each.finding.id} of {each.finding.subject}: {each.finding.words}",
        (f"; silenced until {silence.until}: {silence.reason}", "dim"),
    )
