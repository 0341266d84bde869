"""`ledctl` of ledmon 1.0: locate LEDs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World

_VERSION: Final = (
    "Intel(R) Enclosure LED Control Application 1.0.0\nCopyright (C) 2009-2024 Intel Corporation.\n"
)
_NOT_ROOT: Final = 9
_BAD_PATH: Final = 20
_BAD_STATE: Final = 18


def ledctl(world: World, args: Sequence[str]) -> Reply:
    """Answer `ledctl [--listed-only] locate=PATH` and `locate_off=PATH`."""
    if list(args) == ["--version"]:
        return Reply(_VERSION)
    if world.user_id:
        return Reply(stderr="Only root can run this application.\n", status=_NOT_ROOT)
    if "--listed-only" not in args:
        world.lit.clear()
    for word in args:
        if word.startswith("-"):
            continue
        pattern, _, path = word.partition("=")
        if pattern not in {"locate", "locate_off"}:
            return Reply(stderr=f"Invalid pattern name: {pattern}\n", status=_BAD_STATE)
        try:
            disk = world.disk(path)
        except KeyError:
            return Reply(stderr=f"{path}: device not supported\n", status=_BAD_PATH)
        (world.lit.add if pattern == "locate" else world.lit.discard)(disk.serial)
    return Reply()
