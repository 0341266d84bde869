"""Trusted host keys: known_hosts as OpenSSH reads and writes it.

Keys are looked up by the requested name, not by the address it resolves to. A configuration that disables
the check (`UserKnownHostsFile none` or `/dev/null`) is replaced by the default files.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

import asyncssh

from zconsole.base.bounded_user_file import expanded, read_bounded
from zconsole.base.errors import HostError
from zconsole.base.lazy_dataclass import dataclass

DEFAULT_PORT: Final = 22
LONGEST_KNOWN_HOSTS: Final = 64 << 20
NO_FILES: Final = frozenset({"none", "/dev/null"})
Keys = list[asyncssh.SSHKey]


@dataclass(frozen=True, slots=True)
class Matched:
    """Entries of known_hosts for one host."""

    keys: Keys = field(default_factory=list)
    authorities: Keys = field(default_factory=list)
    revoked: Keys = field(default_factory=list)


class KnownHosts:
    """Keys trusted by the user and by the machine's administrator."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = asyncssh.SSHKnownHosts()
        for text in texts:
            for line in text.split("\n"):
                try:
                    self._known.load(line)
                except (ValueError, asyncssh.KeyImportError):
                    continue  # as OpenSSH does; an unreadable entry trusts nothing

    def match(self, name: str, port: int | None) -> Matched:
        """The entries for exactly this name and port."""
        keys, authorities, revoked, *_ = self._known.match(known_name(name, port), "", None)
        return Matched(list(keys), list(authorities), list(revoked))

    def trusted(self, name: str, port: int | None) -> Matched:
        """The trusted keys: the entries for name and port, or else for the name alone."""
        exact = self.match(name, port)
        if exact.keys or exact.authorities:
            return exact
        plain = self.match(name, None)
        return Matched(plain.keys, plain.authorities, exact.revoked + plain.revoked)


def known_name(name: str, port: int | None) -> str:
    """The name of a host in known_hosts: `nas1`, or `[nas1]:2222`."""
    name = name.lower()
    return name if port in (None, DEFAULT_PORT) else f"[{name}]:{port}"


def user_files(configured: Sequence[str] | None, default: Sequence[str]) -> tuple[Path, ...]:
    """The user's files, the first of which is written to; files that would disable the check are excluded."""
    named = [name for name in configured or () if name not in NO_FILES]
    return tuple(expanded(name) for name in named or default)


def read_known_hosts(files: Iterable[Path]) -> KnownHosts:
    """Read all files. Raises HostError for an existing file that cannot be read."""
    texts: list[str] = []
    for file in files:
        try:
            texts.append(read_bounded(file, LONGEST_KNOWN_HOSTS).decode("utf-8", "surrogateescape"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:  # a NUL in the name
            raise HostError(
                f"{file} cannot be read: {getattr(error, 'strerror', error)}",
                hint="Without known_hosts no host can be verified.",
            ) from error
    return KnownHosts(texts)


def append_key(file: Path, name: str, port: int | None, key: asyncssh.SSHKey) -> None:
    """Append a line to a known_hosts file in OpenSSH's format."""
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
