"""The guard in front of a plan: what has been typed since it could be seen, and whether that is enough.

A pure state machine; times are monotonic seconds. The answer is no until the very end:

- what was typed before the dialog was painted is dropped;
- Enter never confirms, and neither does text that comes faster than a person types: pasted, or held up
  on its way;
- a plan with a confirmation wants it typed, letter by letter; then, like a routine one, it wants `yes`;
- `yes` is three keys, so that no key that is held down writes it, however long it takes to repeat: terminals
  tell of no key's release. No two of them may come together. It counts when no key came for 300 ms before
  it and none but Enter comes for 300 ms after it; what is read after that can still be stopped by Esc, in the
  dialog of the run, until the first command is sent;
- a catastrophic plan then counts down, and any key stops it;
- time in which the console or its terminal stood still (a stopped process, a busy machine, a link that hangs)
  counts for neither, and where it was long, `yes` is asked for anew;
- a dialog's plan expires, so long after the host was read; `yes` is taken while there is time to count down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from math import inf
from typing import Final

from zconsole.actions.plan import DIALOG_PLAN_LASTS_S, Plan, Risk
from zconsole.base.typing_speed import AT_ONCE_S, TOGETHER_S

QUIET_S: Final = 0.3  # without a key, before and after the word that counts
STILL_S: Final = 1.0  # of a console that took no key: what was confirmed before is asked for anew
COUNTDOWN_S: Final = 10.0
STARTS_S: Final = 2.0  # of a plan's time are left for its way from here to the first look at the host
YES: Final = "yes"
AT_ONCE: Final = "text that comes all at once does not count; type it again"
STILL: Final = f"the console stood still, and nothing was done; type {YES} again"
SILENT: Final = f"the terminal stood still, and nothing was done; type {YES} again"
TOO_SOON: Final = "keys that came too soon did not count: wait a moment, then type"
TOO_FAST: Final = f"too fast after another key: wait a moment, then type {YES}"


class GuardStage(Enum):
    """How far the user has come."""

    UNSEEN = "unseen"  # not painted yet: every key is dropped
    TYPING = "typing"  # the confirmation is not complete
    READY = "ready"  # only `yes` is missing
    PRESSED = "pressed"  # `yes` came; it counts unless another key follows at once
    COUNTING = "counting"  # it will run at `deadline` unless a key comes
    GO = "go"
    NO = "no"
    EXPIRED = "expired"  # the plan is too old to be run

    @property
    def is_end(self) -> bool:
        """Whether no key changes it any more."""
        return self in {GuardStage.GO, GuardStage.NO, GuardStage.EXPIRED}


@dataclass(frozen=True, slots=True)
class Guard:
    """One dialog's guard at one moment. `said` is a remark on the last key."""

    confirm: str | None
    has_countdown: bool = False
    stage: GuardStage = GuardStage.UNSEEN
    typed: str = ""
    answer: str = ""  # as much of `yes` as was typed
    said: str = ""
    quiet_since: float = 0.0  # when the last key came
    key_before: float = 0.0  # when the one before it came
    deadline: float = 0.0  # of PRESSED and COUNTING
    expires: float = 0.0  # until then `yes` is taken
    ends: float = 0.0  # until then the plan is run
    seen_until: float = inf  # the terminal has shown all up to then, and sent all keys; inf: it cannot tell

    def painted(self, now: float, made: float | None = None) -> Guard:
        """The dialog is on the screen: from now on keys count. The plan was made at `made` (None: now)."""
        if self.stage is not GuardStage.UNSEEN:
            return self
        stage = GuardStage.READY if self.confirm is None else GuardStage.TYPING
        ends = (now if made is None else made) + DIALOG_PLAN_LASTS_S
        left_s = STARTS_S + QUIET_S + (COUNTDOWN_S if self.has_countdown else 0.0)
        return replace(self, stage=stage, quiet_since=now, expires=ends - left_s, ends=ends)

    def key(self, key: str, character: str | None, now: float) -> Guard:
        """A key: its name, and the character that it writes, if any. `now` is when it was pressed."""
        settled = self.tick(now)
        if settled.stage is GuardStage.UNSEEN or settled.stage.is_end or now < settled.quiet_since:
            return settled
        pressed = _react(settled, key, character, now)
        if pressed.stage.is_end:
            return pressed
        return replace(pressed, quiet_since=now, key_before=settled.quiet_since)

    def unheard(self) -> Guard:
        """A key was pressed before anybody could have seen what it answers: it goes nowhere, and is told."""
        return self if self.stage.is_end or self.typed or self.answer else replace(self, said=TOO_SOON)

    def stood_still(self, seconds: float, said: str = STILL) -> Guard:
        """No key could come for so long: that was no quiet, and nobody could stop what counts down."""
        if self.stage not in {GuardStage.PRESSED, GuardStage.COUNTING}:
            return self
        if seconds >= STILL_S:  # keys may be lost, as a terminal loses them after a stop
            return replace(self, stage=GuardStage.READY, answer="", said=said)
        return replace(self, deadline=self.deadline + seconds)

    def pasted(self, now: float) -> Guard:
        """Text that came all at once is not typed."""
        if self.stage is GuardStage.UNSEEN or self.stage.is_end:
            return self
        stopped = GuardStage.READY if self.stage in {GuardStage.PRESSED, GuardStage.COUNTING} else self.stage
        return replace(
            self,
            stage=stopped,
            answer="",
            quiet_since=now,
            said="pasting does not count; type it (scripts: zconsole apply)",
        )

    def tick(self, now: float) -> Guard:
        """Time goes on."""
        if self.stage is GuardStage.UNSEEN or self.stage.is_end:
            return self
        is_confirmed = self.stage in {GuardStage.PRESSED, GuardStage.COUNTING}
        if now >= (self.ends if is_confirmed else self.expires):
            return replace(self, stage=GuardStage.EXPIRED, said="this plan has expired")
        if not is_confirmed or now < self.deadline:
            return self
        if self.stage is GuardStage.PRESSED and self.has_countdown:
            return replace(self, stage=GuardStage.COUNTING, deadline=self.deadline + COUNTDOWN_S).tick(now)
        return replace(self, stage=GuardStage.GO) if self.seen_until >= self.deadline else self


