"""`zconsole slow`: watch for a while, or read a recording, and report slow disks."""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

from zconsole.analysis.slow_disks.detector import Detector
from zconsole.analysis.slow_disks.peer_groups import inferred_layout, layout_of
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import NOTHING, ZfsFacts
from zconsole.base.errors import HostError, ParseError, UsageError, ZConsoleError
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.user_config_file import Config
from zconsole.cli.error_messages import complain
from zconsole.cli.json_output import json_output
from zconsole.cli.open_and_ask_named_hosts import TIMEOUT_S, NamedHost, ask_each, open_hosts
from zconsole.cli.options import JsonForm, Parser, add_hosts, add_json_or_lines, seconds, where_of
from zconsole.cli.selected_hosts import HostSelection
from zconsole.cli.subcommand import Subcommand
from zconsole.collect.guests.guests_and_containers_for_a_report import read_residents_for_report
from zconsole.collect.io_samples_for_command_line import latencies_of, samples_of
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.collect.readings.zfs_slow_disk_view import read_own_view
from zconsole.hosts.recorded.recorded_host import RecordedHost
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.pools.pool import SUSPENDED, Pool
from zconsole.model.pools.slow_disk import Judgement
from zconsole.reports.json.json_line import Json
from zconsole.reports.json.slow_disks import slow_document
from zconsole.reports.text.styled_text_to_plain_text import printed
from zconsole.views.findings.slow_disk_document import judgement_lines
from zconsole.zfs.iostat.recording_of_one_pool import interval_of, refuse_several_pools
from zconsole.zfs.iostat.saved_output import COMMAND, LONGEST_LINE, Recording


@dataclass(frozen=True, slots=True)
class SlowRequest:
    """`zconsole slow`; `input` is a recording of `zpool iostat`."""

    where: HostSelection = field(default_factory=HostSelection)
    pool: str | None = None
    json: JsonForm | None = None
    for_s: float = 60.0
    input: Path | None = None


SLOW_S: Final = 60.0
LOOKED_AT: Final = 16  # samples of a recording that show its pool and interval


FOUND: Final = 1
TOO_LITTLE: Final = 3
INTERVAL_S: Final = 1.0
LATE_S: Final = 5.0  # maximum delay of the last sample on a busy host
TURN_S: Final = 30.0  # per pool when histograms of several are read in turn: enough for a verdict
STDIN: Final = "-"


@dataclass(slots=True)
class Watching:
    """Watched host: its pools, and a detector for each."""

    label: str
    inventory: Inventory = field(default_factory=Inventory)
    pools: dict[str, Pool] = field(default_factory=dict)
    detectors: dict[str, Detector] = field(default_factory=dict)
    known: dict[str, ZfsFacts] = field(default_factory=dict)  # ZFS's own view, where a disk is slow
    guests: tuple[Guest, ...] = ()  # read where a disk is slow


def run_slow(asked: SlowRequest, config: Config) -> int:
    """Print slow disks; 1 when one was found or half are slower, 3 when too little was judged, else 0.

    A disk that is only slightly slower is told, and is nobody's alarm.
    """
    if asked.input is not None:
        return _run_input(asked.input, asked.json)
    places = open_hosts(asked.where, config, within_s=TIMEOUT_S)
    watched = [Watching(place.host.label) for place in places]
    if asked.json is None or sys.stderr.isatty():
        print(_begun(watched, asked), file=sys.stderr, flush=True)

    async def ask(place: NamedHost) -> None:
        await watch(place, watched[places.index(place)], asked)

    answers = asyncio.run(ask_each(places, ask))
    failures = [answer for answer in answers if isinstance(answer, ZConsoleError)]
    judgements: list[Judgement] = []
    with json_output(asked.json, "pools", is_one=len(places) == 1 and asked.pool is not None) as put:
        for one in watched:
            for name, detector in one.detectors.items():
                judgement = detector.judgement()
                judgements.append(judgement)
                _show(judgement, one, one.pools[name], put if asked.json else None)
        for place, answer in zip(places, answers, strict=True):
            if isinstance(answer, ZConsoleError):
                put.failed(answer, place.host.label)
    for failure in failures:
        complain(failure)
    return exit_code(judgements, failures)


