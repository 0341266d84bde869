"""Safety of mounting on a directory: conflicts with the running system, and mounts that become hidden.

Pure: paths in, words out. A mounted file system hides the files of the directory and every mount below it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from typing import Final

from zconsole.model.host.mount_points import HostMount

_SYSTEM_TREES: Final = (  # with everything below: programs, libraries, configuration, kernel file systems
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/root", "/run", "/sbin",
    "/sys", "/usr",
    "/gnu/store", "/nix/store",
    "/var/lib/NetworkManager", "/var/lib/apt", "/var/lib/dbus", "/var/lib/dhcp", "/var/lib/dpkg",
    "/var/lib/pacman", "/var/lib/rpm", "/var/lib/sudo", "/var/lib/systemd", "/var/lock", "/var/run",
    "/var/spool/cron",
)  # fmt: skip
_OUTSIDE: Final = ("/usr/home", "/usr/local", "/usr/src")  # parts of those trees that may hold data
_INSIDE: Final = tuple(  # parts of these again, from which programs are run
    f"/usr/local/{name}"
    for name in ("bin", "etc", "lib", "lib32", "lib64", "libexec", "sbin", "share")
)  # fmt: skip
_HOLDERS: Final = ("/", "/usr/local", "/var", "/var/lib", "/var/spool", "/gnu", "/nix")


def normal(path: str) -> str:
    """An absolute path without `.`, `..` and double slashes; symbolic links are not resolved."""
    return posixpath.normpath(f"/{path.lstrip('/')}")


def is_at_or_below(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it; both normalised."""
    return folder in {"/", path} or path.startswith(f"{folder}/")


def why_needed(path: str, needed: Iterable[tuple[str, str]] = ()) -> str:
    """Why nothing may be mounted on a normalised path: the running system needs it, or something in it.

    Empty when mounting is allowed. `needed` are further paths with their descriptions.
    """
    if path in _HOLDERS:
        return "it contains the running system"
    if any(is_at_or_below(path, each) for each in _INSIDE):
        return "it contains programs of the running system"
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
    """Mounts at or below a path that would be hidden, except those of the datasets `moving`."""
    gone = set(moving)
    return tuple(each for each in mounts if is_at_or_below(each.mountpoint, path) and each.source not in gone)
