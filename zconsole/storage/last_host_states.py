"""Last known pools of each host in the user's cache, shown with their age until the host has answered."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import quote

from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev
from zconsole.storage.atomic_file import replacing

FOLDER: Final = "last"
SCHEMA: Final = 1
MOST_BYTES: Final = 1024 * 1024  # of one host: some 2,000 disks
MOST_HOSTS: Final = 200  # the latest ones are kept
LONGEST_NAME: Final = 200  # of a file, in characters
MOST_POOLS: Final = 1000
_DEEPEST: Final = 8  # vdevs within vdevs; ZFS has four levels

logger = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class LastPools:
    """Pools of a host as they were last read, at epoch seconds `at`."""

    at: float
    pools: tuple[Pool, ...]


class LastHostStates:
    """Files of the last known pools, one a host. Methods raise nothing: what cannot be read is not known."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def folder(self) -> Path:
        """The folder of the files."""
        if self._folder is None:
            import platformdirs  # noqa: PLC0415  # a console without a cache needs no folder

            self._folder = Path(platformdirs.user_cache_dir("zconsole", appauthor=False)) / FOLDER
        return self._folder

    def of(self, host: str, now: float) -> LastPools | None:
        """The last known pools of a host; None where none are kept, or the file is damaged or of tomorrow."""
        try:
            found = json.loads(read_bounded(self._path(host), MOST_BYTES))
            if found["schema"] != SCHEMA or found["host"] != host:
                return None
            at, pools = found["at"], found["pools"]
            if not _is_number(at) or at > now or not isinstance(pools, list) or len(pools) > MOST_POOLS:
                return None
            return LastPools(float(at), tuple(_read(Pool, each, 0) for each in pools))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            logger.warning("the last known state of a host cannot be read: %s", type(error).__name__)
            return None

    def keep(self, state: HostState, now: float) -> bool:
        """Keep the pools of a connected host whose pools were all read; whether they were kept."""
        pools = [of.pool.value for of in state.pools]
        if state.link.state is not LinkState.UP or state.pools_at is None or state.recalled_at is not None:
            return False
        if len(pools) > MOST_POOLS or any(
            each is None or of.pool.problem for each, of in zip(pools, state.pools, strict=True)
        ):
            return False
        document = {
            "schema": SCHEMA,
            "host": state.host,
            "at": now,
            "pools": [_written(each) for each in pools],
        }
        text = json.dumps(document, separators=(",", ":")).encode()
        if len(text) > MOST_BYTES:
            return False
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(self._path(state.host)) as file:
                file.write(text)
            self._forget_oldest()
        except OSError as error:
            logger.warning("the last known state of a host cannot be kept: %s", error.strerror)
            return False
        return True

    def _path(self, host: str) -> Path:
        return self.folder / f"{_file_name(host)}.json"

    def _forget_oldest(self) -> None:
        files = list(self.folder.glob("*.json"))
        if len(files) <= MOST_HOSTS:
            return
        files.sort(key=lambda each: each.stat().st_mtime)
        for each in files[:-MOST_HOSTS]:
            with suppress(OSError):
                each.unlink()


def _file_name(host: str) -> str:
    """The name of a host as a file may have it; a digest of a longer one."""
    name = quote(host, safe="@", errors="surrogateescape")
    if len(name) <= LONGEST_NAME:
        return name
    from hashlib import sha256  # noqa: PLC0415  # it loads OpenSSL, for which the first frame would wait

    return sha256(host.encode("utf-8", "surrogateescape")).hexdigest()


def _written(value: Any) -> dict[str, object]:
    """The fields of a value that can be read again, without those that have their default."""
    written: dict[str, object] = {}
    for field in fields(value):
        found = getattr(value, field.name)
        if found == field.default:
            continue
        kind = str(field.type)
        if kind in _PLAIN:
            written[field.name] = found
        elif kind in _NESTED and found is not None:
            written[field.name] = _written(found)
        elif kind in _LISTED:
            written[field.name] = [_written(each) for each in found]
    return written


def _read(kind: Callable[..., T], raw: object, depth: int) -> T:
    """A value from its fields. Raises ValueError for what `_written` does not write."""
    if not isinstance(raw, dict) or depth > _DEEPEST:
        raise ValueError("not a value")
    values: dict[str, object] = {}
    for field in fields(kind):  # type: ignore[arg-type]  # classes of the model, all of them dataclasses
        if field.name not in raw:
            continue
        found, of = raw[field.name], str(field.type)
        if of in _PLAIN:
            if not _PLAIN[of](found):
                raise ValueError(field.name)
            values[field.name] = found
        elif of in _NESTED:
            values[field.name] = _read(_NESTED[of], found, depth + 1)
        elif of in _LISTED:
            if not isinstance(found, list):
                raise ValueError(field.name)
            values[field.name] = tuple(_read(_LISTED[of], each, depth + 1) for each in found)
    return kind(**values)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


# By the annotation of the field; fields of other types are not kept.
_PLAIN: Final[Mapping[str, Callable[[object], bool]]] = {
    "str": lambda value: isinstance(value, str),
    "str | None": lambda value: value is None or isinstance(value, str),
    "bool": lambda value: isinstance(value, bool),
    "int": _is_int,
    "int | None": lambda value: value is None or _is_int(value),
    "float | None": lambda value: value is None or _is_number(value),
}
_NESTED: Final[Mapping[str, Callable[..., object]]] = {"Count | None": Count, "Scan | None": Scan}
_LISTED: Final[Mapping[str, Callable[..., object]]] = {"tuple[Vdev, ...]": Vdev}
