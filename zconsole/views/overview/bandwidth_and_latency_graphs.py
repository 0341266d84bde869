"""Graphs of a pool's last minutes, a line or more high: read, written, latency, and its slowest disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.base.fixed_width_formatting import NS_PER_MS, UNKNOWN, bandwidth, duration, milliseconds
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.size_units import in_megabytes, with_used_unit
from zconsole.model.past_states_and_latency_strips import STRETCH_S, Bandwidth
from zconsole.views.findings.slow_disk_phrases import in_few_words, short
from zconsole.views.layout import sparklines
from zconsole.views.layout.click_targets import blank_as
from zconsole.views.layout.styled_text import STRIP, Line, Span, line, merge
from zconsole.views.overview.disk_wall import Shown, slower_wait, wait_of
from zconsole.views.pools.latency_heatmap import SCALES, STEPS_MS, block_and_style

NARROWEST: Final = 76  # cells of a line with graphs
WITH_WORST: Final = 118  # and from here on with the slowest disk
MOST_CELLS: Final = 60  # of a graph: ten minutes
VALUE_CELLS: Final = (10, 10, 7)  # `9.66 GiB/s`, `41 ms`
WORST_CELLS: Final = 26
LABELS: Final = ("read ", "write ", "wait ")
TICKS: Final = (
    ("4G", "512M", "64M", "8M", "1M"),
    ("4G", "512M", "64M", "8M", "1M"),
    ("100", "25", "6", "1.6", ".4"),
)  # of the scales: ends, middle and quarters, beside bars of several rows; MiB/s and ms
WITH_QUARTERS: Final = 11  # rows of a bar whose scale has ticks at its quarters
WAIT: Final = sparklines.Scale(SCALES[1], STEPS_MS)  # in ms
WITH_MIDDLE: Final = 5  # rows of a bar whose scale has a middle tick
LEAST_TALL: Final = 3  # rows of a bar whose scale is written beside it
TALLEST: Final = 8
TALLEST_ALONE: Final = 16  # of the graphs of a single pool
Values = tuple[float | None, ...]
GAUGE_CELLS: Final = (20, 40)  # without the slowest disk, and with it


def graph_cells(cells: int, lead: int) -> int:
    """The width of each of the three graphs in a line of `cells`."""
    rest = cells - lead - sum(map(len, LABELS)) - sum(VALUE_CELLS) - 3 * len(LABELS)
    if cells >= WITH_WORST:
        rest -= WORST_CELLS
    return max(0, min(MOST_CELLS, rest // 3))


def legend(cells: int, seconds: float = STRETCH_S) -> str:
    """The time and the scales of graphs of that many cells, each of so many seconds."""
    steps = sparklines.MEGABYTES.steps
    scale = with_used_unit(f"log scale {steps[0]:.0f} to {steps[-1]:.0f} MiB/s")
    return f"last {duration(cells * seconds)} · {scale} · wait {SCALES[1]}"


@dataclass(frozen=True, slots=True)
class GraphRoom:
    """The room of a pool's graphs: the cells of each, its rows, and whether the slowest disk has room."""

    cells: int
    rows: int = 1
    has_worst: bool = True


def graph_lines(lead: Line, room: GraphRoom, past: Bandwidth | None, shown: Shown) -> Iterator[Line]:
    """The three graphs of a pool behind its name, each with its last value; and its slowest disk.

    Where bars have several rows, the ends of the scale are written beside them.
    """
    reads, writes, waits = _values(room.cells, past, shown)
    worst = _worst(shown) if room.has_worst else ()
    values = _value_words(_last(reads), _last(writes), _last(waits), shown)
    if room.rows == 1:
        drawn: tuple[Sequence[Line], ...] = (
            (sparklines.draw(_megabytes(reads), sparklines.MEGABYTES),),
            (sparklines.draw(_megabytes(writes), sparklines.MEGABYTES),),
            (_blocks(waits),),
        )
    else:
        drawn = (
            sparklines.draw_rows(_megabytes(reads), sparklines.MEGABYTES, room.rows),
            sparklines.draw_rows(_megabytes(writes), sparklines.MEGABYTES, room.rows),
            sparklines.draw_rows(_in_ms(waits), WAIT, room.rows, _wait_style),
        )
    for row in range(room.rows):
        spans = list(lead) if row == 0 else list(blank_as(lead))
        for at, title in enumerate(LABELS):
            mark = _ticks(room.rows, TICKS[at]).get(row, "│") if row else title
            value = values[at] if row == 0 else ""
            spans += [
                Span(f"{mark:>{len(title)}}", "dim"), *drawn[at][row], Span(f" {value:>{VALUE_CELLS[at]}}  ")
            ]  # fmt: skip
        yield merge((*spans, *(worst if row == 0 else ())))


