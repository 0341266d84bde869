"""The errors of libzfs_core that its fake raises: names, numbers and members as in OpenZFS 2.4."""

from __future__ import annotations

import errno as numbers


class ZFSError(Exception):
    errno: int | None = None
    name: bytes | None = None

    def __init__(self, name: bytes | None) -> None:
        self.name = name


class ZFSGenericError(ZFSError):
    def __init__(self, errno: int, name: bytes | None, message: str) -> None:
        super().__init__(name)
        self.errno = errno
        self.message = message


class MultipleOperationsFailure(ZFSError):
    def __init__(self, errors: list[ZFSError], suppressed_count: int) -> None:
        super().__init__(None)
        self.errno = errors[0].errno
        self.errors = errors
        self.suppressed_count = suppressed_count


class SnapshotFailure(MultipleOperationsFailure):
    pass


class SnapshotDestructionFailure(MultipleOperationsFailure):
    pass


class HoldFailure(MultipleOperationsFailure):
    pass


class SnapshotExists(ZFSError):
    errno = numbers.EEXIST


class SnapshotIsCloned(ZFSError):
    errno = numbers.EEXIST


class SnapshotNotLatest(ZFSError):
    errno = numbers.EEXIST


class HoldExists(ZFSError):
    errno = numbers.EEXIST


class SnapshotIsHeld(ZFSError):
    errno = numbers.EBUSY


class DatasetBusy(ZFSError):
    errno = numbers.EBUSY


class FilesystemNotFound(ZFSError):
    errno = numbers.ENOENT


class SnapshotNotFound(ZFSError):
    errno = numbers.ENOENT


class SnapshotMismatch(ZFSError):
    errno = numbers.ENODEV
