"""Validation of property values of datasets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zconsole.actions.checks.dataset_property_table import (
    ALIASES,
    AT_CREATION,
    PROPERTIES,
    READ_ONLY,
    SettableProperty,
    Values,
    property_of,
)
from zconsole.base.errors import UsageError
from zconsole.base.quantities import MOST_BLOCK, parse_block_size, parse_size

MOST_USER_NAME: Final = 255
_USER: Final = re.compile(r"[a-z0-9_.-]*:[a-z0-9:_.-]*", re.ASCII)
_QUOTA_OF: Final = re.compile(r"(?:user|group|project)(?:obj)?quota@[^\s=@,]+", re.ASCII)
_SIZES: Final = frozenset({
    Values.SIZE, Values.SIZE_OR_NONE, Values.RESERVATION, Values.THRESHOLD, Values.POWER
})  # fmt: skip


def size_bytes(text: str) -> int | None:
    """Bytes of a size; None for anything else."""
    try:
        return parse_size(text).size_bytes
    except UsageError:
        return None


def as_zfs_reads(name: str, value: str) -> str:
    """A value for ZFS: sizes that ZFS parses differently, or not at all, become bytes.

    ZFS takes `500GB` for 500 GiB.
    """
    known = property_of(name)
    if name != "volblocksize" and not is_quota_of(name) and (known is None or known.values not in _SIZES):
        return value
    return size_for_zfs(value)


def size_for_zfs(text: str) -> str:
    """A size for ZFS; anything else is unchanged."""
    try:
        size = parse_size(text)
    except UsageError:
        return text
    return str(size.size_bytes) if size.is_decimal or any(map(str.isspace, text)) else text


def is_user_property(name: str) -> bool:
    """Whether it is a user property: lower case with a colon."""
    return _USER.fullmatch(name) is not None and len(name) <= MOST_USER_NAME


def permission(name: str) -> str:
    """What `zfs allow` calls a property."""
    if is_user_property(name):
        return "userprop"
    return name.partition("@")[0]


def is_quota_of(name: str) -> bool:
    """Whether it is the quota of a user, group or project, such as `userquota@ann`."""
    return _QUOTA_OF.fullmatch(name) is not None


def split(word: str, *, hint: str) -> tuple[str, str]:
    """Split `PROPERTY=VALUE`, with the full name. Raises UsageError."""
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise UsageError("a property is set as PROPERTY=VALUE", hint=hint)
    if not value.isprintable():
        raise UsageError(f"the value of {name} cannot be printed: {value!r}")
    name = ALIASES.get(name, name)
    return name, as_zfs_reads(name, value)


def why_not_value(known: SettableProperty, value: str) -> str:
    """Why a property cannot have a value, with valid ones; empty if it can."""
    fine = False
    match known.values:
        case Values.WORDS:
            fine = value in known.words
        case Values.TEXT:
            fine = bool(value)
        case Values.SIZE:
            fine = bool(size_bytes(value))
        case Values.THRESHOLD:
            fine = (size_bytes(value) or 0) <= MOST_BLOCK and size_bytes(value) is not None
        case Values.SIZE_OR_NONE:
            fine = value == "none" or size_bytes(value) is not None
        case Values.RESERVATION:
            fine = value in {"none", "auto"} or size_bytes(value) is not None
        case Values.POWER:
            fine = _is_block_size(value)
        case Values.COUNT:
            fine = value == "none" or (value.isascii() and value.isdigit())
        case Values.MOUNTPOINT:
            fine = value in {"none", "legacy"} or value.startswith("/")
        case Values.KEY_PLACE:
            fine = value == "prompt" or value.startswith(("file:///", "https://", "http://"))
    if fine:
        return ""
    can = " | ".join(known.words) if known.values is Values.WORDS else known.values.value
    return f"{known.name} cannot be {value!r}: it is {can}"


def check_new(word: str, kind: str, *, hint: str) -> tuple[str, str]:
    """Check `PROPERTY=VALUE` for a new dataset; `kind` f or v. Raises UsageError."""
    name, value = split(word, hint=hint)
    known = property_of(name)
    if known is not None:
        if kind not in known.kinds:
            raise UsageError(f"a {'volume' if kind == 'v' else 'file system'} has no {name}")
        if wrong := why_not_value(known, value):
            raise UsageError(wrong)
    elif name in READ_ONLY or not (name in AT_CREATION or is_user_property(name) or is_quota_of(name)):
        raise UsageError(f"{name!r} is not a property that can be set", hint=nearest(name))
    return name, value


def check_all_new(words: Sequence[str], kind: str, *, hint: str) -> tuple[str, ...]:
    """Check all `PROPERTY=VALUE` for a new dataset. Raises UsageError, also where one is given twice."""
    found = [check_new(word, kind, hint=hint) for word in words]
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{name} is given more than once", hint=hint)
    return tuple("=".join(each) for each in found)


def nearest(name: str) -> str:
    """Similar property names."""
    near = [each for each in PROPERTIES if each.startswith(name[:3]) or name in each]
    return (
        f"Did you mean {' or '.join(near[:3])}?"
        if near
        else "zfsprops(7) lists them; user properties have a colon."
    )


def _is_block_size(value: str) -> bool:
    try:
        return parse_block_size(value) > 0
    except UsageError:
        return False
