"""Somebody who types: at the pace of a person, whatever the pace of the test."""

from __future__ import annotations

from typing import Any, Final

from textual import events
from textual.pilot import Pilot

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
