"""Commands of this machine."""

from __future__ import annotations

from zconsole.hosts.host import Command


def sh(script: str, **options: float | int | bytes | None) -> Command:
    return Command(("sh", "-c", script), **options)  # type: ignore[arg-type]
