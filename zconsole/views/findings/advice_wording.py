"""Wording of one rule of advice: when it is given, its source, the reason, the action and its cost."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """What is said of one rule of advice, in the order of the manual."""

    id: str
    when: str  # the state in which it is given, with its limit
    source: str  # where the limit comes from
    why: str
    action: str
    cost: str  # of that, and which data it helps
    evidence: tuple[str, ...]
