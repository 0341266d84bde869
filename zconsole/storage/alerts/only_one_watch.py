"""Lock that lets one `zconsole watch` of an account run: two would send every message twice."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from zconsole.base.errors import ZConsoleError


class WatchRuns(ZConsoleError):
    """Another watch of this account runs."""


@contextmanager
def only_one_watch(store: Path) -> Iterator[None]:
    """Hold the lock of a file of alerts. Raises WatchRuns; the lock ends with the process."""
    path = store.with_suffix(".lock")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise WatchRuns(f"{path} cannot be opened: {error.strerror or error}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise WatchRuns(
                "a zconsole watch of this account runs already",
                hint="It is the one that sends messages; `zconsole watch --list` shows what it told.",
            ) from None
        yield
    finally:
        os.close(handle)
