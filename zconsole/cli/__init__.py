"""The command line: each subcommand is a thin call into the layers below; imports come late."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole import __version__


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code."""
    if list(argv) in (["--version"], ["-V"]):  # asked by scripts, often: it pays for nothing else
        print(f"zconsole {__version__}")
        return 0
    from zconsole.cli.dispatch import run_words

    return run_words(argv)
