"""Whom to trust: known_hosts as OpenSSH reads and writes it, and never anything weaker.

Keys are looked up by the name that was asked for, not by the address that the name led to: a name that
leads to another known host is another host. A config that turns the check off (`UserKnownHostsFile none`
or `/dev/null`) is answered with the default files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncssh

from zconsole.base.errors import HostError
from zconsole.base.user_file import expanded, read_bounded

DEFAULT_PORT: Final = 22
LONGEST_KNOWN_HOSTS: Final = 64 << 20
NO_FILES: Final = frozenset({"none", "/dev/null"})
Keys = list[asyncssh.SSHKey]


@dataclass(frozen=True, slots=True)
class Matched:
    """What known_hosts holds of one host."""

    keys: Keys = field(default_factory=list)
    authorities: Keys = field(default_factory=list)
    revoked: Keys = field(default_factory=list)


class KnownHosts:
    """The keys that the user and the machine's administrator trust."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = asyncssh.SSHKnownHosts()
        for text in texts:
            for line in text.split("\n"):
                try:
                    self._known.load(line)
                except (ValueError, asyncssh.KeyImportError):
                    continue  # as OpenSSH does; an entry that cannot be read trusts nobody

    def match(self, name: str, port: int | None) -> Matched:
        """What is held under exactly this name and port."""
        keys, authorities, revoked, *_ = self._known.match(known_name(name, port), "", None)
        return Matched(list(keys), list(authorities), list(revoked))

    def trusted(self, name: str, port: int | None) -> Matched:
        """Whom to believe: what is held under name and port, else under the name alone."""
        exact = self.match(name, port)
        if exact.keys or exact.authorities:
            return exact
        plain = self.match(name, None)
        return Matched(plain.keys, plain.authorities, exact.revoked + plain.revoked)


def known_name(name: str, port: int | None) -> str:
    """The name under which known_hosts holds a host: `nas1`, or `[nas1]:2222`."""
    name = name.lower()
    return name if port in (None, DEFAULT_PORT) else f"[{name}]:{port}"


def user_files(configured: Sequence[str] | None, default: Sequence[str]) -> tuple[Path, ...]:
    """The user's files, the first of which is written to; those that would trust everybody are left out."""
    named = [name for name in configured or () if name not in NO_FILES]
    return tuple(expanded(name) for name in named or default)


def read_known_hosts(files: Iterable[Path]) -> KnownHosts:
    """Read them all. Raises HostError for one that is there and cannot be read: it may name an impostor."""
    texts: list[str] = []
    for file in files:
        try:
            texts.append(read_bounded(file, LONGEST_KNOWN_HOSTS).decode("utf-8", "surrogateescape"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:  # a NUL in the name
            raise HostError(
                f"{file} cannot be read: {getattr(error, 'strerror', error)}",
                hint="Without the keys of known hosts nobody can be recognised.",
            ) from error
    return KnownHosts(texts)


def append_key(file: Path, name: str, port: int | None, key: asyncssh.SSHKey) -> None:
    """Add a line to a known_hosts file, as OpenSSH would write it."""
    algorithm, data, *_ = key.export_public_key("openssh").decode("ascii").split()
    line = f"{known_name(name, port)} {algorithm} {data}\n".encode("ascii")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            size = os.fstat(descriptor).st_size
            if size and os.pread(descriptor, 1, size - 1) != b"\n":
                line = b"\n" + line
            os.write(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise HostError(f"the key cannot be written to {file}: {error.strerror}") from error
