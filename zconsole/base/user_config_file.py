"""The user's configuration: a TOML file, read once, strict about every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any, Final

from zconsole.base.bounded_user_file import read_user_text
from zconsole.base.config_table import ConfigTable
from zconsole.base.errors import ConfigError
from zconsole.base.finding_thresholds import Thresholds
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.notifications.alert_settings import (
    CallSettings,
    WatchSettings,
    call_settings,
    watch_settings,
)
from zconsole.base.notifications.silences import FILE, Silence, load_silences
from zconsole.base.size_units import SizeUnits

KEYS_FILE: Final = "keys.toml"  # beside the configuration: the user's own keys
COLOURS: Final = ("red", "green", "yellow", "blue", "magenta", "cyan", "white")
SHORTEST_INTERVAL_S: Final = 0.1  # zpool iostat accepts fractions; less costs more than it shows
LONGEST_INTERVAL_S: Final = 3600.0
LONGEST_HISTORY_MINUTES: Final = 1440.0
_URL: Final = re.compile(r"https?://[^\s/?#]+(/[^\s?#]*)?")
_MATCHER: Final = r'[a-zA-Z_][a-zA-Z0-9_]*\s*(?:=~|!~|!=|=)\s*"(?:[^"\\\n]|\\.)*"'
_SELECTOR: Final = re.compile(rf"\A\s*{_MATCHER}(?:\s*,\s*{_MATCHER})*\s*")
ANY_POSITIVE: Final = (0.0, 1e6)


@dataclass(frozen=True, slots=True)
class HostConfig:
    """One `[hosts.NAME]` table: the address of a host and its restrictions."""

    name: str
    address: str  # user@host, ssh://user@host:port, a name from ~/.ssh/config, or local
    label: str = ""
    colour: str | None = None  # one of COLOURS
    is_production: bool = False  # read-only until the user unlocks it for a while
    is_read_only: bool = False
    protected: tuple[str, ...] = ()  # patterns of objects on this host that must not be destroyed
    has_hot_swap: bool = True  # False: disks are swapped while it is shut down
    prometheus_selector: str | None = None  # label matchers that select its metrics
    group: str = ""  # of hosts that stand together on the first screen

    @property
    def restricts(self) -> bool:
        """Whether any restriction is set."""
        return self.is_production or self.is_read_only or bool(self.protected)


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a user; without a file every setting has its default."""

    hosts: tuple[HostConfig, ...] = ()
    thresholds: Thresholds = field(default_factory=Thresholds)
    theme: str | None = None
    units: SizeUnits = SizeUnits.BINARY  # of sizes and rates in everything that people read
    interval_s: float = 1.0
    history_minutes: float = 60.0  # length of the timeline in memory; shorter when memory is limited
    is_read_only: bool = False
    protected: tuple[str, ...] = ()  # patterns of objects that must not be destroyed on any host
    prometheus_url: str | None = None  # Prometheus server with metrics of the hosts, for forecasts
    calls: CallSettings = field(default_factory=CallSettings)  # what the console does to call its user
    watch: WatchSettings = field(default_factory=WatchSettings)
    silences: tuple[Silence, ...] = ()  # of the file beside it, in its order
    silences_file: str = FILE  # its name
    silences_problem: str = ""  # why that file counts as empty, as a sentence; nothing is silenced then
    by_option: Mapping[str, str] = field(default_factory=dict)  # options in place of the file, by its keys

    def with_option(self, key: str, option: str, **values: Any) -> Config:
        """The configuration with a setting by an option of the command line, and its values."""
        return replace(self, by_option={**self.by_option, key: option}, **values)

    def host(self, name: str) -> HostConfig | None:
        """The host with this name, or None when the file has none."""
        return next((host for host in self.hosts if host.name == name), None)

    def reached_as(self, label: str) -> HostConfig | None:
        """The host with this name, or with this address in the file."""
        return self.host(label) or next((host for host in self.hosts if host.address == label), None)


