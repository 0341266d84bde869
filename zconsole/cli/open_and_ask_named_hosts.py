"""Named hosts with the clock of their times."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final, TypeVar

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.durations_in_words import lasting
from zconsole.base.errors import HostError, HostKeyUnknown, ZConsoleError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.selected_hosts import THIS_HOST, HostSelection
from zconsole.hosts.host import Host
from zconsole.hosts.host_opened_late import LateHost

if TYPE_CHECKING:
    from zconsole.model.exercise import Exercise

TIMEOUT_S: Final = 30.0  # per host, unless given by the user
CLOSE_TIMEOUT_S: Final = 1.0  # a connection that closes later is left to the end of the process
SAID_AFTER_S: Final = 10.0  # of waiting for a host that has much longer to answer
PRACTICE: Final = "practice"  # the name of the demonstration's host
T = TypeVar("T")


class ScaledClock(SystemClock):
    """Time in a recording or an exercise: starts when it began, and runs at that speed."""

    def __init__(self, began: float, speed: float = 1.0) -> None:
        self._began = began
        self._speed = speed
        self._zero = super().monotonic()

    def now(self) -> float:
        return self._began + self.monotonic() - self._zero

    def monotonic(self) -> float:
        return self._zero + (super().monotonic() - self._zero) * self._speed

    async def sleep(self, seconds: float) -> None:
        await super().sleep(seconds / self._speed)


@dataclass(frozen=True, slots=True)
class NamedHost:
    """Host and its clock: for a recording the time when it was made."""

    host: Host
    clock: Clock
    exercise: Exercise | None = None  # that runs on it


def open_hosts(
    where: HostSelection, config: Config, *, within_s: float | None = None
) -> tuple[NamedHost, ...]:
    """Selected hosts, unconnected. Raises UsageError for an invalid selection.

    `within_s` is the timeout per command; without it a short silence means a dead link.
    """
    if where.exercise:
        from zconsole.practice.exercises.catalogue import open_exercise

        clock = ScaledClock(time.time(), where.speed)
        opened = open_exercise(where.exercise, clock)
        return (NamedHost(opened, clock, opened.exercise),)
    if where.is_demo:
        return (NamedHost(LateHost(PRACTICE, _practice_host), SystemClock()),)
    if not where.hosts and where.replay is None and all(host.name != THIS_HOST for host in config.hosts):
        return (NamedHost(LateHost(THIS_HOST, _this_host), SystemClock()),)
    from zconsole.hosts.open_host_or_recording import open_host, open_replay

    if where.replay is not None:
        recorded = open_replay(where.replay, speed=where.speed)
        return tuple(NamedHost(host, ScaledClock(host.started, where.speed)) for host in recorded)
    addresses = {host.name: host.address for host in config.hosts}
    names = where.hosts or (THIS_HOST,)
    options = None
    if within_s is not None:
        from zconsole.hosts.ssh.connection_options import SshOptions

        options = SshOptions.patient(within_s)
    return tuple(
        NamedHost(open_host(name, names=addresses, options=options), SystemClock()) for name in names
    )


def _this_host() -> Host:
    from zconsole.hosts.open_host_or_recording import open_host

    return open_host(THIS_HOST)


def _practice_host() -> Host:
    from zconsole.practice import PracticeHost

    return PracticeHost(PRACTICE)


async def ask_each(
    places: Sequence[NamedHost], ask: Callable[[NamedHost], Awaitable[T]], timeout_s: float | None = None
) -> tuple[T | ZConsoleError, ...]:
    """Read all hosts concurrently; the result of a failed or late host is its error.

    Standard error names a host that answers late, where the timeout is long.
    """

    async def one(place: NamedHost) -> T | ZConsoleError:
        try:
            with named_when_late(place.host.label, timeout_s):
                async with asyncio.timeout(timeout_s):
                    return await ask(place)
        except HostKeyUnknown as error:
            return with_trust_hint(error, place.host.label)
        except ZConsoleError as error:
            return error
        except TimeoutError:
            return HostError(
                f"{place.host.label} gave no answer within {timeout_s:g} s",
                hint="A pool may be suspended or a disk may hang; --timeout waits longer.",
            )
        finally:
            with suppress(ZConsoleError, OSError, TimeoutError):
                await asyncio.wait_for(place.host.close(), CLOSE_TIMEOUT_S)

    return tuple(await asyncio.gather(*map(one, places)))


@contextmanager
def named_when_late(host: str, timeout_s: float | None) -> Iterator[None]:
    """Name a host on standard error when it has not answered for 10 s and may take much longer."""
    if timeout_s is None or timeout_s <= TIMEOUT_S:
        yield
        return

    def say() -> None:
        with suppress(OSError):
            print(
                f"Waiting for {host}, at most {lasting(timeout_s)} (--timeout).", file=sys.stderr, flush=True
            )

    waiting = asyncio.get_running_loop().call_later(SAID_AFTER_S, say)
    try:
        yield
    finally:
        waiting.cancel()


def with_trust_hint(error: HostKeyUnknown, host: str) -> HostKeyUnknown:
    """Error with a hint on `zconsole trust`, because subcommands never prompt."""
    return HostKeyUnknown(
        host,
        error.fingerprint,
        hint=f"Compare it on that host; if it is the same: zconsole trust {host} {error.fingerprint}",
    )
