"""Plans for tests, from the words of a command line."""

from __future__ import annotations

from tests.doubles.ways_out import with_sound_ways_out
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.host.plan_facts import PlanFacts


def planned(facts: PlanFacts, action: str, target: str, *words: str, **options: OptionValue) -> Plan:
    """The plan; `with_clones=True` is the option `with-clones`."""
    named = {name.replace("_", "-"): value for name, value in options.items()}
    return with_sound_ways_out(plan(intent(action, target, *words, options=named), facts), facts)


def commands(made: Plan) -> list[str]:
    """Its steps, as they would be typed."""
    return [" ".join(step.argv) for step in made.steps]


def rules(made: Plan) -> list[str]:
    """The rules that refuse it."""
    return [each.rule for each in made.refusals]
