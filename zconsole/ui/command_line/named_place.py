"""Object of the command line: something with a name to go to, and to act on."""

from __future__ import annotations

from collections.abc import Callable

from zconsole.actions.intent import Target
from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NamedPlace:
    """Something to go to: what it is, its name, and how it is shown."""

    kind: str
    name: str
    go: Callable[[], object]
    where: str = ""  # on which host, in which pool
    host: str = ""
    target: Target | None = None  # for the actions on it
    aliases: tuple[str, ...] = ()  # its other names, by which it is found too

    @property
    def words(self) -> str:
        """`disk ZC13A0R7 (tank on nas1)`; the text that completion writes begins with the kind."""
        return f"{self.kind} {self.name}"
