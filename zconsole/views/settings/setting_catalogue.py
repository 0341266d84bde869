"""Settings that the console can change: the key in the file, what each does, its values and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum
from typing import Any, Final

from zconsole.base.config_table import PERCENT
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import parse_duration, parse_percent
from zconsole.base.size_units import SizeUnits
from zconsole.base.user_config_file import (
    ANY_POSITIVE,
    LONGEST_HISTORY_MINUTES,
    LONGEST_INTERVAL_S,
    SHORTEST_INTERVAL_S,
    Config,
)

Value = str | bool | float


class SettingKind(Enum):
    """How a setting is chosen."""

    THEME = "theme"
    CHOICE = "choice"  # of a menu
    TIME = "time"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Setting:
    """Setting of `config.toml`."""

    key: str  # in the file
    field: str  # of Config
    title: str
    help: str
    kind: SettingKind = SettingKind.CHOICE
    choices: Mapping[Value, str] | None = None  # each with what it means
    unit: str = ""  # of a number
    limits: tuple[float, float] = (0.0, 0.0)
    is_live: bool = True  # a change takes effect at once

    def of(self, config: Config) -> Value | None:
        """Its value in a configuration."""
        value: Any = config
        for name in self.field.split("."):
            value = getattr(value, name)
        found: Value | None = value
        return found

    def taken_over(self, config: Config, other: Config) -> Config:
        """A configuration with its value of another one."""
        name, _, inner = self.field.partition(".")
        value: Any = getattr(other, name)
        if inner:
            value = replace(getattr(config, name), **{inner: self.of(other)})
        changes: dict[str, Any] = {name: value}
        return replace(config, **changes)

    def read(self, text: str) -> float:
        """A typed value as a number of its unit. Raises UsageError, which names the limits."""
        if self.kind is SettingKind.PERCENT:
            value = float(parse_percent(text.strip()))
        else:
            value = parse_duration(text.strip(), bare=self.unit) / parse_duration(f"1{self.unit}")
        least, most = self.limits
        if not least <= value <= most:
            raise UsageError(f"{text.strip()} is out of range: {self.range_words()}")
        return value

    def range_words(self) -> str:
        """`from 0.1s to 1h`: the limits as they can be typed."""
        least, most = self.limits
        return f"from {self.shown(least)} to {self.shown(most)}"

    def shown(self, value: Value | None) -> str:
        """A value as the screen has it, and as it can be typed."""
        if value is None:
            return "by the terminal"
        if isinstance(value, bool):
            return "on" if value else "off"
        if isinstance(value, str):
            return value
        if self.kind is SettingKind.PERCENT:
            return f"{value:.10g}%"
        return f"{value:.10g}{self.unit}"


SETTINGS: Final = (
    Setting(
        "theme", "theme", "Theme", "Colours of everything; without one those that fit the terminal.",
        SettingKind.THEME,
    ),
    Setting(
        "units", "units", "Units of sizes",
        "Sizes and rates on all screens and in the text of subcommands. JSON has bytes; what is typed, and "
        "values of properties, are as ZFS takes them.",
        choices={
            SizeUnits.BINARY.value: "powers of 1024, as ZFS counts: GiB, TiB, MiB/s",
            SizeUnits.DECIMAL.value: "powers of 1000, as drives are sold: GB, TB, MB/s",
        },
    ),
    Setting(
        "interval_s", "interval_s", "I/O sample every",
        "Time between two samples of zpool iostat. A longer one costs the host and a slow link less.",
        SettingKind.TIME, unit="s", limits=(SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S),
    ),
    Setting(
        "history_minutes", "history_minutes", "History in memory",
        "How far [ and { go back; at most 100 MB.",
        SettingKind.TIME, unit="m", limits=(0.0, LONGEST_HISTORY_MINUTES), is_live=False,
    ),
    Setting(
        "read_only", "is_read_only", "Read-only", "No host can be changed from here, and none unlocked.",
        choices={True: "no host can be changed", False: "plans can be made and confirmed"}, is_live=False,
    ),
    Setting(
        "alerts.bell", "calls.has_bell", "Bell", "Ring the terminal's bell at an alert.",
        choices={True: "ring at an alert", False: "stay silent"},
    ),
    Setting(
        "alerts.title", "calls.has_title", "Terminal title",
        "Show the worst state in the terminal's title until it was seen.",
        choices={True: "the worst state first", False: "leave the title alone"},
    ),
    Setting(
        "alerts.notification", "calls.notification", "Notification",
        "Notify the desktop at an alert while the terminal is not in front.",
        choices={
            "auto": "by TERM and TERM_PROGRAM, where the terminal is known to take it",
            "off": "no notification",
            "osc9": "OSC 9: iTerm2, kitty, WezTerm, Ghostty, Windows Terminal",
            "osc777": "OSC 777: foot, rxvt-unicode, some VTE terminals",
        },
    ),
    Setting(
        "alerts.tmux_passthrough", "calls.passes_through_tmux", "Notify through tmux",
        "Send notifications through tmux to the terminal; tmux needs `set -g allow-passthrough on`.",
        choices={True: "send them through", False: "none within tmux"},
    ),
    Setting(
        "thresholds.used_warning_percent", "thresholds.used_warning_percent", "Used: warning from",
        "Used part of the usable space from which a pool has a warning.",
        SettingKind.PERCENT, limits=PERCENT,
    ),
    Setting(
        "thresholds.used_critical_percent", "thresholds.used_critical_percent", "Used: critical from",
        "Used part of the usable space from which a pool is critical.",
        SettingKind.PERCENT, limits=PERCENT,
    ),
    Setting(
        "thresholds.scrub_overdue_days", "thresholds.scrub_overdue_days", "Scrub overdue after",
        "Age of the last scrub from which it is overdue.",
        SettingKind.TIME, unit="d", limits=ANY_POSITIVE,
    ),
    Setting(
        "thresholds.scan_stalled_minutes", "thresholds.scan_stalled_minutes", "Scan stalled after",
        "Time without progress after which a scrub or resilver counts as stalled.",
        SettingKind.TIME, unit="m", limits=ANY_POSITIVE,
    ),
)  # fmt: skip
SETTINGS_BY_KEY: Final = {each.key: each for each in SETTINGS}
