"""Delivery of queued messages in threads of their own: a channel that hangs delays no other, and no judging.

A message that could not be sent is tried again, later and later. What was sent is forgotten: after a crash
between the two it is sent once more, with the same message id.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from zconsole.base.errors import ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.alert import Alert
from zconsole.storage.alerts.alert_store import AlertStore, QueuedAlert

FIRST_RETRY_S: Final = 5.0
LONGEST_RETRY_S: Final = 900.0
GIVEN_UP_AFTER_S: Final = 3 * 86400.0
LOOKED_EVERY_S: Final = 5.0  # for messages whose time has come
MOST_DOUBLINGS: Final = 16
STOP_TIMEOUT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class MessageChannel:
    """One place that messages go to; `send` blocks, and raises ZConsoleError."""

    name: str
    send: Callable[[Alert], None]


def retry_s(attempts: int) -> float:
    """Seconds until the next attempt after so many failures: 5, 10, 20 ... 900."""
    return min(LONGEST_RETRY_S, FIRST_RETRY_S * (1 << min(attempts, MOST_DOUBLINGS)))


class Deliveries:
    """Threads that send what the queue of each channel holds. `say` is given one line on each failure."""

    def __init__(
        self,
        store: AlertStore,
        channels: Sequence[MessageChannel],
        say: Callable[[str], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._channels = channels
        self._say = say
        self._now = now
        self._is_ended = threading.Event()
        self._wakes = {channel.name: threading.Event() for channel in channels}
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Begin; daemon threads, because a send may hang at the end."""
        for channel in self._channels:
            thread = threading.Thread(
                target=self._run, args=(channel,), name=f"zconsole-{channel.name}", daemon=True
            )
            self._threads.append(thread)
            thread.start()

    def wake(self) -> None:
        """Look at the queues now: something was added."""
        for wake in self._wakes.values():
            wake.set()

    def stop(self) -> None:
        """End; a message that is being sent stays in the queue if it does not end in time."""
        self._is_ended.set()
        self.wake()
        until = time.monotonic() + STOP_TIMEOUT_S
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))

    def send_all_due(self) -> None:
        """Send what is due of every channel, in this thread."""
        for channel in self._channels:
            while self._send_next(channel):
                pass

    def _run(self, channel: MessageChannel) -> None:
        wake = self._wakes[channel.name]
        while not self._is_ended.is_set():
            wake.clear()
            try:
                while not self._is_ended.is_set() and self._send_next(channel):
                    pass
            except ZConsoleError as error:
                self._say(f"{channel.name}: {error.message}")
            wake.wait(LOOKED_EVERY_S)

    def _send_next(self, channel: MessageChannel) -> bool:
        """Send the oldest message if its time has come; whether another one may be due."""
        now = self._now()
        queued = self._store.due(channel.name, now)
        if queued is None:
            return False
        try:
            channel.send(queued.alert)
        except ZConsoleError as error:
            return self._failed(channel, queued, error)
        self._store.sent(queued.number)
        return True

    def _failed(self, channel: MessageChannel, queued: QueuedAlert, error: ZConsoleError) -> bool:
        now = self._now()
        if now - queued.made >= GIVEN_UP_AFTER_S:
            self._say(f"{channel.name}: given up after {queued.attempts + 1} attempts: {error.message}")
            self._store.sent(queued.number)
            return True
        wait_s = retry_s(queued.attempts)
        self._say(f"{channel.name}: {error.message}; again in {wait_s:g} s")
        self._store.put_off(queued.number, now + wait_s)
        return False