def _begun(watched: Sequence[Watching], asked: SlowRequest) -> str:
    """What is watched and for how long: nothing else is printed until then."""
    hosts = ", ".join(visible(one.label) for one in watched)
    pools = "all pools" if asked.pool is None else f"pool {visible(asked.pool)}"
    return f"watching {pools} of {hosts} for {duration(asked.for_s)}; the verdicts come then"


async def watch(place: NamedHost, watched: Watching, asked: SlowRequest) -> None:
    """Feed the detectors for the given time; an earlier end of the stream is an error."""
    state = await gather(place.host, place.clock, pools=() if asked.pool is None else (asked.pool,))
    watched.inventory = state.inventory.value or Inventory()
    for_s = min(asked.for_s, place.host.length_s) if isinstance(place.host, RecordedHost) else asked.for_s
    samples = samples_of(
        place.host, state, interval_s=INTERVAL_S, clock=place.clock, count=math.ceil(for_s / INTERVAL_S)
    )
    tails = asyncio.ensure_future(_listen(place, state, watched))
    try:
        async with asyncio.timeout(for_s + LATE_S), aclosing(samples):
            async for pool, sample in samples:
                detector = watched.detectors.get(pool.name)
                if detector is None:
                    arrange = partial(layout_of, pool, watched.inventory)
                    detector = watched.detectors[pool.name] = Detector(arrange, INTERVAL_S, has_bounds=True)
                    watched.pools[pool.name] = pool
                detector.feed(sample)
    except TimeoutError:
        if not watched.detectors:
            raise HostError(
                f"no sample came from {place.host.label} within {for_s + LATE_S:g} s",
                hint="A pool may be suspended or a disk may hang: see zconsole status.",
            ) from None
    finally:
        tails.cancel()
        await asyncio.wait({tails})
        await _ask_zfs(place, state, watched)
        await _ask_libvirt(place, watched)


async def _ask_zfs(place: NamedHost, state: HostState, watched: Watching) -> None:
    """Read ZFS's own view of the pools with a slow disk."""
    for pool in state.pools:
        detector, version = watched.detectors.get(pool.name), state.version.value
        verdicts = detector.judgement().verdicts if detector is not None else ()
        if verdicts and version is not None:
            with suppress(HostError):
                fresh, known = await read_own_view(place.host, version, pool, verdicts, place.clock)
                watched.known[pool.name] = known
                watched.pools[pool.name] = fresh.pool.value or watched.pools[pool.name]


async def _ask_libvirt(place: NamedHost, watched: Watching) -> None:
    """Read the guests where a disk is slow: it may be theirs that wait."""
    if any(detector.judgement().verdicts for detector in watched.detectors.values()):
        with suppress(HostError):
            found = await read_residents_for_report(Asker(place.host), place.clock, watched.inventory)
            watched.guests = found.value or ()


async def _listen(place: NamedHost, state: HostState, watched: Watching) -> None:
    """Feed histograms to the detectors; without histograms only means are judged."""
    pools = [pool.name for pool in state.pools if pool.kstat_state != SUSPENDED and pool.pool.value]
    if not pools:
        return
    with suppress(ZConsoleError):
        async with aclosing(latencies_of(place.host, pools, turn_s=TURN_S)) as latencies:
            async for pool, sample in latencies:
                if pool in watched.detectors:
                    watched.detectors[pool].hear(sample)


def _run_input(file: Path, form: JsonForm | None) -> int:
    try:
        if str(file) == STDIN:
            judgement = judge_recording(sys.stdin.buffer)
        else:
            with file.open("rb") as stream:
                judgement = judge_recording(stream)
    except ParseError as error:
        hint = f"A recording is what `{COMMAND}` prints."
        raise UsageError(f"{file}: {error.message}", hint=hint) from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {error.strerror or error}") from error
    with json_output(form, "pools", is_one=True) as put:
        _show(judgement, None, None, put if form else None)
    return exit_code([judgement], [])