def _react(guard: Guard, key: str, character: str | None, now: float) -> Guard:
    if key == "escape":
        return replace(guard, stage=GuardStage.NO, said="")
    if guard.stage is GuardStage.PRESSED:
        if key == "enter":
            return guard  # many close a word with it; it neither confirms nor stops
        return replace(guard, stage=GuardStage.READY, answer="", said="another key came; nothing was done")
    if guard.stage is GuardStage.COUNTING:
        return replace(guard, stage=GuardStage.READY, answer="", said="stopped; nothing was done")
    if key == "enter":
        if not guard.typed and not guard.answer:
            return replace(guard, stage=GuardStage.NO)
        return replace(guard, said="Enter never confirms")
    if key == "backspace":
        return replace(guard, answer=guard.answer[:-1]) if guard.answer else _with(guard, guard.typed[:-1])
    if key == "ctrl+u":
        return _with(guard, "")
    if character is None or not character.isprintable():
        return guard
    has_begun = guard.typed or guard.answer or guard.said == AT_ONCE
    if has_begun and now - guard.key_before < AT_ONCE_S:
        return _with(guard, "", said=AT_ONCE)
    if guard.answer and now - guard.quiet_since < TOGETHER_S:
        return replace(guard, answer="", said=AT_ONCE)
    if guard.stage is GuardStage.READY:
        return _ready(guard, character, now)
    return _with(guard, guard.typed + character)


def _ready(guard: Guard, character: str, now: float) -> Guard:
    if character == "n" and not guard.answer:
        return replace(guard, stage=GuardStage.NO)
    answer = guard.answer + character
    if not YES.startswith(answer):
        held = "a key that is held does not count; " if character == guard.answer[-1:] else ""
        return replace(guard, answer="", said=f"{held}type {YES}" if guard.answer or held else guard.said)
    if not guard.answer and now - guard.quiet_since < QUIET_S:
        return replace(guard, said=TOO_FAST)
    if answer == YES:
        return replace(guard, stage=GuardStage.PRESSED, deadline=now + QUIET_S, answer="", said="")
    return replace(guard, answer=answer, said="")


def _with(guard: Guard, typed: str, said: str = "") -> Guard:
    """The text is so far; complete, it only wants `yes`."""
    if guard.confirm is None:
        return replace(guard, answer="", said=said)
    typed = typed[: len(guard.confirm)]
    stage = GuardStage.READY if typed == guard.confirm else GuardStage.TYPING
    is_wrong = not guard.confirm.startswith(typed)
    wrong = AT_ONCE if guard.said == AT_ONCE else "this is not it"  # the rest of that text explains nothing
    return replace(guard, typed=typed, answer="", stage=stage, said=wrong if is_wrong else said)


def guard_of(plan: Plan) -> Guard:
    """The guard that a plan's risk asks for; of a refused one no key ever opens it."""
    if plan.is_refused:
        return Guard(None, stage=GuardStage.NO)
    return Guard(plan.confirm, has_countdown=plan.risk is Risk.CATASTROPHIC)
