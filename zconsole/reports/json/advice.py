"""`zconsole advise --json`: advice with its numbers, reason and plan, as docs/json.md documents it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from zconsole.analysis.findings.silenced_findings import SilencedFinding
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.reports.json.json_line import SCHEMA, Document
from zconsole.reports.json.status import finding_document, silenced_documents
from zconsole.views.findings.advice import ADVICE, GROUP_OF, AdviceGroup
from zconsole.views.findings.advice_list import advice_of, groups_without, plan_words, points_of, wrong_of
from zconsole.views.findings.by_id.what_to_do import action_lines, what_to_do
from zconsole.views.findings.not_judged.judged_groups import group_in_words
from zconsole.views.findings.not_judged.unread_or_old_readings import unread_or_old


def advice_document(
    state: HostState,
    found: Sequence[Finding],
    silenced: Sequence[SilencedFinding],
    where: Sequence[str] = (),
    remedy_of: Callable[[Finding], str] = what_to_do,
) -> Document:
    """Return the advice on a host, in the order of the screen; `where` selects the host in a plan."""
    return {
        "schema": SCHEMA,
        "host": state.host,
        "not_judged": [each.words for each in unread_or_old(state)],
        "points": sum(1 for point in points_of(found) if point.first.is_advice),
        "risks": sum(1 for point in points_of(found) if not point.first.is_advice),
        "wrong_now": [finding_document(each, remedy_of) for each in wrong_of(found)],
        "advice": [_advice(each, where) for each in advice_of(found)],
        "without_advice": [_group(group, state) for group in groups_without(points_of(found))],
        "silenced": silenced_documents(silenced, remedy_of),
    }


def _group(group: AdviceGroup, state: HostState) -> Document:
    words, style = group_in_words(group, state)
    return {"group": group.name.lower(), "is_judged": style != "warn", "words": words}


def _advice(finding: Finding, where: Sequence[str]) -> Document:
    told, advised = ADVICE[finding.id], finding.advised
    plan = plan_words(finding, where)
    return finding_document(finding) | {
        "is_risk": not finding.is_advice,
        "group": GROUP_OF[finding.id].name.lower(),
        "at_stake": told.stake.word,
        "found": None if advised is None else advised.found,
        "limit": None if advised is None else advised.limit,
        "source": told.source,
        "why": told.why,
        "what_to_do": " ".join(action_lines(finding)),
        "cost": told.cost,
        "helps": told.helps.name.lower(),
        "plan": shlex.split(plan) if plan else None,
    }
