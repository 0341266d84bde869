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
    """One judgement: stable id, severity, subject, sentence, and the numbers behind it.

    A finding on a disk has the identity of the `disk`; within another one of it, it is told briefly.
    """

    id: str
    severity: Severity
    subject: str
    summary: str
    evidence: Evidence = field(default_factory=dict)
    disk: str = ""  # empty: it is on no single disk
    brief: str = ""  # `FAULTED (too many errors)`
    needs_repair: bool = False  # whether the guided repair of its pool has a repair for it
    folded: tuple[Finding, ...] = ()  # others of the same disk, worst first
    is_advice: bool = False  # on how the pool is built or set: nothing is wrong yet

    @property
    def words(self) -> str:
        """The summary, with the other findings of the same disk in brief."""
        briefs = (each.brief or each.id for each in self.folded)
        also = ", ".join(each for each in briefs if each not in self.summary)
        return f"{self.summary}; also {also}" if also else self.summary

    @property
    def sentence(self) -> str:
        """The words with the pool or host, for display without context."""
        return f"{self.evidence.get('pool') or self.subject}: {self.words}"

    @property
    def repaired_pool(self) -> str:
        """The pool whose guided repair deals with it, or with one folded into it; empty for none."""
        pool = self.evidence.get("pool")
        needs = self.needs_repair or any(each.needs_repair for each in self.folded)
        return pool if needs and isinstance(pool, str) else ""
