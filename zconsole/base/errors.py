"""Every error that zconsole raises on purpose, each with the exit code that it ends a command with."""

from __future__ import annotations

from typing import ClassVar

EXCERPT_CHARACTERS = 120  # of a line that could not be read: enough to recognise it
REASON_CHARACTERS = 240
KEPT_CHARACTERS = 4096  # of such a line, which may have a million
BEGINNING_CHARACTERS = 3000  # of a message; a file or a host may have put anything into it
END_CHARACTERS = 600


class ZConsoleError(Exception):
    """Something a user can act on: what happened, and in `hint` what to do."""

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        message = _without_middle(message)
        super().__init__(message)
        self.message = message
        self.hint = _without_middle(hint)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(ZConsoleError):
    """The words of the command line are off."""

    exit_code = 2


class ConfigError(ZConsoleError):
    """A configuration or theme file cannot be used; names the file and the key."""


class ParseError(ZConsoleError):
    """A tool printed something that its parser does not know; names the tool and the line."""

    def __init__(self, tool: str, line_no: int, line: str, reason: str) -> None:
        reason = shortened(reason, REASON_CHARACTERS)
        super().__init__(f"{tool}, line {line_no}: {reason}: {shortened(line, EXCERPT_CHARACTERS)!r}")
        self.tool = tool
        self.line_no = line_no
        self.line = line[:KEPT_CHARACTERS]
        self.reason = reason


def shortened(text: str, most: int) -> str:
    """The beginning of a text that is longer than so many characters, with dots behind it."""
    return text if len(text) <= most else f"{text[:most]}..."


def _without_middle(text: str) -> str:
    if len(text) <= BEGINNING_CHARACTERS + END_CHARACTERS:
        return text
    return f"{text[:BEGINNING_CHARACTERS]}...{text[-END_CHARACTERS:]}"


class HostError(ZConsoleError):
    """A host could not be reached, or stopped answering."""


class HostUnreachable(HostError):
    """No connection: refused, timed out, name unknown, authentication failed."""


class HostKeyUnknown(HostError):
    """First contact: the key is in no known_hosts file."""

    def __init__(self, host: str, fingerprint: str, *, hint: str) -> None:
        super().__init__(f"the host key of {host} is not known: {fingerprint}", hint=hint)
        self.fingerprint = fingerprint


class HostKeyChanged(HostError):
    """The host shows another key than known_hosts holds; there is no override."""


class LinkLost(HostError):
    """The connection went away while something was under way."""


class NeverSent(LinkLost):
    """The connection went away before the command was sent: it is certain that the host never got it."""


class CommandFailed(HostError):
    """A command ran and said no; its own words are in `said`, its exit status where it is known."""

    def __init__(self, message: str, *, said: str = "", hint: str = "", status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.said = said
        self.status = status


class ZfsMissing(HostError):
    """The host has no zpool command or no zfs module."""


class Stuck(HostError):
    """A command of this kind is still hanging on this host and pool; no second one is sent."""
