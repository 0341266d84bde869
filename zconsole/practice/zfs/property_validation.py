"""Validation of property values, with the errors of libzfs."""

from __future__ import annotations

import re
from typing import Final

from zconsole.practice.nicenum_and_times import nicebytes
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.practice.zfs.properties import APPLIES, NONE_WHEN_ZERO, NUMBERS, SET_ONCE, SETTABLE, VALUES

_UNITS: Final = "BKMGTPEZ"
_NUMBER: Final = re.compile(r"(\d*\.?\d*)(.*)", re.DOTALL)
_USER_NAME: Final = re.compile(r"[a-z0-9:+._-]+")
_LARGEST: Final = 1 << 64
_LARGEST_BLOCK: Final = 16 << 20
_LONGEST_USER_NAME: Final = 255
_LONGEST_USER_VALUE: Final = 8192
_LIMITS: Final = frozenset({"filesystem_limit", "snapshot_limit"})
_FREE_TEXT: Final = frozenset(
    {"sharenfs", "sharesmb", "mlslabel", "context", "fscontext", "defcontext", "rootcontext", "keylocation"}
)


class BadValue(Exception):
    """An invalid property or value, with the error of libzfs."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self.words = words


def number_of(text: str) -> int:
    """A size with its unit: `10G`, `1.5T`, `4096`."""
    found = _NUMBER.fullmatch(text)
    digits, suffix = found.groups() if found else ("", text)
    if not re.search(r"\d", digits) or not (text[0].isdigit() or text[0] == "."):
        raise BadValue(f"bad numeric value '{text}'")
    unit = suffix.upper().removesuffix("IB") if suffix.upper().endswith("IB") else suffix.upper()
    unit = unit.removesuffix("B") if len(unit) == 2 else unit
    if len(unit) > 1 or (unit and unit not in _UNITS):
        raise BadValue(f"invalid numeric suffix '{suffix}'")
    shift = 10 * _UNITS.index(unit or "B")
    value = int(float(digits) * (1 << shift)) if "." in digits else int(digits) << shift
    if value >= _LARGEST:
        raise BadValue("numeric value is too large")
    return value


def checked(name: str, text: str, letter: str, *, is_new: bool = False) -> str:
    """The value that is kept when a property of a kind of dataset is set to `text`; raises BadValue."""
    if ":" in name:
        return _user_value(name, text)
    if name not in APPLIES:
        raise BadValue(f"invalid property '{name}'")
    if letter in "sz":
        raise BadValue("this property can not be modified for snapshots")
    if letter not in APPLIES[name]:
        raise BadValue(f"'{name}' does not apply to datasets of this type")
    if name not in SETTABLE or (name in SET_ONCE and not is_new):
        raise BadValue(f"'{name}' is readonly")
    if name == "mountpoint":
        return _mountpoint(text)
    if name in VALUES:
        return _word(name, text)
    if name in _LIMITS or name in NUMBERS:
        return _amount(name, text, letter)
    if name in _FREE_TEXT:
        return text
    raise BadValue(f"'{name}' is readonly")


def checked_all(given: dict[str, str], letter: str, *, is_new: bool = False) -> dict[str, str]:
    """The values that are kept when several properties are set; raises BadValue."""
    return {name: checked(name, text, letter, is_new=is_new) for name, text in given.items()}


def _user_value(name: str, text: str) -> str:
    if not _USER_NAME.fullmatch(name):
        raise BadValue(f"invalid property '{name}'")
    if len(name) > _LONGEST_USER_NAME:
        raise BadValue(f"property name '{name}' is too long")
    if len(text.encode()) >= _LONGEST_USER_VALUE:
        raise BadValue("property value too long")
    return text


def _mountpoint(text: str) -> str:
    if text not in {"none", "legacy"} and not text.startswith("/"):
        raise BadValue("'mountpoint' must be an absolute path, 'none', or 'legacy'")
    return text


def _word(name: str, text: str) -> str:
    if text not in _words(VALUES[name]):
        raise BadValue(f"'{name}' must be one of '{VALUES[name]}'")
    return "aes-256-gcm" if (name, text) == ("encryption", "on") else text


def _words(listed: str) -> set[str]:
    """The words that such a list means: `gzip-[1-9]` is nine, `verify[,x]` two."""
    found: set[str] = set()
    for word in listed.split(" | "):
        base, bracket, inside = word.rstrip("]").partition("[")
        if inside.startswith(","):
            found |= {base, base + inside}
            continue
        if not bracket:
            found.add(word)
            continue
        for part in inside.split(","):
            first, _, last = part.partition("-")
            found.update(f"{base}{number}" for number in range(int(first), int(last or first) + 1))
    return found


def _amount(name: str, text: str, letter: str) -> str:
    if text == "auto" and name == "refreservation":
        if letter != "v":
            raise BadValue("'refreservation=auto' only allowed on volumes")
        return text
    if text == "none" and (name in NONE_WHEN_ZERO or name in _LIMITS):
        return "none" if name in _LIMITS else "0"
    value = number_of(text)
    if value == 0 and name in {"quota", "refquota"}:
        raise BadValue("use 'none' to disable quota/refquota")
    if name in {"recordsize", "volblocksize"} and (not 512 <= value <= _LARGEST_BLOCK or value & (value - 1)):
        raise BadValue(f"'{name}' must be power of 2 from 512B to {nicebytes(_LARGEST_BLOCK)}")
    if name == "volsize" and value == 0:
        raise BadValue("'volsize' cannot be zero")
    return str(value)


def letter_of(thing: PracticeDataset | Snapshot) -> str:
    """The kind of a dataset or snapshot, as the table of properties knows it."""
    if isinstance(thing, Snapshot):
        return "s" if thing.dataset.kind == "filesystem" else "z"
    return "f" if thing.kind == "filesystem" else "v"
