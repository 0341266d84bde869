"""Wording of one rule of advice: when it is given, its source, the reason, the action, its cost."""

from __future__ import annotations

from enum import Enum, IntEnum

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity


class Stake(IntEnum):
    """What may be lost where the advice is not followed; larger is worse."""

    UPKEEP = 0  # nothing but ease
    SPACE = 1
    SPEED = 2
    SERVICE = 3  # the pool, or a guest on it, is away for a time
    DATA = 4

    @property
    def word(self) -> str:
        """The name in text and JSON."""
        return self.name.lower()


class HelpedData(Enum):
    """The data that is better off once the advice has been followed."""

    ALL = "all data, as soon as it is done"
    NEW = "data written from then on, and old data that is written again"
    NONE = "work on the pool; its data stays as it is"


@dataclass(frozen=True, slots=True)
class Advice:
    """What is said of one rule, in the order of the manual."""

    id: str
    stake: Stake
    helps: HelpedData
    when: str  # the state in which it is given, with its limit
    source: str  # where the limit comes from
    why: str
    action: str
    cost: str  # of that
    evidence: tuple[str, ...]
    risk: tuple[Severity, ...] = ()  # severities where it counts as a finding, worst first; none for advice