def config_folder() -> Path:
    """The folder with the user's `config.toml` and `themes/`."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_config_dir("zconsole", appauthor=False))


def load_config(path: Path | None = None, *, silences_file: str = FILE) -> Config:
    """Load the given file, which must exist, or the user's file, which may be missing. Raises ConfigError.

    A file of silences beside it that is wrong is a problem of the value, and no error.
    """
    source = path or config_folder() / "config.toml"
    try:
        text = read_user_text(source)
    except FileNotFoundError:
        if path is None:
            return _with_silences(Config(silences_file=silences_file), source.parent)
        raise ConfigError(f"{source} does not exist", hint="Name another file, or leave it out.") from None
    config = replace(parse_config(text, str(source)), silences_file=silences_file)
    return _with_silences(config, source.parent)


def _with_silences(config: Config, folder: Path) -> Config:
    """A file of silences that is wrong silences nothing: it must not keep the console from opening."""
    try:
        return replace(config, silences=load_silences(folder, config.silences_file))
    except ConfigError as error:
        return replace(config, silences_problem=f"{error.message}. Nothing is silenced")


def parse_config(text: str, source: str) -> Config:
    """Parse TOML into a Config; error messages name `source`."""
    import tomllib  # noqa: PLC0415  # nothing to read without such a file

    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source} is not valid TOML: {error}", hint="Correct that line.") from error
    top = ConfigTable(values, source)
    hosts, thresholds = top.table("hosts"), top.table("thresholds")
    config = Config(
        hosts=tuple(_host(name, hosts.table(name)) for name in hosts.names()),
        thresholds=_thresholds(thresholds),
        theme=top.text("theme"),
        units=SizeUnits(top.choice("units", tuple(SizeUnits)) or SizeUnits.BINARY),
        interval_s=top.time("interval_s", 1.0, "s", (SHORTEST_INTERVAL_S, LONGEST_INTERVAL_S)),
        history_minutes=top.time("history_minutes", 60.0, "m", (0.0, LONGEST_HISTORY_MINUTES)),
        is_read_only=top.flag("read_only"),
        protected=top.patterns("protected"),
        calls=call_settings(top.table("alerts")),
        watch=watch_settings(top.table("watch")),
        prometheus_url=top.matching("prometheus_url", _URL, 'An address such as "http://nas1:9090".'),
    )
    for table in (top, thresholds):
        table.refuse_unknown_keys()
    return config


def _host(name: str, table: ConfigTable) -> HostConfig:
    host = HostConfig(
        name=name,
        address=table.text("address") or name,
        label=table.text("label") or "",
        group=table.text("group") or "",
        colour=table.choice("colour", COLOURS),
        is_production=table.flag("production"),
        is_read_only=table.flag("read_only"),
        protected=table.patterns("protected"),
        has_hot_swap=table.flag("hot_swap", default=True),
        prometheus_selector=table.matching(
            "prometheus_selector", _SELECTOR, """Label matchers: 'instance=~"nas1:.*"'."""
        ),
    )
    table.refuse_unknown_keys()
    return host


def _thresholds(table: ConfigTable) -> Thresholds:
    default = Thresholds()
    thresholds = Thresholds(
        used_warning_percent=table.percent("used_warning_percent", default.used_warning_percent),
        used_critical_percent=table.percent("used_critical_percent", default.used_critical_percent),
        scrub_overdue_days=table.time("scrub_overdue_days", default.scrub_overdue_days, "d", ANY_POSITIVE),
        scan_stalled_minutes=table.time(
            "scan_stalled_minutes", default.scan_stalled_minutes, "m", ANY_POSITIVE
        ),
    )
    if thresholds.used_warning_percent > thresholds.used_critical_percent:
        raise table.error(
            "used_warning_percent", "is above used_critical_percent", "Lower the one or raise the other."
        )
    return thresholds
