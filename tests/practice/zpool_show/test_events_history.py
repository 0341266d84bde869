"""`zpool events` and `zpool history` beside real ones."""

from __future__ import annotations

import re

from tests.conftest import CAPTURES
from tests.practice.laboratory import captured, mirrors, run
from zconsole.practice.getopt import getopt
from zconsole.practice.world.host_world import KERNEL_EVENTS, Named, PracticeEvent
from zconsole.practice.world.pools_and_vdevs import MOST_HISTORY
from zconsole.practice.zpool_show.events_history import EVENTS_SHORT, events_text


def test_an_event_is_printed_as_zfs_prints_it() -> None:
    """A change of state, out of the events of a real pool."""
    event = PracticeEvent(
        at=1795218718.580047822,
        event_class="resource.fs.zfs.statechange",
        pool="tank",
        pool_guid=0x9F4136BC3F4222A6,
        eid=0x5B,
        fields=(
            ("vdev_guid", 0xBCB2576DCA2398D9),
            ("vdev_state", Named("OFFLINE", 2)),
            ("vdev_path", "/dev/disk/by-id/wwn-0x5000c500a0000006-part1"),
            ("vdev_devid", "scsi-35000c500a0000006-part1"),
            ("vdev_physpath", "pci-0000:00:04.0-scsi-0:0:6:0"),
            ("vdev_laststate", Named("ONLINE", 7)),
        ),
    )

    text = events_text([event], getopt(["-v"], EVENTS_SHORT))

    real = captured("zpool_events_v.txt", CAPTURES / "2.4" / "checksum-errors")
    body = re.sub(r"time = .*", "time", text.partition("\n")[2])
    assert body in re.sub(r"time = .*", "time", real)
    assert re.fullmatch(
        r"Nov 20 2026 23:51:58\.580\d{6} resource\.fs\.zfs\.statechange", text.partition("\n")[0]
    )


def test_the_events_of_a_new_pool_are_those_of_a_real_one() -> None:
    theirs = captured("zpool_events_v.txt").split("\n\n")[:45]
    ours = run(mirrors(), "zpool events -v").stdout.split("\n\n")[:45]

    for their, our in zip(theirs, ours, strict=True):
        assert _fields(their) == _fields(our)
    assert "TIME                           CLASS" == ours[0].split("\n")[0]


def _fields(event: str) -> list[str]:
    masked = re.sub(r"uts [^\"]*", "uts", event)
    lines = [re.sub(r"0x[0-9a-f]+", "0x", line) for line in masked.split("\n") if line.startswith(" ")]
    return [re.sub(r"tank\"|storage\d*\"", '"', line) for line in lines]


def test_without_verbosity_an_event_is_a_line() -> None:
    lines = run(mirrors(), "zpool events").stdout.split("\n")
    scripted = run(mirrors(), "zpool events -H").stdout.split("\n")

    assert re.fullmatch(r"\w{3} \d\d 2026 [\d:.]{18} sysevent\.fs\.zfs\.pool_create", lines[1])
    assert re.fullmatch(r"\w{3} \d\d 2026 [\d:.]{18}\tsysevent\.fs\.zfs\.pool_create", scripted[0])


def test_the_history_of_a_new_pool_is_that_of_a_real_one() -> None:
    masks = (r"\d{4}-\d\d-\d\d\.\d\d:\d\d:\d\d", r"uts .*x86_64")
    theirs = [line for line in captured("zpool_history_il.txt").split("\n") if "(54)" not in line][:49]
    ours = run(mirrors(), "zpool history -il").stdout.split("\n")

    for mask in masks:
        theirs = [re.sub(mask, "", line) for line in theirs]
        ours = [re.sub(mask, "", line) for line in ours]
    assert theirs == ours[:49]
    assert ["", ""] == ours[-2:]


def test_history_keeps_internal_records_and_users_for_those_who_ask() -> None:
    text = run(mirrors(), "zpool history").stdout

    assert "[txg:" not in text
    assert "[user" not in text
    assert "zpool create -o ashift=12 -O compression=lz4 tank mirror /dev/disk/by-id/wwn-" in text


def test_a_full_history_keeps_the_creation_of_its_pool_and_the_newest() -> None:
    world = mirrors()
    tank = world.pools["tank"]
    first = tank.history[0]
    for number in range(MOST_HISTORY + 5):
        world.note(tank, f"zfs snapshot tank@{number}")

    assert MOST_HISTORY == len(tank.history)
    assert first is tank.history[0]
    assert f"zfs snapshot tank@{MOST_HISTORY + 4}" == tank.history[-1].text


def test_the_kernel_keeps_the_last_events_and_counts_on() -> None:
    world = mirrors()
    first = world.next_eid
    for number in range(KERNEL_EVENTS + 10):
        world.report(world.pools["tank"], "resource.fs.zfs.statechange", ("vdev_guid", number))

    assert KERNEL_EVENTS == len(world.events)
    assert first + KERNEL_EVENTS + 9 == world.events[-1].eid
    assert [world.events[-1]] == list(world.events_from(world.next_eid - 1))
    assert KERNEL_EVENTS == len(world.events_from(0))
    assert () == world.events_from(world.next_eid)
