"""The argv of every `zpool` command that changes a pool. Nothing here runs one."""

from __future__ import annotations

Argv = tuple[str, ...]


def start_scrub(pool: str) -> Argv:
    """Start a scrub, or go on with a paused one."""
    return ("zpool", "scrub", pool)


def pause_scrub(pool: str) -> Argv:
    """Pause it; it keeps its place."""
    return ("zpool", "scrub", "-p", pool)


def stop_scrub(pool: str) -> Argv:
    """Stop it; the next one begins anew."""
    return ("zpool", "scrub", "-s", pool)
