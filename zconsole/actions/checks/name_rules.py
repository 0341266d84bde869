"""Rules for names of new datasets, snapshots, bookmarks and holds (zfs_namecheck.c)."""

from __future__ import annotations

import re
from typing import Final

from zconsole.base.errors import UsageError

MOST_BYTES: Final = 255
MOST_LEVELS: Final = 50  # zfs_max_dataset_nesting
_COMPONENT: Final = re.compile(r"[A-Za-z0-9_.: -]+", re.ASCII)
_HINT: Final = "Letters, digits, and any of - _ . : or a space, in parts between slashes."


def check_dataset(name: str) -> str:
    """Check the full name of a new file system or volume. Raises UsageError."""
    parts = name.split("/")
    if len(parts) < 2:
        raise UsageError(f"{name!r} is a pool's name", hint="Give the full name: pool/dataset.")
    for part in parts:
        _check_part(part, name)
    if len(parts) > MOST_LEVELS:
        raise UsageError(f"{name!r} has more than {MOST_LEVELS} levels")
    return _check_length(name)


def check_snapshot(name: str) -> str:
    """Check the full name of a new snapshot. Raises UsageError."""
    return _check_in_dataset(name, "@", "Give the full name: pool/dataset@snapshot.")


def check_bookmark(name: str) -> str:
    """Check the full name of a new bookmark. Raises UsageError."""
    return _check_in_dataset(name, "#", "Give the full name: pool/dataset#bookmark.")


def check_tag(tag: str) -> str:
    """Check the tag of a new hold. Raises UsageError."""
    if not tag:
        raise UsageError("a hold needs a tag", hint="zconsole plan hold POOL/DATASET@SNAPSHOT TAG")
    if tag[0] in ".-":
        raise UsageError(f"a tag cannot begin with {tag[0]!r}", hint="ZFS reserves those.")
    if not tag.isprintable() or len(tag.encode()) > MOST_BYTES:
        raise UsageError(f"not a tag: {tag!r}", hint=f"Printable, at most {MOST_BYTES} bytes.")
    return tag


def _check_in_dataset(name: str, mark: str, hint: str) -> str:
    base, found, short = name.partition(mark)
    if not found or not base or not short:
        raise UsageError(f"{name!r} is not a full name", hint=hint)
    for part in (*base.split("/"), short):
        _check_part(part, name)
    return _check_length(name)


def _check_part(part: str, name: str) -> None:
    if not part:
        raise UsageError(f"a part of {name!r} is empty", hint=_HINT)
    if part in {".", ".."}:
        raise UsageError(f"{part!r} cannot be a part of a name", hint=_HINT)
    if not _COMPONENT.fullmatch(part):
        wrong = next(character for character in part if not _COMPONENT.fullmatch(character))
        raise UsageError(f"{wrong!r} cannot be in a name: {name!r}", hint=_HINT)
    if part != part.strip(" "):
        raise UsageError(f"a part of {name!r} begins or ends with a space", hint=_HINT)


def _check_length(name: str) -> str:
    if len(name) > MOST_BYTES:
        raise UsageError(f"the name has {len(name)} characters: {name!r}", hint=f"At most {MOST_BYTES}.")
    return name
