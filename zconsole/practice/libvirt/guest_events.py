"""`virsh event --all --loop --timestamp` of the practice host.

Two states that a guest has between two looks are told as the way from the first to the second.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from zconsole.practice.libvirt.guests import BY_USER, IO_ERROR, PAUSED, RUNNING, SHUT_OFF, PracticeGuest
from zconsole.practice.world.host_world import World

ARGS: Final = ("event", "--all", "--loop", "--timestamp")
_State = tuple[int, int]


class GuestEvents:
    """What happens to the guests from now on."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._known = self._states()

    def news(self) -> str:
        """What the program prints of the time since the last call."""
        for each in self._world.guests:
            each.pass_time(self._world.now)
        before, self._known = self._known, self._states()
        at = datetime.fromtimestamp(self._world.now, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        guests = {each.name: each for each in self._world.guests}
        return "".join(
            f"{at}+0000: event '{kind}' for domain '{name}': {words}\n"
            for name in dict.fromkeys((*before, *self._known))
            for kind, words in _between(before.get(name), self._known.get(name), guests.get(name))
        )

    def _states(self) -> dict[str, _State]:
        return {each.name: (each.state, each.reason) for each in self._world.guests}


def _between(
    before: _State | None, now: _State | None, guest: PracticeGuest | None
) -> Iterator[tuple[str, str]]:
    """Kinds and words of libvirt's events."""
    if now == before:
        return
    if now is None:
        yield "lifecycle", "Undefined Removed"
        return
    if before is None:
        yield "lifecycle", "Defined Added"
        before = (SHUT_OFF, 0)
    state, reason = now
    was = before[0]
    if state == RUNNING and was == PAUSED:
        yield "lifecycle", "Resumed Unpaused"
    elif state == RUNNING and was != RUNNING:
        yield "lifecycle", "Started Booted"
    elif state == PAUSED and reason == IO_ERROR:
        disk = guest.disks[0].source if guest is not None and guest.disks else ""
        yield "lifecycle", "Suspended I/O Error"
        yield "io-error", f"{disk} (virtio-disk0) pause"
        yield "io-error-reason", f"{disk} (virtio-disk0) pause due to enospc"
    elif state == PAUSED and (was != PAUSED or reason == BY_USER):
        yield "lifecycle", "Suspended Paused"
    elif state == SHUT_OFF and was != SHUT_OFF:
        yield "lifecycle", "Shutdown Finished after guest request"
        yield "lifecycle", "Stopped Shutdown"
