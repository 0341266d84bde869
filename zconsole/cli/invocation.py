"""What a user can ask for on the command line, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

THIS_HOST = "local"


@dataclass(frozen=True, slots=True)
class Where:
    """Which hosts: named ones, the practice host, or a recording. Nothing named is this machine."""

    hosts: tuple[str, ...] = ()
    is_demo: bool = False
    replay: Path | None = None


@dataclass(frozen=True, slots=True)
class Console:
    """`zconsole [HOST...]`."""

    where: Where = field(default_factory=Where)
    theme: str | None = None
    interval_s: float | None = None
    is_read_only: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """`zconsole status`."""

    where: Where = field(default_factory=Where)
    is_json: bool = False
    with_importable: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """`zconsole check`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Iostat:
    """`zconsole iostat`."""

    where: Where = field(default_factory=Where)
    pool: str | None = None
    is_json: bool = False
    interval_s: float | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """`zconsole record`."""

    folder: Path
    where: Where = field(default_factory=Where)
    for_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Trust:
    """`zconsole trust`."""

    host: str
    fingerprint: str


Invocation = Console | Status | Check | Iostat | Record | Trust
