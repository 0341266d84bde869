"""Sentences on what a full pool does to guests, the same in forecasts and findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.guests.guests_of_a_full_pool import FullEffect, GuestWhenFull
from zconsole.base.name_lists import shortened

MOST_NAMED: Final = 12
MOST_IN_SHORT: Final = 3
MOST_IN_BRIEF: Final = 1
RESERVED: Final = (
    "with reserved space left, and so perhaps later; but in a full pool ZFS fails such writes too "
    "(openzfs/zfs#17287)"
)
_IN_FULL: Final = {
    FullEffect.WRITES_LOST: "writes are lost, because the disks ignore errors",
    FullEffect.SEES_ERRORS: "write errors in the guest, whose file systems fail or go read-only",
    FullEffect.PROGRAMS_FAIL: "programs in these containers fail for want of space",
    FullEffect.PAUSED: "paused by QEMU at the first write without space, until there is some and they are "
    "resumed",
    FullEffect.UNKNOWN: "what the error policy of these does is not known here",
}
_OF_ONE: Final = {
    FullEffect.WRITES_LOST: "its writes are lost, because the disk ignores errors",
    FullEffect.SEES_ERRORS: "it sees write errors; its file systems fail or go read-only",
    FullEffect.PROGRAMS_FAIL: "its programs fail for want of space",
    FullEffect.PAUSED: "QEMU pauses it at the first write without space, until there is some and it is "
    "resumed",
    FullEffect.UNKNOWN: "what happens to it is not known: its error policy is none of those known here",
}
_IN_SHORT: Final = {
    FullEffect.WRITES_LOST: "would lose writes",
    FullEffect.SEES_ERRORS: "would see write errors",
    FullEffect.PROGRAMS_FAIL: "would have no space left",
    FullEffect.PAUSED: "would be paused",
}
_AT_ONCE: Final = {
    FullEffect.WRITES_LOST: "with lost writes",
    FullEffect.SEES_ERRORS: "with write errors",
    FullEffect.PROGRAMS_FAIL: "without space",
    FullEffect.PAUSED: "paused",
}
_LOSING: Final = frozenset({FullEffect.WRITES_LOST, FullEffect.SEES_ERRORS})
_IN_BRIEF: Final = {FullEffect.PROGRAMS_FAIL: "without space", FullEffect.PAUSED: "paused"}


def full_in_words(found: Sequence[GuestWhenFull]) -> Iterator[str]:
    """One sentence an effect with its guests by name, then those with reserved space."""
    for effect, words in _IN_FULL.items():
        here = [each for each in found if each.effect is effect]
        if here:
            yield f"{words}: {_names(here)}"
    reserved = [each for each in found if each.has_reserved]
    if reserved:
        yield f"{RESERVED}: {shortened(_guests(reserved), MOST_NAMED)}"


def full_of_one(found: GuestWhenFull) -> str:
    """`QEMU pauses it at the first write without space, until ... (vda)`: of the guest's own page."""
    disks = f" ({' '.join(found.disks)})" if any(found.disks) else ""
    reserved = f"; {RESERVED}" if found.has_reserved else ""
    return f"{_OF_ONE[found.effect]}{disks}{reserved}"


def full_in_short(found: Sequence[GuestWhenFull]) -> str:
    """`when it is full web01 would see write errors, db02 would be paused`; empty without any."""
    told = _by_effect(found, _IN_SHORT)
    return f"when it is full {told}" if told else ""


def full_now_in_short(found: Sequence[GuestWhenFull]) -> str:
    """`from the next write on: web01 with write errors; paused now: db02`, in a full pool."""
    told = _by_effect([each for each in found if not each.is_paused_now], _AT_ONCE)
    paused = _guests([each for each in found if each.is_paused_now])
    parts = [f"from the next write on: {told}"] if told else []
    if paused:
        parts.append(f"paused now: {shortened(paused, MOST_IN_SHORT)}")
    return "; ".join(parts)


def _by_effect(found: Sequence[GuestWhenFull], words: Mapping[FullEffect, str]) -> str:
    """The guests of each effect that has words, the first ones by name, with these words."""
    return ", ".join(
        f"{shortened(_guests(here), MOST_IN_SHORT)} {words[effect]}"
        for effect in words
        if (here := [each for each in found if each.effect is effect])
    )


def full_in_brief(found: Sequence[GuestWhenFull]) -> str:
    """`errors in db03 and 2 more, 4 without space, 23 paused`: named are those that lose most."""
    lost = _guests([each for each in found if each.effect in _LOSING])
    parts = [f"errors in {shortened(lost, MOST_IN_BRIEF)}"] if lost else []
    for effect, words in _IN_BRIEF.items():
        if here := _guests([each for each in found if each.effect is effect]):
            parts.append(f"{len(here)} {words}")
    return ", ".join(parts)


def _guests(found: Sequence[GuestWhenFull]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.guest for each in found))


def _names(found: Sequence[GuestWhenFull]) -> str:
    """`db02 (vdb), mail01 (vda) and 3 more`."""
    return shortened([f"{each.guest} ({' '.join(each.disks)})" for each in found], MOST_NAMED)
