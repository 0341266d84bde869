"""The wall of disks: every leaf a cell, the odd one marked."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.ui import states, watched
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.iostat import Latency
from zconsole.model.pools.pool import Count, Pool, Vdev
from zconsole.views.layout.ascii_glyphs import in_ascii
from zconsole.views.layout.state_age_and_link_phrases import BAD, WARN
from zconsole.views.layout.styled_text import BLOCKS, line, line_width, plain
from zconsole.views.overview.disk_wall import (
    CHOSEN,
    IDLE,
    LEGENDS,
    RESILVERING,
    SPARE,
    SPARE_IN_USE,
    UNKNOWN,
    Shown,
    leaf_words,
    look,
    wall_lines,
    wall_of,
)
from zconsole.views.pools.latency_heatmap import SCALES, TITLE

LEAD = line("tank ")


def shown(pool: Pool, state: PoolState | None = None, *, has_strips: bool = True) -> Shown:
    state = state or states.pool_state(pool)
    strips = watched.strips(pool) if has_strips else None
    return Shown(wall_of(pool, state.sample), state, strips)


def of_leaf(**changes: object) -> tuple[str, str]:
    """How the first disk of a mirror looks with these values."""
    pool = states.vault()
    mirror = pool.vdevs[0]
    leaf = replace(mirror.children[0], **changes)  # type: ignore[arg-type]
    changed = replace(pool, vdevs=(replace(mirror, children=(leaf, *mirror.children[1:])), *pool.vdevs[1:]))
    drawn = shown(changed)
    return look(drawn.wall.leaves[0], drawn)


def test_every_leaf_has_a_cell_in_the_order_of_the_status() -> None:
    pool = states.tank()

    drawn = shown(pool)

    assert [leaf.vdev for leaf in drawn.wall.leaves] == [each for each in pool.walk() if each.is_leaf]
    assert ["tank mirror-0 ▅▅  mirror-1 ▇▅  special mirror-2 ▁▁  logs mirror-3 ▁▁  cache ▁  spares ▢"] == [
        plain(each) for each in wall_lines(drawn, LEAD, 100)
    ]


def test_a_slow_disk_is_marked_whatever_it_did_in_the_last_seconds() -> None:
    state = watched.slow().pools[0]

    drawn = shown(states.tank(), state)

    assert "mirror-1 ▲▅" in plain(next(wall_lines(drawn, LEAD, 100)))


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        (("✗", "bad"), {"state": "FAULTED"}),
        (("✗", "bad"), {"state": "REMOVED"}),
        (("✗", "bad"), {"state": "UNAVAIL"}),
        (("▲", "warn"), {"state": "OFFLINE"}),
        (("◆", "info"), {"is_resilvering": True}),
        (("▲", "warn"), {"checksum_errors": Count(1)}),
        (("▅", "strip"), {}),
    ],
)
def test_a_trouble_is_shown_in_place_of_the_latency(
    expected: tuple[str, str], changes: dict[str, object]
) -> None:
    assert expected == of_leaf(**changes)


def test_a_spare_is_waiting_or_in_use() -> None:
    pool = states.tank()
    spares = [each for each in shown(pool).wall.leaves if each.vdev.vdev_class == "spare"]
    used = replace(
        pool, vdevs=tuple(replace(e, state="INUSE") if e.vdev_class == "spare" else e for e in pool.vdevs)
    )

    assert ["▢"] == [look(each, shown(pool))[0] for each in spares]
    assert "▣" == look(shown(used).wall.leaves[-1], shown(used))[0]


def test_without_readings_a_disk_is_idle_and_old_ones_are_dim() -> None:
    pool = states.tank()
    old = replace(shown(pool), is_old=True)

    assert ("·", "dim") == look(shown(pool).wall.leaves[0], shown(pool, has_strips=False))
    assert ("▅", "dim") == look(old.wall.leaves[0], old)


def test_a_disk_without_a_reading_is_not_said_to_be_idle() -> None:
    drawn = shown(states.tank(), has_strips=False)
    leaf = drawn.wall.leaves[0]

    assert "no sample yet" in plain(leaf_words(leaf, drawn))
    assert "idle" not in plain(leaf_words(leaf, drawn))


def test_where_samples_are_further_apart_than_cells_the_newest_one_is_shown() -> None:
    pool, state = states.tank(), states.pool_state(states.tank())
    drawn = shown(pool)
    leaf = drawn.wall.leaves[0]
    place = drawn.wall.places[leaf.key]
    assert state.sample is not None
    rows = list(state.sample.rows)
    rows[place] = replace(rows[place], latency=Latency(disk_read=41e6, disk_write=2e6))
    unread = replace(drawn, strips=None, is_unread=True, sample=replace(state.sample, rows=tuple(rows)))

    assert "waits up to 41 ms" in plain(leaf_words(leaf, unread))
    rows[place] = replace(rows[place], latency=Latency())
    idle = replace(unread, sample=replace(state.sample, rows=tuple(rows)))
    assert "idle" in plain(leaf_words(leaf, idle))
    assert "no sample yet" in plain(leaf_words(leaf, replace(idle, is_old=True)))


@pytest.mark.parametrize("legend", [each for each in LEGENDS if each])
def test_every_legend_has_the_marks_of_spares(legend: str) -> None:
    assert "▢ spare  ▣ in use" in legend


def test_the_chosen_disk_is_marked_and_told() -> None:
    drawn = shown(states.tank(), watched.slow().pools[0])
    leaf = drawn.wall.leaves[2]

    lines = list(wall_lines(replace(drawn, chosen=leaf.key), LEAD, 100))

    assert "mirror-1 ▸▲▅" in plain(lines[0])
    words = plain(leaf_words(leaf, drawn))
    assert words.startswith("ata-ST8000NM000A-2KE101_ZL2F0C44 · ONLINE · mirror-1 · waits up to 41 ms")
    assert "5.4x" in words


def many(count: int) -> Pool:
    leaves = tuple(Vdev(f"sd{at}", "disk", "data", "ONLINE") for at in range(count))
    groups = tuple(
        Vdev(f"raidz2-{at}", "raidz2", "data", "ONLINE", children=leaves[at : at + 11])
        for at in range(0, count, 11)
    )
    return replace(states.vault(), vdevs=groups)


@settings(max_examples=40)
@given(st.integers(1, 90), st.integers(25, 120))
def test_nothing_is_lost_or_cut_at_any_width(count: int, cells: int) -> None:
    pool = many(count)
    drawn = Shown(wall_of(pool, None), states.pool_state(pool))

    lines = list(wall_lines(drawn, LEAD, cells))

    assert all(line_width(each) <= cells for each in lines)
    assert count == sum(plain(each).count("·") for each in lines)


def test_in_ascii_each_mark_of_the_wall_is_another_one() -> None:
    """States, idle, and every height of a wait."""
    marks = (BAD, WARN, RESILVERING, SPARE, SPARE_IN_USE, IDLE, UNKNOWN, CHOSEN, *BLOCKS)

    assert len(marks) == len({in_ascii(each) for each in marks})


def test_the_legends_say_the_same_of_each_height() -> None:
    waits = [re.findall(r"[▁-█][≤>][.\d]+", each) for each in (*LEGENDS, *SCALES, TITLE)]

    assert "0<.4 1<1 2<2.5 3<6 4<16 5<40 6<100 #>100 ms" == in_ascii(SCALES[0])
    assert set(waits[0]) == {each for found in waits for each in found}
