"""Streams in which it is known which disk is slow: of the lab, simulated, and of the practice host."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Final

from tests.bench.slow_pool import (
    FAULTS,
    LAYOUTS,
    MICRO_FAULTS,
    MORE_LAYOUTS,
    SLIGHT_FAULTS,
    WORKLOADS,
    Scenario,
    SlowPool,
)
from tests.conftest import CAPTURES
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.getopt import getopt
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.drives import DriveKind
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import Load
from zconsole.practice.zpool_show.iostat import SHORT, Printer

RECORDED: Final = "recorded in the lab"
RECORDED_BUSY: Final = "recorded on a busy machine"
RECORDED_QUIET: Final = "recorded on a quiet machine"
SIMULATED_8_MS: Final = "simulated, disks of 8 ms"
SIMULATED_100_US: Final = "simulated, disks of 100 us"
SIMULATED = "simulated"
PRACTICE: Final = "practice host"
SILENT: Final = frozenset(  # the fault is of I/O that there is none of: nothing shows
    {("slowread", "randwrite"), ("slowread", "sync")}
    | {("slowwrite", workload) for workload in ("randread", "seqread", "scrub")}
)
_SAMPLES: Final = 120
_FROM: Final = 20
_LAYOUTS: Final = {
    "mirrors": "mirror 0 1 mirror 2 3 mirror 4 5",
    "raidz2": "raidz2 0 1 2 3 4 5",
    "raidz1 of 4": "raidz1 0 1 2 3",
    "single": "0 1 2 3",
}
_LOADS: Final = {
    "reading": Load(60, 65536, 10, 65536),
    "writing": Load(8, 65536, 90, 65536),
    "sync": Load(15, 16384, 30, 65536, sync_writes=40),
}
_TIMES: Final = {"none": 1.0, "x3": 3.0, "x10": 10.0}
_NOW: Final = 1_795_219_200.0


@dataclass(frozen=True)
class Stream:
    """A stream with its label; `read` gives its lines."""

    origin: str
    layout: str
    workload: str
    fault: str
    disks: frozenset[str]
    from_sample: int
    read: Callable[[], Iterator[bytes]]


def recorded() -> Iterator[Stream]:
    """What `slowdisk.sh` recorded on lab guests."""
    for path in sorted((CAPTURES / "slow").glob("*/label.json")):
        label = json.loads(path.read_text())
        file = path.with_name("iostat.tsv")
        disks = frozenset(label["disk"].split("+")) if label["disk"] else frozenset()

        def read(file: object = file) -> Iterator[bytes]:
            with open(str(file), "rb") as stream:  # noqa: PTH123 - bound early
                yield from stream

        yield Stream(
            RECORDED, label["layout"], label["workload"], label["fault"], disks, label["from_sample"], read
        )


def recorded_slight() -> Iterator[Stream]:
    """What `record_slightly_slow_disks.sh` recorded on a lab guest."""
    for path in sorted((CAPTURES / "slightly_slow").glob("*/label.json")):
        label = json.loads(path.read_text())
        file = path.with_name("iostat.tsv.gz")

        def read(file: Path = file) -> Iterator[bytes]:
            with gzip.open(file, "rb") as stream:
                yield from stream

        disks = frozenset({label["disk"]} - {""})
        is_micro = label["unit"] == "us" and label["fault"].startswith("slow")
        fault = f"{label['fault']}us" if is_micro else label["fault"]
        machine = RECORDED_QUIET if label.get("quiet_machine") else RECORDED_BUSY
        yield Stream(machine, label["layout"], label["workload"], fault, disks, label["from_sample"], read)


def simulated_slight(samples: int = 80) -> Iterator[Stream]:
    """Disks of 8 ms of which one is 5 or 10 ms slower, and of 100 us with one 300 or 400 us slower."""
    for layout, workload, fault in product((*LAYOUTS, *MORE_LAYOUTS), WORKLOADS, range(3)):
        is_micro = layout == "nvme"
        name = (*(MICRO_FAULTS if is_micro else SLIGHT_FAULTS), "none")[fault]
        slow = () if name == "none" else (2 % sum((LAYOUTS | MORE_LAYOUTS)[layout]),)
        if layout == "hybrid":
            continue
        base, own, noise = (0.05, 0.05, 0.05) if is_micro else (4.0, 4.0, 8.0)
        scenario = Scenario(
            layout, workload, name, slow, base_ms=base, own_ms=own, noise_ms=noise, samples=samples
        )

        def read(scenario: Scenario = scenario) -> Iterator[bytes]:
            return (line.encode() for line in SlowPool(scenario).lines())

        disks = frozenset(f"disk{number}" for number in slow)
        origin = SIMULATED_100_US if is_micro else SIMULATED_8_MS
        yield Stream(origin, layout, workload, name, disks, scenario.from_sample, read)


def simulated(seeds: int = 1) -> Iterator[Stream]:
    """All layouts, workloads and faults of `slowdisk.sh`, and pools in which nothing is wrong."""
    for layout, workload, fault, seed in product(LAYOUTS, WORKLOADS, (*FAULTS, "none"), range(seeds)):
        if (fault, workload) in SILENT:
            continue
        count = sum(LAYOUTS[layout])
        disks = () if fault == "none" else ((2 + seed) % count,)
        if fault in {"slow60", "slow300"} and layout in {"mirrors", "raidz2"}:
            disks = (1, 4)
        scenario = Scenario(
            layout, workload, fault, disks, base_ms=1.0 if layout == "hybrid" else 6.0, seed=seed
        )

        def read(scenario: Scenario = scenario) -> Iterator[bytes]:
            return (line.encode() for line in SlowPool(scenario).lines())

        names = frozenset(f"disk{number}" for number in disks)
        yield Stream(SIMULATED, layout, workload, fault, names, scenario.from_sample, read)


def practised() -> Iterator[Stream]:
    """The practice host: its demonstration, and pools of which one drive is that many times slower."""
    demo = "ata-ST12000NM0008-2H3101_ZL2F1D04"
    yield Stream(PRACTICE, "raidz2", "demo", "grows slow", frozenset({demo}), 40, _demo)
    for layout, workload, fault in product(_LAYOUTS, _LOADS, _TIMES):

        def read(layout: str = layout, workload: str = workload, fault: str = fault) -> Iterator[bytes]:
            return _practice(layout, workload, _TIMES[fault])

        disks = frozenset() if fault == "none" else frozenset({create_world("").disks[1].link})
        yield Stream(PRACTICE, layout, workload, fault, disks, _FROM, read)


def _demo() -> Iterator[bytes]:
    world = demo_world(_NOW)
    return _printed(world, "bulk", lambda _: None, 240)


def _practice(layout: str, workload: str, times: float) -> Iterator[bytes]:
    world = create_world(_LAYOUTS[layout])
    world.pools["tank"].load = _LOADS[workload]
    for disk in world.disks:
        disk.drive = DriveKind.HDD

    def change(second: int) -> None:
        if second == _FROM:
            world.disks[1].slow_factor = times

    return _printed(world, "tank", change, _SAMPLES)


def _printed(world: World, pool: str, change: Callable[[int], None], samples: int) -> Iterator[bytes]:
    simulation = Simulation(world)
    printer = Printer(world, [world.pools[pool]], (), getopt(["-Hpvlqy"], SHORT))
    printer.skip()
    for second in range(samples):
        change(second)
        simulation.advance(world.elapsed + 1)
        yield from printer.sample().encode().splitlines(keepends=True)
