"""Every scene in the practice world, by the module that drives it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from typing import Final

from tests.sentences.practised import (
    copies,
    disk_health,
    failed_disks,
    growth,
    guests_in_trouble,
    scans_and_reading,
    settings_and_layouts,
    slow_disks,
)
from tests.sentences.practised.reading import Practised

MODULES: Final[Mapping[str, Callable[[], AsyncIterator[Practised]]]] = {
    "settings_and_layouts": settings_and_layouts.scenes,
    "guests_in_trouble": guests_in_trouble.scenes,
    "copies": copies.scenes,
    "disk_health": disk_health.scenes,
    "growth": growth.scenes,
    "scans_and_reading": scans_and_reading.scenes,
    "failed_disks": failed_disks.scenes,
    "slow_disks": slow_disks.scenes,
}


async def practised(modules: Collection[str] = tuple(MODULES)) -> list[Practised]:
    """The scenes of these modules."""
    return [each for name in modules async for each in MODULES[name]()]
