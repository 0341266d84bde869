"""What-if of a live pool, against pools that really were changed so, and against new ones."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import disk, group, in_class, pool
from tests.reports.captured import captured, states
from zconsole.analysis.pool_growth import migration, tuning, what_if
from zconsole.analysis.pool_growth.live_pool import Today, today
from zconsole.analysis.pool_growth.write_balance import even_after_bytes, shares, used_after
from zconsole.analysis.pool_layouts.drive_size import Drive, partition_bytes
from zconsole.analysis.pool_layouts.layout import Layout, VdevShape
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.loss_risk import Assumptions
from zconsole.analysis.pool_layouts.usable_space import layout_space, vdev_space
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.model.pools.space_samples import DatasetUse

GIB = 2**30
TB = 10**12
LAB_DEVICE = 8579448832  # of the lab's disks of 8 GiB
USUAL = Assumptions()


def exactly(size_bytes: int) -> Drive:
    return Drive(size_bytes, size_bytes)


def live(layout: Layout, used: float = 0.5) -> Pool:
    """A pool of this layout as it is after a while, each vdev used by as much."""
    space = layout_space(layout)
    tops = []
    for number, vdev in enumerate(layout.keepers):
        size = vdev_space(vdev).size_bytes
        leaves = tuple(
            disk(f"d{number}-{at}", physical_bytes=drive.device_bytes) for at, drive in enumerate(vdev.drives)
        )
        shape = vdev.shape
        kind = f"{shape.kind}{shape.parity or ''}"
        name = f"{shape.name}-{number}" if shape.kind == "draid" else f"{kind}-{number}"
        top = leaves[0] if shape.kind == "stripe" else group(name, *leaves, vdev_type=kind)
        tops.append(_sized(in_class(top, vdev.vdev_class), size, round(size * used), vdev.ashift))
    usable = space.usable_bytes
    return pool(
        *tops,
        size_bytes=space.size_bytes,
        ashift=layout.vdevs[0].ashift,
        usable_used_bytes=round(usable * used),
        usable_available_bytes=usable - round(usable * used),
    )


def _sized(top: Vdev, size: int, allocated: int, ashift: int) -> Vdev:
    return replace(
        top, size_bytes=size, allocated_bytes=allocated, free_bytes=size - allocated, configured_ashift=ashift
    )


def now(text: str, size: int = TB, used: float = 0.5) -> Today:
    return today(live(parse_layout(text, exactly(size)), used))


@pytest.mark.parametrize("series", ["2.1", "2.3", "2.4"])
def test_real_pools_are_explained(series: str) -> None:
    """All that is left is what dedup and special vdevs hold, a checkpoint, and a removal under way."""
    seen = 0
    for state in states(series):
        if state in {"removal-running", "same-names"} or (series, state) in {
            ("2.4", "raidz-expanded"),  # its SIZE was read before it was widened
            ("2.4", "removing"),
        }:
            continue
        for each in captured(series, state).pools:
            if each.pool.value is None:
                continue
            found = today(each.pool.value)
            assert found.space.size_bytes == each.pool.value.size_bytes, state
            assert abs(found.offset_bytes) < 110 * 2**20, state
            seen += 1
    assert seen > 15


def test_a_widened_raidz_is_recognised() -> None:
    state = captured("2.3", "raidz-expanded").pools[0].pool.value
    assert state is not None

    found = today(state)

    (vdev,) = found.vdevs
    assert found.is_exact
    assert VdevShape("raidz", 7, 2) == vdev.shape
    assert 341 == vdev.space.deflate_ratio  # of the six disks that it was made of


def test_attaching_to_a_raidz_gives_what_a_real_one_got() -> None:
    """The pool bulk of six disks, and the same one after `zpool attach`."""
    before = captured("2.3", "raidz2-healthy").pools[0].pool.value
    after = captured("2.3", "raidz-expanded").pools[0].pool.value
    assert before is not None
    assert after is not None

    found = what_if.attach(today(before), "raidz2-0", exactly(LAB_DEVICE), USUAL)

    assert (after.size_bytes, after.usable_bytes) == (found.size_after, found.usable_after)
    assert before.usable_bytes == found.usable_before
    assert found.gained_bytes > 0
    assert found.duration_s is not None


@given(
    st.sampled_from(["mirror:2 x2", "raidz2:6", "stripe:2", "draid1:3d:8c:1s", "raidz1:3 mirror:2"]),
    st.integers(4 * GIB, 20 * TB),
)
def test_a_fresh_pool_is_explained_to_the_byte(text: str, size: int) -> None:
    found = now(text, size)

    assert found.is_exact
    assert found.space == layout_space(parse_layout(text, exactly(size)))


@given(st.sampled_from(["mirror:2", "raidz2:6 x2"]), st.sampled_from(["mirror:2 x3", "raidz2:8", "stripe:1"]))
def test_adding_comes_to_the_pool_of_both(first: str, second: str) -> None:
    more = parse_layout(second, exactly(2 * TB))

    found = what_if.add(now(first), more)

    both = Layout((*parse_layout(first, exactly(TB)).vdevs, *more.vdevs))
    assert layout_space(both).usable_bytes == found.usable_after
    assert layout_space(both).size_bytes == found.size_after
    assert 1 == pytest.approx(sum(share.part for share in found.spread))


def test_adding_says_what_cannot_be_undone_and_what_gets_weaker() -> None:
    notes = " ".join(what_if.add(now("raidz2:6"), parse_layout("stripe:1", exactly(TB))).notes)

    assert "cannot be removed again" in notes
    assert "survived any 2 failures, and then only 0" in notes
    odd = what_if.add(now("mirror:2"), parse_layout("mirror:2", exactly(TB), ashift=9)).notes
    assert any("ashift differs" in note for note in odd)


def test_replacing_all_disks_brings_space_with_the_last() -> None:
    found = what_if.replace_all(now("raidz2:6"), "raidz2-0", exactly(2 * TB), USUAL)

    # Metaslabs stay as small as they were, so nearly nothing is lost at the end.
    fresh = layout_space(parse_layout("raidz2:6", exactly(2 * TB))).usable_bytes
    assert found.usable_after == pytest.approx(fresh, rel=0.01)
    assert found.thin_s == found.duration_s == pytest.approx(6 * 0.5 * TB / 75e6, rel=0.01)
    assert "survives 1 failure meanwhile" in " ".join(found.notes)
    beside = what_if.replace_all(now("raidz2:6"), "raidz2-0", exactly(2 * TB), USUAL, has_free_bay=True)
    assert 0 == beside.thin_s
    with pytest.raises(UsageError, match="too small to replace"):
        what_if.replace_all(now("raidz2:6"), "raidz2-0", exactly(TB // 2), USUAL)


def test_removing_leaves_the_rest() -> None:
    found = what_if.remove(now("mirror:2 x2", used=0.3), "mirror-1", USUAL)

    assert layout_space(parse_layout("mirror:2", exactly(TB))).usable_bytes == found.usable_after
    assert found.gained_bytes < 0


@pytest.mark.parametrize(
    ("message", "text", "name", "used"),
    [
        ("a raidz or draid is for good", "raidz1:3 mirror:2", "mirror-1", 0.1),
        ("the only vdev with data", "mirror:2 special mirror:2", "mirror-0", 0.1),
        ("have room for", "mirror:2 x2", "mirror-0", 0.9),
        ("has no data vdev mirror-7", "mirror:2 x2", "mirror-7", 0.1),
    ],
)
def test_what_cannot_be_removed(message: str, text: str, name: str, used: float) -> None:
    with pytest.raises(UsageError, match=message):
        what_if.remove(now(text, used=used), name, USUAL)


def test_a_disk_attached_to_a_mirror_brings_no_space() -> None:
    with pytest.raises(UsageError, match="is no raidz"):
        what_if.attach(now("mirror:2"), "mirror-0", exactly(TB), USUAL)


def test_too_little_known_is_said() -> None:
    with pytest.raises(UsageError, match="too little is known"):
        today(pool())


vdevs = st.lists(
    st.tuples(st.just("v"), st.integers(10**6, 10**9), st.floats(0.01, 0.99)).map(
        lambda each: (each[0], each[1], round(each[1] * each[2]))
    ),
    min_size=2,
    max_size=6,
)


@given(vdevs)
def test_all_vdevs_become_full_together(given_: list[tuple[str, int, int]]) -> None:
    spread = shares(given_)

    full = used_after(spread, sum(each.free_bytes for each in spread))

    assert full == pytest.approx([1.0] * len(given_))
    assert 1 == pytest.approx(sum(each.part for each in spread))


@given(vdevs)
def test_they_are_even_when_it_says(given_: list[tuple[str, int, int]]) -> None:
    spread = shares(given_)

    after = used_after(spread, even_after_bytes(spread))

    assert max(after) - min(after) <= 0.05 + 1e-3


def test_a_new_vdev_gets_its_part_by_free_space() -> None:
    old, new = shares([("old", 100, 20), ("new", 100, 100)])

    assert (Fraction(20, 120), Fraction(100, 120)) == pytest.approx((old.part, new.part))
    assert (0.8, 0.0) == pytest.approx((old.used, new.used))
    assert even_after_bytes((old, new)) == round(120 * (1 - 0.05 / 0.8))
    assert [0.5, 0.5] == [each.part for each in shares([("a", 10, 0), ("b", 10, 0)])]


def test_settings_and_snapshots() -> None:
    found = now("raidz2:6", used=0.5)
    used = found.pool.usable_used_bytes or 0

    uses = [DatasetUse("tank", 0, GIB), DatasetUse("tank/a", 5, 2 * GIB), DatasetUse("tank/ab", 5, None)]
    assert 3 * GIB == tuning.without_snapshots(found, uses, "tank").freed_bytes
    assert 2 * GIB == tuning.without_snapshots(found, uses, "tank/a").freed_bytes
    assert used == tuning.without_snapshots(found, [DatasetUse("tank", 0, 2 * used)], "tank").freed_bytes
    with pytest.raises(UsageError, match="not known"):
        tuning.without_snapshots(found, uses, "vault")
    assert used // 2 == pytest.approx(
        tuning.compressed(found, used, Fraction(1), Fraction(2)).used_after, abs=1
    )
    assert 2 * used == tuning.with_copies(found, used, 1, 2).used_after
    # From blocks of 128 KiB to 8 KiB on a raidz2 of six: from 2/3 to 1/3 of the disks.
    assert 2 * used == pytest.approx(tuning.with_block_size(found, used, 131072, 8192).used_after, abs=1)
    assert used // 3 == pytest.approx(tuning.deduplicated(found, used, Fraction(3)).used_after, abs=1)
    assert 100 * used / found.usable_bytes == pytest.approx(
        tuning.with_copies(found, used, 1, 1).used_percent_after
    )


def test_a_dedup_table_in_memory() -> None:
    """A TiB of unique blocks of 128 KiB is 8 Mi entries, 2.5 GiB."""
    assert 8 * 2**20 * 320 == tuning.dedup_table_bytes(2**40, 131072)
    assert 4 * 2**20 * 320 == tuning.dedup_table_bytes(2**40, 131072, Fraction(2))


def test_impossible_settings_are_refused() -> None:
    found = now("mirror:2")
    for refused in (
        lambda: tuning.compressed(found, 1, Fraction(1), Fraction(1, 2)),
        lambda: tuning.with_copies(found, 1, 1, 4),
        lambda: tuning.deduplicated(found, 1, Fraction(0)),
        lambda: tuning.dedup_table_bytes(1, 512, Fraction(1, 2)),
        lambda: tuning.with_copies(found, 10 * TB, 1, 2),
    ):
        with pytest.raises(UsageError):
            refused()


def test_moving_beside_is_thin_nowhere() -> None:
    layout = parse_layout("raidz2:6", exactly(TB))

    found = migration.beside(now("mirror:2 x2"), layout, USUAL)

    assert 1 == found.thinnest
    assert 6 == found.drives
    assert layout_space(layout).usable_bytes == found.usable_after
    # Half of what two mirrors hold, read by four disks and written by the four of data: at 600 MB/s, twice.
    used = now("mirror:2 x2").pool.usable_used_bytes or 0
    assert found.duration_s == pytest.approx(2 * used / 600e6, rel=1e-6)
    assert any(stage.is_offline for stage in found.stages)


def test_moving_on_halves_of_mirrors_is_thin_and_says_so() -> None:
    found = migration.on_halves(now("mirror:2 x6", used=0.2), parse_layout("raidz2:6", exactly(TB)), USUAL)

    assert (0, 0) == (found.thinnest, found.drives)
    assert "have a backup" in found.notes[-1]


@pytest.mark.parametrize(
    ("message", "old", "new", "used"),
    [
        ("is no mirror", "raidz1:3", "mirror:2", 0.1),
        ("can spare 2", "mirror:2 x2", "raidz1:3", 0.1),
        ("has .* of data", "mirror:2 x4", "mirror:2 x2", 0.9),
    ],
)
def test_what_cannot_be_moved(message: str, old: str, new: str, used: float) -> None:
    with pytest.raises(UsageError, match=message):
        migration.on_halves(now(old, used=used), parse_layout(new, exactly(TB)), USUAL)


def test_a_pool_that_begins_too_full_is_said() -> None:
    found = migration.beside(now("mirror:2", used=0.9), parse_layout("mirror:2", exactly(TB)), USUAL)

    assert "begins 90% full" in found.notes[0]


def test_a_whole_disk_of_the_lab_has_the_partition_that_zfs_made() -> None:
    assert LAB_DEVICE == partition_bytes(8 * GIB)
