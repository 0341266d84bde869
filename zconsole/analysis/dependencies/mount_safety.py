"""Whether a file system may be mounted on a directory: what the running system needs, and what is hidden.

Pure: paths in, words out. A mounted file system hides the files of the directory and every mount below it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.model.host.mount_targets import HostMount

_SYSTEM_TREES: Final = (  # with all below: programs, libraries, configuration, the kernel's own file systems
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/root", "/run", "/sbin",
    "/sys", "/usr",
    "/gnu/store", "/nix/store",
    "/var/lib/NetworkManager", "/var/lib/apt", "/var/lib/dbus", "/var/lib/dhcp", "/var/lib/dpkg",
    "/var/lib/pacman", "/var/lib/rpm", "/var/lib/sudo", "/var/lib/systemd", "/var/lock", "/var/run",
    "/var/spool/cron",
)  # fmt: skip
_OUTSIDE: Final = ("/usr/home", "/usr/local", "/usr/src")  # of those trees, where data may lie
_INSIDE: Final = tuple(  # of these again, what programs are run from
    f"/usr/local/{name}"
    for name in ("bin", "etc", "lib", "lib32", "lib64", "libexec", "sbin", "share")
)  # fmt: skip
_HOLDERS: Final = ("/", "/usr/local", "/var", "/var/lib", "/var/spool", "/gnu", "/nix")


def normal(path: str) -> str:
    """An absolute path without `.`, `..` and double slashes, as if nothing in it were a symbolic link."""
    return posixpath.normpath(f"/{path.lstrip('/')}")


def is_at_or_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or in it; both normal."""
    return folder in {"/", path} or path.startswith(f"{folder}/")


def why_needed(path: str, needed: Iterable[tuple[str, str]] = ()) -> str:
    """Why nothing may be mounted on a normal path: the running system needs it, or something in it.

    Nothing where something may. `needed` are further paths, and what they are.
    """
    if path in _HOLDERS:
        return "the running system is in it"
    if any(is_at_or_below(path, each) for each in _INSIDE):
        return "programs of the running system are there"
    if not any(is_at_or_below(path, each) for each in _OUTSIDE):
        for tree in _SYSTEM_TREES:
            if is_at_or_below(path, tree):
                return (
                    "the running system needs it"
                    if path == tree
                    else f"it is in {tree} of the running system"
                )
    for each, what in needed:
        if is_at_or_below(each, path):
            return f"{what} is in it"
    return ""


def hidden_mounts(
    path: str, mounts: Sequence[HostMount], moving: Iterable[str] = ()
) -> tuple[HostMount, ...]:
    """The mounts at or below a normal path that nobody sees any more, but those of the datasets `moving`."""
    gone = set(moving)
    return tuple(each for each in mounts if is_at_or_below(each.mountpoint, path) and each.source not in gone)
