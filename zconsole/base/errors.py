"""Errors that zconsole raises deliberately, each with its exit code."""

from __future__ import annotations

from typing import ClassVar, Final

EXCERPT_CHARACTERS = 120  # of an unreadable line: enough to recognise it
REASON_CHARACTERS = 240
KEPT_CHARACTERS = 4096  # of an unreadable line, which may have a million characters
BEGINNING_CHARACTERS = 3000  # of a message, which may contain text of any file or host
END_CHARACTERS = 600


class ZConsoleError(Exception):
    """Error that the user can act on: the message says what happened, `hint` what to do."""

    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str = "") -> None:
        message = _without_middle(message)
        super().__init__(message)
        self.message = message
        self.hint = _without_middle(hint)

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message


class UsageError(ZConsoleError):
    """Invalid command line."""

    exit_code = 2


class ConfigError(ZConsoleError):
    """Unusable configuration or theme file; names the file and the key."""


class ParseError(ZConsoleError):
    """Tool output that its parser does not understand; names the tool and the line."""

    def __init__(self, tool: str, line_no: int, line: str, reason: str) -> None:
        reason = shortened(reason, REASON_CHARACTERS)
        super().__init__(f"{tool}, line {line_no}: {reason}: {shortened(line, EXCERPT_CHARACTERS)!r}")
        self.tool = tool
        self.line_no = line_no
        self.line = line[:KEPT_CHARACTERS]
        self.reason = reason


def shortened(text: str, most: int) -> str:
    """The first `most` characters of a text, followed by an ellipsis when it is longer."""
    return text if len(text) <= most else f"{text[:most]}..."


def _without_middle(text: str) -> str:
    if len(text) <= BEGINNING_CHARACTERS + END_CHARACTERS:
        return text
    return f"{text[:BEGINNING_CHARACTERS]}...{text[-END_CHARACTERS:]}"


class HostError(ZConsoleError):
    """Host that could not be reached, or that stopped answering."""


class HostUnreachable(HostError):
    """No connection: refused, timed out, unknown name, or authentication failed."""


class HostKeyUnknown(HostError):
    """First contact: no known_hosts file has the host key."""

    def __init__(self, host: str, fingerprint: str, *, hint: str) -> None:
        super().__init__(f"the host key of {host} is not known: {fingerprint}", hint=hint)
        self.fingerprint = fingerprint


class HostKeyChanged(HostError):
    """Host key that differs from the one in known_hosts; there is no override."""


class LinkLost(HostError):
    """Connection lost during an operation."""


class NeverSent(LinkLost):
    """Connection lost before the command was sent: the host certainly never received it."""


class CommandFailed(HostError):
    """Command that ended with an error; its output is in `said`, its exit status in `status` if known."""

    def __init__(self, message: str, *, said: str = "", hint: str = "", status: int | None = None) -> None:
        super().__init__(message, hint=hint)
        self.said = said
        self.status = status


class ZfsMissing(HostError):
    """Host without the zpool command or the zfs module."""


ENDS_SESSION: Final = (
    LinkLost,
    HostUnreachable,
    HostKeyUnknown,
    HostKeyChanged,
    ZfsMissing,
)  # of a host; not one part


class Stuck(HostError):
    """Command of a kind that still hangs on this host and pool; no second one is sent."""
