"""The command line: each subcommand is a thin call into the layers below."""

from __future__ import annotations

from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code."""
    del argv
    return 0
