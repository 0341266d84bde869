"""What-if of a live pool, against pools that really were changed so, and against new ones."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analysis.build import disk, group
from tests.analysis.pool_growth.live_pools import GIB, LAB_DEVICE, TB, USUAL, exactly, now
from tests.reports.captured import captured
from zconsole.analysis.pool_growth import what_if
from zconsole.analysis.pool_growth.effects_on_used_space import with_copies
from zconsole.analysis.pool_growth.live_pool import today
from zconsole.analysis.pool_layouts.layout import Layout
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.pool_layouts.usable_space import SECTOR, layout_space
from zconsole.base.errors import UsageError


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


@pytest.mark.parametrize("text", ["raidz1:3", "raidz2:6", "raidz3:8"])
def test_a_smaller_disk_is_not_attached_as_zfs_refuses_it(text: str) -> None:
    name = text.partition(":")[0] + "-0"

    with pytest.raises(UsageError, match=rf"too small to be attached to {name}, which needs .*: ZFS says"):
        what_if.attach(now(text), name, exactly(TB - GIB), USUAL)

    assert what_if.attach(now(text), name, exactly(TB), USUAL).gained_bytes > 0


def test_a_disk_of_unknown_siblings_must_have_the_share_of_the_vdev() -> None:
    """ZFS does not report the devices' sizes before 2.2: `vdev_get_min_asize` is a share of SIZE."""
    live = now("raidz2:6")
    unread = replace(live, vdevs=tuple(replace(each, device_bytes=None) for each in live.vdevs))

    with pytest.raises(UsageError, match="too small"):
        what_if.attach(unread, "raidz2-0", exactly(TB // 2), USUAL)


@pytest.mark.parametrize(
    ("pool", "more", "named"),
    [
        ("mirror:2", "raidz2:8", "of mirror:2, and the new vdev is raidz2:8"),
        ("mirror:2", "mirror:3", "of mirror:2, and the new vdev is mirror:3"),
        ("raidz2:6", "raidz2:8", "of raidz2:6, and the new vdev is raidz2:8"),
        ("stripe:1", "mirror:2", "of single disks, and the new vdev is mirror:2"),
        ("mirror:2", "mirror:2 x2", ""),
        ("mirror:3", "raidz2:6", ""),
        ("mirror:2 raidz2:6", "mirror:3", ""),
        ("mirror:2", "mirror:2 log stripe:1", ""),
    ],
)
def test_an_addition_that_zfs_refuses_without_force_says_so(pool: str, more: str, named: str) -> None:
    notes = [each for each in what_if.add(now(pool), parse_layout(more, exactly(TB))).notes if "-f" in each]

    assert bool(named) == bool(notes)
    assert all(named in each for each in notes)


def test_removing_leaves_the_rest() -> None:
    found = what_if.remove(now("mirror:2 x2", used=0.3), "mirror-1", USUAL)

    assert layout_space(parse_layout("mirror:2", exactly(TB))).usable_bytes == found.usable_after
    assert found.gained_bytes < 0
    assert "if they are in pieces of 128 KiB, less in larger and more in smaller ones" in " ".join(
        found.notes
    )


@pytest.mark.parametrize(
    ("text", "goes"), [("mirror:2 special mirror:2", True), ("mirror:2 special mirror:2 x2", False)]
)
def test_what_the_last_special_vdev_holds_is_usable_while_it_holds_it(text: str, *, goes: bool) -> None:
    """Pool of OpenZFS 2.4.4, which counts that; the data of one of two goes to the other."""
    plain = now(text, used=0.1)
    special = plain.named("mirror-1")
    held = round(special.vdev.allocated_bytes or 0) // SECTOR * special.space.deflate_ratio
    counting = replace(plain, offset_bytes=held + GIB)

    found = what_if.remove(counting, "mirror-1", USUAL)

    assert held > 0
    uncounted = what_if.remove(plain, "mirror-1", USUAL)
    assert (held if goes else 0) == found.held_bytes
    assert held + GIB - found.held_bytes == found.usable_after - uncounted.usable_after
    assert goes == ("are usable today because mirror-1 holds them" in " ".join(found.notes))
    assert 0 == uncounted.held_bytes


def test_what_volumes_reserve_and_have_not_written_is_no_data() -> None:
    """A thick volume: half of USED is its reservation."""
    plain = now("mirror:2", used=0.4)
    used = plain.pool.usable_used_bytes or 0
    thick = replace(plain, pool=replace(plain.pool, usable_used_bytes=2 * used))
    reserved = thick.reserved_bytes

    assert reserved > 0.9 * used
    assert 0 == plain.reserved_bytes
    doubled = with_copies(thick, 2 * used, 1, 2)
    assert 2 * used - reserved == doubled.used_after - doubled.used_before
    assert any("are reserved (refreservation) and not written" in each for each in doubled.notes)


def test_removing_waits_for_a_spare_or_a_replacement_as_its_plan_says() -> None:
    live = now("mirror:2 x2", used=0.3)
    child, *rest = live.pool.vdevs[0].children
    nested = replace(live.pool.vdevs[0], children=(group("spare-0", child, disk("s")), *rest))
    held = replace(live, pool=replace(live.pool, vdevs=(nested, *live.pool.vdevs[1:])))

    assert "while spare-0 is not done" in what_if.remove(held, "mirror-1", USUAL).notes[0]
    assert "not done" not in " ".join(what_if.remove(live, "mirror-1", USUAL).notes)


@pytest.mark.parametrize(
    ("message", "text", "name", "used"),
    [
        ("a raidz or draid vdev cannot be removed", "raidz1:3 mirror:2", "mirror-1", 0.1),
        ("the only vdev with data", "mirror:2 special mirror:2", "mirror-0", 0.1),
        ("have room for", "mirror:2 x2", "mirror-0", 0.9),
        ("has no data vdev mirror-7", "mirror:2 x2", "mirror-7", 0.1),
    ],
)
def test_what_cannot_be_removed(message: str, text: str, name: str, used: float) -> None:
    with pytest.raises(UsageError, match=message):
        what_if.remove(now(text, used=used), name, USUAL)


def test_a_disk_attached_to_a_mirror_brings_no_space() -> None:
    with pytest.raises(UsageError, match="is not a raidz"):
        what_if.attach(now("mirror:2"), "mirror-0", exactly(TB), USUAL)


def test_no_disk_is_spared_from_a_vdev_that_has_lost_its_redundancy() -> None:
    live = now("mirror:2 x2", used=0.3)
    first, second = live.pool.vdevs[0].children
    weak = replace(live.pool.vdevs[0], children=(first, replace(second, state="FAULTED")))
    held = replace(live, pool=replace(live.pool, vdevs=(weak, *live.pool.vdevs[1:])))

    found = what_if.replace_all(held, "mirror-0", exactly(2 * TB), USUAL)

    assert any("not now: no redundancy left in mirror-0" in each for each in found.notes)
    whole = what_if.replace_all(live, "mirror-0", exactly(2 * TB), USUAL)
    assert not any("not now" in each for each in whole.notes)
