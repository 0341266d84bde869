"""Exit within two seconds in any case, leaving the terminal usable."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from types import FrameType
from typing import Any, Final

SOON_S: Final = 0.3  # from the request to end, for a terminal that reads to receive all output
PATIENCE_S: Final = 1.5  # from the request to end to the forced end
AGAIN_S: Final = 0.01  # between two discards of unread output; each makes room for some kB
RESTORE: Final = b"\x1b[0m\x1b[<u\x1b[?2004l\x1b[?7h\x1b[?1000l\x1b[?1006l\x1b[?1004l\x1b[?1049l\x1b[?25h"
SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
SIGNAL_EXIT: Final = 128  # shells say 128 + the signal's number


class Ending:
    """Watcher of the end from outside while the console runs; a context manager."""

    def __init__(self, leave: Callable[[int], None]) -> None:
        """`leave` takes the exit code; it is called from a signal handler or from another thread."""
        self._leave = leave
        self._attributes: list[Any] | None = None
        self._before: dict[signal.Signals, Any] = {}
        self._over = threading.Event()
        self._watchdog: threading.Thread | None = None
        self._has_discarded = False

    def __enter__(self) -> Ending:
        with suppress(termios.error, OSError, ValueError):
            self._attributes = termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
        for number in SIGNALS:
            self._before[number] = signal.signal(number, self._on_signal)
        threading.Thread(target=self._watch_terminal, name="zconsole-hangup", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._watchdog is not None:
            self._watchdog.join()
        if self._has_discarded:  # may include the sequences that restore the terminal
            restore(self._attributes)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.begin(SIGNAL_EXIT + number)

    def begin(self, code: int) -> None:
        """End now: gracefully if possible, in any case soon."""
        if self._watchdog is not None:
            return
        self._watchdog = threading.Thread(target=self._force, args=(code,), name="zconsole-end", daemon=True)
        self._watchdog.start()
        self._leave(code)

    def _force(self, code: int) -> None:
        """Discard unread output, so that no write blocks; at last end the process."""
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})  # in the background too
        by_force = monotonic() + PATIENCE_S
        if self._over.wait(SOON_S):
            return
        while monotonic() < by_force:
            self._has_discarded = True
            discard_unread()
            if self._over.wait(AGAIN_S):
                return
        restore(self._attributes)
        os._exit(code)

    def _watch_terminal(self) -> None:
        """Wait until the terminal hangs up, without wake-ups before."""
        if sys.__stdin__ is None or not sys.__stdin__.isatty():
            return
        hangup = select.poll()
        hangup.register(sys.__stdin__.fileno(), 0)  # POLLHUP and POLLERR need no request
        while not self._over.is_set():
            with suppress(InterruptedError):
                if hangup.poll():
                    self.begin(SIGNAL_EXIT + signal.SIGHUP)
                    return


def discard_unread() -> None:
    """Discard the output that the terminal has not read, and wake blocked writers."""
    with suppress(OSError, ValueError, AttributeError, termios.error):
        terminal = sys.__stderr__.fileno()  # type: ignore[union-attr]
        termios.tcflush(terminal, termios.TCOFLUSH)
        termios.tcflow(terminal, termios.TCOOFF)  # the flush alone leaves a writer asleep
        termios.tcflow(terminal, termios.TCOON)


def restore(attributes: list[Any] | None) -> None:
    """Restore the terminal without waiting for it."""
    with suppress(OSError, ValueError, AttributeError):
        # A file description of its own: non-blocking mode must not affect the one shared with the shell.
        descriptor = os.open(os.ttyname(sys.__stderr__.fileno()), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)  # type: ignore[union-attr]
        os.write(descriptor, RESTORE)
        os.close(descriptor)
    with suppress(OSError, ValueError, AttributeError, termios.error):
        if attributes is not None:
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, attributes)  # type: ignore[union-attr]
