"""Graphs of a pool's last minutes, a line each: read, written, latency, and its slowest disk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.base.fixed_width_formatting import bandwidth, duration, milliseconds
from zconsole.model.past_states_and_latency_strips import STRETCH_S, Bandwidth
from zconsole.views.findings.slow_disk_phrases import short, times
from zconsole.views.layout import sparklines
from zconsole.views.layout.styled_text import STRIP, Line, Span, line, merge
from zconsole.views.overview.disk_wall import Shown, wait_of
from zconsole.views.pools.latency_heatmap import SCALES, block_and_style

MIB: Final = 2**20
NARROWEST: Final = 76  # cells of a line with graphs
WITH_WORST: Final = 118  # and from here on with the slowest disk
MOST_CELLS: Final = 60  # of a graph: ten minutes
VALUE_CELLS: Final = 10  # `9.66 GiB/s`
WAIT_CELLS: Final = 7  # `41 ms`
WORST_CELLS: Final = 26
LABELS: Final = ("read ", "write ", "wait ")
GAUGE_CELLS: Final = (20, 40)  # without the slowest disk, and with it


def graph_cells(cells: int, lead: int) -> int:
    """The width of each of the three graphs in a line of `cells`."""
    rest = cells - lead - sum(map(len, LABELS)) - 2 * (VALUE_CELLS + 3) - WAIT_CELLS - 3
    if cells >= WITH_WORST:
        rest -= WORST_CELLS
    return max(0, min(MOST_CELLS, rest // 3))


def legend(cells: int) -> str:
    """The time and the scales of graphs of that many cells."""
    seconds = cells * STRETCH_S
    return f"last {duration(seconds)} · {sparklines.MIB.label}/s · wait {SCALES[1]}"


def graph_line(
    lead: Line, cells: int, past: Bandwidth | None, shown: Shown, *, has_worst: bool = True
) -> Line:
    """The three graphs of a pool, each `cells` wide, with its last value; and its slowest disk."""
    reads = past.reads[-cells:] if past is not None else (None,) * cells
    writes = past.writes[-cells:] if past is not None else (None,) * cells
    strips = shown.strips
    own = strips.rows[0].values[-cells:] if strips is not None and strips.rows else ()
    waits = (None,) * (cells - len(own)) + tuple(own)
    return (
        *lead,
        *_graph(
            LABELS[0], sparklines.draw(_mib(reads), sparklines.MIB), bandwidth(_last(reads)), VALUE_CELLS
        ),
        *_graph(
            LABELS[1], sparklines.draw(_mib(writes), sparklines.MIB), bandwidth(_last(writes)), VALUE_CELLS
        ),
        *_graph(LABELS[2], _blocks(waits), _ms(_last(waits)), WAIT_CELLS),
        *(_worst(shown) if has_worst else ()),
    )


def gauge_line(lead: Line, cells: int, percent: float, words: str) -> Line:
    """A running scrub or resilver as a bar, with what is said of it, in a line of `cells`."""
    bar = GAUGE_CELLS[cells >= WITH_WORST]
    done = min(bar - 1, int(percent * bar / 100))
    return (*lead, Span("█" * done, "info"), Span("░" * (bar - done), "dim"), Span(f" {words}", "info"))


def _mib(values: tuple[float | None, ...]) -> list[float | None]:
    return [None if value is None else value / MIB for value in values]


def _last(values: tuple[float | None, ...]) -> float | None:
    return values[-1] if values else None


def _ms(wait: float | None) -> str:
    return "idle" if wait is None else f"{milliseconds(wait)} ms"


def _graph(label: str, drawn: Line, value: str, cells: int) -> Iterator[Span]:
    yield Span(label, "dim")
    yield from drawn
    yield Span(f" {value:>{cells}}  ")


def _blocks(waits: tuple[float | None, ...]) -> Line:
    return merge([Span(*block_and_style(wait)) if wait is not None else Span(" ", STRIP) for wait in waits])


def _worst(shown: Shown) -> Line:
    """The disk that is slower than its peers, or the one that waited longest."""
    slow = shown.state.slow
    if slow:
        worst = max(slow, key=lambda each: each.ratio)
        more = f" +{len(slow) - 1}" if len(slow) > 1 else ""
        return line((f"{short(worst.disk)} {times(worst.ratio)} its peers{more}", "warn"))
    waits = [(wait, leaf) for leaf in shown.wall.leaves if (wait := wait_of(leaf, shown)) is not None]
    if not waits:
        return ()
    wait, leaf = max(waits, key=lambda each: each[0])
    return line((f"most {short(leaf.vdev.name)} {milliseconds(wait)} ms", "dim"))
