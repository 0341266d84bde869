"""OpenZFS version of a host: commands and kernel module."""

from __future__ import annotations

from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion

VERSION: Final = Command(("zfs", "version"))
_TOOL: Final = "zfs version"
_KERNEL: Final = "zfs-kmod-"
_USERLAND: Final = "zfs-"


def parse_version(text: str) -> ZfsVersion:
    """The versions in `VERSION` output; the kernel's is missing while no module is loaded."""
    userland = kernel = None
    for _, line in whole_lines(_TOOL, text):
        if line.startswith(_KERNEL):
            kernel = kernel or line
        elif line.startswith(_USERLAND):
            userland = userland or line
    if userland is None:
        raise ParseError(_TOOL, 1, text.partition("\n")[0], "names no version")
    return ZfsVersion(userland, kernel)
