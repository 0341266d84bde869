"""The file system that the practice host runs from: a few directories with files, and symbolic links."""

from __future__ import annotations

import posixpath
from typing import Final

from zconsole.practice.world.datasets import FileNode, Tree

LINKS: Final = {"/bin": "/usr/bin", "/lib": "/usr/lib", "/sbin": "/usr/sbin", "/var/run": "/run"}
_FILES: Final = (
    "boot/vmlinuz", "dev/null", "etc/passwd", "etc/fstab", "etc/cron.d/backup", "etc/ssh/sshd_config",
    "home/operator/.profile", "opt/tool/README", "root/.bashrc", "run/sshd.pid", "srv/old/report.pdf",
    "srv/old/minutes.txt", "usr/bin/find", "usr/lib/libc.so.6", "usr/sbin/sshd", "usr/sbin/zfs",
    "usr/sbin/zpool", "var/lib/dpkg/status", "var/log/syslog",
)  # fmt: skip
_EMPTY: Final = ("media", "mnt", "proc", "srv/empty", "sys", "tmp")
_WRITTEN_NS: Final = 1_700_000_000_000_000_000
DEVICE: Final = 65  # what stat tells of this file system


def _made() -> Tree:
    names = {"": "d", **dict.fromkeys(_EMPTY, "d")}
    for path in _FILES:
        above = posixpath.dirname(path)
        while above:
            names[above] = "d"
            above = posixpath.dirname(above)
        names[path] = "f"
    return {
        name: FileNode(kind, number, 4096 if kind == "d" else 120, _WRITTEN_NS)
        for number, (name, kind) in enumerate(sorted(names.items()), start=2)
    }


TREE: Final = _made()


def resolved(path: str) -> str:
    """A path without symbolic links, `.`, `..` and double slashes."""
    found = "/"
    for part in path.split("/"):
        if part in {"", "."}:
            continue
        found = posixpath.dirname(found) if part == ".." else posixpath.join(found, part)
        found = LINKS.get(found, found)
    return found


def node(path: str) -> FileNode | None:
    """The file at a path."""
    return TREE.get(resolved(path).strip("/"))
