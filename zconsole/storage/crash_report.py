"""Crash report: a sentence, and a log without the values of variables."""

from __future__ import annotations

import os
import platform
import sys
import time
import traceback
from pathlib import Path
from typing import Final

from zconsole import __version__
from zconsole.base.escape_control_characters import visible
from zconsole.storage.atomic_file import replacing

KEPT_REPORTS: Final = 10


def log_folder() -> Path:
    """Folder of crash reports."""
    import platformdirs  # noqa: PLC0415  # needed only after a crash

    return Path(platformdirs.user_log_dir("zconsole", appauthor=False))


def cause(error: BaseException) -> BaseException:
    """The original error, unwrapped from exception groups of one."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    return error


def report(error: BaseException) -> str:
    """Error and traceback, without local variables, which may hold secrets."""
    from importlib.metadata import version  # noqa: PLC0415  # needed only after a crash

    frames = traceback.format_exception(error)
    return "\n".join(
        (
            f"zconsole {__version__}, textual {version('textual')}, Python {platform.python_version()}",
            f"TERM={os.environ.get('TERM', '')}, {sys.platform}",
            "",
            *(visible(line) for frame in frames for line in frame.split("\n")),
        )
    )


def write_report(error: BaseException, folder: Path) -> Path | None:
    """Write the report with mode 0600; None when writing fails."""
    path = folder / time.strftime("crash-%Y%m%d-%H%M%S.log", time.gmtime())
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with replacing(path) as file:
            file.write(report(error).encode("utf-8", "backslashreplace"))
        for old in sorted(folder.glob("crash-*.log"))[:-KEPT_REPORTS]:
            old.unlink(missing_ok=True)
    except OSError:
        return None
    return path


def in_a_sentence(error: BaseException, path: Path | None) -> str:
    """One-sentence message that the user reads instead of a traceback."""
    what = f"zconsole stopped because of an error of its own: {type(error).__name__}."
    if path is None:
        return f"{what}\nA report could not be written."
    return f"{what}\nThe report, without any values, is {visible(str(path))}."
