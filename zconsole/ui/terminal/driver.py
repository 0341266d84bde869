"""Textual's Linux driver with fewer mouse reports, and a check of how far the terminal has read."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cached_property
from typing import Final

from textual.drivers.linux_driver import LinuxDriver

from zconsole.base.notifications.alert_settings import CallSettings
from zconsole.ui.terminal.bell_and_title import Attention, attention_of
from zconsole.ui.terminal.input_reader import Bell, listen
from zconsole.ui.terminal.terminal_lag import Answering

WHERE_IS_THE_CURSOR: Final = "\x1b[6n"
MOST_PENDING: Final = 2  # pending writes; more mean that the terminal does not keep up


def has_job_control() -> bool:
    """Whether a shell in this session can continue the process: its parent is of another job."""
    with suppress(OSError):
        parent = os.getppid()
        return os.getsid(parent) == os.getsid(0) and os.getpgid(parent) != os.getpgrp()
    return False


class ConsoleDriver(LinuxDriver):
    """Driver that reports clicks and the wheel, not every move. It sleeps until input arrives."""

    _is_coming_back = False

    def run_input_thread(self) -> None:
        if isinstance(self.exit_event, Bell):
            listen(self.fileno, self.exit_event, self.process_message)

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write("\x1b[?1000h\x1b[?1006h")

    def _disable_mouse_support(self) -> None:
        if self._mouse:
            self.write("\x1b[?1000l\x1b[?1006l")

    def _enable_mouse_pixels(self) -> None:
        """Leave pixel reports off: cells are exact enough."""

    @property
    def is_behind(self) -> bool:
        """Whether earlier frames have not reached the terminal yet."""
        thread = self._writer_thread
        return thread is not None and thread._queue.qsize() > MOST_PENDING  # noqa: SLF001

    @cached_property
    def answering(self) -> Answering:
        """Questions to the terminal; it answers by CursorPosition, in order with the keys."""
        return Answering(lambda: self.write(WHERE_IS_THE_CURSOR), lambda: self.is_behind)

    @cached_property
    def attention(self) -> Attention:
        """The bell, the title and notifications, as the app's settings have them."""
        settings = getattr(getattr(self._app, "config", None), "calls", None)
        environment = getattr(self._app, "environment", os.environ)
        return attention_of(self.write, environment, settings or CallSettings())

    def renew_attention(self) -> None:
        """Call as the app's settings have it now."""
        before = self.attention
        before.settle()
        del self.attention
        self.attention.has_focus = before.has_focus

    def start_application_mode(self) -> None:
        self.exit_event = Bell()  # a new one after a stop: `close` closes it
        super().start_application_mode()  # type: ignore[no-untyped-call]  # Textual leaves it so
        begun = getattr(self._app, "terminal_begun", None)
        if begun is not None:
            begun()

    def _sigcont_application(self, *_: object) -> None:
        """Go on after a stop, also after one without notice (SIGSTOP).

        The terminal is then left before it is entered again, so that one thread reads it, not two, and
        that its attributes at the end are those from before. On its way a background job is stopped and
        continued once more.
        """
        if self._is_coming_back:
            return
        self._is_coming_back = True
        try:
            if not self._must_signal_resume:
                if self._key_thread is None or not self._key_thread.is_alive():
                    return  # not started, or ended
                self.suspend_application_mode()
            super()._sigcont_application()
        finally:
            self._is_coming_back = False

    def stop_application_mode(self) -> None:
        self.attention.settle()
        self.write("\x1b[0m")  # reset the colours
        super().stop_application_mode()

    def close(self) -> None:
        super().close()
        if isinstance(self.exit_event, Bell):
            self.exit_event.close()
