"""File that says that the tour was offered to this account."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Final

import platformdirs

from zconsole.storage.atomic_file import creating

FILE: Final = "tour-seen"


def seen_path() -> Path:
    """The file, in the user's state folder."""
    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


def is_first_start(path: Path | None = None) -> bool:
    """Whether the tour was never offered; from now on it was. False where that cannot be kept."""
    path = path or seen_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with creating(path) as file:
            file.write(f"The tour of zconsole --demo was offered at {time.time():.0f}.\n".encode())
    except OSError:  # such as FileExistsError
        return False
    return True
