"""`udevadm monitor --udev --subsystem-match=block` of the practice host."""

from __future__ import annotations

from typing import Final

from zconsole.practice.world.host_world import World

HEAD: Final = (
    "monitor will print the received events for:\n"
    "UDEV - the event which udev sends out after rule processing\n\n"
)


class DiskEvents:
    """Disks that come and go from now on."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._told = len(world.disk_events)

    def news(self) -> str:
        """What the program prints of the time since the last call."""
        new = self._world.disk_events[self._told :]
        self._told += len(new)
        up = self._world.uptime + self._world.elapsed
        return "".join(
            f"UDEV  [{up:.6f}] {action:<8} /devices/practice/block/{name} (block)\n" for action, name in new
        )
