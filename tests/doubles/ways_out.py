"""What is wrong with the ways out of a plan: INSTEAD of a plan that may run, NEXT of a refused one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts

SAYS_LOSS: Final = re.compile(
    r"destroy|discard|roll\b|abort|give up|lose|lost|clear|replace|detach|return|release", re.IGNORECASE
)


def with_sound_ways_out(made: Plan, facts: PlanFacts) -> Plan:
    """The plan, whose ways out are no worse than it by the facts that it was made from."""
    for said, wanted in made.alternatives:
        try:
            then = plan(wanted, facts)
        except UsageError:
            continue  # it needs to know more
        found = [] if then.is_refused else list(faults(made, said, then))
        assert [] == found, "; ".join(found)
    return made


def faults(made: Plan, said: str, then: Plan) -> Iterator[str]:
    """Why a way out is worse than what it is offered for, or hides what it costs."""
    named = f"{made.intent} offers {said!r} ({then.intent})"
    present = {each.vdev: each for each in made.redundancy}
    for each in then.redundancy:
        if each.before is None or each.after is None:
            continue
        other = present.get(each.vdev)
        least = each.before if other is None or other.after is None else min(each.before, other.after)
        if each.after < least:
            yield f"{named}: {each.vdev} survives {each.after} after it, and {least} otherwise"
    if made.is_refused:
        if (then.destroys or then.loses) and not SAYS_LOSS.search(said):
            yield f"{named}: it does not say that {(*then.destroys, *then.loses)} is lost"
        return
    if then.is_refused:
        yield f"{named}: it is refused: {then.refusals[0].reason}"
    if then.risk.rank > made.risk.rank:
        yield f"{named}: it is {then.risk.value}, and not {made.risk.value}"
    if more := set(then.destroys) - set(made.destroys):
        yield f"{named}: it destroys {sorted(more)} more"
    if then.loses and not made.loses and not made.destroys:
        yield f"{named}: it loses {then.loses}"
