"""Guard of a plan: state machine of the confirmation typed by the user.

Pure; times are monotonic seconds. The answer is no until the very end:

- keys typed before the dialog was painted are dropped;
- only Esc, and Enter in the empty field, say no: a letter is text, and where it does not count that is told;
- Enter never confirms. In the empty field it says no; after text that did not count it only tells so, because
the keys that follow would reach the screen below;
- text that comes faster than a person types does not confirm: pasted, or delayed in transit;
- a plan with a confirmation requires it letter by letter; then, like a routine one, it requires `yes`;
- `yes` is three keys, so that no held key can write it: terminals do not report key releases. No two of them
may come together. It counts when no key came for 300 ms before it and none but Enter comes for 300 ms after
it; later keys can still stop it by Esc, in the dialog of the run, until the first command is sent;
- a catastrophic plan then counts down, and any key stops it;
- time in which the console or its terminal stood still (a stopped process, a busy machine, a hanging link)
counts for neither; after a long one `yes` is requested again;
- a plan does not expire while it is read or typed at: the host is read again before it runs.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from math import inf
from typing import Final

from zconsole.actions.plan import Plan, Risk
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.typing_and_paste_speed import AT_ONCE_S, TOGETHER_S

QUIET_S: Final = 0.3  # without a key, before and after the counting word
STILL_S: Final = 1.0  # of a console that accepted no key: the confirmation is requested again
COUNTDOWN_S: Final = 10.0
YES: Final = "yes"
AT_ONCE: Final = "text that comes all at once does not count; type it again"
STILL: Final = f"the console stood still, and nothing was done; type {YES} again"
SILENT: Final = f"the terminal stood still, and nothing was done; type {YES} again"
TOO_SOON: Final = "keys that came too soon did not count: wait a moment, then type"
PASTED: Final = "pasting does not count; type it (scripts: zconsole apply)"
NOTHING_TYPED: Final = "nothing counted as typed yet: type it, or Esc goes back"
WRONG_KEY: Final = f"only {YES} counts here; Esc goes back"
NO_USE: Final = "this key does nothing here; Esc goes back"
TOO_FAST: Final = f"too fast after another key: wait a moment, then type {YES}"

_REFUSED: Final = frozenset(
    {AT_ONCE, PASTED, TOO_SOON, NOTHING_TYPED, WRONG_KEY}
)  # the text or keys before did not count


class GuardStage(Enum):
    """Progress of the confirmation."""

    UNSEEN = "unseen"  # not painted yet: keys are dropped
    TYPING = "typing"  # the confirmation is incomplete
    READY = "ready"  # only `yes` is missing
    PRESSED = "pressed"  # `yes` was typed; it counts unless another key follows at once
    COUNTING = "counting"  # runs at `deadline` unless a key comes
    GO = "go"
    NO = "no"

    @property
    def is_end(self) -> bool:
        """Whether the stage is final."""
        return self in {GuardStage.GO, GuardStage.NO}


@dataclass(frozen=True, slots=True)
class Guard:
    """State of one dialog's guard. `said` is a remark on the last key."""

    confirm: str | None
    has_countdown: bool = False
    stage: GuardStage = GuardStage.UNSEEN
    typed: str = ""
    answer: str = ""  # the typed part of `yes`
    said: str = ""
    quiet_since: float = 0.0  # time of the last key
    key_before: float = 0.0  # time of the key before
    deadline: float = 0.0  # of PRESSED and COUNTING
    seen_until: float = inf  # the terminal has shown and sent everything up to then; inf: unknown

    def painted(self, now: float) -> Guard:
        """The dialog is visible: keys count from now on."""
        if self.stage is not GuardStage.UNSEEN:
            return self
        stage = GuardStage.READY if self.confirm is None else GuardStage.TYPING
        return replace(self, stage=stage, quiet_since=now)

    def key(self, key: str, character: str | None, now: float) -> Guard:
        """A key: name, and character if any. `now` is when it was pressed."""
        settled = self.tick(now)
        if settled.stage is GuardStage.UNSEEN or settled.stage.is_end or now < settled.quiet_since:
            return settled
        pressed = _react(settled, key, character, now)
        if pressed.stage.is_end:
            return pressed
        return replace(pressed, quiet_since=now, key_before=settled.quiet_since)

    def unheard(self) -> Guard:
        """A key was pressed before its effect could be seen: drop it, with a remark."""
        return self if self.stage.is_end or self.typed or self.answer else replace(self, said=TOO_SOON)

    def stood_still(self, seconds: float, said: str = STILL) -> Guard:
        """No key could arrive for this time: it counts neither as quiet nor as countdown."""
        if self.stage not in {GuardStage.PRESSED, GuardStage.COUNTING}:
            return self
        if seconds >= STILL_S:  # a terminal may lose keys after a stop
            return replace(self, stage=GuardStage.READY, answer="", said=said)
        return replace(self, deadline=self.deadline + seconds)

    def pasted(self, now: float) -> Guard:
        """Pasted text does not count as typed."""
        if self.stage is GuardStage.UNSEEN or self.stage.is_end:
            return self
        stopped = GuardStage.READY if self.stage in {GuardStage.PRESSED, GuardStage.COUNTING} else self.stage
        return replace(
            self,
            stage=stopped,
            answer="",
            quiet_since=now,
            said=PASTED,
        )

    def tick(self, now: float) -> Guard:
        """Time passes."""
        if self.stage is GuardStage.UNSEEN or self.stage.is_end:
            return self
        if self.stage not in {GuardStage.PRESSED, GuardStage.COUNTING} or now < self.deadline:
            return self
        if self.stage is GuardStage.PRESSED and self.has_countdown:
            return replace(self, stage=GuardStage.COUNTING, deadline=self.deadline + COUNTDOWN_S).tick(now)
        return replace(self, stage=GuardStage.GO) if self.seen_until >= self.deadline else self


