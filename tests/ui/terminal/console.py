"""The console on fixed states, as a program of its own for tests with a real terminal."""

from __future__ import annotations

import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from textual.drivers._writer_thread import WriterThread

from tests.doubles.static_source import StaticSource
from tests.ui import states
from tests.ui.terminal.tty import Tty
from zconsole.model.host.host_state import HostState
from zconsole.ui.app import run_console
from zconsole.ui.terminal.driver import MOST_PENDING

LOOKS = 50
SEEN_S = 3.5  # the repairs are looked at each second, and first the journal is read


def main(kind: str = "degraded", sign: str = "") -> int:
    """Run; `live` changes a fifth of the cells each second, `same` announces changes that are none.

    `repair`: the resilver ends once the console has seen that it runs. `alert`: a disk
    fails; `healthy`: none does.

    A file named `sign` is made once frames wait for the terminal.
    """
    if sign:
        threading.Thread(target=_tell, args=(Path(sign),), daemon=True).start()
    if kind == "nohup":
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    source = (
        Crashing()
        if kind == "crash"
        else StaticSource(states.degraded(), now=states.NOW, monotonic=states.TICKS)
    )
    if kind in {"live", "same", "flood"}:
        period_s = 0.01 if kind == "flood" else 1.0
        threading.Thread(target=_change, args=(source, kind, period_s), daemon=True).start()
    if kind in {"alert", "healthy"}:
        source.replace(states.healthy(), now=states.NOW, monotonic=states.TICKS)
    if kind == "alert":
        threading.Thread(target=_fail_disk, args=(source,), daemon=True).start()
    if kind == "repair":
        threading.Thread(target=_end_resilver, args=(source,), daemon=True).start()
    return run_console(source.service)


class Crashing(StaticSource):
    """Breaks a moment after the start, with a secret in a variable."""

    def __init__(self) -> None:
        super().__init__(states.degraded(), now=states.NOW, monotonic=states.TICKS)
        self._asked = 0

    def newest(self) -> tuple[HostState, ...]:
        password = "hunter2"
        self._asked += 1
        if self._asked > 2:
            raise RuntimeError(f"something of {len(password)} letters")
        return super().newest()


def _change(source: StaticSource, kind: str, period_s: float) -> None:
    step = 0
    while True:
        time.sleep(period_s)
        step += 1
        now, ticks = states.NOW + step, states.TICKS + (0 if kind == "same" else step)
        source.replace(states.degraded() if kind == "same" else moved(step, ticks), now=now, monotonic=ticks)


def _fail_disk(source: StaticSource) -> None:
    time.sleep(SEEN_S)
    source.replace(states.degraded(), now=states.NOW + SEEN_S, monotonic=states.TICKS + SEEN_S)


def _end_resilver(source: StaticSource) -> None:
    time.sleep(SEEN_S)
    source.replace(states.replaced(), now=states.NOW + SEEN_S, monotonic=states.TICKS + SEEN_S)


def _tell(sign: Path) -> None:
    """Look until, time after time, the thread that writes to the terminal has not got on."""
    looks = 0
    while looks < LOOKS:
        waits = any(
            isinstance(thread, WriterThread) and thread._queue.qsize() > MOST_PENDING
            for thread in threading.enumerate()
        )
        looks = looks + 1 if waits else 0
        time.sleep(0.01)
    sign.touch()


def moved(step: int, ticks: float) -> HostState:
    """The state a second later: every fifth row of I/O has other numbers."""
    state = states.degraded()
    pools = []
    for pool in state.pools:
        assert pool.sample is not None
        rows = tuple(
            replace(
                row,
                read_ops=row.read_ops + step,
                read_bytes=row.read_bytes * (1 + step / 7),
                write_ops=step * 3.0,
            )
            if (index + step) % 5 == 0
            else row
            for index, row in enumerate(pool.sample.rows)
        )
        sample = replace(pool.sample, at=pool.sample.at + step, rows=rows)
        reading = replace(pool.pool, taken_at=ticks - 2)
        samples = (*pool.samples[-119:], sample)
        pools.append(replace(pool, samples=samples, pool=reading, io_at=ticks))
    return replace(state, pools=tuple(pools), pools_at=ticks - 1, revision=step)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))


CONSOLE = "tests.ui.terminal.console"
READY = "no redundancy left"


def is_restored(tty: Tty) -> bool:
    """The alternate screen, the mouse, the paste and focus modes are off, the cursor is there."""
    sent = bytes(tty.sent)
    off = (b"\x1b[?1049l", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b[?1004l", b"\x1b[?25h", b"\x1b[<u")
    return all(
        sent.rfind(each) > sent.rfind(each.replace(b"l", b"h") if each.endswith(b"l") else b"\x1b[?25l")
        for each in off
    )
