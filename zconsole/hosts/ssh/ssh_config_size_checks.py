"""Checks of ssh_config files before parsing: bounds on number, size and include depth.

asyncssh's parser opens whatever `Include` names, and follows cycles until the recursion limit.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import expanded, is_file, read_bounded

LONGEST_BYTES: Final = 1 << 20  # of one file
LONGEST_LINE: Final = 1 << 14  # characters; splitting a line takes more than linear time
DEEPEST: Final = 16  # the limit of OpenSSH
MOST_FILES: Final = 1000
LONGEST_PATTERN: Final = 4096  # bytes of an Include path, the limit of Linux
LONGEST_NAME: Final = 255  # bytes of a path component; matching takes quadratic time
MOST_PATTERNS: Final = 1000  # in all Include lines of a file


def check_config_files(files: Iterable[str]) -> None:
    """Raise ValueError that names the first unusable file among these and those they include."""
    seen: list[Path] = []
    for file in files:
        _check(Path(file), (), seen)


def _check(file: Path, above: tuple[Path, ...], seen: list[Path]) -> None:
    way = " includes ".join(map(str, (*above, file)[-3:]))
    real = Path(os.path.realpath(file))
    if real in {Path(os.path.realpath(each)) for each in above}:
        raise ValueError(f"Include is circular: {way}")
    if len(above) >= DEEPEST:
        raise ValueError(f"Include is nested deeper than {DEEPEST} files: {way}")
    seen.append(file)
    if len(seen) > MOST_FILES:
        raise ValueError(f"it has more than {MOST_FILES} files, the last of them {file}")
    try:
        text = read_bounded(file, LONGEST_BYTES).decode("utf-8")
    except OSError as error:
        raise ValueError(f"{file}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{file} is not UTF-8 text") from error
    for count, pattern in enumerate(_included(text, file), start=1):
        if count > MOST_PATTERNS:
            raise ValueError(f"{file} includes more than {MOST_PATTERNS} names")
        for each in _named(pattern):
            _check(each, (*above, file), seen)


def _included(text: str, file: Path) -> Iterator[str]:
    """The patterns of all `Include` lines, whatever host block they are in. Raises ValueError."""
    for number, line in enumerate(text.split("\n"), start=1):
        if len(line) > LONGEST_LINE:
            raise ValueError(f"{file}: line {number} is longer than {LONGEST_LINE} characters")
        words = line.strip()
        if words[: len("include")].lower() != "include":
            continue
        try:
            option, *patterns = shlex.split(words.replace("=", " ", 1))
        except ValueError as error:
            raise ValueError(f"{file}: {error}: {words[:100]!r}") from error
        if option.lower() == "include":
            yield from patterns


def _named(pattern: str) -> Iterator[Path]:
    """The files that a pattern matches, as in asyncssh. Raises ValueError when it is too long."""
    names = os.fsencode(pattern).split(b"/")
    if len(pattern) > LONGEST_PATTERN or max(map(len, names)) > LONGEST_NAME:
        raise ValueError(f"Include {pattern[:100]}...: no file can have so long a name")
    path = expanded(pattern)
    if "**" in pattern:
        raise ValueError(f"Include {pattern}: ** would search every folder below")
    folder = Path(path.anchor) if path.anchor else expanded("~/.ssh")
    within = str(path.relative_to(path.anchor)) if path.anchor else pattern
    yield from (each for each in folder.glob(within) if is_file(each))
