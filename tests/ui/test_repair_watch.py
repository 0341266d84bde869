"""Repairs while the console is open: derived when facts change, and told once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW, disk, group, host, pool, scrubbed
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import DeviceIdentity, RepairTrouble
from zconsole.ui import repair_watch
from zconsole.ui.repair_watch import DERIVED_EVERY_S, RepairWatch, repair_of, successor

RUNNING = Scan("resilver", "scanning", int(NOW - 600), percent=40.0, errors=0)
ENDED = replace(RUNNING, state="finished", end=int(NOW), percent=100.0)
LEFT = disk("left", "FAULTED", guid=1)
NEW = disk("new", guid=2, is_resilvering=True)
KEPT = disk("kept", guid=3)


def copying() -> HostState:
    """The failed disk is being replaced."""
    mirror = group("mirror-0", group("replacing-0", LEFT, NEW, state="DEGRADED"), KEPT)
    return host(pool(mirror, scan=RUNNING))


def replaced() -> HostState:
    """The resilver has ended."""
    return host(pool(group("mirror-0", replace(NEW, is_resilvering=False), KEPT), scan=ENDED))


def knowing() -> RepairWatch:
    watch = RepairWatch()
    watch.learn(())
    return watch


def test_the_end_of_a_resilver_is_told_once_and_stays_until_it_is_looked_at() -> None:
    watch = knowing()
    assert watch.take_in(copying(), NOW, 0.0) is None

    told = watch.take_in(replaced(), NOW + 1, 1.0)

    assert told is not None
    assert told.words.startswith("tank: the resilver ended")
    assert watch.take_in(replaced(), NOW + 2, 2.0) is None
    assert told == watch.latest
    assert not watch.mark_as_seen("nas1", "another")
    assert watch.mark_as_seen("nas1", "tank")
    assert watch.latest is None
    assert not watch.mark_as_seen("nas1", "tank")


def test_a_pool_that_cannot_be_read_for_a_while_is_no_end() -> None:
    watch = knowing()
    watch.take_in(copying(), NOW, 0.0)
    (of,) = copying().pools
    unread = replace(copying(), pools=(replace(of, pool=replace(of.pool, problem="no answer")),))
    gone = replace(copying(), pools=())

    assert watch.take_in(unread, NOW + 1, 1.0) is None
    assert watch.take_in(gone, NOW + 2, 2.0) is None
    assert watch.take_in(replaced(), NOW + 3, 3.0) is not None


def test_the_after_care_keeps_the_disks_of_the_replacement_before_it() -> None:
    watch = knowing()
    watch.of(copying(), NOW, 0.0)
    (care,) = watch.of(replaced(), NOW + 1, 1.0)
    one = watch.as_one(care)

    assert ("tank", "mirror-0") == (care.vdev, one.vdev)
    assert one.newcomer is not None
    assert ("left", "new") == (one.device.name, one.newcomer.name)
    assert care == knowing().as_one(care)


def test_nothing_is_told_before_the_journal_is_known() -> None:
    watch = RepairWatch()

    assert watch.take_in(copying(), NOW, 0.0) is None
    watch.learn(())
    assert watch.take_in(replaced(), NOW + 1, 1.0) is None
    assert watch.has_seen("nas1")


def test_repairs_are_derived_again_when_a_fact_changed_or_time_passes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    derived: list[float] = []
    monkeypatch.setattr(repair_watch, "repairs", lambda *about: derived.append(about[2]) or ())
    watch, state = knowing(), copying()

    watch.of(state, NOW, 0.0)
    watch.of(replace(state, revision=state.revision + 1), NOW + 1, 1.0)
    assert [NOW] == derived

    watch.of(state, NOW + 9, DERIVED_EVERY_S)
    watch.of(replaced(), NOW + 10, DERIVED_EVERY_S + 0.1)
    watch.learn(())
    watch.of(replaced(), NOW + 11, DERIVED_EVERY_S + 0.2)
    assert [NOW, NOW + 9, NOW + 10, NOW + 11] == derived


def test_what_a_screen_keeps_is_derived_of_this_second_and_serves_the_news(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch, state, derived = knowing(), copying(), []
    monkeypatch.setattr(repair_watch, "repairs", lambda *_: derived.append(1) or ())
    watch.of(state, NOW, 0.0)
    watch.of(state, NOW + 2, 2.0, oldest_s=1.0)
    assert 2 == len(derived)

    watch.take_in(state, NOW + 3, 3.0)

    assert 2 == len(derived)


def test_a_device_is_found_by_guid_or_name_also_as_the_new_disk_and_its_vdev() -> None:
    found = knowing().of(copying(), NOW, 0.0)

    for device in ("1", "left", "2", "new", "mirror-0"):
        assert found[0] == repair_of(found, "tank", device)
    assert repair_of(found, "tank", "kept") is None
    assert repair_of(found, "other", "left") is None


def test_a_repair_goes_on_under_its_key() -> None:
    watch = knowing()
    (before,) = watch.of(copying(), NOW, 0.0)
    later = host(pool(group("mirror-0", LEFT, KEPT), scan=scrubbed(days_ago=1)))
    (after,) = watch.of(later, NOW, 1.0)

    assert after == successor(before, (after,))
    assert successor(before, ()) is None
    (care,) = watch.of(replaced(), NOW, 2.0)
    assert RepairTrouble.AFTER_CARE is care.trouble
    assert care == successor(before, (care,))


def test_a_repair_of_several_disks_is_found_by_each_and_goes_on_with_another_in_front() -> None:
    (before,) = knowing().of(copying(), NOW, 0.0)
    first, second = DeviceIdentity("a", 1), DeviceIdentity("b", 2)
    both = replace(before, device=first, others=(second,), newcomer=None)

    assert both == repair_of([both], "tank", "2") == repair_of([both], "tank", "b")
    turned = replace(both, device=second, others=(first,))
    alone = replace(both, device=second, others=())
    assert turned == successor(both, [turned])
    assert alone == successor(both, [alone])


def test_the_progress_of_a_resilver_derives_no_repair_again(monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[float] = []
    real = repair_watch.repairs

    def counted(state: HostState, entries: object, now: float) -> object:
        derived.append(now)
        return real(state, (), now)

    monkeypatch.setattr(repair_watch, "repairs", counted)
    watch = knowing()
    for second in range(0, 50, 5):
        (of,) = copying().pools
        assert of.pool.value is not None
        scan = replace(RUNNING, percent=40.0 + second, issued_bytes=second << 30, repaired_bytes=second)
        moved = replace(of.pool.value, scan=scan, allocated_bytes=second)
        state = replace(copying(), pools=(replace(of, pool=replace(of.pool, value=moved)),))
        assert watch.take_in(state, NOW + second, float(second)) is None

    assert [NOW] == derived
    assert watch.take_in(replaced(), NOW + 50, 50.0) is not None
    assert 2 == len(derived)
