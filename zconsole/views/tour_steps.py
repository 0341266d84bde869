"""Tour of a minute: steps that each name a key, on the screens where the key has its meaning."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.views.layout.screen_key_registry import key_of
from zconsole.views.layout.styled_text import Line, Span, line

NEXT_ROW: Final = "move(1)"
BACK: Final = ("leave", "back")


@dataclass(frozen=True, slots=True)
class TourStep:
    """A step: one of its actions, done on its screen, leads to the next."""

    place: str
    actions: tuple[str, ...]
    key: str  # as displayed, where it is not that of the first action
    words: str


STEPS: Final = (
    TourStep("pools", (NEXT_ROW,), "Down or j", "goes to the next pool"),
    TourStep("pools", ("open",), "", "opens the pool under the cursor"),
    TourStep("pool", ("columns_latency",), "", "shows latencies; 1 to 7 choose the columns"),
    TourStep("pool", ("act",), "", "lists what can be done; Esc closes that list"),
    TourStep("pool", BACK, "", "goes back to the pools"),
    TourStep("pools", ("findings",), "", "lists what is wrong, with the evidence"),
    TourStep("findings", BACK, "", "goes back"),
    TourStep("pools", ("keys",), "", "shows all keys of a screen; / finds one"),
)
LAST: Final = line(
    ("the tour is done: ", "info"), (": ", "key"), "finds all by its name, ", (", ", "key"), "has settings"
)


def offer() -> Line:
    """The line that offers the tour."""
    return line(
        ("First start? ", "info"),
        (key_of("tour"), "key"),
        " is a tour of a minute",
        (" · Esc hides this", "dim"),
    )


def step_line(number: int, place: str) -> Line:
    """What to press next; on another screen where the tour goes on. Behind the last step, that it is done."""
    if number >= len(STEPS):
        return (*LAST, Span(" · Esc", "dim"))
    step = STEPS[number]
    begin = (f"tour {number + 1}/{len(STEPS)}: ", "info")
    if place != step.place:
        back = ((key_of("leave"), "key"), " goes back there") if step.place == STEPS[0].place else ()
        parted = (": ",) if back else ()
        return line(begin, f"the next step is on {step.place}", *parted, *back, (" · Esc ends it", "dim"))
    key = step.key or key_of(step.actions[0])
    ending = () if "Esc" in step.words else ((" · Esc ends it", "dim"),)  # no key twice in one line
    return line(begin, (key, "key"), f" {step.words}", *ending)
