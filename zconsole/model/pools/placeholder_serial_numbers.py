"""Serial numbers of disks: which are none."""

from __future__ import annotations

from typing import Final

_FILLERS: Final = frozenset("0fx-_. *?")
_PLACEHOLDERS: Final = frozenset({
    "none", "unknown", "n/a", "na", "null", "default", "serial", "invalid", "empty", "unset",
    "0123456789", "1234567890", "123456789", "123456789abc", "0123456789ab", "0123456789abcdef",
    "to be filled by o.e.m.",
})  # fmt: skip


def is_placeholder(serial: str) -> bool:
    """Whether a serial number is a placeholder that any disk may report: `0000`, `unknown`."""
    folded = serial.strip().casefold()
    return bool(serial) and (not set(folded) - _FILLERS or folded in _PLACEHOLDERS)
