"""Finding: a judgement about a host with its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

Evidence = Mapping[str, int | float | str | bool | tuple[str, ...] | None]
DISK_SLOW: Final = "disk-slow"  # ids of findings that are verdicts on slow disks
DISK_STALLING: Final = "disk-stalling"
SLOW_FINDINGS: Final = frozenset({DISK_SLOW, DISK_STALLING})


class Severity(IntEnum):
    """Severity; larger is worse."""

    INFO = 0
    WARNING = 1
    CRITICAL = 2

    @property
    def word(self) -> str:
        """The name in text and JSON."""
        return self.name.lower()


# Of equal severity these come before all others, a slow disk among them: no access to data; data that is
# damaged, without redundancy, or on a host that is gone; a device that is out, or a release that damages it.
_URGENT: Final[Sequence[frozenset[str]]] = (
    frozenset({"pool-suspended", "pool-faulted", "pool-unavail", "vdev-lost", "vdev-incomplete"}),
    frozenset({"link-lost", "vdev-no-redundancy", "data-errors"}),
    frozenset({"release-known-bad", "shared-cause", "pool-degraded", "device-faulted", "device-degraded"}),
)
Place = tuple[int, bool, int]  # among findings, the worst first

LAST: Final[Place] = (1, False, 0)  # without a finding


def place_of(severity: Severity, finding_id: str, *, is_advice: bool = False) -> Place:
    """The place of a finding wherever the worst comes first: lists, headings, alerts."""
    urgency = next((at for at, ids in enumerate(_URGENT) if finding_id in ids), len(_URGENT))
    return -severity, is_advice, urgency


@dataclass(frozen=True, slots=True)
class ProposedAction:
    """Action of the catalogue that follows a piece of advice: the words of its intent.

    Words that are missing at the end, such as the disk of `attach`, are asked for when it is planned.
    """

    action: str  # id in the catalogue
    target: str
    arguments: tuple[str, ...] = ()
    options: tuple[tuple[str, str | bool | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Advised:
    """What a rule of advice found, in words, its limit, and the action that follows it.

    Why it matters, where the limit comes from and what the action costs is the same for every finding of
    the rule: `views/findings/advice.py`.
    """

    found: str  # `13 disks`
    limit: str  # `at most 12 disks`
    action: ProposedAction | None  # None: no plan of this program does it


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
    advised: Advised | None = None  # of every advice, and of a risk that lies in how the pool is built or set

    @property
    def place(self) -> Place:
        """Its place among others, the worst first."""
        return place_of(self.severity, self.id, is_advice=self.is_advice)

    @property
    def words(self) -> str:
        """The summary, with the other findings of the same disk in brief."""
        briefs = (each.brief or each.id for each in self.folded)
        also = ", ".join(each for each in briefs if each not in self.summary)
        return f"{self.summary}; also {also}" if also else self.summary

    @property
    def sentence(self) -> str:
        """The words with the pool or host, or the dataset that they do not name; to be read by itself."""
        return f"{self._dataset or self.evidence.get('pool') or self.subject}: {self.words}"

    @property
    def _dataset(self) -> str:
        """The dataset or snapshot that it is of, where the words do not name it; empty for others."""
        pool, host = self.evidence.get("pool"), self.evidence.get("host")
        name = self.subject.removeprefix(f"{host}:") if isinstance(host, str) else self.subject
        is_of_dataset = isinstance(pool, str) and name.startswith((f"{pool}/", f"{pool}@"))
        return name if is_of_dataset and name not in self.words else ""

    @property
    def repaired_pool(self) -> str:
        """The pool whose guided repair deals with it, or with one folded into it; empty for none."""
        pool = self.evidence.get("pool")
        needs = self.needs_repair or any(each.needs_repair for each in self.folded)
        return pool if needs and isinstance(pool, str) else ""
