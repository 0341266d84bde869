"""The user's own keys: `keys.toml`, strict about every action and every conflict."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from zconsole.base.errors import ConfigError
from zconsole.base.user_config_file import KEYS_FILE, read_user_text
from zconsole.views.layout.screen_key_registry import ACTIONS, key_name, key_of_name

TABLE: Final = "keys"
FIXED: Final = {  # keys that no action can have, and their use
    "j": "down", "k": "up", "escape": "back", "enter": "open", "backspace": "back",
    "f2": "the rack of an exercise", "f5": "a plan that is made again",
    "ctrl+c": "quit", "ctrl+q": "quit",
}  # fmt: skip


def read_user_keys(folder: Path) -> dict[str, tuple[str, ...]]:
    """The keys of the file in a folder; without one there are none. Raises ConfigError."""
    source = folder / KEYS_FILE
    try:
        text = read_user_text(source)
    except FileNotFoundError:
        return {}
    return parse_user_keys(text, str(source))


def parse_user_keys(text: str, source: str) -> dict[str, tuple[str, ...]]:
    """The keys of each action in the file, in the terminal library's spelling. Raises ConfigError."""
    import tomllib  # noqa: PLC0415  # nothing to read without such a file

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source} is not valid TOML: {error}", hint="Correct that line.") from error
    unknown = next((each for each in values if each != TABLE), None)
    table = values.get(TABLE, {})
    if unknown is not None or not isinstance(table, dict):
        named = unknown or TABLE
        raise ConfigError(
            f"{source}, line {_line_of(text, named)}: {named} is not known here",
            hint='Write the keys below [keys], as in: diff = "d".',
        )
    found = {name: _keys(name, value, text, source) for name, value in table.items()}
    _refuse_conflicts(found, text, source)
    return found


def _keys(name: str, value: object, text: str, source: str) -> tuple[str, ...]:
    where = f"{source}, line {_line_of(text, name)}"
    ids = [action.id for action in ACTIONS]
    if name not in ids:
        near = difflib.get_close_matches(name, ids, n=1)
        hint = f"Did you mean {near[0]}?" if near else "docs/configuration.md has the names of all actions."
        raise ConfigError(f"{where}: there is no action {name}", hint=hint)
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(isinstance(each, str) for each in words):
        raise ConfigError(
            f"{where}: {name} must be a key or a list of keys", hint='As in "x" or ["x", "F9"].'
        )
    keys = tuple(_key(word, where) for word in words)
    twice = next((key for at, key in enumerate(keys) if key in keys[:at]), None)
    if twice is not None:
        raise ConfigError(
            f"{where}: {name} has {key_name(twice)} twice", hint="Name each key of an action once."
        )
    return keys


def _key(word: str, where: str) -> str:
    key = key_of_name(word)
    if key is None:
        raise ConfigError(
            f"{where}: {word!r} is no key",
            hint="A letter, a digit, a sign such as =, F3 to F12, Ctrl+A, Del.",
        )
    if key in FIXED:
        raise ConfigError(f"{where}: {word} always means {FIXED[key]}", hint="Choose another key.")
    return key


def _refuse_conflicts(found: Mapping[str, Sequence[str]], text: str, source: str) -> None:
    """A key has one meaning on all screens, as with the usual keys."""
    for name, keys in found.items():
        mine = next(action for action in ACTIONS if action.id == name)
        for key in keys:
            others = [
                other.id
                for other in ACTIONS
                if other.meaning != mine.meaning and key in found.get(other.id, other.usual_keys)
            ]
            if others:
                named = " and ".join(others)
                raise ConfigError(
                    f"{source}, line {_line_of(text, name)}: {key_name(key)} of {name} is the key of {named}",
                    hint=f"Give {named} another key in the same file, or choose another one.",
                )


def _line_of(text: str, name: str) -> int:
    """The line of the file with a name on the left of its `=`, or in brackets."""
    begins = (line.split("=")[0].strip(" \t\r[]\"'") for line in text.split("\n"))
    return next((at for at, each in enumerate(begins, start=1) if each == name), 1)
