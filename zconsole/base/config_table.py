"""Typed access to the tables of a TOML file; errors name the file and the key."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.quantities import parse_duration, parse_percent

PERCENT: Final = (0.0, 100.0)


class ConfigTable:
    """Typed access to a table, which records the keys that were read. Every method raises ConfigError."""

    def __init__(self, values: Mapping[str, object], source: str, prefix: str = "") -> None:
        self._values = values
        self._source = source
        self._prefix = prefix
        self._known: list[str] = []

    def names(self) -> tuple[str, ...]:
        """The keys of the table."""
        return tuple(self._values)

    def table(self, key: str) -> ConfigTable:
        """A table below this one; empty where it is missing."""
        value = self._take(key)
        if value is None:
            value = {}
        if not isinstance(value, dict):
            raise self.error(key, "must be a table", f"Write [{self._prefix}{key}] on a line of its own.")
        return ConfigTable(value, self._source, f"{self._prefix}{key}.")

    def text(self, key: str) -> str | None:
        """A text that is not empty, or None."""
        value = self._take(key)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise self.error(key, "must be text", 'Write it in quotes: "...".')
        return value

    def choice(self, key: str, choices: Iterable[str]) -> str | None:
        """One of some texts, or None."""
        value = self.text(key)
        if value is not None and value not in choices:
            raise self.error(key, f"cannot be {value!r}", f"One of: {', '.join(choices)}.")
        return value

    def matching(self, key: str, pattern: re.Pattern[str], hint: str) -> str | None:
        """A text of a form, or None; `hint` shows the form."""
        value = self.text(key)
        if value is not None and not pattern.fullmatch(value):
            raise self.error(key, "cannot be understood", hint)
        return value

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self._take(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.error(key, "must be true or false", "Write it without quotes.")
        return value

    def patterns(self, key: str) -> tuple[str, ...]:
        """A list of texts; empty where it is missing."""
        value = self._take(key)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise self.error(key, "must be a list of patterns", 'Write it so: ["tank/vm/*", "tank@keep*"].')
        return tuple(value)

    def time(self, key: str, default: float, unit: str, limits: tuple[float, float]) -> float:
        """A time in the unit that the key names: a number, or a text such as `"90s"`."""
        of_unit = parse_duration(f"1{unit}")
        return self._quantity(key, default, limits, lambda text: parse_duration(text, bare=unit) / of_unit)

    def percent(self, key: str, default: float) -> float:
        """A percentage: a number, or a text such as `"80%"`."""
        return self._quantity(key, default, PERCENT, lambda text: float(parse_percent(text)))

    def _quantity(
        self, key: str, default: float, limits: tuple[float, float], read: Callable[[str], float]
    ) -> float:
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, str):
            try:
                value = read(value)
            except UsageError as error:
                raise self.error(key, f"cannot be understood: {error.message}", error.hint) from error
        low, high = limits
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.error(key, "is out of range", f"A number from {low:g} to {high:g}.")
        return float(value)

    def refuse_unknown_keys(self) -> None:
        """Reject keys that were never read; most often they are misspelt."""
        for key in self._values:
            if key not in self._known:
                from difflib import get_close_matches  # noqa: PLC0415  # of a misspelt key

                near = get_close_matches(key, self._known, n=1)
                meant = f"Did you mean {near[0]}?" if near else f"Known here: {', '.join(self._known)}."
                raise self.error(key, "is not known", meant)

    def error(self, key: str, problem: str, hint: str) -> ConfigError:
        """An error about a key."""
        return ConfigError(f"{self._source}: {self._prefix}{key} {problem}", hint=hint)

    def _take(self, key: str) -> object:
        self._known.append(key)
        return self._values.get(key)
