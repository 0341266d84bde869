"""States of hosts with their findings: collected until a signal ends it, or read once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.base.errors import ConfigError, ZConsoleError
from zconsole.base.notifications.silences import load_silences
from zconsole.base.user_config_file import Config, config_folder
from zconsole.cli.collecting.engine_of_hosts import engine_of
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.readings_for_findings import kept_samples, with_readings_for_findings
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.signals import asked_to_end
from zconsole.collect.read_host import gather
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.service.collecting_thread import Engine
from zconsole.ui.findings_cache import Judge
from zconsole.views.host_states_with_findings import View

SETTINGS_SHARE: Final = 0.5  # of the time left after the pools
KILLED: Final = 128 + signal.SIGTERM


class JudgedHosts:
    """The newest states of an engine with their findings; silences are read again when they change."""

    def __init__(self, engine: Engine, config: Config) -> None:
        self._engine = engine
        self._interval_s = config.interval_s
        self._config = config
        self._judge = Judge(config)

    def view(self) -> View:
        """The states now, judged with the silences that the user's file has now."""
        config = with_new_silences(self._config)
        if config.silences != self._config.silences:
            self._config = config
            self._judge.use(config)
        states = self._engine.service.states
        now, ticks = states.now(), states.monotonic()
        return View(self._judge.hosts(states.newest(), now, ticks), now, ticks, self._interval_s)


def with_new_silences(config: Config) -> Config:
    """The configuration with the silences that the file has now."""
    with suppress(ConfigError):  # a file that is being edited: the silences from before hold
        return replace(config, silences=load_silences(config_folder(), config.silences_file))
    return config


def collect_until_ended(
    where: HostSelection, config: Config, begin: Callable[[JudgedHosts], Callable[[], None]], every_s: float
) -> int:
    """Collect until a signal, and call what `begin` returns each `every_s` seconds. Returns 0."""
    engine = engine_of(where, config, open_hosts(where, config))
    engine.start()
    try:
        asyncio.run(_ticking(lambda: begin(JudgedHosts(engine, config)), every_s))
    finally:
        engine.stop()
    return 0


async def _ticking(begin: Callable[[], Callable[[], None]], every_s: float) -> None:
    ended = asyncio.Event()

    def at_once() -> None:
        raise SystemExit(KILLED)

    with asked_to_end(ended.set, at_once):
        tick = begin()  # what it prints is read by those who then send a signal
        while not ended.is_set():
            await asyncio.to_thread(tick)
            try:
                await asyncio.wait_for(ended.wait(), every_s)
            except TimeoutError:
                continue


def read_once(where: HostSelection, config: Config, timeout_s: float | None) -> View:
    """One reading of each host, judged; the link of a host that cannot be read is down, with its error."""
    within_s, kept = timeout_s or TIMEOUT_S, kept_samples(where)

    async def ask(place: NamedHost) -> HostState:
        ends_at = asyncio.get_running_loop().time() + within_s
        state = await gather(place.host, place.clock, within_s=within_s)
        return await with_readings_for_findings(
            state, place, kept, ends_at=ends_at, settings_share=SETTINGS_SHARE, thresholds=config.thresholds
        )

    places = open_hosts(where, config, within_s=within_s)
    answers = asyncio.run(ask_each(places, ask, within_s))
    states = [
        _unread(place.host.label, answer) if isinstance(answer, ZConsoleError) else answer
        for place, answer in zip(places, answers, strict=True)
    ]
    now, ticks = places[0].clock.now(), places[0].clock.monotonic()
    return View(Judge(config).hosts(states, now, ticks), now, ticks, config.interval_s)


def _unread(host: str, error: ZConsoleError) -> HostState:
    return replace(HostState(host), link=LinkStatus(LinkState.DOWN, error.message, error.hint))
