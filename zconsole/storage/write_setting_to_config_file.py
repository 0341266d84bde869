"""Settings of the user's `config.toml`: where each is written, and a writer of one.

Comments and everything else stay. Each edit is read back by the TOML parser before it is kept: it must have
changed the wanted key and nothing else, whatever the file looks like.
"""

from __future__ import annotations

import os
import re
import tomllib
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import LONGEST_BYTES, read_bounded, read_user_text
from zconsole.base.errors import ConfigError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import (
    Config,
    config_folder,
    parse_config,
)
from zconsole.storage.atomic_file import replacing

Value = str | bool | int | float  # of a setting, as TOML has it
FILE: Final = "config.toml"
MOST_TRIED: Final = 40  # places of a file that could be those of a setting
LONGEST_SEARCHED: Final = 64 * 1024  # characters of a file in which the lines of settings are looked for
_HEADER: Final = re.compile(r"^[ \t]*\[[ \t]*([^\[\]\s][^\[\]\n]{0,199})\][^\n]*(?:\n|\Z)", re.MULTILINE)
_VALUE: Final = r'(?:"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|[^\s,#"\'\[\]{}]+)'
_ENTRY: Final = re.compile(
    r"""(?:^|(?<=[\s{,.]))["']?(?P<key>[\w-]{1,100})["']?[ \t]{0,100}=[ \t]{0,100}"""
    rf"(?P<value>{_VALUE})",
    re.MULTILINE,
)
_BY_HAND: Final = "it is written there in a form that the console does not change"


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """Settings that the user's file has: their values and lines. An unusable file has a problem."""

    path: Path
    values: Mapping[str, object] = field(default_factory=dict)  # by key, as in `alerts.bell`
    lines: Mapping[str, int] = field(default_factory=dict)  # the first is 1; not of very long files
    problem: str = ""


def read_settings(keys: Iterable[str], folder: Path | None = None) -> SettingsFile:
    """Read what the user's file has of some settings."""
    path = (folder or config_folder()) / FILE
    try:
        text = read_user_text(path)
        parse_config(text, str(path))
    except FileNotFoundError:
        return SettingsFile(path)
    except ConfigError as error:
        return SettingsFile(path, problem=f"{error.message}. {error.hint}")
    whole = tomllib.loads(text)
    values = {key: value for key in keys if (value := _value_at(whole, key.split("."))) is not None}
    lines = {key: number for key in values if (number := line_of_setting(text, key)) is not None}
    return SettingsFile(path, values, lines)


def line_of_setting(text: str, key: str) -> int | None:
    """The line with a setting; None where there is none, or the file is long or unusual."""
    if len(text) > LONGEST_SEARCHED:
        return None
    path, probe = key.split("."), "zconsole looks for this line"
    wanted = _changed(text, path, probe)
    for place in _places(text, path):
        if _has(_with_value(text, place, probe), wanted):
            return text.count("\n", 0, place.start("value")) + 1
    return None


def with_setting(text: str, key: str, value: Value) -> str:
    """The TOML text with a value of a key such as `theme` or `alerts.bell`: in its old place, or a new one.

    Raises ConfigError where the text has it in a form that cannot be edited.
    """
    path = key.split(".")
    wanted = _changed(text, path, value)
    if _has(text, wanted):
        return text
    changed = (_with_value(text, place, value) for place in _places(text, path))
    found = next((each for each in (*changed, *_added(text, path, value)) if _has(each, wanted)), None)
    if found is None:
        raise ConfigError(f"{key} stays as it was: {_BY_HAND}", hint=f"Write {_entry(key, value)} yourself.")
    return found


def write_setting(key: str, value: Value, folder: Path | None = None) -> Path:
    """Write a setting, on disk before this returns; a file with errors stays. Raises ConfigError."""
    path, _ = change_setting(key, value, folder)
    return path


def change_setting(key: str, value: Value, folder: Path | None = None) -> tuple[Path, Config]:
    """Write a setting, and return the file and the configuration that it has now. Raises ConfigError."""
    path = (folder or config_folder()) / FILE
    try:
        path = path.resolve()  # it may be a link into a repository of settings
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            before, mode = read_bounded(path, LONGEST_BYTES).decode("utf-8"), path.stat().st_mode & 0o777
        except FileNotFoundError:
            before, mode = "", 0o600
        parse_config(before, str(path))
        after = with_setting(before, key, value)
        config = parse_config(after, str(path))  # never leaves a broken file
        if after != before:
            with replacing(path, is_synced=True) as file:
                os.fchmod(file.fileno(), mode)
                file.write(after.encode())
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(
            f"{path} cannot be written: {why}", hint=f"Write {_entry(key, value)} there yourself."
        ) from error
    return path, config


def _places(text: str, path: list[str]) -> Iterator[re.Match[str]]:
    """Where the text could have the setting: below its table first, then elsewhere."""
    headers = list(_HEADER.finditer(text))
    begins = [each.start() for each in headers]

    def is_elsewhere(place: re.Match[str]) -> bool:
        at = bisect(begins, place.start())
        return (_plain(headers[at - 1][1]) if at else "") != ".".join(path[:-1])

    found = [each for each in _ENTRY.finditer(text) if each["key"] == path[-1]]
    yield from islice(sorted(found, key=is_elsewhere), MOST_TRIED)


def _added(text: str, path: list[str], value: Value) -> Iterator[str]:
    """The text with a new line: at the top, below the header of its table, in a new table, or as `a.b = `."""
    end = "\r\n" if "\r\n" in text else "\n"
    table, entry = ".".join(path[:-1]), _entry(path[-1], value)
    if not table:
        yield f"{entry}{end}{text}"
        return
    for header in _HEADER.finditer(text):
        if _plain(header[1]) == table:
            gap = "" if header[0].endswith("\n") else end
            yield f"{text[: header.end()]}{gap}{entry}{end}{text[header.end() :]}"
    gap = "" if not text else end if text.endswith("\n") else end * 2
    yield f"{text}{gap}[{table}]{end}{entry}{end}"
    yield f"{_entry('.'.join(path), value)}{end}{text}"


def _plain(header: str) -> str:
    """The name of a table without blanks and quotes."""
    return re.sub(r"""[ \t"']""", "", header)


def _with_value(text: str, place: re.Match[str], value: Value) -> str:
    return text[: place.start("value")] + _literal(value) + text[place.end("value") :]


def _changed(text: str, path: list[str], value: Value) -> object:
    """What the text means, with another value of the setting."""
    whole = deepcopy(tomllib.loads(text))
    table = whole
    for name in path[:-1]:
        table = table.setdefault(name, {})
    table[path[-1]] = value
    return whole


def _value_at(whole: object, path: list[str]) -> object:
    for name in path:
        whole = whole.get(name) if isinstance(whole, dict) else None
    return whole


def _has(text: str, wanted: object) -> bool:
    """Whether a text means exactly that; a text that is no TOML means nothing."""
    try:
        return tomllib.loads(text) == wanted
    except (ValueError, RecursionError):
        return False


def _entry(key: str, value: Value) -> str:
    return f"{key} = {_literal(value)}"


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return f"{value:.12g}"
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
