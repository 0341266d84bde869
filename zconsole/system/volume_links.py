"""`ls -lR /dev/zvol`: the links by which udev names the devices of volumes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from zconsole.hosts.host import Command

ZVOL_LINKS: Final = Command(("ls", "-lR", "/dev/zvol"))
_FOLDER: Final = "/dev/zvol/"
_DEVICE: Final = re.compile(r"zd[0-9]{1,10}(?:p[0-9]{1,4})?")
_Links = Iterable[tuple[str, str]]  # path, kernel name


def volumes_by_device(links: _Links) -> dict[str, str]:
    """Names of the volumes by the kernel names of their devices, without partitions."""
    whole = ((path.removeprefix(_FOLDER), kernel_name) for path, kernel_name in links)
    return {kernel_name: name.replace("+", " ") for name, kernel_name in whole if "p" not in kernel_name}


def devices_by_link(links: _Links) -> dict[str, str]:
    """Where each link leads, of those that lead to a device of a volume or to a partition of one."""
    return {
        path: f"/dev/{kernel_name}"
        for path, kernel_name in links
        if path.startswith(_FOLDER) and _DEVICE.fullmatch(kernel_name)
    }
