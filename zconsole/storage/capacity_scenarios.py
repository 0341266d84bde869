"""Scenarios of a user in a file, and their export to a new file."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import isfinite
from pathlib import Path
from typing import Final

from zconsole.analysis.capacity.planner_inputs import FIELDS
from zconsole.analysis.capacity.scenario import Scenario
from zconsole.base.errors import ZConsoleError
from zconsole.storage.atomic_file import creating, replacing
from zconsole.storage.json_list_file import JsonListFile

FILE: Final = "scenarios.json"
SCHEMA: Final = 1
MAX_BYTES: Final = 16 << 20
MOST: Final = 500
_LONGEST_TEXT: Final = 4096


class ScenariosUnread(ZConsoleError):
    """The file of scenarios cannot be read or written."""


class NotWritten(ZConsoleError):
    """The export was not written."""


def scenarios_path() -> Path:
    """Path of the user's scenarios."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


class ScenarioStore:
    """Scenarios in a file, by name. Usable from any thread and by several consoles."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or scenarios_path()

    def all(self) -> tuple[Scenario, ...]:
        """All scenarios, oldest first; empty without a file. Raises ScenariosUnread."""
        return _SCENARIOS.read(self.path)

    def keep(self, scenario: Scenario) -> tuple[Scenario, ...]:
        """Save a scenario, replacing one of the same name; returns all. On disk when this returns."""

        def kept(before: tuple[Scenario, ...]) -> tuple[Scenario, ...]:
            others = tuple(each for each in before if each.name != scenario.name)
            if len(others) >= MOST:
                raise ScenariosUnread(f"{MOST} scenarios are saved already", hint="Delete one first.")
            return (*others, scenario)

        return self._change(kept)

    def drop(self, name: str) -> tuple[Scenario, ...]:
        """Delete a scenario; returns the remaining ones."""
        return self._change(lambda before: tuple(each for each in before if each.name != name))

    def _change(
        self, changed: Callable[[tuple[Scenario, ...]], tuple[Scenario, ...]]
    ) -> tuple[Scenario, ...]:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone():
                after = changed(self.all())
                document = {"schema": SCHEMA, "scenarios": [_as_json(each) for each in after]}
                with replacing(self.path, is_synced=True) as file:
                    file.write(json.dumps(document, indent=1, ensure_ascii=True).encode() + b"\n")
        except OSError as error:
            raise ScenariosUnread(f"{self.path} cannot be written: {error.strerror or error}") from error
        return after

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock that keeps other consoles from changing the file."""
        lock = os.open(
            self.path.with_name(f"{self.path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
        )
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def write_new(path: Path, text: str) -> Path:
    """Write a new file. Raises NotWritten; an existing file is unchanged."""
    try:
        with creating(path) as file:
            file.write(text.encode())
    except FileExistsError as error:
        raise NotWritten(
            f"{path} is there already", hint="Take another name: nothing is written over."
        ) from error
    except OSError as error:
        raise NotWritten(f"{path} cannot be written: {error.strerror or error}") from error
    return path


def _as_json(scenario: Scenario) -> dict[str, object]:
    return {
        "name": scenario.name,
        "host": scenario.host,
        "pool": scenario.pool,
        "at": scenario.at,
        "inputs": dict(scenario.texts),
    }


def _from_json(found: dict[str, object]) -> Scenario:
    name, host, pool, at, texts = (found[key] for key in ("name", "host", "pool", "at", "inputs"))
    if not isinstance(name, str) or not isinstance(host, str) or not isinstance(pool, str):
        raise TypeError
    if not isinstance(at, int | float) or not isfinite(at) or not isinstance(texts, dict):
        raise TypeError
    known = {field.id for field in FIELDS}
    if not all(isinstance(text, str) and len(text) <= _LONGEST_TEXT for text in texts.values()):
        raise TypeError
    return Scenario(name, host, pool, float(at), {key: text for key, text in texts.items() if key in known})


_SCENARIOS: Final = JsonListFile(
    SCHEMA,
    "scenarios",
    _from_json,
    MAX_BYTES,
    ScenariosUnread,
    other_version_hint="It is left unchanged.",
    damaged_hint="Move it away to start a new one; it is left unchanged.",
)
