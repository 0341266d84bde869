"""The lights by which a disk is found in its shelf: `ledctl` of the package ledmon. It takes root.

It follows links to a device, and speaks to the shelf (SES), the controller (SGPIO) or the slot (NPEM).
"""

from __future__ import annotations

from typing import Final

Argv = tuple[str, ...]
TOOL: Final = "ledctl"
_ONLY: Final = "--listed-only"  # without it the lights of all other disks are put out


def locate(path: str) -> Argv:
    """Light the locate light of a disk."""
    return TOOL, _ONLY, f"locate={path}"


def locate_off(path: str) -> Argv:
    """Put it out."""
    return TOOL, _ONLY, f"locate_off={path}"
