"""Finding: a judgement about a host with its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

Evidence = Mapping[str, int | float | str | bool | tuple[str, ...] | None]


class Severity(IntEnum):
    """Severity; larger is worse."""

    INFO = 0
    WARNING = 1
    CRITICAL = 2

    @property
    def word(self) -> str:
        """The name in text and JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Finding:
    """One judgement: stable id, severity, subject, sentence, and the numbers behind it."""

    id: str
    severity: Severity
    subject: str
    summary: str
    evidence: Evidence = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """The summary with its pool or host, for display without context."""
        return f"{self.evidence.get('pool') or self.subject}: {self.summary}"
