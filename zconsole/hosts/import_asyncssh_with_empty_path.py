"""Import of asyncssh, on a machine with a full disk too."""

from __future__ import annotations

import os
import sys
from typing import Final

NO_PROGRAMS: Final = "/nonexistent"


def load_asyncssh() -> None:
    """Import it while no compiler is found.

    It looks for an optional library by `ctypes.util.find_library`, which asks the loader's cache, and then
    runs a compiler on a temporary file: that takes time, and ends the import where no folder is writable.
    """
    if "asyncssh" in sys.modules:
        return
    path = os.environ.get("PATH")
    os.environ["PATH"] = NO_PROGRAMS
    try:
        import asyncssh  # noqa: F401, PLC0415 - loads cryptography
    finally:
        if path is None:
            del os.environ["PATH"]
        else:
            os.environ["PATH"] = path
