"""The user's own keys: `keys.toml`, strict about every action and every conflict.

An action that shares its usual keys and their meaning with one of the file gets the same keys.
"""

from __future__ import annotations

import difflib
import re
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
MOST_BROKEN: Final = 20  # lines that are no TOML, each of which is left out
HOW_TO_WRITE: Final = 'Write the keys below [keys], as in: diff = "d".'
MOST_NEAR: Final = 3  # names that an unknown one may be meant for
FIXED: Final = {  # keys that no action can have, and their use
    "j": "down", "k": "up", "escape": "back", "enter": "open", "backspace": "back",
    "f2": "the rack of an exercise", "f5": "a plan that is made again",
    "ctrl+c": "quit", "ctrl+q": "quit", **dict.fromkeys(WAYS_OUT[:3], "a way out of a plan"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UserKeys:
    """The keys of a file that can be used, by action in the terminal library's spelling.

    And what is wrong with its other lines, if anything.
    """

    keys: Mapping[str, tuple[str, ...]]
    problem: ConfigError | None = None


def read_user_keys(folder: Path) -> UserKeys:
    """What holds of the file in a folder; without one there are no own keys."""
    source = folder / KEYS_FILE
    try:
        text = read_user_text(source)
    except FileNotFoundError:
        return UserKeys({})
    except ConfigError as error:
        return UserKeys({}, error)
    return keys_that_hold(text, str(source))


def keys_that_hold(text: str, source: str) -> UserKeys:
    """The keys of the lines that can be used; an action whose line is wrong keeps its usual ones."""
    problems: list[_Problem] = []
    tables = _tables(text, problems)
    found = _found(tables, text, problems)
    while wrong := list(_conflicts(found, text)):
        problems += wrong
        for each in wrong:
            found.pop(each.name, None)
    return UserKeys(with_siblings(found), _all_of(problems, source) if problems else None)


def with_siblings(found: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The keys of the file, and of the actions that share usual keys and meaning with one of them."""
    siblings: dict[str, tuple[str, ...]] = {}
    for name, keys in found.items():
        mine = next(action for action in ACTIONS if action.id == name)
        for other in ACTIONS:
            is_sibling = (other.meaning, other.usual_keys) == (mine.meaning, mine.usual_keys)
            if is_sibling and other.id not in found:
                siblings.setdefault(other.id, keys)
    return {**found, **siblings}


@dataclass(frozen=True, slots=True)
class _Problem:
    """What is wrong with a line of the file, and how to correct it; the action of the line, if known."""

    line: int
    words: str
    hint: str
    name: str = ""


def _tables(text: str, problems: list[_Problem]) -> Mapping[str, object]:
    """The tables of the file, without the lines that are no TOML."""
    import tomllib  # noqa: PLC0415  # nothing to read without such a file

    lines = text.split("\n")
    for _ in range(MOST_BROKEN):
        try:
            return tomllib.loads("\n".join(lines))
        except (ValueError, RecursionError) as error:
            place = re.search(r"at line (\d{1,9})", str(error))
            at = int(place[1]) if place else len(lines)
            words = str(error).partition(" (at ")[0]
            problems.append(_Problem(at, f"this is not valid TOML: {words}", HOW_TO_WRITE))
            if not place or not lines[at - 1].strip():
                return {}
            lines[at - 1] = ""
    return {}


def _found(tables: Mapping[str, object], text: str, problems: list[_Problem]) -> dict[str, tuple[str, ...]]:
    """The keys of each action whose line can be understood."""
    found: dict[str, tuple[str, ...]] = {}
    table = tables.get(TABLE, {})
    problems += (
        _Problem(_line_of(text, each), f"{each} is not known here", HOW_TO_WRITE)
        for each in tables
        if each != TABLE or not isinstance(table, dict)
    )
    for name, value in table.items() if isinstance(table, dict) else ():
        try:
            found[name] = _keys(name, value)
        except ConfigError as error:
            problems.append(_Problem(_line_of(text, name), error.message, error.hint))
    return found


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


def _conflicts(found: Mapping[str, tuple[str, ...]], text: str) -> Iterator[_Problem]:
    """Keys with two meanings: one has one on all screens, as with the usual keys. Each pair once."""
    told: set[tuple[str, str, str]] = set()
    effective = with_siblings(found)
    for name, keys in found.items():
        mine = next(action for action in ACTIONS if action.id == name)
        for key in keys:
            others = [
                other.id
                for other in ACTIONS
                if other.meaning != mine.meaning
                and key in found.get(other.id, () if other.id in effective else other.usual_keys)
                and (key, other.id, name) not in told
            ]
            told.update((key, name, other) for other in others)
            if others:
                named = " and ".join(others)
                yield _Problem(
                    _line_of(text, name),
                    f"{key_name(key)} of {name} is the key of {named}",
                    f"Give {named} another key in the same file, or choose another one.",
                    name,
                )


def _line_of(text: str, name: str) -> int:
    """The line of the file with a name on the left of its `=`, or in brackets."""
    begins = (line.split("=")[0].strip(" \t\r[]\"'") for line in text.split("\n"))
    return next((at for at, each in enumerate(begins, start=1) if each == name), 1)
