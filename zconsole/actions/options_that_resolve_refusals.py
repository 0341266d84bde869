"""Ways out of a refused plan by its own options: the one command that is not refused, if there is one.

An option may uncover the next obstacle: what a recursive destroy touches is not looked at before it is
asked for. So the action is planned again with all options that its refusals offer, until nothing refuses it;
options that it does not need are left out then.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.actions.action_spec import Draft, PlanAgain
from zconsole.actions.intent import Intent
from zconsole.actions.plan import RefusalReason
from zconsole.base.errors import UsageError

PlannedAgain = Callable[[Intent], Draft]  # the action with other options, on the same host
MOST_ROUNDS: Final = 4
MOST_REMEDIES: Final = 5
STILL_REFUSED: Final = "still refused"
POSSIBLE_AFTER: Final = "possible"


def ways_out(intent: Intent, draft: Draft, planned: PlannedAgain) -> tuple[tuple[str, Intent], ...]:
    """The offers of a draft as alternatives: one that resolves all, otherwise what each option resolves."""
    if not draft.again:
        return ()
    if not draft.refusals:
        return tuple(each.of(intent) for each in draft.again)
    used, left = _resolving(intent, draft, planned)
    if not left:
        return (_together(intent, used),)
    offers = tuple(_merged(intent, draft.again))
    still = _what_ends_them(left, with_all=" with all of these" if len(offers) > 1 else "")
    return tuple((f"{words}; {still}", wanted) for words, wanted in offers)


def with_all_options(intent: Intent, alternatives: Iterable[tuple[str, Intent]]) -> Intent:
    """The intent with every option of its alternatives that are the same action."""
    same = [each for _, each in alternatives if replace(each, options=()) == replace(intent, options=())]
    given = dict(pair for each in (intent, *same) for pair in each.options)
    return replace(intent, options=tuple(sorted(given.items())))


def _resolving(
    intent: Intent, draft: Draft, planned: PlannedAgain
) -> tuple[list[PlanAgain], tuple[RefusalReason, ...]]:
    """The fewest of the offered options with which nothing is refused; else what refuses all of them."""
    used: list[PlanAgain] = []
    for _ in range(MOST_ROUNDS):
        fresh = [each for each in draft.again if each.option not in {known.option for known in used}]
        if not fresh:
            break
        used += fresh
        try:
            draft = planned(applied(intent, used))
        except UsageError as error:
            return used, (RefusalReason("usage", error.message),)
        if not draft.refusals:
            return _needed(intent, used, planned), ()
    now = [each for each in used if not each.is_for_later]
    if now != used and not planned(applied(intent, now)).refusals:
        return now, ()
    return used, tuple(draft.refusals)


def _what_ends_them(refusals: Sequence[RefusalReason], *, with_all: str) -> str:
    """What is to be done before the options suffice, such as the commands that stop containers.

    Where something refuses them for which nothing is known that ends it, that reason.
    """
    remedies = list(dict.fromkeys(map(_remedy, refusals)))
    if "" in remedies:
        first = next(each for each in refusals if not _remedy(each))
        more = f"; and {len(refusals) - 1} more" if len(refusals) > 1 else ""
        return f"{STILL_REFUSED}{with_all}: {first.reason}{more}"
    more = f"; and {len(remedies) - MOST_REMEDIES} more" if len(remedies) > MOST_REMEDIES else ""
    return f"{POSSIBLE_AFTER}{with_all} after: {'; '.join(remedies[:MOST_REMEDIES])}{more}"


def _remedy(refused: RefusalReason) -> str:
    """What ends a refusal: in words, and the command of zconsole for it."""
    words = refused.instead.removesuffix(" first").removesuffix(",")
    command = f": {shlex.join(refused.command)}" if refused.command else ""
    return f"{words}{command}".removeprefix(": ")


def _needed(intent: Intent, used: Sequence[PlanAgain], planned: PlannedAgain) -> list[PlanAgain]:
    """These without the ones that change nothing of the refusals; those of what follows are kept."""
    kept = list(used)
    for each in used:
        fewer = [other for other in kept if other is not each]
        if each.is_for_later or not fewer:
            continue
        try:
            if not planned(applied(intent, fewer)).refusals:
                kept = fewer
        except UsageError:
            continue
    return kept


def _merged(intent: Intent, offers: Sequence[PlanAgain]) -> Iterator[tuple[str, Intent]]:
    """An alternative for each option, with what is to be done later together with the one before."""
    group: list[PlanAgain] = []
    for each in offers:
        if group and not each.is_for_later:
            yield _together(intent, group)
            group = []
        group.append(each)
    if group:
        yield _together(intent, group)


def applied(intent: Intent, offers: Sequence[PlanAgain]) -> Intent:
    """The intent with all of these options."""
    for each in offers:
        intent = each.applied(intent)
    return intent


def _together(intent: Intent, offers: Sequence[PlanAgain]) -> tuple[str, Intent]:
    """Several options as one alternative, in one sentence."""
    words = "; ".join(each.of(intent)[0] for each in offers if not each.is_for_later)
    later = "".join(f", and {each.of(intent)[0]}" for each in offers if each.is_for_later)
    return f"{words}{later}", applied(intent, offers)