def _react(guard: Guard, key: str, character: str | None, now: float) -> Guard:
    if key == "escape":
        return replace(guard, stage=GuardStage.NO, said="")
    if guard.stage is GuardStage.PRESSED:
        if key == "enter":
            return guard  # habitual at the end of a word; it neither confirms nor stops
        return replace(guard, stage=GuardStage.READY, answer="", said="another key came; nothing was done")
    if guard.stage is GuardStage.COUNTING:
        return replace(guard, stage=GuardStage.READY, answer="", said="stopped; nothing was done")
    if key == "enter":
        if not guard.typed and not guard.answer and guard.said in _REFUSED:
            return replace(guard, said=NOTHING_TYPED)  # who believes to have answered did not decline
        if not guard.typed and not guard.answer:
            return replace(guard, stage=GuardStage.NO)
        return replace(guard, said=_why_enter_does_nothing(guard))
    if key == "backspace":
        return replace(guard, answer=guard.answer[:-1]) if guard.answer else _with(guard, guard.typed[:-1])
    if key == "ctrl+u":
        return _with(guard, "")
    if character is None or not character.isprintable():
        return replace(guard, said=guard.said or NO_USE)
    has_begun = guard.typed or guard.answer or guard.said == AT_ONCE
    if has_begun and now - guard.key_before < AT_ONCE_S:
        return _with(guard, "", said=AT_ONCE)
    if guard.answer and now - guard.quiet_since < TOGETHER_S:
        return replace(guard, answer="", said=AT_ONCE)
    if guard.stage is GuardStage.READY:
        return _ready(guard, character, now)
    return _with(guard, guard.typed + character)


def _why_enter_does_nothing(guard: Guard) -> str:
    """What is missing, for a user who believes to have answered."""
    if guard.stage is not GuardStage.TYPING or guard.confirm is None:
        return f"Enter never confirms: type {YES}"
    if guard.confirm.startswith(guard.typed):
        return f"Enter never confirms: type {guard.confirm} to its end, then {YES}"
    why = f"; {AT_ONCE}" if guard.said == AT_ONCE else ""
    return f"this is not {guard.confirm}{why}"


def _ready(guard: Guard, character: str, now: float) -> Guard:
    answer = guard.answer + character
    if not YES.startswith(answer):
        held = "a key that is held does not count; " if character == guard.answer[-1:] else ""
        is_new = guard.said in {"", NO_USE}  # why an answer before did not count stays
        told = WRONG_KEY if is_new else guard.said
        return replace(guard, answer="", said=f"{held}type {YES}" if guard.answer or held else told)
    if not guard.answer and now - guard.quiet_since < QUIET_S:
        return replace(guard, said=TOO_FAST)
    if answer == YES:
        return replace(guard, stage=GuardStage.PRESSED, deadline=now + QUIET_S, answer="", said="")
    return replace(guard, answer=answer, said="")


def _with(guard: Guard, typed: str, said: str = "") -> Guard:
    """Store the typed text; when complete, only `yes` is missing."""
    if guard.confirm is None:
        return replace(guard, answer="", said=said)
    typed = typed[: len(guard.confirm)]
    stage = GuardStage.READY if typed == guard.confirm else GuardStage.TYPING
    is_wrong = not guard.confirm.startswith(typed)
    wrong = (
        AT_ONCE if guard.said == AT_ONCE else "this does not match"
    )  # the rest of that text explains nothing
    return replace(guard, typed=typed, answer="", stage=stage, said=wrong if is_wrong else said)


def guard_of(plan: Plan) -> Guard:
    """The guard for a plan's risk; a refused plan cannot be confirmed."""
    if plan.is_refused:
        return Guard(None, stage=GuardStage.NO)
    return Guard(plan.confirm, has_countdown=plan.risk is Risk.CATASTROPHIC)
