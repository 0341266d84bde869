"""User files opened safely: regular files only, bounded in size.

Opening a FIFO would block, `/dev/zero` never ends, and opening some devices has side effects.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from zconsole.base.errors import ConfigError

LONGEST_BYTES: Final = 1 << 20  # of a file that the user writes; enough for some thousand hosts
_KINDS: Final = (
    (stat.S_ISDIR, errno.EISDIR, "a folder"),
    (stat.S_ISLNK, errno.ELOOP, "a symbolic link"),
    (stat.S_ISFIFO, errno.EINVAL, "a FIFO"),
    (stat.S_ISSOCK, errno.EINVAL, "a socket"),
    (stat.S_ISCHR, errno.EINVAL, "a device"),
    (stat.S_ISBLK, errno.EINVAL, "a device"),
)
_NULL_DEVICE: Final = os.makedev(1, 3)  # /dev/null on Linux: means that there is no such file


def open_regular(path: Path | str, *, folder: int | None = None) -> int:
    """Open a regular file for reading and return the descriptor. Raises OSError for any other type.

    With `folder`, a descriptor, the path is a name in that folder and must not be a symbolic link.
    """
    follows = folder is None
    _check_readable(os.stat(path, dir_fd=folder, follow_symlinks=follows), path)
    flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY | (0 if follows else os.O_NOFOLLOW)
    descriptor = os.open(path, flags, dir_fd=folder)
    try:
        _check_readable(os.fstat(descriptor), path)  # the path may have been replaced since the check
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_bounded(path: Path | str, most_bytes: int, *, folder: int | None = None) -> bytes:
    """Contents of a regular file. Raises OSError, also when it is longer than `most_bytes`."""
    with os.fdopen(open_regular(path, folder=folder), "rb") as file:
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"longer than {most_bytes} bytes", str(path))
    return content


def read_user_text(path: Path) -> str:
    """The text of a file of the user. Raises FileNotFoundError; ConfigError where it cannot be read."""
    try:
        return read_bounded(path, LONGEST_BYTES).decode("utf-8")
    except FileNotFoundError:
        raise
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path} cannot be read: {error}", hint="It must be UTF-8 text.") from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ConfigError(f"{path} cannot be read: {why}", hint="Check its path and permissions.") from error


def is_file(path: Path | str) -> bool:
    """Whether the path is a regular file; False for a name that no file can have."""
    return os.path.isfile(path)  # noqa: PTH113  # Path's own raises OSError for a name that is too long


def expanded(name: str) -> Path:
    """The path with `~` expanded; `~name` of an unknown user stays as it is."""
    return Path(os.path.expanduser(name))  # noqa: PTH111  # Path's own raises RuntimeError for that


def _check_readable(found: os.stat_result, path: Path | str) -> None:
    if not (stat.S_ISCHR(found.st_mode) and found.st_rdev == _NULL_DEVICE):
        check_regular(found, path)


def check_regular(found: os.stat_result, path: Path | str) -> None:
    """Raise OSError unless the file is regular."""
    for is_one, number, what in _KINDS:
        if is_one(found.st_mode):
            raise OSError(number, f"{what}, not a regular file", str(path))


def check_replaceable(path: Path | str, *, folder: int | None = None) -> None:
    """Raise OSError when the path exists and is not a regular file."""
    try:
        found = os.stat(path, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    check_regular(found, path)
