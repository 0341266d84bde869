"""The user's own keys: `keys.toml`, strict about every action and every conflict."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import read_user_text
from zconsole.base.errors import ConfigError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import KEYS_FILE
from zconsole.views.layout.screen_key_registry import ACTIONS, WAYS_OUT, key_name, key_of_name
from zconsole.views.layout.words_of_need import is_named

TABLE: Final = "keys"
MOST_NEAR: Final = 3  # names that an unknown one may be meant for
FIXED: Final = {  # keys that no action can have, and their use
    "j": "down", "k": "up", "escape": "back", "enter": "open", "backspace": "back",
    "f2": "the rack of an exercise", "f5": "a plan that is made again",
    "ctrl+c": "quit", "ctrl+q": "quit", **dict.fromkeys(WAYS_OUT[:3], "a way out of a plan"),
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
    found: dict[str, tuple[str, ...]] = {}
    problems: list[_Problem] = []
    for name, value in table.items():
        try:
            found[name] = _keys(name, value)
        except ConfigError as error:
            problems.append(_Problem(_line_of(text, name), error.message, error.hint))
    problems += _conflicts(found, text)
    if problems:
        raise _all_of(problems, source)
    return found


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is wrong with a line of the file, and how to correct it."""

    line: int
    words: str
    hint: str


def _all_of(problems: Sequence[_Problem], source: str) -> ConfigError:
    """One error with every problem, in the order of the lines."""
    first, *others = sorted(problems, key=lambda each: each.line)
    words = [f"{source}, line {first.line}: {first.words}"]
    words += (f"line {each.line}: {each.words}" for each in others)
    if not others:
        return ConfigError(words[0], hint=first.hint)
    hints = [f"line {each.line}: {each.hint[:1].lower()}{each.hint[1:]}" for each in (first, *others)]
    return ConfigError("; ".join(words), hint=" ".join(hints))


def _keys(name: str, value: object) -> tuple[str, ...]:
    if not any(action.id == name for action in ACTIONS):
        raise ConfigError(f"there is no action {name}", hint=_names_near(name))
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not words or not all(isinstance(each, str) for each in words):
        raise ConfigError(
            f"{name} must be a key or a list of keys", hint='Write it as in "x" or ["x", "F9"].'
        )
    keys = tuple(map(_key, words))
    twice = next((key for at, key in enumerate(keys) if key in keys[:at]), None)
    if twice is not None:
        raise ConfigError(f"{name} has {key_name(twice)} twice", hint="Name each key of an action once.")
    return keys


def _names_near(name: str) -> str:
    """The actions that an unknown name may be meant for: by their names, titles, keys and purposes."""
    ids = {action.id: action.id for action in ACTIONS}
    titles = {action.title.casefold().replace(" ", "_"): action.id for action in ACTIONS}
    known = ids | {title: each for title, each in titles.items() if title not in ids}
    wanted = name.casefold().replace("-", "_")
    near = [known[each] for each in difflib.get_close_matches(wanted, known, n=1)]
    near = near or [action.id for action in ACTIONS if wanted in action.id]
    near = near or [action.id for action in ACTIONS if is_named(action, wanted.replace("_", " "))]
    meant = f"Did you mean {' or '.join(list(dict.fromkeys(near))[:MOST_NEAR])}? " if near else ""
    return f"{meant}`zconsole keys --names` prints all names."


def _key(word: str) -> str:
    key = key_of_name(word)
    if key is None:
        raise ConfigError(
            f"{word!r} is no key",
            hint="A letter, a digit, a sign such as =, F3 to F12, Ctrl+A, Del.",
        )
    if key in FIXED:
        raise ConfigError(f"{word} always means {FIXED[key]}", hint="Choose another key.")
    return key


def _conflicts(found: Mapping[str, Sequence[str]], text: str) -> Iterator[_Problem]:
    """Keys with two meanings: one has one on all screens, as with the usual keys. Each pair once."""
    told: set[tuple[str, str, str]] = set()
    for name, keys in found.items():
        mine = next(action for action in ACTIONS if action.id == name)
        for key in keys:
            others = [
                other.id
                for other in ACTIONS
                if other.meaning != mine.meaning
                and key in found.get(other.id, other.usual_keys)
                and (key, other.id, name) not in told
            ]
            told.update((key, name, other) for other in others)
            if others:
                named = " and ".join(others)
                yield _Problem(
                    _line_of(text, name),
                    f"{key_name(key)} of {name} is the key of {named}",
                    f"Give {named} another key in the same file, or choose another one.",
                )


def _line_of(text: str, name: str) -> int:
    """The line of the file with a name on the left of its `=`, or in brackets."""
    begins = (line.split("=")[0].strip(" \t\r[]\"'") for line in text.split("\n"))
    return next((at for at, each in enumerate(begins, start=1) if each == name), 1)
