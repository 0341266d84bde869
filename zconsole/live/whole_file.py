"""A file that is replaced at once: after any end it is the old one or the new one."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def replacing(path: Path, *, is_synced: bool = False) -> Iterator[IO[bytes]]:
    """Write what is to stand there, for nobody else to read; after an error it is as it was. Raises OSError.

    Synced, it is on disk before it takes its place.
    """
    handle, part = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if is_synced:
                file.flush()
                os.fsync(file.fileno())
        Path(part).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(part).unlink()
        raise
