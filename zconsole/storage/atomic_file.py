"""Atomic file replacement: after a crash the file is the old or the new one, complete."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from zconsole.base.bounded_user_file import check_replaceable

_LONGEST_PREFIX: Final = 100  # leading characters of the target's name in the temporary name
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@contextmanager
def replacing(path: Path, *, is_synced: bool = False) -> Iterator[IO[bytes]]:
    """Replacement of a file, mode 0600; after an error the old file is unchanged. Raises OSError.

    A symbolic link or other non-regular file is refused. With `is_synced` the new content is on disk before
    the rename, and the rename is on disk when the context is left.
    """
    check_replaceable(path)
    with _unfinished(path, is_synced=is_synced) as (file, part):
        yield file
        _finish(file, is_synced=is_synced)
        part.replace(path)


@contextmanager
def creating(path: Path) -> Iterator[IO[bytes]]:
    """Creation of a file that must not exist, mode 0600; on disk when the context is left.

    Raises FileExistsError where the name is taken, and OSError; an existing file is unchanged.
    """
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with _unfinished(path, is_synced=True) as (file, part):
        yield file
        _finish(file, is_synced=True)
        try:
            path.hardlink_to(part)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            part.replace(path)
        else:
            part.unlink()


@contextmanager
def _unfinished(path: Path, *, is_synced: bool) -> Iterator[tuple[IO[bytes], Path]]:
    """Temporary file beside the target, removed after an error."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:_LONGEST_PREFIX]}.", dir=path.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file, part
        if is_synced:
            _sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _finish(file: IO[bytes], *, is_synced: bool) -> None:
    file.flush()
    if is_synced:
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Fsync the folder, and so the new name in it, where the file system supports that."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
