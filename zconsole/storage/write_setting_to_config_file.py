"""Writer of one top-level setting into the user's `config.toml`; comments and everything else stay."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.errors import ConfigError
from zconsole.base.user_config_file import LONGEST_BYTES, config_folder, parse_config
from zconsole.storage.atomic_file import replacing

_TABLE: Final = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TEXT_SETTING: Final = re.compile(
    r"""^[ \t]*(?P<key>[\w-]+)[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*')""", re.MULTILINE
)


def with_setting(text: str, key: str, value: str) -> str:
    """The TOML text with a text value of a top-level key, in its old line or in a new one at the top."""
    table = _TABLE.search(text)
    top, rest = (text, "") if table is None else (text[: table.start()], text[table.start() :])
    entry = f"{key} = {_quoted(value)}"
    line = next((each for each in _TEXT_SETTING.finditer(top) if each["key"] == key), None)
    if line is None:
        return f"{entry}\n{text}"
    return top[: line.start()] + entry + top[line.end() :] + rest


def write_setting(key: str, value: str, folder: Path | None = None) -> Path:
    """Write the setting, on disk before this returns; a file with errors stays. Raises ConfigError."""
    path = (folder or config_folder()) / "config.toml"
    try:
        path = path.resolve()  # it may be a link into a repository of settings
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            before, mode = read_bounded(path, LONGEST_BYTES).decode("utf-8"), path.stat().st_mode & 0o777
        except FileNotFoundError:
            before, mode = "", 0o600
        parse_config(before, str(path))
        after = with_setting(before, key, value)
        parse_config(after, str(path))  # never leaves a broken file
        with replacing(path, is_synced=True) as file:
            os.fchmod(file.fileno(), mode)
            file.write(after.encode())
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ConfigError(
            f"{path} cannot be written: {why}", hint=f"Write {key} = {_quoted(value)} there yourself."
        ) from error
    return path


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
