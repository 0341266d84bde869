"""Parser of host addresses: `local`, NAME, user@NAME, ssh://user@NAME:port."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import replace
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass

FORMS: Final = "Write NAME, user@NAME, ssh://user@NAME:port, or local."
MAX_PORT: Final = 65535
MAX_CHARACTERS: Final = 255
SCHEME: Final = "ssh://"
# Also rejected by OpenSSH: names may be inserted into a ProxyCommand or `Match exec` of ~/.ssh/config.
_NOT_IN_HOST: Final = frozenset("'`\"$\\;&<>|(){}[]!*?#,/@=^~%")
_NOT_IN_USER: Final = frozenset("'`\"$;&<>|(){}[]!*?#,/=^~%:")


@dataclass(frozen=True, slots=True)
class Local:
    """This machine."""

    text: str = "local"


@dataclass(frozen=True, slots=True)
class Address:
    """Host behind SSH; None leaves the value to ~/.ssh/config."""

    host: str
    user: str | None = None
    port: int | None = None
    text: str = ""  # as entered by the user

    @property
    def label(self) -> str:
        """The name by which the user reached the host."""
        return self.text or str(self)

    def __str__(self) -> str:
        user = f"{self.user}@" if self.user else ""
        if self.port is None:
            return f"{user}{self.host}"
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{SCHEME}{user}{host}:{self.port}"


def parse_host(text: str) -> Address | Local:
    """Parse a host address. Raises UsageError that says what is wrong."""
    if text == "local":
        return Local()
    if text.startswith(SCHEME):
        return _address(text, text.removeprefix(SCHEME).removesuffix("/"), ports=True)
    if "://" in text:
        raise UsageError(f"{text!r} is not a host: the only known scheme is ssh://", hint=FORMS)
    return _address(text, text, ports=False)


def parse_jumps(text: str) -> tuple[Address, ...]:
    """Parse a ProxyJump line: [user@]host[:port] or ssh://..., separated by commas."""
    hops = (hop.strip().removeprefix(SCHEME) for hop in text.split(","))
    return tuple(replace(_address(hop, hop, ports=True), text="") for hop in hops)


def _address(text: str, rest: str, *, ports: bool) -> Address:
    user, at, host = rest.rpartition("@")
    if at:
        _check_user(text, user)
    port = None
    if match := re.fullmatch(r"\[([^\[\]]*)\](?::(.*))?", host, re.DOTALL):
        host, port = match[1], _port(text, match[2])
        _check_v6(text, host)
    elif _is_v6(host):
        pass
    elif ":" in host:
        host, _, digits = host.partition(":")
        if not ports:
            raise UsageError(f"{text!r} names a port", hint=f"Write ssh://{user}{at}{host}:{digits}")
        port = _port(text, digits)
    _check_host(text, host)
    return Address(host, user if at else None, port, text)


def _port(text: str, digits: str | None) -> int | None:
    if digits is None:
        return None
    if not re.fullmatch(r"[0-9]{1,5}", digits) or not 0 < int(digits) <= MAX_PORT:
        raise UsageError(
            f"{text!r}: {digits!r} is not a port", hint=f"A port is a number from 1 to {MAX_PORT}."
        )
    return int(digits)


def _is_v6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).version == 6
    except ValueError:
        return False


def _check_v6(text: str, host: str) -> None:
    if not _is_v6(host):
        raise UsageError(f"{text!r}: {host!r} is not an IPv6 address", hint=FORMS)


def _check_host(text: str, host: str) -> None:
    if not host:
        raise UsageError(f"{text!r} names no host", hint=FORMS)
    name = host.replace("%", "", 1) if _is_v6(host) else host  # fe80::1%eth0
    _check_word(text, "host name", name, _NOT_IN_HOST)


def _check_user(text: str, user: str) -> None:
    if not user:
        raise UsageError(f"{text!r} names no user before the @", hint=FORMS)
    if ":" in user:
        raise UsageError(
            f"{user.partition(':')[0]!r}... contains a password, which a command line must not",
            hint="Use a key: ssh-copy-id, or ssh-add.",
        )
    if user.endswith("\\"):
        raise UsageError(f"{text!r}: a user name cannot end with a backslash", hint=FORMS)
    _check_word(text, "user name", user, _NOT_IN_USER)


def _check_word(text: str, what: str, word: str, forbidden: frozenset[str]) -> None:
    if word.startswith("-"):
        raise UsageError(f"{text!r}: a {what} cannot start with -, because options do", hint=FORMS)
    if len(word) > MAX_CHARACTERS:
        raise UsageError(f"the {what} is longer than {MAX_CHARACTERS} characters", hint=FORMS)
    for character in word:
        if character.isspace() or not character.isprintable() or character in forbidden:
            raise UsageError(f"{text!r}: {character!r} is not allowed in a {what}", hint=FORMS)
