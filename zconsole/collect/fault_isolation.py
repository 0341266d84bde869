"""Fault isolation: an internal error becomes a problem of one part, with a crash report.

Unexpected output of a host may break zconsole's code. Other parts of the host, other hosts and the screens
continue.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, Final

from zconsole.base.clock import Clock
from zconsole.base.errors import ENDS_SESSION, ZConsoleError
from zconsole.hosts.ssh.reconnect_backoff import backoff

logger = logging.getLogger(__name__)
REPORTS_KEPT: Final = 10  # kinds of faults reported per run, because a failing part fails repeatedly
_reported: set[tuple[str, str, int]] = set()


class InternalFault(ZConsoleError):
    """Internal error of zconsole."""


@contextmanager
def contained(part: str) -> Iterator[None]:
    """Convert unexpected exceptions to InternalFault; deliberate errors pass through."""
    try:
        yield
    except TimeoutError:
        raise
    except Exception as error:
        if _is_on_purpose(error):
            raise
        raise fault(error, part) from error


def fault(error: BaseException, part: str) -> InternalFault:
    """The sentence for a panel; the first of its kind is written to a crash report."""
    from zconsole.storage.crash_report import (  # noqa: PLC0415  # needed after a fault only
        cause,
        log_folder,
        write_report,
    )  # needed after a fault only

    wrong = cause(error)
    kind = (part, *_place(wrong))
    told = ""
    if kind not in _reported and len(_reported) < REPORTS_KEPT:
        _reported.add(kind)
        logger.error("%s failed: %s", part, type(wrong).__name__)
        path = write_report(error, log_folder())
        told = "A report could not be written." if path is None else f"The report is {path}."
    return InternalFault(f"zconsole itself failed at {part}: {type(wrong).__name__}", hint=told)


async def again_and_again(
    part: str,
    collect: Callable[[], Coroutine[Any, Any, None]],
    say: Callable[[ZConsoleError], None],
    clock: Clock,
) -> None:
    """Run a collector, and restart it after an error with a delay. What ends the session is raised."""
    attempt = 0
    while True:
        began = clock.monotonic()
        try:
            await collect()
        except Exception as error:
            causes = _causes(error)
            if any(isinstance(each, ENDS_SESSION) for each in causes):
                raise
            told = next((each for each in causes if isinstance(each, ZConsoleError)), None)
            say(fault(error, part) if told is None else told)
        else:
            return
        attempt = 0 if clock.monotonic() - began > WENT_WELL_S else attempt + 1
        await clock.sleep(backoff(attempt))


WENT_WELL_S: Final = 60.0


def _is_on_purpose(error: BaseException) -> bool:
    """Whether an exception, or one of a group, was raised deliberately; InternalFault was not."""
    return any(
        isinstance(each, ZConsoleError) and not isinstance(each, InternalFault) for each in _causes(error)
    )


def _causes(error: BaseException) -> tuple[BaseException, ...]:
    """The plain exceptions of nested groups; a plain one is its own cause."""
    if isinstance(error, BaseExceptionGroup):
        return tuple(cause for each in error.exceptions for cause in _causes(each))
    return (error,)


def _place(error: BaseException) -> tuple[str, int]:
    """Type of the error and the source line that raised it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return type(error).__name__, trace.tb_lineno if trace is not None else 0
