"""Conversion of JSON to types, by any thread; a value of the wrong type costs itself, and nothing else."""

from __future__ import annotations

import threading
from typing import Any, Final, TypeVar, get_args, get_origin

import msgspec

MOST_NAMED: Final = 20  # of the values that were lost
_LOST: Final = object()
T = TypeVar("T", bound=msgspec.Struct)
K = TypeVar("K")
_PREPARED: Final[set[object]] = set()
_PREPARING: Final = threading.Lock()


def prepared(kind: type[K]) -> type[K]:
    """The type, of which msgspec has noted all fields.

    It notes them at the first use: a second thread that came in between would meet them half noted, and crash
    the process.
    """
    if kind not in _PREPARED:
        with _PREPARING:
            msgspec.json.Decoder(kind)
            _PREPARED.add(kind)
    return kind


def tolerant(raw: object, kind: type[T]) -> tuple[T, tuple[str, ...]]:
    """The value, and the places of values that are of another type: `temperature.current`.

    A lost value has its field's default; an element of a list is left out. Raises ValidationError where `raw`
    itself is not an object.
    """
    try:
        return msgspec.convert(raw, prepared(kind)), ()
    except msgspec.ValidationError:
        if not isinstance(raw, dict):
            raise
    lost: list[str] = []
    found = _object(raw, kind, "", lost)
    if found is _LOST:
        raise msgspec.ValidationError(f"{kind.__name__} lacks a value")
    return found, tuple(dict.fromkeys(lost))[:MOST_NAMED]


def _object(raw: object, kind: type[msgspec.Struct], place: str, lost: list[str]) -> Any:
    if not isinstance(raw, dict):
        lost.append(place)
        return _LOST
    values = {}
    for field in msgspec.structs.fields(kind):
        if field.encode_name in raw:
            name = f"{place}.{field.encode_name}" if place else field.encode_name
            found = _value(raw[field.encode_name], field.type, name, lost)
            if found is not _LOST:
                values[field.name] = found
            elif field.required:
                return _LOST
    try:
        return kind(**values)
    except TypeError:  # a required one is missing
        lost.append(place)
        return _LOST


def _value(raw: object, kind: Any, place: str, lost: list[str]) -> Any:
    try:
        return msgspec.convert(raw, prepared(kind))
    except msgspec.ValidationError:
        pass
    for each in (kind, *get_args(kind)):
        if isinstance(each, type) and issubclass(each, msgspec.Struct) and isinstance(raw, dict):
            return _object(raw, each, place, lost)
    if get_origin(kind) is tuple and isinstance(raw, list):
        found = (_value(each, get_args(kind)[0], place, lost) for each in raw)
        return tuple(each for each in found if each is not _LOST)
    lost.append(place)
    return _LOST
