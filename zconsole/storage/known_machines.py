"""Machines by address: recorded at each connection, per user."""

from __future__ import annotations

import fcntl
import json
import logging
import math
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, cast

from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.storage.atomic_file import replacing

FILE: Final = "machines.json"
SCHEMA: Final = 1
MOST_BYTES: Final = 4 * 1024 * 1024
MOST_OF_AN_ADDRESS: Final = 4  # most recent machines kept per address
MOST: Final = 2000

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Sighting:
    """Machine that answered at an address, and the last time."""

    address: str  # as in the configuration, or as the user typed it
    identity: MachineIdentity
    at: float  # epoch seconds


def machines_path() -> Path:
    """Path of the user's known machines."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


class KnownMachines:
    """All sightings, newest last. Methods may be called from any thread; they raise nothing."""

    def __init__(self, path: Path | None = None, *, is_kept: bool = True) -> None:
        self._path = path
        self._is_kept = is_kept
        self._lock = threading.Lock()
        self._seen: tuple[Sighting, ...] | None = None if is_kept else ()

    @property
    def path(self) -> Path:
        """The file."""
        return self._path or machines_path()

    def at(self, address: str) -> tuple[MachineIdentity, ...]:
        """Machines that answered at an address."""
        return tuple(each.identity for each in self._all() if each.address == address)

    def learn(self, address: str, identity: MachineIdentity, at: float) -> None:
        """Record the machine that answered at an address. A new one is on disk when this returns."""
        sighting = Sighting(address, identity, at)
        if any(_is_as(each, sighting) for each in self._all()):
            return
        with self._lock:
            self._seen = _with(self._seen or (), sighting)
            if not self._is_kept:
                return
            try:
                self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                with self._alone():
                    there = _read(self.path)
                    if there is None:  # a newer zconsole's file; reading it logged a warning
                        return
                    self._seen = _with(there, sighting)
                    document = {"schema": SCHEMA, "seen": [_as_json(each) for each in self._seen]}
                    with replacing(self.path, is_synced=True) as file:
                        file.write(json.dumps(document, indent=1).encode("ascii") + b"\n")
            except OSError as error:
                logger.warning("%s cannot be written: %s", self.path, error)

    def _all(self) -> tuple[Sighting, ...]:
        with self._lock:
            if self._seen is None:
                self._seen = _read(self.path) or ()
            return self._seen

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock that keeps the user's other consoles from changing the file."""
        name = self.path.with_name(f"{self.path.name}.lock")
        lock = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def _is_as(one: Sighting, other: Sighting) -> bool:
    return (one.address, one.identity) == (other.address, other.identity)


def _with(seen: tuple[Sighting, ...], new: Sighting) -> tuple[Sighting, ...]:
    """Sightings with the new one, which replaces the same machine's; bounded per address."""

    def is_replaced(each: Sighting) -> bool:
        was, now = each.identity, new.identity
        return each.address == new.address and (was.machine_id, was.host_key) == (
            now.machine_id,
            now.host_key,
        )

    kept = [each for each in seen if not is_replaced(each)]
    there = [each for each in kept if each.address == new.address]
    kept = [each for each in kept if each not in there[: max(0, len(there) - MOST_OF_AN_ADDRESS + 1)]]
    return (*kept, new)[-MOST:]


def _as_json(sighting: Sighting) -> dict[str, object]:
    identity = sighting.identity
    return {
        "address": sighting.address,
        "at": sighting.at,
        "hostname": identity.hostname,
        "machine_id": identity.machine_id,
        "host_key": identity.host_key,
        "host_keys": list(identity.host_keys),
        "boot_id": identity.boot_id,
    }


def _read(path: Path) -> tuple[Sighting, ...] | None:
    """Sightings in the file; empty where it is missing or damaged, None for a newer format."""
    try:
        document = json.loads(read_bounded(path, MOST_BYTES))
        schema = document["schema"]
        is_newer = type(schema) is int and schema > SCHEMA
        rows = None if is_newer else document["seen"]
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        logger.warning("%s cannot be read, and is passed over: %s", path, error)
        return ()
    if is_newer:
        logger.warning(
            "%s was written by a newer zconsole: its schema is %d, and this one knows %d."
            " It is left as it is; what this console learns is known to it alone",
            *(path, schema, SCHEMA),
        )
        return None
    if schema != SCHEMA or not isinstance(rows, list):
        logger.warning("%s cannot be read, and is passed over: it is no list of machines", path)
        return ()
    found = tuple(each for row in rows if (each := _sighting(row)) is not None)
    if len(found) < len(rows):
        logger.warning("%s has %d rows that cannot be read", path, len(rows) - len(found))
    return found


def _sighting(found: object) -> Sighting | None:
    """Sighting of a row; None for an invalid row."""
    try:
        return _sighting_of(cast("Mapping[str, object]", found))
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _sighting_of(found: Mapping[str, object]) -> Sighting:
    address, given, at = found["address"], found["host_keys"], found["at"]
    if not isinstance(address, str) or not isinstance(at, int | float) or not math.isfinite(at):
        raise ValueError("its address is not text, or its time no moment")
    own = tuple(str(key) for key in given) if isinstance(given, list) else ()
    told = {key: _text(found[key]) for key in ("hostname", "machine_id", "host_key", "boot_id")}
    return Sighting(address, MachineIdentity(address, **told, host_keys=own), float(at))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