def _ticks(rows: int, marks: tuple[str, ...]) -> dict[int, str]:
    """The ends of a scale beside the rows of a bar, and others at the row that a value of it reaches.

    Of high bars also the two quarters of the scale.
    """
    top, upper, middle, lower, bottom = marks
    ticks = {1: f"{top}┤", rows - 1: f"{bottom}┤"}
    if rows >= WITH_QUARTERS:
        ticks |= {rows - 1 - 11 * rows // 16: f"{upper}┤", rows - 1 - 5 * rows // 16: f"{lower}┤"}
    return {rows - 1 - rows // 2: f"{middle}┤", **ticks} if rows >= WITH_MIDDLE else ticks


def _values(cells: int, past: Bandwidth | None, shown: Shown) -> tuple[Values, Values, Values]:
    """What was read and written and waited for, a value for each of the last `cells` stretches."""
    reads = past.reads[-cells:] if past is not None else (None,) * cells
    writes = past.writes[-cells:] if past is not None else (None,) * cells
    if past is not None and past.waits:
        return reads, writes, past.waits[-cells:]
    strips = shown.strips
    own = strips.rows[0].values[-cells:] if strips is not None and strips.rows else ()
    return reads, writes, (None,) * (cells - len(own)) + tuple(own)


def gauge_line(lead: Line, cells: int, percent: float, words: str) -> Line:
    """A running scrub or resilver as a bar, with what is said of it, in a line of `cells`."""
    bar = GAUGE_CELLS[cells >= WITH_WORST]
    done = min(bar - 1, int(percent * bar / 100))
    return (*lead, Span("█" * done, "info"), Span("░" * (bar - done), "dim"), Span(f" {words}", "info"))


def _megabytes(values: Values) -> list[float | None]:
    return [None if value is None else in_megabytes(value) for value in values]


def _in_ms(waits: Values) -> list[float | None]:
    return [None if wait is None else wait / NS_PER_MS for wait in waits]


def _wait_style(wait_ms: float) -> str:
    return block_and_style(wait_ms * NS_PER_MS)[1]


def _last(values: tuple[float | None, ...]) -> float | None:
    return values[-1] if values else None


def _value_words(
    read: float | None, written: float | None, wait: float | None, shown: Shown
) -> tuple[str, str, str]:
    """The last values; those of the newest sample where the last cell has none."""
    if shown.newest_rows and read is None:
        row = shown.newest_rows[0]
        read, written, wait = row.read_bytes, row.write_bytes, slower_wait(row)
    without_io = UNKNOWN if read is None or read or written else "idle"
    return bandwidth(read), bandwidth(written), without_io if wait is None else f"{milliseconds(wait)} ms"


def _blocks(waits: tuple[float | None, ...]) -> Line:
    return merge([Span(*block_and_style(wait)) if wait is not None else Span(" ", STRIP) for wait in waits])


def _worst(shown: Shown) -> Line:
    """The disk that is slower than its peers, or the one that waited longest."""
    slow = shown.state.slow
    if slow:
        worst = max(slow, key=lambda each: each.ratio)
        more = f" +{len(slow) - 1}" if len(slow) > 1 else ""
        return line((f"{short(worst.disk)} {in_few_words(worst)}{more}", "warn"))
    waits = [(wait, leaf) for leaf in shown.wall.leaves if (wait := wait_of(leaf, shown)) is not None]
    if not waits:
        return ()
    wait, leaf = max(waits, key=lambda each: each[0])
    return line((f"most {short(leaf.vdev.name)} {milliseconds(wait)} ms", "dim"))
