"""What is read of one dataset or snapshot alone, when somebody looks at it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Set:
    """A property of it; `source` is ZFS's: `local`, `default`, `inherited from X`, `received`, `-`."""

    key: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class DatasetDetails:
    """One object by its name, its properties, and what a clone got since its origin."""

    name: str
    properties: tuple[Set, ...] = ()
    since_origin_bytes: int | None = None  # written@ORIGIN
