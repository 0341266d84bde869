"""Key filter: drops keys meant for a closed dialog, or typed before a new one was visible."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

from textual import events

QUIET_S: Final = 0.4  # longer than a lagging link holds up a burst and than a hand needs from key to key
HELD_S: Final = 1.2  # within that a key that is held begins to repeat
REPEAT_S: Final = 0.08  # the longest time from one repeat to the next
EXPECTED_S: Final = 0.5  # within that a dialog opens that was asked for
MOST_WAITING: Final = 500  # keys; what a hand presses, a screen keeps up with

Input = events.Key | events.Paste | events.MouseDown | events.MouseUp


class KeyFate(Enum):
    """What becomes of a key."""

    PASSES = "passes"
    DROPPED = "dropped"
    DOUBTED = "doubted"  # it passes unless it comes once more at once: then it is held


@dataclass(slots=True)
class KeyFilter:
    """Which keys go nowhere. Times are monotonic seconds."""

    quiet_s: float = QUIET_S
    _until: float = 0.0
    _expected_until: float = 0.0
    _since: float = 0.0  # what was pressed before that was meant for another screen
    _last: str = ""  # the key that passed last
    _held: str = ""  # the key that closed the dialog
    _held_until: float = 0.0
    _doubted_at: float | None = None

    def expect(self, now: float) -> None:
        """A dialog was asked for: until it is there, keys can only be meant for it."""
        if self.quiet_s:
            self._expected_until = now + EXPECTED_S

    def opened(self, now: float, *, is_unasked: bool) -> None:
        """A dialog is there. One that opens by itself takes no key that somebody is just pressing."""
        self._since, self._expected_until = now, 0.0
        if is_unasked:
            self._until = max(self._until, now + self.quiet_s)

    def closed(self, now: float) -> None:
        """A dialog has gone."""
        self._since = now
        self._until = max(self._until, now + self.quiet_s)
        self._held, self._held_until = self._last, now + HELD_S

    def fate(self, key: str, pressed: float, now: float) -> KeyFate:
        """What becomes of a key, or of pasted text (an empty key), that was pressed at a moment."""
        if not self.quiet_s:
            return KeyFate.PASSES
        if now < self._until or pressed < self._since:
            self._until = max(self._until, min(pressed, now) + self.quiet_s)
            return KeyFate.DROPPED
        if now < self._expected_until:
            return KeyFate.DROPPED
        if key and key == self._held and pressed < self._held_until:
            if self._doubted_at is not None and pressed - self._doubted_at < REPEAT_S:
                self._until = now + self.quiet_s  # it is held: nothing of it is meant
                self._held_until = now + HELD_S
                self._doubted_at = None
                return KeyFate.DROPPED
            self._doubted_at = pressed
            return KeyFate.DOUBTED
        self._held = ""
        self._last = key
        return KeyFate.PASSES

    def is_still_doubted(self, pressed: float) -> bool:
        """Whether no second one came after that one."""
        if self._doubted_at != pressed:
            return False
        self._doubted_at, self._held, self._last = None, "", self._held
        return True


class Keyboard:
    """The keys that wait for the one before them."""

    def __init__(self) -> None:
        self._waiting: deque[Input] = deque()

    def add(self, event: Input) -> None:
        """It waits; what is more than a hand can press is lost."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(event)

    def put_back(self, event: Input) -> None:
        """It goes on to be the first."""
        self._waiting.appendleft(event)

    def next(self) -> Input | None:
        """The one that came first."""
        return self._waiting.popleft() if self._waiting else None
