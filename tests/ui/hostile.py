"""Any state with hostile text in every place where a host can put some."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from random import Random
from typing import TypeVar

from hypothesis import strategies as st

from zconsole.model.host.host_state import HostState

T = TypeVar("T")
NASTY = (
    "\x1b]0;PWNED\x07",
    "\x1b[31;7m",
    "\x1b[2J\x1b[H",
    "\x9b31m",
    "\x9d0;x\x9c",
    "\u202egnp.exe",
    "\u2066\u2069",
    "a\tb",
    "a\nb",
    "a\rb",
    "\x00",
    "\x7f\x08\x08",
    "[@click=app.quit]free beer[/]",
    "[red]x[/red]",
    "[/oops]",
    "[b",
    "[link=http://evil]x[/link]",
    "\\[x]",
    "\u200b\u200d\ufeff",
    "e" + "\u0301" * 40,
    "日本語" * 9,
    "👩\u200d👩\u200d👧",
    "\u2764\ufe0f",
    "\udcff\udc80",
    "\ud800",
    "\U000e0041",
    "%s{0}$(reboot)`id`",
    "",
    " ",
    "·" * 80,
    "x" * 5000,
)
TEXTS = st.one_of(
    st.sampled_from(NASTY),
    st.lists(st.sampled_from(NASTY), max_size=3).map("".join),
    st.text(st.characters(codec=None, exclude_categories=()), max_size=24),
)


def poisoned(value: T, texts: tuple[str, ...], random: Random, *, share: float = 0.5) -> T:
    """The value with some of its texts replaced or added to, as deep as it goes."""
    if isinstance(value, str):
        if random.random() > share:
            return value
        nasty = random.choice(texts)
        return random.choice((nasty, value + nasty, nasty + value))  # type: ignore[return-value]
    if isinstance(value, tuple):
        return tuple(poisoned(each, texts, random, share=share) for each in value)  # type: ignore[return-value]
    if is_dataclass(value) and not isinstance(value, (type, Enum)):
        changed = {
            field.name: poisoned(getattr(value, field.name), texts, random, share=share)
            for field in fields(value)
            if field.init and field.name != "samples"
        }
        return replace(value, **changed)  # type: ignore[type-var]
    return value


def hostile(state: HostState) -> st.SearchStrategy[HostState]:
    """States like that one, poisoned."""
    return st.builds(
        lambda texts, seed, share: poisoned(state, texts, Random(seed), share=share),  # noqa: S311  # Hypothesis draws the seed
        st.lists(TEXTS, min_size=1, max_size=8).map(tuple),
        st.integers(0, 1 << 32),
        st.sampled_from((0.1, 0.5, 1.0)),
    )
