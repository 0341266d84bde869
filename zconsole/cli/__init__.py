"""The command line: each subcommand is a thin call into the layers below; imports come late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole import __version__

INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141  # as a shell reports a program that SIGPIPE ended


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code."""
    try:
        if list(argv) in (["--version"], ["-V"]):  # asked by scripts, often: it pays for nothing else
            print(f"zconsole {__version__}", flush=True)
            return 0
        if "apply" in argv:  # what loads for it takes a second or two
            from zconsole.cli.signals import stopped_before

            with stopped_before():
                return _run(argv)
        return _run(argv)
    except BrokenPipeError:  # the reader had enough, as `head` does
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left is flushed to nowhere at exit
        return PIPE_CLOSED
    except KeyboardInterrupt as stopped:
        from zconsole.cli.signals import NOT_DONE, NOTHING_RUN, StoppedBefore

        if isinstance(stopped, StoppedBefore):
            import sys

            print(f"zconsole: {NOTHING_RUN}", file=sys.stderr)
            return NOT_DONE
        return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    from zconsole.cli.dispatch import run_words

    return run_words(argv)