def judge_recording(stream: BinaryIO) -> Judgement:
    """Judge the lines of a recording, whose interval its epochs show.

    Raises ParseError for invalid lines, and UsageError for what cannot be judged: several pools, names that
    tell nothing, a long interval.
    """
    recording = Recording()
    samples = recording.samples(_lines(stream))
    first = list(islice(samples, LOOKED_AT))
    for _, sample in first:
        refuse_several_pools(sample, recording.starts(sample), COMMAND)
    interval_s = interval_of([(number, sample.at) for number, sample in first])
    detector = Detector(
        lambda sample: inferred_layout(sample, recording.starts(sample)), interval_s, has_bounds=True
    )
    for number, sample in chain(first, samples):
        detector.feed(sample, number)
    return detector.judgement()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(LONGEST_LINE):
        yield line


def _show(
    judgement: Judgement, of: Watching | None, pool: Pool | None, put: Callable[[Json], None] | None
) -> None:
    """Print the findings, by `put` as JSON; `of` is their host, None for a recording."""
    host, inventory = (None, None) if of is None else (of.label, of.inventory)
    guests = () if of is None else of.guests
    known = NOTHING if of is None or pool is None else of.known.get(pool.name, NOTHING)
    if put is not None:
        document = slow_document(
            judgement, host=host, pool=pool, inventory=inventory, known=known, guests=guests
        )
        put(document)
        return
    lines = judgement_lines(
        judgement, host=host or "", pool=pool, inventory=inventory, known=known, guests=guests
    )
    for line in printed(lines):
        print(line)


def exit_code(judgements: Sequence[Judgement], failures: Sequence[ZConsoleError]) -> int:
    """1 when one was found, that of a failure, 3 when less than half of the disks were judged, else 0."""
    if any(_has_found(each) for each in judgements):
        return FOUND
    if failures:
        return max(failure.exit_code for failure in failures)
    disks = sum(judgement.disks for judgement in judgements)
    decided = sum(each.disks - len(each.undecided) for each in judgements if each.bounds)
    return TOO_LITTLE if 2 * decided < disks or not disks else 0


def _has_found(judgement: Judgement) -> bool:
    """Whether disks are slow, one or several, or left I/O unanswered together."""
    return bool(
        judgement.verdicts
        or judgement.episodic
        or judgement.half_slow
        or judgement.slow_vdevs
        or judgement.not_answering
        or judgement.pausing
        or any(one.is_sure for one in judgement.quiet)
        or (judgement.all_slow is not None and judgement.all_slow.is_sure)
    )


def _add_arguments(parser: Parser) -> None:
    parser.add_argument("pool", nargs="?", metavar="POOL", help="only this pool (default: all)")
    add_json_or_lines(parser, "of POOL alone, else with its `pools`", "pool")
    parser.add_argument("--for", dest="for_s", type=seconds, metavar="TIME", help="how long (default: 60s)")
    parser.add_argument(
        "--input", type=Path, metavar="FILE", help=f"judge what `{COMMAND}` printed; - is stdin"
    )
    add_hosts(parser)


def _read(found: argparse.Namespace) -> SlowRequest:
    where = where_of(found)
    if found.input is not None and (
        where != HostSelection() or found.pool is not None or found.for_s is not None
    ):
        raise UsageError(
            "--input is judged as it is: no host, pool or time goes with it",
            hint=f"The recording has one pool, as `{COMMAND}` prints it.",
        )
    return SlowRequest(where, found.pool, found.json, found.for_s or SLOW_S, found.input)


SUBCOMMAND: Final = Subcommand(
    "slow",
    "Watch for a while and say which disk is slower than its peers; "
    "exit 0 none, 1 found, 3 too little to tell.",
    _add_arguments,
    _read,
    run_slow,
)
