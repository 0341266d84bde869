"""The command line: each subcommand is a thin call into the layers below; imports come late."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole import __version__

INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141  # exit code of a program ended by SIGPIPE, as shells report it


def run(argv: Sequence[str]) -> int:
    """Run one command line; returns its exit code."""
    try:
        if list(argv) in (["--version"], ["-V"]):  # scripts call it often: import nothing else
            print(f"zconsole {__version__}", flush=True)
            return 0
        if "apply" in argv:  # its imports take a second or two
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
    """Exit code after a closed pipe: silent for stdout, a message for any other pipe."""
    import contextlib
    import os
    import sys

    if _is_stdout_closed():  # the reader closed the pipe, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the rest of the buffer is flushed to /dev/null at exit
        return PIPE_CLOSED
    from zconsole.base.errors import ZConsoleError
    from zconsole.cli.error_messages import complain

    told = ZConsoleError(f"what zconsole was writing to was closed, and it was not stdout: {error}")
    with contextlib.suppress(BrokenPipeError):  # stderr may be the closed pipe
        complain(told)
        sys.stderr.flush()
    return told.exit_code


def _is_stdout_closed() -> bool:
    """Whether stdout is closed: flushing its buffer fails, or poll reports the pipe closed."""
    import select
    import sys

    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return True
    reader = select.poll()
    reader.register(1, 0)  # poll always reports errors; unbuffered output has nothing to flush
    return any(what & (select.POLLERR | select.POLLHUP) for _, what in reader.poll(0))
