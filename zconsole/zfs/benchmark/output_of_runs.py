"""Output of the benchmark script: a document of fio and lines of `zpool iostat -Hpvl` for each pattern."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from zconsole.base.bounded_lines import bounded_lines
from zconsole.base.errors import ParseError
from zconsole.model.pools.benchmark import BenchmarkRun, VdevRate
from zconsole.zfs.benchmark.fio_json import parse_fio
from zconsole.zfs.benchmark.scratch_dataset_script import MARK
from zconsole.zfs.iostat.row_parser import RowParser

TOOL: Final = "the benchmark"
FIO, VDEV = f"{MARK}fio ", f"{MARK}vdev "


def is_benchmark(said: str) -> bool:
    """Whether an output has results of a benchmark."""
    return FIO in said


def parse_runs(said: str) -> tuple[BenchmarkRun, ...]:
    """The runs in their order; what cannot be read, as in an output that was cut, is left out."""
    runs: dict[str, BenchmarkRun] = {}
    vdevs: dict[str, list[VdevRate]] = {}
    for line in _lines(said):
        if line.startswith(FIO):
            name, _, document = line.removeprefix(FIO).partition(" ")
            with suppress(ParseError):
                read, written = parse_fio(document)
                runs[name] = BenchmarkRun(name, read, written)
        elif line.startswith(VDEV):
            name, _, row = line.removeprefix(VDEV).partition(" ")
            with suppress(ValueError):
                vdevs.setdefault(name, []).append(_rate(row))
    return tuple(
        BenchmarkRun(name, run.read, run.write, tuple(vdevs.get(name, ()))) for name, run in runs.items()
    )


def _lines(said: str) -> Iterator[str]:
    """The lines up to one that is too long to be of the script."""
    with suppress(ParseError):
        for _, line in bounded_lines(TOOL, said):
            yield line


def _rate(row: str) -> VdevRate:
    found = RowParser().row(row.encode("utf-8", "surrogateescape"))
    waits = found.latency
    return VdevRate(found.name, found.read_bytes, found.write_bytes, waits.disk_read, waits.disk_write)
