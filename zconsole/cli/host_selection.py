"""Which hosts a command line means."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

THIS_HOST: Final = "local"


@dataclass(frozen=True, slots=True)
class HostSelection:
    """Which hosts: named ones, the practice host, or a recording. Nothing named is this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    replay: Path | None = None
    speed: float = 1.0  # of the recording: how many times faster than it was made
