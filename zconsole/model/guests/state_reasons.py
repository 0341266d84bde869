"""Reasons of a guest's state in words, by libvirt's numbers (virDomain*Reason)."""

from __future__ import annotations

from typing import Final

from zconsole.model.guests.guest import GuestState

_WORDS: Final[dict[GuestState, tuple[str, ...]]] = {  # by number, from 1; 0 tells nothing
    GuestState.RUNNING: (
        "booted",
        "migrated",
        "restored",
        "from snapshot",
        "unpaused",
        "migration canceled",
        "save canceled",
        "event wakeup",
        "crashed",
        "post-copy",
        "post-copy failed",
    ),
    GuestState.PAUSED: (
        "user",
        "migrating",
        "saving",
        "dumping",
        "I/O error",
        "watchdog",
        "from snapshot",
        "shutting down",
        "creating snapshot",
        "crashed",
        "starting up",
        "post-copy",
        "post-copy failed",
        "api error",
    ),
    GuestState.SHUTTING_DOWN: ("user",),
    GuestState.SHUT_OFF: (
        "shutdown",
        "destroyed",
        "crashed",
        "migrated",
        "saved",
        "failed",
        "from snapshot",
        "daemon",
    ),
    GuestState.CRASHED: ("panicked",),
}


def reason_in_words(state: GuestState, reason: int) -> str | None:
    """The meaning of a reason; None of 0, and of one that a later libvirt has added."""
    words = _WORDS.get(state, ())
    return words[reason - 1] if 0 < reason <= len(words) else None
