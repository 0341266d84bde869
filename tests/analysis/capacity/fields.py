"""Fields of the planner as they are typed."""

from __future__ import annotations

from zconsole.analysis.capacity.planner_inputs import USUAL


def texts(**more: str) -> dict[str, str]:
    return {**USUAL, **more}
