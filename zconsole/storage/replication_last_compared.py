"""What `zconsole replicas` found last of each host: for the findings of `status`, `check` and the console."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from zconsole.base.errors import ZConsoleError
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Evidence, Finding, Severity
from zconsole.storage.atomic_file import replacing
from zconsole.storage.json_list_file import JsonListFile

FILE: Final = "replication.json"
SCHEMA: Final = 1
MAX_BYTES: Final = 64 << 20


class ComparisonUnread(ZConsoleError):
    """The file cannot be read or written."""


def comparison_path() -> Path:
    """Path of what was found."""
    import platformdirs  # noqa: PLC0415  # a program that is only asked for its version needs no folder

    return Path(platformdirs.user_state_dir("zconsole", appauthor=False)) / FILE


def remember_comparison(seen: Iterable[ReplicationSeen], path: Path | None = None) -> None:
    """Save what was found of these hosts in place of earlier comparisons. Raises ComparisonUnread."""
    file, new = path or comparison_path(), tuple(seen)
    names = {each.host for each in new}
    kept = [each for each in known_comparisons(file) if each.host not in names]
    document = {"schema": SCHEMA, "hosts": [_as_json(each) for each in (*kept, *new)]}
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(file) as stream:
            stream.write(json.dumps(document, ensure_ascii=True).encode())
    except OSError as error:
        raise ComparisonUnread(f"{file} cannot be written: {error.strerror or error}") from error


def known_comparisons(path: Path | None = None) -> tuple[ReplicationSeen, ...]:
    """What is known of each host; empty without a file. Raises ComparisonUnread."""
    return _HOSTS.read(path or comparison_path())


def _as_json(each: ReplicationSeen) -> dict[str, object]:
    return {
        "host": each.host,
        "seen_at": each.seen_at,
        "findings": [
            {
                "id": finding.id,
                "subject": finding.subject,
                "summary": finding.summary,
                "evidence": dict(finding.evidence),
            }
            for finding in each.findings
        ],
        "received": [[name, created] for name, created in each.received],
        "sent": list(each.sent),
    }


def _from_json(found: dict[str, Any]) -> ReplicationSeen:
    host, seen_at = found["host"], found["seen_at"]
    if not isinstance(host, str) or isinstance(seen_at, bool) or not isinstance(seen_at, int | float):
        raise TypeError
    received = tuple((name, created) for name, created in found["received"])
    if not all(isinstance(name, str) and type(created) is int for name, created in received):
        raise TypeError
    sent = _value(found["sent"])
    if not isinstance(sent, tuple):
        raise TypeError
    return ReplicationSeen(host, float(seen_at), tuple(map(_finding, found["findings"])), received, sent)


def _finding(found: dict[str, Any]) -> Finding:
    texts = [found[key] for key in ("id", "subject", "summary")]
    if not all(isinstance(each, str) for each in texts):
        raise TypeError
    evidence: Evidence = {name: _value(value) for name, value in found["evidence"].items()}
    return Finding(texts[0], Severity.INFO, texts[1], texts[2], evidence)


def _value(value: object) -> int | float | str | bool | tuple[str, ...] | None:
    if value is None or isinstance(value, int | float | str):
        return value
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise TypeError


_HOSTS: Final = JsonListFile(
    SCHEMA,
    "hosts",
    _from_json,
    MAX_BYTES,
    ComparisonUnread,
    "Run `zconsole replicas` with this version.",
    "Remove it, and run `zconsole replicas`.",
)
