"""Atomic file replacement: after a crash the file is the old or the new one, complete."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from zconsole.base.user_file import check_replaceable

_LONGEST_PREFIX: Final = 100  # characters of the name that the unfinished file has too
_NO_LINKS: Final = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


@contextmanager
def replacing(path: Path, *, is_synced: bool = False) -> Iterator[IO[bytes]]:
    """Write what is to stand there, for nobody else to read; after an error it is as it was. Raises OSError.

    A symbolic link is refused, as is whatever else is no regular file. Synced, it is on disk before it takes
    its place, and there when this returns.
    """
    check_replaceable(path)
    with _unfinished(path, is_synced=is_synced) as (file, part):
        yield file
        _finish(file, is_synced=is_synced)
        part.replace(path)


@contextmanager
def creating(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that is not there yet, for nobody else to read. It is on disk when this returns.

    Raises FileExistsError where there is anything of that name, and OSError; then there is what there was.
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
    """A file beside the other, gone again after an error."""
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
    """Have the new name on disk too, where the file system can say that of folders."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
