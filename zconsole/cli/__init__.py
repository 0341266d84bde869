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
    except BrokenPipeError as error:
        return _closed_pipe(error)
    except KeyboardInterrupt as stopped:
        from zconsole.cli.signals import NOT_DONE, NOTHING_RUN, StoppedBefore

        if isinstance(stopped, StoppedBefore):
            import sys

            print(f"zconsole: {NOTHING_RUN}", file=sys.stderr)
            return NOT_DONE
        return INTERRUPTED


def _run(argv: Sequence[str]) -> int:
    from zconsole.cli.main import run_words

    return run_words(argv)


def _closed_pipe(error: BrokenPipeError) -> int:
    """The exit code where a pipe takes no more: quiet for stdout, a sentence for any other."""
    import contextlib
    import os
    import sys

    if _is_stdout_closed():  # the reader had enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left is flushed to nowhere at exit
        return PIPE_CLOSED
    from zconsole.base.errors import ZConsoleError
    from zconsole.cli.error_messages import complain

    told = ZConsoleError(f"what zconsole was writing to was closed, and it was not stdout: {error}")
    with contextlib.suppress(BrokenPipeError):  # it may have been stderr
        complain(told)
        sys.stderr.flush()
    return told.exit_code


def _is_stdout_closed() -> bool:
    """Whether stdout takes no more: what was not written is still to be, or its pipe says so."""
    import select
    import sys

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return True
    reader = select.poll()
    reader.register(1, 0)  # errors are always told; without a buffer nothing was left to flush
    return any(what & (select.POLLERR | select.POLLHUP) for _, what in reader.poll(0))
