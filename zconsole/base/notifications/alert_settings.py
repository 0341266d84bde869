"""Settings of alerts in the user's configuration: the tables `[alerts]` and `[watch]`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import Final

from zconsole.base.bounded_user_file import expanded, read_bounded
from zconsole.base.config_table import ConfigTable
from zconsole.base.errors import ConfigError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret

NOTIFICATIONS: Final = ("auto", "off", "osc9", "osc777")
SEVERITIES: Final = ("info", "warning", "critical")
FORMATS: Final = ("ntfy", "slack", "alertmanager", "json")
SECURITIES: Final = ("none", "starttls", "tls")
DAY_S: Final = 86400.0
TIMES: Final = (0.0, 30 * DAY_S)
LONGEST_SECRET: Final = 64 * 1024  # bytes of a file with a token, a password or an address
PORTS: Final = {"none": 25, "starttls": 587, "tls": 465}
_URL: Final = re.compile(r"https?://[^\s]+")
_MAILBOX: Final = re.compile(
    r"[^\s@<>,;:\"()\[\]\\-][^\s@<>,;:\"()\[\]\\]*(@[A-Za-z0-9][A-Za-z0-9.-]*)?", re.ASCII
)
_SERVER: Final = re.compile(
    r"(?P<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:]+\])(?::(?P<port>[0-9]{1,5}))?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class CallSettings:
    """What the console does when it calls its user; `[alerts]`."""

    has_bell: bool = True
    has_title: bool = True
    notification: str = "auto"  # of NOTIFICATIONS
    passes_through_tmux: bool = False


@dataclass(frozen=True, slots=True)
class CommandSettings:
    """A local program that is run for each message."""

    argv: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MailSettings:
    """Mail to some addresses."""

    to: tuple[str, ...]
    sender: str
    host: str = "localhost"
    port: int = 25
    security: str = "none"  # of SECURITIES
    user: str = ""
    password_file: Path | None = None
    sendmail: str = ""  # instead of a server


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """An HTTP endpoint. Its address may be in a file, because it may be a secret."""

    format: str  # of FORMATS
    url: Secret | None = None
    url_file: Path | None = None
    token_file: Path | None = None


@dataclass(frozen=True, slots=True)
class ChannelSettings:
    """One place that messages go to, and the least severity of what is sent there."""

    name: str  # `mail.admins`
    to: CommandSettings | MailSettings | WebhookSettings
    least: str = "warning"  # of SEVERITIES


@dataclass(frozen=True, slots=True)
class WatchSettings:
    """What `zconsole watch` tells, and where; `[watch]`. Times in seconds."""

    hold_critical_s: float = 0.0
    hold_warning_s: float = 60.0
    hold_link_s: float = 120.0
    clear_s: float = 60.0
    remind_s: float = DAY_S
    channels: tuple[ChannelSettings, ...] = field(default=())


def call_settings(table: ConfigTable) -> CallSettings:
    """Read `[alerts]`. Raises ConfigError."""
    settings = CallSettings(
        has_bell=table.flag("bell", default=True),
        has_title=table.flag("title", default=True),
        notification=table.choice("notification", NOTIFICATIONS) or "auto",
        passes_through_tmux=table.flag("tmux_passthrough"),
    )
    table.refuse_unknown_keys()
    return settings


def watch_settings(table: ConfigTable) -> WatchSettings:
    """Read `[watch]` and the tables below it. Raises ConfigError."""
    default = WatchSettings()
    settings = WatchSettings(
        hold_critical_s=table.time("hold_critical", default.hold_critical_s, "s", TIMES),
        hold_warning_s=table.time("hold", default.hold_warning_s, "s", TIMES),
        hold_link_s=table.time("hold_link", default.hold_link_s, "s", TIMES),
        clear_s=table.time("clear", default.clear_s, "s", TIMES),
        remind_s=table.time("remind", default.remind_s, "s", TIMES),
        channels=(*_commands(table), *_mails(table), *_webhooks(table)),
    )
    table.refuse_unknown_keys()
    return settings


def read_secret(path: Path) -> Secret:
    """The first line of a file that only its owner should read. Raises ConfigError."""
    try:
        text = read_bounded(path, LONGEST_SECRET).decode("utf-8").split("\n", 1)[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path} cannot be read: {why}") from error
    if not text:
        raise ConfigError(f"{path} is empty", hint="The secret is its first line.")
    return Secret(text)


def _commands(watch: ConfigTable) -> Iterator[ChannelSettings]:
    for name, table in _tables(watch, "command"):
        argv = table.patterns("argv")
        if not argv:
            raise table.error("argv", "is missing", 'A list of words: argv = ["/usr/local/bin/page", "-p"].')
        yield _channel(f"command.{name}", table, CommandSettings(argv))


def _mails(watch: ConfigTable) -> Iterator[ChannelSettings]:
    for name, table in _tables(watch, "mail"):
        to = table.patterns("to")
        sender = table.matching("from", _MAILBOX, 'An address such as "zconsole@nas1.example.org".')
        for each in to:
            if not _MAILBOX.fullmatch(each):
                raise table.error("to", f"has {each!r}, which is no address", 'Such as ["root@example.org"].')
        if not to or sender is None:
            missing = "to" if not to else "from"
            raise table.error(
                missing, "is missing", 'Write to = ["root@localhost"] and from = "zconsole@localhost".'
            )
        security = table.choice("tls", SECURITIES) or "none"
        server = table.matching("smtp", _SERVER, 'A server such as "mail.example.org:587".')
        found = _SERVER.fullmatch(server or "localhost")
        host, port = (found["host"].strip("[]"), found["port"]) if found is not None else ("localhost", None)
        password = _file(table, "password_file")
        user = table.text("user") or ""
        if password is not None and security == "none":
            raise table.error("password_file", "needs tls", 'Write tls = "starttls" or "tls".')
        if (password is None) != (user == ""):
            raise table.error("user", "and password_file belong together", "Give both, or neither.")
        sendmail = table.text("sendmail") or ""
        if sendmail and server:
            raise table.error("sendmail", "and smtp exclude each other", "Give one of them.")
        mail = MailSettings(
            to, sender, host, int(port or PORTS[security]), security, user, password, sendmail
        )
        yield _channel(f"mail.{name}", table, mail)


def _webhooks(watch: ConfigTable) -> Iterator[ChannelSettings]:
    for name, table in _tables(watch, "webhook"):
        kind = table.choice("format", FORMATS) or "json"
        url = table.matching("url", _URL, 'An address such as "https://ntfy.sh/topic".')
        url_file = _file(table, "url_file")
        if (url is None) == (url_file is None):
            raise table.error("url", "or url_file is needed", "Give one of them.")
        hook = WebhookSettings(kind, Secret(url) if url else None, url_file, _file(table, "token_file"))
        yield _channel(f"webhook.{name}", table, hook)


def _tables(watch: ConfigTable, kind: str) -> Iterator[tuple[str, ConfigTable]]:
    all_of_kind = watch.table(kind)
    for name in all_of_kind.names():
        yield name, all_of_kind.table(name)


def _channel(
    name: str, table: ConfigTable, to: CommandSettings | MailSettings | WebhookSettings
) -> ChannelSettings:
    least = table.choice("least", SEVERITIES) or "warning"
    table.refuse_unknown_keys()
    return ChannelSettings(name, to, least)


def _file(table: ConfigTable, key: str) -> Path | None:
    name = table.text(key)
    return None if name is None else expanded(name)
