"""Host selection of a command line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from zconsole.base.lazy_dataclass import dataclass

THIS_HOST: Final = "local"


@dataclass(frozen=True, slots=True)
class HostSelection:
    """Selected hosts: named ones, the practice host, or a recording; by default this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    exercise: str = ""  # of the practice host
    replay: Path | None = None
    speed: float = 1.0  # of a recording or an exercise, as a multiple of real time

    @property
    def demo_word(self) -> str:
        """The word that selects the practice host."""
        return f"--demo={self.exercise}" if self.exercise else "--demo"

    def words_for(self, host: str) -> tuple[str, ...]:
        """The words that select one of the hosts in a command; none for this machine."""
        if self.is_demo:
            return (self.demo_word,)
        return ("--host", host) if self.hosts else ()
