"""What ZFS itself says of a slow disk: agrees, does not see it, or is not known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conftest import CAPTURES
from tests.ui import watched
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import (
    NOTHING,
    ZfsFacts,
    ZfsView,
    sentences,
    zfs_view,
)
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Count, Pool, Vdev
from zconsole.model.pools.slow_disk import SitOuts, SlowDiskVerdict
from zconsole.zfs.listing.events import parse_events
from zconsole.zfs.status.status import parse_status

NEW, OLD = ZfsVersion("zfs-2.4.1-1"), ZfsVersion("zfs-2.3.5-1")
TOP, LEAF = 100, 203
SINCE = 1_800_000_000.0


def pool(slow_ios: int | None = 0) -> Pool:
    """A raidz2 of five, whose fourth disk is slow."""
    leaves = tuple(
        Vdev(
            f"d{at}", "disk", "data", "ONLINE", path=f"/dev/d{at}", guid=200 + at,
            slow_ios=None if slow_ios is None else Count(slow_ios if at == 3 else 0),
        )
        for at in range(5)
    )  # fmt: skip
    top = Vdev("raidz2-0", "raidz2", "data", "ONLINE", guid=TOP, children=leaves)
    return Pool("tank", "ONLINE", 1, (top,))


def verdict(**more: object) -> SlowDiskVerdict:
    return watched.verdict(
        disk="d3", vdev="raidz2-0", shape="raidz", first_at=SINCE, last_at=SINCE + 60, **more
    )


def event(name: str, at: float = SINCE + 5, guid: int = LEAF) -> Event:
    return Event(at, f"ereport.fs.zfs.{name}", "tank", 1, (("vdev_guid", f"0x{guid:x}"),))


def became(state: str, at: float = SINCE + 5) -> Event:
    return Event(
        at,
        "resource.fs.zfs.statechange",
        "tank",
        1,
        (("vdev_guid", f"0x{LEAF:x}"), ("vdev_state", f'"{state}" (0x6)')),
    )


def marked(state: str, note: str, *, slow_ios: int = 0, checksum_errors: int = 0) -> Pool:
    """The raidz2, with this state of the slow disk."""
    of = pool(slow_ios)
    (top,) = of.vdevs
    children = tuple(
        replace(each, state=state, note=note, checksum_errors=Count(checksum_errors))
        if each.guid == LEAF
        else each
        for each in top.children
    )
    return replace(of, vdevs=(replace(top, children=children),))


def said(known: ZfsFacts, of: Pool | None = None) -> tuple[ZfsView, str]:
    view = zfs_view(verdict(), of or pool(), known)
    return view, "\n".join(sentences(view))


def test_a_disk_that_zfs_does_not_see() -> None:
    view, text = said(ZfsFacts(NEW, (), SitOuts(((TOP, False),), ((LEAF, False),)), ()))

    assert view.agrees is False
    assert "it has counted no slow I/O on this disk: it counts those of 30 s and more" in text
    assert "no delay or deadman event of this disk since then" in text
    assert "autosit is off for raidz2-0, so no disk of it can sit out" in text
    assert "the disk is ONLINE now: for slow I/O ZED degrades a disk only where" in text


@pytest.mark.parametrize(
    ("known", "of", "words"),
    [
        (ZfsFacts(NEW, (), None, ((LEAF, SINCE + 9),)), pool(3), "3 slow I/Os of 30 s and more on this"),
        (ZfsFacts(NEW, (), None, ((LEAF, SINCE + 9),)), pool(3), "and the count rises"),
        (ZfsFacts(NEW, (), None, ((LEAF, SINCE + 9),)), pool(1), "it agrees: 1 slow I/O of 30 s and more"),
        (ZfsFacts(NEW, (event("delay"), event("delay")), None, ()), pool(), "since then: 2 delay, 0 deadman"),
        (ZfsFacts(NEW, (event("deadman"),), None, ()), pool(), "since then: 0 delay, 1 deadman"),
        (ZfsFacts(NEW, (), SitOuts(((TOP, True),), ((LEAF, True),)), ()), pool(), "autosit let it sit out"),
        (ZfsFacts(NEW, (event("sitout"),), None, ()), pool(), "autosit let it sit out"),
        (
            ZfsFacts(NEW, (), None, ()),
            marked("DEGRADED", "too many slow I/Os", slow_ios=11),
            "the disk is DEGRADED (too many slow I/Os), and slow I/Os are all that is counted",
        ),
        (
            ZfsFacts(OLD, None, None, ()),
            marked("DEGRADED", "too many errors", slow_ios=11),
            "the disk is DEGRADED (too many errors), and slow I/Os are all that is counted",
        ),
    ],
)  # fmt: skip
def test_a_disk_that_zfs_sees_too(known: ZfsFacts, of: Pool, words: str) -> None:
    view, text = said(known, of)

    assert view.agrees is True
    assert words in text


def test_slow_ios_that_were_counted_before_do_not_agree() -> None:
    view, text = said(ZfsFacts(NEW, (), None, ((LEAF, SINCE - 9),)), pool(1))

    assert view.agrees is False
    assert "\n".join(sentences(view)).startswith(
        "1 slow I/O of 30 s and more on this disk, none of them since"
    )
    assert "it agrees" not in text
    assert None is said(ZfsFacts(NEW, None, None, None), pool(1))[0].agrees


def test_what_is_of_another_disk_or_of_before_does_not_count() -> None:
    events = (event("delay", guid=201), event("delay", at=SINCE - 60), event("sitout", guid=TOP))
    view, _ = said(
        ZfsFacts(NEW, events, SitOuts(((TOP, True),), ((201, True), (LEAF, False))), ((201, SINCE),))
    )

    assert view.agrees is False
    assert (0, 0, False, False) == (view.delays, view.deadmen, view.sits_out, view.has_risen)


def test_a_disk_that_no_longer_sits_out_is_not_said_to() -> None:
    _, text = said(ZfsFacts(NEW, (event("sitout"),), SitOuts(((TOP, True),), ((LEAF, False),)), ()))

    assert "autosit is on for raidz2-0, and does not let this disk sit out" in text


def test_what_is_not_known_is_not_said_to_be_otherwise() -> None:
    view, text = said(NOTHING, pool(None))

    assert view.agrees is None
    assert (None,) * 4 == (view.has_risen, view.delays, view.autosit, view.sits_out)
    assert "its count of slow I/Os is not known" in text
    assert "the events are not known, because only root may read them" in text
    assert "whether autosit is on is not known" in text
    assert "the disk is ONLINE now" in text


def test_a_disk_that_has_left_the_pool_has_no_state() -> None:
    gone = zfs_view(replace(verdict(), disk="gone"), pool(), ZfsFacts(NEW, (), None, ()))

    assert not [each for each in sentences(gone) if "ZED" in each or "the disk is" in each]


def test_a_disk_that_is_degraded_for_checksum_errors_is_not_said_to_be_for_slow_io() -> None:
    view, text = said(
        ZfsFacts(NEW, (), None, ()), marked("DEGRADED", "too many errors", checksum_errors=5200)
    )

    assert view.is_degraded is None
    assert view.agrees is False
    assert "the disk is DEGRADED (too many errors): whether for slow I/O or for errors, ZFS does not" in text


def test_a_disk_that_was_cleared_was_degraded_all_the_same() -> None:
    _, text = said(ZfsFacts(NEW, (became("DEGRADED"), became("ONLINE", SINCE + 60)), None, ()))
    _, before = said(ZfsFacts(NEW, (became("DEGRADED", SINCE - 60),), None, ()))

    assert (
        "the disk is ONLINE now, and was DEGRADED from 2027-01-15 08:00:05 UTC on, as an event says" in text
    )
    assert "was DEGRADED" not in before


def test_where_there_is_no_autosit_it_is_said() -> None:
    assert "OpenZFS before 2.4 has no autosit" in said(ZfsFacts(OLD))[1]
    mirrored = zfs_view(replace(verdict(), shape="mirror"), pool(), ZfsFacts(NEW))
    assert "autosit is for raidz and dRAID only" in "\n".join(sentences(mirrored))


@pytest.mark.parametrize("series", ["2.1", "2.4"])
def test_the_events_and_counts_of_a_real_slow_disk_agree(series: str) -> None:
    """A device that took a minute for each read: ZFS counted, and posted delay events."""
    folder, version = CAPTURES / series / "slow-ios", ZfsVersion(f"zfs-{series}.9-1")
    status = folder / ("zpool_status.json" if version.has_json else "zpool_status_sitpP.txt")
    guids = folder / "zpool_status_gP.txt"
    (real,) = parse_status(status.read_bytes(), version)
    events = parse_events((folder / "zpool_events_v.txt").read_text())
    top, leaf = next(
        (top, leaf) for top in real.vdevs for leaf in top.leaves() if leaf.slow_ios and leaf.slow_ios.value
    )
    assert guids.exists()
    seen = replace(verdict(), disk=leaf.name, vdev=top.name, shape="mirror", first_at=0.0)

    view = zfs_view(seen, real, ZfsFacts(version, events))

    assert view.agrees is True
    assert view.slow_ios
    assert view.delays
    assert f"events of this disk since then: {view.delays} delay" in "\n".join(sentences(view))
