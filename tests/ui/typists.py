"""Somebody who types: at the pace of a person, whatever the pace of the test."""

from __future__ import annotations

from time import monotonic
from typing import Any, Final

from textual import events
from textual.pilot import Pilot

from zconsole.actions.typed_confirmation_state_machine import COUNTDOWN_S, QUIET_S, YES, GuardStage
from zconsole.ui.dialogs.plan import PlanDialog

BETWEEN_S: Final = 0.2  # two keys of somebody who reads what is typed


async def by_hand(pilot: Pilot[Any], words: str) -> None:
    """Type, letter by letter; each bears the time at which a person would have pressed it."""
    for number, letter in enumerate(words):
        key = events.Key(letter, letter)
        key.time += number * BETWEEN_S
        pilot.app.post_message(key)
        await pilot.pause()


CHARACTERS: Final = {"enter": "\r", "space": " "}


async def at_once(pilot: Pilot[None], *keys: str) -> None:
    """Keys in one piece: the next is there before the one before it did anything."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else CHARACTERS.get(key)))
    for _ in range(3):
        await pilot.pause()


async def one_by_one(pilot: Pilot[None], *keys: str) -> None:
    """Keys, each of which has done what it does before the next one comes."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()


async def confirm(pilot: Pilot[Any], dialog: PlanDialog) -> None:
    """Type what a plan asks for, and yes, letter by letter on a clock that goes ahead of the test's."""
    while dialog.guard.stage is GuardStage.UNSEEN:
        await pilot.pause()
    ahead = 0.0
    dialog._clock = lambda: monotonic() + ahead
    for letter in (dialog.guard.confirm or "") + YES:
        ahead += 2 * QUIET_S
        key = events.Key(letter, letter)
        key.time = dialog._clock()
        dialog.post_message(key)
        await pilot.pause()
    ahead += 2 * QUIET_S + (COUNTDOWN_S if dialog.guard.has_countdown else 0.0)
    dialog._tick()
    await pilot.pause()
