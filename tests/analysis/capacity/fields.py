"""Fields of the planner as they are typed."""

from __future__ import annotations

from zconsole.analysis.capacity.inputs import USUAL


def texts(**more: str) -> dict[str, str]:
    return {**USUAL, **more}
