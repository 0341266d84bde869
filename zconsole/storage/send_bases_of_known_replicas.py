"""Last result of `zconsole replicas`: send bases of copies on other hosts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from zconsole.analysis.replication.replicas_and_send_bases import Base
from zconsole.base.errors import ZConsoleError
from zconsole.model.datasets.replication import SendBase
from zconsole.storage.atomic_file import replacing
from zconsole.storage.json_list_file import JsonListFile

FILE: Final = "copies.json"
SCHEMA: Final = 1
MAX_BYTES: Final = 64 << 20


class CopiesUnread(ZConsoleError):
    """The file cannot be read or written."""


def copies_path() -> Path:
    """Path of the known copies."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


def remember_bases(bases: Iterable[Base], hosts: Iterable[str], at: float, path: Path | None = None) -> None:
    """Save the bases found among these hosts, replacing earlier ones. Raises CopiesUnread."""
    file = path or copies_path()
    asked = tuple(hosts)
    kept = [each for each in known_bases(file) if not _is_between(each, asked)]
    kept += [seen_at(each, at) for each in bases]
    document = {"schema": SCHEMA, "bases": [_as_json(each) for each in kept]}
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(file) as stream:
            stream.write(json.dumps(document, ensure_ascii=True).encode())
    except OSError as error:
        raise CopiesUnread(f"{file} cannot be written: {error.strerror or error}") from error


def known_bases(path: Path | None = None) -> tuple[SendBase, ...]:
    """All known bases; empty without a file. Raises CopiesUnread."""
    return _BASES.read(path or copies_path())


def seen_at(each: Base, at: float) -> SendBase:
    """Base with the time it was found, in epoch seconds."""
    return SendBase(
        each.host, each.name, each.guid, each.peer, each.reason, at, is_at_source=each.is_at_source
    )


def _is_between(each: SendBase, hosts: Sequence[str]) -> bool:
    """Whether both ends are on these hosts, so that a new reading of them replaces the base."""
    return each.host in hosts and any(each.peer.startswith(f"{host}:") for host in hosts)


def _as_json(each: SendBase) -> dict[str, object]:
    return {
        "host": each.host,
        "name": each.name,
        "guid": str(each.guid),
        "peer": each.peer,
        "reason": each.reason,
        "seen_at": each.seen_at,
        "is_at_source": each.is_at_source,
    }


def _from_json(found: dict[str, object]) -> SendBase:
    texts = [found[key] for key in ("host", "name", "peer", "reason", "guid")]
    seen_at, is_at_source = found["seen_at"], found["is_at_source"]
    if not all(isinstance(each, str) for each in texts) or not isinstance(seen_at, int | float):
        raise TypeError
    host, name, peer, reason, guid = map(str, texts)
    return SendBase(host, name, int(guid), peer, reason, float(seen_at), bool(is_at_source))


_BASES: Final = JsonListFile(
    SCHEMA,
    "bases",
    _from_json,
    MAX_BYTES,
    CopiesUnread,
    other_version_hint="Remove it; `zconsole replicas` writes it again.",
    damaged_hint="Remove it; `zconsole replicas` writes it again.",
)
