"""Flow that makes the activity light of a disk blink by reads with pauses, until a key or for two minutes."""

from __future__ import annotations

import asyncio
from itertools import count
from typing import TYPE_CHECKING, Final

from zconsole.base.errors import ZConsoleError
from zconsole.system.dd_disk_reads import MIB
from zconsole.ui.dialogs.text_prompts_and_notices import TellDialog
from zconsole.views.repair.activity_light import LASTS_S, blinking, ended, silent

if TYPE_CHECKING:
    from zconsole.model.repair import DeviceIdentity
    from zconsole.ui.app_protocol import ConsoleApp

PAUSE_S: Final = 0.7
STRIDE_MIB: Final = 128  # between two bursts, so that no cache of the disk answers
SPAN_MIB: Final = 16384  # at most, from the start of the disk


async def blink(app: ConsoleApp, host: str, device: DeviceIdentity, path: str) -> None:
    """Read in bursts while the dialog is open; each burst ends by itself, with or without this console."""
    try:
        await asyncio.wrap_future(app.queries.let_blink(host, path, 0))
    except ZConsoleError as error:
        await app.push_screen_wait(TellDialog(app.paint, tuple(silent(device, error.message))))
        return
    dialog = TellDialog(app.paint, tuple(blinking(device)))
    reading = asyncio.create_task(_bursts(app, dialog, host, (device, path)))
    try:
        await app.push_screen_wait(dialog)
    finally:
        reading.cancel()


def burst_offset_mib(number: int, size_bytes: int | None) -> int:
    """Where a burst begins, so that it is on the disk; a disk of unknown size is read at its start."""
    strides = min(SPAN_MIB, (size_bytes or 0) // MIB) // STRIDE_MIB
    return number % strides * STRIDE_MIB if strides else 0


async def _bursts(app: ConsoleApp, dialog: TellDialog, host: str, disk: tuple[DeviceIdentity, str]) -> None:
    device, path = disk
    end = app.states.monotonic() + LASTS_S
    for number in count(1):
        await asyncio.sleep(PAUSE_S)
        if app.states.monotonic() > end:
            dialog.tell(tuple(ended(device)))
            return
        try:
            at_mib = burst_offset_mib(number, device.size_bytes)
            await asyncio.wrap_future(app.queries.let_blink(host, path, at_mib))
        except ZConsoleError as error:
            dialog.tell(tuple(silent(device, error.message)))
            return
