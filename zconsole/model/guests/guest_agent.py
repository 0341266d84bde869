"""Answer of a guest's agent to a question about its file systems."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass

THAWED: Final = "thawed"
FROZEN: Final = "frozen"


@dataclass(frozen=True, slots=True)
class AgentReading:
    """Whether the file systems of a running guest are frozen, by its agent."""

    uuid: str
    status: str = ""  # THAWED or FROZEN; empty where the agent did not answer
    problem: str = ""  # why it did not
    was_asked: bool = True  # asking takes the right to change guests
