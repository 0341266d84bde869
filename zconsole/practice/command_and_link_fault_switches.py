"""Faults of a practice host that tests switch on: hanging commands, missing programs, a cut link."""

from __future__ import annotations

import asyncio
from dataclasses import field

from zconsole.base.lazy_dataclass import dataclass


@dataclass(slots=True)
class Faults:
    """The troubles of a practice host; call `changed` after touching them while commands run."""

    hanging: set[tuple[str, ...]] = field(default_factory=set)  # beginnings of argv that never answer
    missing: set[str] = field(default_factory=set)  # programs that are not installed
    denied: set[str] = field(default_factory=set)  # programs and paths that this user may not use
    is_unreachable: bool = False  # nobody answers at that address
    is_link_cut: bool = False  # the connection has gone away
    cut_after_bytes: int | None = None  # output ends there, and the command's end is never seen
    noise: bytes = b""  # stands in front of every output
    answer_after_s: float = 0.0  # each command takes that long
    _woken: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def changed(self) -> None:
        """Wake every waiting command."""
        woken, self._woken = self._woken, asyncio.Event()
        woken.set()

    async def wait(self) -> None:
        """Wait until something changes."""
        await self._woken.wait()

    def hangs(self, argv: tuple[str, ...]) -> bool:
        """Whether such a command never answers."""
        return any(argv[: len(beginning)] == beginning for beginning in self.hanging)
