"""Results of a benchmark: what fio says, what the disks did meanwhile, and the traps in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.benchmark.traps import Trap, times, trap_of
from zconsole.base.fixed_width_formatting import bandwidth, count, milliseconds, significant
from zconsole.model.pools.benchmark import BenchmarkRun, VdevRate
from zconsole.views.layout.styled_text import Line, line
from zconsole.zfs.benchmark.output_of_runs import is_benchmark, parse_runs
from zconsole.zfs.benchmark.scratch_dataset_script import TWIN

TITLES: Final = (
    f"{'pattern':<22} {'fio says':>12} {'ops/s':>7} {'mean ms':>8} {'p99 ms':>8}   "
    f"{'pool moved':>12} {'disk ms':>8}"
)
_WORST: Final = "slowest device"


def lines_of_output(said: str) -> Iterator[Line] | None:
    """The output of a step as a table, where it is one of a benchmark; None otherwise."""
    return results(parse_runs(said)) if is_benchmark(said) else None


def results(runs: Sequence[BenchmarkRun]) -> Iterator[Line]:
    """A row for each pattern, then a sentence for each trap."""
    yield line((TITLES, "dim"))
    trapped: dict[Trap, list[BenchmarkRun]] = {}
    for run in runs:
        trap = trap_of(run, is_compressible=run.name == TWIN)
        yield line((_row(run), "text" if trap is None else "warn"))
        if trap is not None:
            trapped.setdefault(trap, []).append(run)
    if not runs:
        yield line(("no result can be read", "warn"))
    for trap, those in trapped.items():
        yield line((_sentence(trap, those), "warn"))
    if runs:
        yield line(
            (
                "One request at a time; pool moved is the mean of zpool iostat over the pattern.",
                "dim",
            )
        )


def _row(run: BenchmarkRun) -> str:
    rate = run.rate
    if rate is None:
        return f"{run.name:<22} {'no I/O':>12}"
    pool = run.vdevs[0] if run.vdevs else None
    moved = wait = None
    if pool is not None:
        is_read = run.read is not None
        moved = pool.read_bytes_per_s if is_read else pool.write_bytes_per_s
        wait = _wait(pool, is_read=is_read)
    told = (
        f"{run.name:<22} {bandwidth(rate.bytes_per_s):>12} {count(rate.ios_per_s):>7} {_ms(rate.mean_ns):>8} "
        f"{_ms(rate.p99_ns):>8}   {bandwidth(moved):>12} {_ms(wait):>8}"
    )
    worst = max(run.vdevs[1:], key=lambda each: _wait(each, is_read=run.read is not None) or 0, default=None)
    slow = None if worst is None else _wait(worst, is_read=run.read is not None)
    return told if worst is None or slow is None else f"{told}  {_WORST} {worst.name} {_ms(slow)} ms"


def _wait(vdev: VdevRate, *, is_read: bool) -> float | None:
    return vdev.disk_read_ns if is_read else vdev.disk_write_ns


def _ms(nanoseconds: float | None) -> str:
    return "·" if nanoseconds is None else milliseconds(nanoseconds)


def _sentence(trap: Trap, runs: Sequence[BenchmarkRun]) -> str:
    """One sentence for all runs that fell into a trap, each with its factor."""
    if trap is Trap.UNSEEN:
        return f"{', '.join(run.name for run in runs)}: {trap.value}."
    is_more = trap is Trap.AMPLIFIED
    told = ", ".join(f"{run.name}{_factor(run, is_more=is_more)}" for run in runs)
    if is_more:
        return f"The pool moved more than fio says: {told}. {trap.value}."
    hint = ". This is what a benchmark with zeros would have told" if trap is Trap.COMPRESSED else ""
    return f"Not the speed of the disks, fio says more than the pool moved: {told}: {trap.value}{hint}."


def _factor(run: BenchmarkRun, *, is_more: bool) -> str:
    factor = times(run)
    if not factor:
        return ""
    return f" ({significant(1 / factor if is_more else factor)} times)"
