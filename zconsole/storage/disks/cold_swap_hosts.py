"""Hosts whose disks are swapped while they are shut down, as their user said; kept per user."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import read_bounded
from zconsole.base.errors import ZConsoleError
from zconsole.storage.atomic_file import replacing

FILE: Final = "no-hot-swap.json"
MOST_BYTES: Final = 1 << 20


class ColdSwapUnkept(ZConsoleError):
    """The file cannot be read or written, or is damaged; it is left unchanged."""


def cold_swap_path() -> Path:
    """Path of the kept names."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


def _to_nobody(_error: ColdSwapUnkept) -> None:
    """Default: a file that cannot be read is not told."""


def cold_swap_hosts(
    path: Path | None = None, complain: Callable[[ColdSwapUnkept], None] = _to_nobody
) -> frozenset[str]:
    """The names of the hosts; none where the file is missing. One that cannot be read is complained of."""
    file = path or cold_swap_path()
    try:
        return _read(file)
    except (OSError, _Damaged) as error:
        why = f"cannot be read: {error.strerror or error}" if isinstance(error, OSError) else "is damaged"
        complain(
            ColdSwapUnkept(
                f"{file} {why}; whether disks are swapped while this host runs is not known, and hot-swap "
                "is assumed",
                hint="Say it in the configuration (hot_swap = false), or move the file away.",
            )
        )
        return frozenset()


def keep_cold_swap(host: str, *, is_cold: bool, path: Path | None = None) -> frozenset[str]:
    """Keep whether a host is one of them; return all. Raises ColdSwapUnkept; a damaged file is unchanged."""
    file = path or cold_swap_path()
    try:
        found = _read(file) - {host} | ({host} if is_cold else set())
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(file) as stream:
            stream.write(json.dumps(sorted(found)).encode())
    except _Damaged as error:
        raise ColdSwapUnkept(
            f"{file} is damaged", hint="Move it away to start a new one; it is left unchanged."
        ) from error
    except OSError as error:
        raise ColdSwapUnkept(f"{file} cannot be written: {error.strerror or error}") from error
    return found


class _Damaged(Exception):
    """The file is no list of names."""


def _read(file: Path) -> frozenset[str]:
    """The names in the file; none where it is missing. Raises OSError, _Damaged."""
    try:
        found = json.loads(read_bounded(file, MOST_BYTES))
    except FileNotFoundError:
        return frozenset()
    except (ValueError, RecursionError) as error:  # no JSON, or of too many levels
        raise _Damaged from error
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _Damaged
    return frozenset(found)
