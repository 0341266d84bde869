"""A finding: something worth saying of a host, with the evidence it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

Evidence = Mapping[str, int | float | str | bool | tuple[str, ...] | None]


class Severity(IntEnum):
    """How bad; a larger number is worse."""

    INFO = 0
    WARNING = 1
    CRITICAL = 2

    @property
    def word(self) -> str:
        """The word that users and JSON see."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement: a stable id, how bad, of what, in a sentence, and the numbers behind it."""

    id: str
    severity: Severity
    subject: str
    summary: str
    evidence: Evidence = field(default_factory=dict)
