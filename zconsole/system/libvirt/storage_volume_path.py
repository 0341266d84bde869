"""`virsh vol-path`: where a volume of a storage pool of libvirt is on its host."""

from __future__ import annotations

from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command

TOOL: Final = "virsh vol-path"


def volume_path(uri: str, pool: str, volume: str) -> Command:
    """Print the path of a volume; it fails where the storage pool is not active."""
    return Command(("virsh", "-r", "-q", "-c", uri, "vol-path", f"--pool={pool}", f"--vol={volume}"))


def parse_volume_path(text: str) -> str:
    """The path: empty for a volume that has none on the host, such as one of Ceph. Raises ParseError."""
    path = text.removesuffix("\n").removesuffix("\n")  # virsh ends its output with an empty line
    if "\n" in path:
        raise ParseError(TOOL, 2, path, "expected one path")
    return path if path.startswith("/") else ""
