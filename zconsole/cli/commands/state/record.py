"""`zconsole record`: monitor hosts as the console does, and record every answer in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import Final

from zconsole.base.errors import ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain_of_each
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import Parser, add_hosts, seconds, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.host_session import HostSession
from zconsole.collect.host_state_store import Store
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.dataset_tree_and_clone_divergence import read_at_once
from zconsole.hosts.recorded.record_host_answers import RecordingHost
from zconsole.service.forecasting import read_traces
from zconsole.service.space_sampling import dataset_uses_of


@dataclass(frozen=True, slots=True)
class RecordRequest:
    """`zconsole record`."""

    folder: Path
    where: HostSelection = field(default_factory=HostSelection)
    for_s: float = 0.0


RECORD_S: Final = 10.0


TREE_WITHIN_S: Final = 20.0  # some hundred thousand snapshots; longer output is not recorded


def run_record(asked: RecordRequest, config: Config) -> int:
    """Read everything once, then watch for a time; several hosts get a subfolder each."""
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)
    recordings = [
        RecordingHost(place.host, folder, place.clock)
        for place, folder in zip(places, _folders(asked.folder, places), strict=True)
    ]

    async def watch(place: NamedHost) -> None:
        state = await gather(place.host, place.clock)
        with suppress(ZConsoleError, TimeoutError):
            await asyncio.wait_for(read_at_once(Asker(place.host)), TREE_WITHIN_S)
        for pool in state.pools:  # for forecasts and plans, which report missing readings
            with suppress(ZConsoleError, TimeoutError):
                await asyncio.wait_for(read_traces(Asker(place.host), pool.name), TREE_WITHIN_S)
                await asyncio.wait_for(dataset_uses_of(Asker(place.host), pool.name), TREE_WITHIN_S)
        session = HostSession(
            place.host, Store(place.host.label, _nobody), place.clock, interval_s=config.interval_s
        )
        with suppress(TimeoutError):
            await asyncio.wait_for(session.run(), asked.for_s)

    recorded = [NamedHost(host, place.clock) for host, place in zip(recordings, places, strict=True)]
    try:
        answers = asyncio.run(ask_each(recorded, watch))
    finally:
        for recording in recordings:
            recording.finish()
    failed = complain_of_each(answers)
    if not all(isinstance(answer, ZConsoleError) for answer in answers):
        print(f"recorded; show it with: zconsole --replay {visible(str(asked.folder))}")
    return failed


def _folders(folder: Path, places: Sequence[NamedHost]) -> list[Path]:
    """Folder for one host, or a portable subfolder name for each of several."""
    if len(places) == 1:
        return [folder]
    labels = (
        "".join(char if char.isalnum() or char in "-._@" else "_" for char in place.host.label)
        for place in places
    )
    return [folder / f"{number}-{label}" for number, label in enumerate(labels, start=1)]


def _nobody() -> None:
    """No subscriber: the states are not displayed while recording."""


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder that is new or empty")
    parser.add_argument(
        "--for", dest="for_s", type=seconds, default=RECORD_S, metavar="TIME", help="how long to watch"
    )
    add_hosts(parser)


SUBCOMMAND: Final = Subcommand(
    "record",
    "Record every answer of a host in a folder; `zconsole --replay DIR` shows it.",
    _add_arguments,
    lambda found: RecordRequest(found.folder, where_of(found), found.for_s),
    run_record,
)
