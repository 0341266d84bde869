"""A draft of a plan for the checks that fill it in."""

from __future__ import annotations

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Risk


def draft(risk: Risk = Risk.ROUTINE) -> Draft:
    """An empty one about tank."""
    return Draft("change tank", "tank", risk)


def rules(made: Draft) -> list[str]:
    """The rules that refuse it."""
    return [each.rule for each in made.refusals]
