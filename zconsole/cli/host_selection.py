"""Host selection of a command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

THIS_HOST: Final = "local"


@dataclass(frozen=True, slots=True)
class HostSelection:
    """Selected hosts: named ones, the practice host, or a recording; by default this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    replay: Path | None = None
    speed: float = 1.0  # replay speed, as a multiple of real time
