"""Ways to another layout: beside the pool, or on halves of mirrors."""

from __future__ import annotations

import pytest

from tests.analysis.pool_growth.live_pools import TB, USUAL, exactly, now
from zconsole.analysis.pool_growth import migration
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.usable_space import layout_space
from zconsole.base.errors import UsageError
from zconsole.model.pools.space_samples import DatasetUse


def test_moving_beside_is_thin_nowhere() -> None:
    layout = parse_layout("raidz2:6", exactly(TB))

    found = migration.beside(now("mirror:2 x2"), layout, USUAL)

    assert 1 == min(stage.survives for stage in found.stages)
    assert 6 == found.drives
    assert layout_space(layout).usable_bytes == found.usable_after
    # Half of what two mirrors hold, read by four disks and written by the four of data: at 600 MB/s, twice.
    used = now("mirror:2 x2").pool.usable_used_bytes or 0
    assert found.duration_s == pytest.approx(2 * used / 600e6, rel=1e-6)
    assert any(stage.is_offline for stage in found.stages)


def test_moving_on_halves_of_mirrors_is_thin_and_says_so() -> None:
    found = migration.on_halves(now("mirror:2 x6", used=0.2), parse_layout("raidz2:6", exactly(TB)), USUAL)

    assert 0 == min(stage.survives for stage in found.stages)
    assert 0 == found.drives
    assert "have a backup" in found.notes[-1]


@pytest.mark.parametrize(
    ("message", "old", "new", "used"),
    [
        ("is not a mirror", "raidz1:3", "mirror:2", 0.1),
        ("data mirrors of tank can spare 2", "mirror:2 x2", "raidz1:3", 0.1),
        ("takes 3 data drives, .* can spare 2", "mirror:2 x2 special mirror:2", "raidz1:3", 0.1),
        (
            "takes 2 special drives, .* can spare 1",
            "mirror:2 x2 special mirror:2",
            "mirror:2 special mirror:2",
            0.1,
        ),
        ("is not a mirror", "raidz1:3 special mirror:2", "mirror:2", 0.1),
        ("needs .* there", "mirror:2 x4", "mirror:2 x2", 0.9),
    ],
)
def test_what_cannot_be_moved(message: str, old: str, new: str, used: float) -> None:
    with pytest.raises(UsageError, match=message):
        migration.on_halves(now(old, used=used), parse_layout(new, exactly(TB)), USUAL)


def test_both_ways_end_under_the_old_name_with_labels_cleared() -> None:
    layout = parse_layout("mirror:2", exactly(TB))
    beside = migration.beside(now("mirror:2 x2"), layout, USUAL)
    halves = migration.on_halves(now("mirror:2 x2", used=0.2), layout, USUAL)

    for found in (beside, halves):
        told = [stage.what for stage in found.stages]
        made, renamed, destroyed = (
            next(at for at, each in enumerate(told) if words in each)
            for words in ("make the new pool", "import the new one as tank", "destroy it")
        )
        assert made < renamed < destroyed
        assert "altroot" in told[made]
        assert "mount points" in told[made]
        assert any("labels" in each for each in told)
    assert "labelclear" in halves.stages[1].what
    assert "2 data disks from mirror-0, mirror-1" in halves.stages[0].what


def test_a_pool_that_begins_too_full_is_said() -> None:
    found = migration.beside(now("mirror:2", used=0.9), parse_layout("mirror:2", exactly(TB)), USUAL)

    assert "begins 90% full" in found.notes[1]


def test_small_blocks_take_more_on_raidz_than_on_mirrors() -> None:
    """On raidz2:12 a block of 16 KiB takes 6 sectors for 4, one of 128 KiB 42 for 32."""
    pool, layout = now("mirror:2 x2"), parse_layout("raidz2:12", exactly(TB))
    used = pool.pool.usable_used_bytes or 0
    volumes = DatasetUse("tank/vm", used // 4, used // 4, 16 << 10)
    unknown = DatasetUse("tank/old", used // 8, 0)

    found = migration.moved_data(pool, layout, [volumes, unknown])
    whole = migration.moved_data(pool, layout, [volumes], block_bytes=16 << 10)

    assert abs(used // 2 * 8 / 7 + used / 2 - found.used_bytes) < 4
    assert "in blocks of 16 KiB to 128 KiB" in found.basis
    assert abs(used * 8 / 7 - whole.used_bytes) < 4
    assert found.used_bytes == migration.beside(pool, layout, USUAL, found).used_after


def test_between_layouts_of_one_kind_nothing_changes() -> None:
    pool, layout = now("mirror:2 x2"), parse_layout("mirror:3 x2", exactly(TB))
    found = migration.moved_data(pool, layout, [DatasetUse("v", 1 << 30, 0, 8192)])

    assert pool.pool.usable_used_bytes == found.used_bytes
