"""Locate LEDs of disks: `ledctl` of the package ledmon. It requires root.

It follows links to a device, and speaks to the enclosure (SES), the controller (SGPIO) or the slot (NPEM).
"""

from __future__ import annotations

from typing import Final

Argv = tuple[str, ...]
TOOL: Final = "ledctl"
_ONLY: Final = "--listed-only"  # without it the LEDs of all other disks are turned off


def locate(path: str) -> Argv:
    """Turn the locate LED of a disk on."""
    return TOOL, _ONLY, f"locate={path}"


def locate_off(path: str) -> Argv:
    """Turn it off."""
    return TOOL, _ONLY, f"locate_off={path}"
