"""What advice was not judged by: readings that are missing, and the age of those that are rare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.host.host_state import NO_LIBVIRT, HostState, LinkState, PoolState, Reading
from zconsole.model.pools.pool import SUSPENDED

NOT_WHOLE: Final = "not all of it was read"
NAMED: Final = 4


@dataclass(frozen=True, slots=True)
class ReadingRemark:
    """Sentence without a full stop on a reading. While one is missing, silence is no all-clear."""

    words: str
    is_missing: bool
    is_awaited: bool = False  # it comes by itself: nothing has failed

    @property
    def style(self) -> str:
        """The style of the sentence."""
        return "warn" if self.is_missing else "dim"


def unread_or_old(state: HostState) -> Iterator[ReadingRemark]:
    """What was not read of a host, or not read again, with the reason where there is one."""
    if state.link.state is not LinkState.UP and state.version.value is None:
        yield ReadingRemark(f"not connected{_because(state.link.reason)}", is_missing=True)
        return
    judged = [pool for pool in state.pools if pool.kstat_state != SUSPENDED]
    awaited = [pool.name for pool in judged if pool.settings.value is None and not pool.settings.problem]
    if awaited:
        words = f"the settings of {shortened(awaited, NAMED)} are not read yet"
        yield ReadingRemark(words, is_missing=True, is_awaited=True)
    for pool in judged:
        if pool.settings.problem:
            old = pool.settings.value is not None
            what = "cannot be read again" if old else "cannot be read"
            yield ReadingRemark(
                f"the settings of {pool.name} {what}{_because(pool.settings.problem)}", is_missing=not old
            )
        elif pool.contents.problem:
            yield ReadingRemark(
                f"what lives on {pool.name} cannot be read{_because(pool.contents.problem)}", is_missing=False
            )
    for pool in state.pools:
        if pool.kstat_state == SUSPENDED:
            yield ReadingRemark(f"{pool.name} is suspended: its settings are not read", is_missing=True)
    if state.pools and state.settings.value is None:
        problem = state.settings.problem
        said = f"cannot be read{_because(problem)}" if problem else "are not read yet"
        words = f"the settings of the ZFS module and of zed {said}"
        yield ReadingRemark(words, is_missing=True, is_awaited=not problem)
    if state.replication.problem:
        yield ReadingRemark(f"copies{_because(state.replication.problem)}", is_missing=False)
    if state.guests.problem and state.guests.problem != NO_LIBVIRT:
        yield ReadingRemark(f"guests: {state.guests.problem}", is_missing=False)


def still_reading(states: Sequence[HostState]) -> str:
    """What is being read for advice, counted: `reading so far: settings 2 of 3`; empty once it is all.

    `states` are of hosts on which settings, contents and copies are read by themselves.
    """
    settings, contents, copies = [], [], []
    for state in states:
        if state.link.state is not LinkState.UP or not state.pools:
            continue
        judged = [pool for pool in state.pools if pool.kstat_state != SUSPENDED]
        settings += [_is_read(each) for each in (*(pool.settings for pool in judged), state.settings)]
        contents += [_is_read(pool.contents) for pool in judged if not pool.settings.problem]
        copies += [_is_read(state.replication)] if len(state.pools) > 1 else []
    parts = (("settings", settings), ("what lives on pools", contents), ("copies", copies))
    told = [f"{what} {sum(done)} of {len(done)}" for what, done in parts if not all(done)]
    return f"reading so far: {', '.join(told)}" if told else ""


def is_advice_partial(states: Sequence[HostState]) -> bool:
    """Whether a reading that advice is judged by is still to come: guests are read on demand."""
    up = [state for state in states if state.link.state is LinkState.UP and state.pools]
    return bool(still_reading(states)) or not all(_is_read(state.guests) for state in up)


def settings_age(states: list[HostState], monotonic: float) -> str:
    """How old the settings of datasets are, the oldest first: `settings read 40m ago`; empty without any."""
    ages = [age for state in states for pool in state.pools if (age := _age(pool, monotonic)) is not None]
    return f"settings read {duration(max(ages))} ago" if ages else ""


def _is_read(reading: Reading[object]) -> bool:
    return reading.taken_at is not None or reading.value is not None or bool(reading.problem)


def _age(pool: PoolState, monotonic: float) -> float | None:
    return pool.settings.age(monotonic) if pool.settings.value is not None else None


def _because(reason: str) -> str:
    return f": {reason}" if reason else ""
