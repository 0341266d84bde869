"""Key filter: drops keys meant for a closed dialog, or typed before a new one was visible."""

from __future__ import annotations

from collections import deque
from enum import Enum
from typing import Final

from textual import events

from zconsole.base.lazy_dataclass import dataclass

QUIET_S: Final = 0.4  # longer than a lagging link delays a burst, and than a hand needs from key to key
HELD_S: Final = 1.2  # a held key begins to repeat within this time
REPEAT_S: Final = 0.08  # the longest time from one repeat to the next
BACK: Final = "escape"  # one step back and one more are two presses, of which none is lost
APART_S: Final = 0.1  # between two presses of a hand, and not of a lagging link
EXPECTED_S: Final = 0.5  # a requested dialog opens within this time
MOST_WAITING: Final = 500  # keys; faster than a hand types, and no problem for a screen

Waiting = events.Key | events.Paste | events.MouseDown | events.MouseUp


class KeyFate(Enum):
    """Decision on a key."""

    PASSES = "passes"
    DROPPED = "dropped"
    DOUBTED = "doubted"  # it passes unless it repeats at once: then it is held


class AfterClosing(Enum):
    """Whom the keys are for that follow the one which closed a dialog."""

    FOR_SCREEN = "for screen"  # it was a list, a question or a text to read
    CONFIRMED = "confirmed"  # something ran, or was to be decided: no key for a moment
    TYPED_ON = "typed on"  # it asked for words; somebody may still be typing them


@dataclass(slots=True)
class KeyFilter:
    """Filter that decides which keys are dropped. Times are monotonic seconds."""

    quiet_s: float = QUIET_S
    _until: float = 0.0
    _expected_until: float = 0.0
    _is_extended: bool = False  # by each dropped key: somebody types on, for what is no longer in front
    _since: float = 0.0  # keys pressed before that were meant for another screen
    _answered_until: float = 0.0  # a dialog that opens before takes no key until then
    _one_step_until: float = 0.0  # presses of a step back until then are one
    _last: str = ""  # the last key that passed
    _held: str = ""  # the key that closed the dialog
    _held_until: float = 0.0
    _doubted_at: float | None = None
    _released: float = 0.0  # from then on a step back counts: none was held, and none is meant for before

    def expect(self, now: float) -> None:
        """Note a requested dialog: until it opens, keys can only be meant for it."""
        if self.quiet_s:
            self._expected_until = now + EXPECTED_S

    def opened(self, now: float, *, is_unasked: bool) -> None:
        """Note an open dialog. A dialog that opens by itself ignores keys that are just being pressed."""
        self._since, self._expected_until = now, 0.0
        if is_unasked:
            self._until = self._released = max(self._until, now + self.quiet_s)
            self._is_extended = True
        elif now < self._answered_until:
            self._until, self._is_extended = max(self._until, self._answered_until), True

    def closed(self, now: float, after: AfterClosing = AfterClosing.TYPED_ON) -> None:
        """Note a closed dialog, and what may follow the key that closed it.

        Whoever goes one step back from a list or a question means the next key for the screen, however soon;
        after an answer to it keys are for the screen too, but not for a next dialog that nobody has read.
        """
        is_step_back = self._last == BACK
        is_for_screen = after is AfterClosing.FOR_SCREEN
        if is_for_screen and is_step_back:
            self._one_step_until = now + APART_S
        else:
            self._since = now
        if not is_for_screen:
            self._until = max(self._until, now + self.quiet_s)
            self._is_extended = after is AfterClosing.TYPED_ON and not is_step_back
        self._answered_until = now + self.quiet_s if is_for_screen and not is_step_back else 0.0
        self._held, self._held_until = self._last, now + HELD_S

    def fate(self, key: str, pressed: float, now: float) -> KeyFate:
        """Decide on a key, or on pasted text (an empty key), pressed at a moment."""
        if not self.quiet_s:
            return KeyFate.PASSES
        if key == BACK and pressed < self._one_step_until:
            return KeyFate.DROPPED
        is_step_back = key == BACK and pressed >= self._since + APART_S and now >= self._released
        if (now < self._until or pressed < self._since) and not is_step_back:
            if self._is_extended:
                self._until = max(self._until, min(pressed, now) + self.quiet_s)
            if now < self._released:
                self._released = self._until
            return KeyFate.DROPPED
        if now < self._expected_until:
            return KeyFate.DROPPED
        if key and key == self._held and pressed < self._held_until:
            if self._doubted_at is not None and pressed - self._doubted_at < REPEAT_S:
                self._until = self._released = now + self.quiet_s  # it is held: no repetition is intended
                self._held_until = now + HELD_S
                self._doubted_at = None
                return KeyFate.DROPPED
            self._doubted_at = pressed
            return KeyFate.DOUBTED
        self._held = ""
        self._last = key
        return KeyFate.PASSES

    def is_still_doubted(self, pressed: float) -> bool:
        """Whether the key in doubt was not repeated."""
        if self._doubted_at != pressed:
            return False
        self._doubted_at, self._held, self._last = None, "", self._held
        return True


class Keyboard:
    """Queue of the keys that wait for the one before them."""

    def __init__(self) -> None:
        self._waiting: deque[Waiting] = deque()

    def add(self, event: Waiting) -> None:
        """Append a key; keys beyond the limit are dropped."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(event)

    def put_back(self, event: Waiting) -> None:
        """Put a key back at the head of the queue."""
        self._waiting.appendleft(event)

    def next(self) -> Waiting | None:
        """Return the oldest key."""
        return self._waiting.popleft() if self._waiting else None
