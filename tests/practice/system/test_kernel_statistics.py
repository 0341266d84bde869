"""Events, history, kernel statistics and block devices beside real ones."""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import CAPTURES
from tests.practice.laboratory import HEALTHY, captured, mirrors, ordered, run, shape
from zconsole.practice import World
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.getopt import getopt
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.system.proc import read_file
from zconsole.practice.world.vdev_states import plug, unplug
from zconsole.practice.world.world import Named, PracticeEvent
from zconsole.practice.zpool_show.events_history import EVENTS_SHORT, events_text

EPOCH = 1_795_219_200.0


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


@pytest.mark.parametrize("name", ["guid", "iostats", "state", "txgs"])
def test_pool_statistics_have_the_lines_of_the_kernel(name: str) -> None:
    theirs = captured(f"kstat_tank_{name}.txt").split("\n")
    ours = read_file(mirrors(), f"/proc/spl/kstat/zfs/tank/{name}").split("\n")

    if name == "txgs":
        assert theirs[0] == ours[0]
        assert shape(theirs[-2]).split()[:3] == shape(ours[-2]).split()[:3]
    else:
        assert [shape(line) for line in theirs] == [shape(line) for line in ours]


def test_dataset_statistics_have_the_lines_of_the_kernel() -> None:
    theirs = captured("kstat_tank_objset-0x36.txt").split("\n")
    ours = read_file(mirrors(), "/proc/spl/kstat/zfs/tank/objset-0x36").split("\n")

    assert [shape(line) for line in theirs[1:]] == [shape(line) for line in ours[1:]]
    assert theirs[2] == ours[2]


def test_the_cache_statistics_have_the_names_of_the_kernel() -> None:
    theirs = captured("arcstats.txt").split("\n")
    ours = read_file(demo_world(EPOCH), "/proc/spl/kstat/zfs/arcstats").split("\n")

    assert theirs[1] == ours[1]
    assert [line.split()[:2] for line in theirs[2:]] == [line.split()[:2] for line in ours[2:]]
    assert [len(line) - len(line.split()[-1]) for line in theirs[2:-1]] == [
        len(line) - len(line.split()[-1]) for line in ours[2:-1]
    ]


@pytest.mark.parametrize("name", ["dmu_tx", "zil"])
def test_statistics_of_the_module_are_those_of_a_named_kstat(name: str) -> None:
    lines = read_file(demo_world(EPOCH), f"/proc/spl/kstat/zfs/{name}").split("\n")

    assert shape(lines[0]).split()[:3] == shape(captured("arcstats.txt").split("\n")[0]).split()[:3]
    assert int(lines[0].split()[3]) == len(lines) - 3
    assert all(re.fullmatch(rf"{name}_\S+ +4    \d+", line) for line in lines[2:-1])


def test_waits_for_a_transaction_group_have_the_buckets_of_the_kernel() -> None:
    world = mirrors()
    nothing = read_file(world, "/proc/spl/kstat/zfs/tank/dmu_tx_assign")
    world.pools["tank"].logical_writes = 1e6

    theirs = captured("kstat_tank_dmu_tx_assign.txt").split("\n")
    ours = read_file(world, "/proc/spl/kstat/zfs/tank/dmu_tx_assign").split("\n")

    assert "" == nothing
    assert [line.split()[:2] for line in theirs[1:]] == [line.split()[:2] for line in ours[1:]]


def test_a_kernel_that_is_told_to_keep_no_txgs_prints_their_titles_only() -> None:
    world = mirrors()
    world.parameters["zfs_txg_history"] = 0

    text = read_file(world, "/proc/spl/kstat/zfs/tank/txgs")

    assert "0\n" == read_file(world, "/sys/module/zfs/parameters/zfs_txg_history")
    assert 1 == text.count("\n")
    with pytest.raises(FileNotFoundError):
        read_file(world, "/sys/module/zfs/parameters/zfs_no_such_thing")


def test_block_statistics_have_seventeen_numbers_a_device() -> None:
    theirs = captured("diskstats.txt").split("\n")
    world = mirrors()

    ours = read_file(world, "/proc/diskstats").split("\n")[:-1]

    assert {17} == {len(line.split()) - 3 for line in ours}
    sda = next(line for line in theirs if " sda " in line)
    assert sda[:15] == next(line for line in ours if " sda " in line)[:15]
    partitions = {line.split()[2] for line in ours}
    assert {"sda1", "sda9", "sdj"} <= partitions
    assert "sdj1" not in partitions


def test_links_to_disks_are_those_of_udev() -> None:
    """The real guest found its disks in another order; the names are the same."""
    theirs = captured("by_id.txt").split("\n")
    ours = run(mirrors(), "ls -l /dev/disk/by-id").stdout.split("\n")

    assert [line.split(" -> ")[0].split()[-1:] for line in theirs] == [
        line.split(" -> ")[0].split()[-1:] for line in ours
    ]
    assert all(
        re.fullmatch(r"lrwxrwxrwx 1 root root (?: 9|10) \w{3} [ \d]\d \d\d:\d\d \S+ -> \S+", line)
        for line in ours[1:-1]
    )
    assert theirs[0] == ours[0]


def test_a_folder_that_is_not_there_is_an_error_and_the_others_are_listed() -> None:
    reply = run(mirrors(), "ls -l /dev/disk/by-id /dev/disk/by-vdev")

    assert 2 == reply.status
    assert "ls: cannot access '/dev/disk/by-vdev': No such file or directory\n" == reply.stderr
    assert reply.stdout.startswith("/dev/disk/by-id:\ntotal 0\n")


def test_all_pools_stand_in_the_kernel_folder() -> None:
    assert ["arcstats", "bulk/", "dmu_tx", "tank/", "vault/", "zil"] == run(
        demo_world(EPOCH), "ls -1p /proc/spl/kstat/zfs"
    ).stdout.split()


def test_many_dataset_statistics_come_with_one_command() -> None:
    text = run(
        mirrors(), "grep -arhE --include=objset-* -e ^(dataset_name|n?writ) /proc/spl/kstat/zfs/tank"
    ).stdout

    assert ["dataset_name", "writes", "nwritten"] == [line.split()[0] for line in text.splitlines()]
    assert "tank" == text.splitlines()[0].split()[-1]
    assert 2 == run(mirrors(), "grep -arh --include=objset-* -e x /proc/spl/kstat/zfs/nosuch").status


def test_block_devices_have_the_members_of_lsblk_in_its_layout() -> None:
    theirs = captured("lsblk.json")
    ours = run(mirrors(), "lsblk -J -b -O").stdout
    their_disk = next(disk for disk in json.loads(theirs)["blockdevices"] if disk["serial"] == "LAB0000")
    our_disk = next(disk for disk in json.loads(ours)["blockdevices"] if disk["serial"] == "LAB0000")
    changing = {"disk-seq", "ptuuid", "partuuid", "partlabel", "uuid", "sched", "id-link", "id", "subsystems"}
    changing |= {"rota", "rand"}

    assert list(their_disk) == list(our_disk)
    for their, our in zip(
        [their_disk, *their_disk.pop("children")], [our_disk, *our_disk.pop("children")], strict=True
    ):
        for name, value in their.items():
            if name not in changing:
                assert value == our[name], name
    assert theirs.split("\n")[:4] == ours.split("\n")[:4]
    assert '"wwn": "0x5000c500a0000001",\n' in ours
    assert "\n      },{\n" in ours
    assert '"children": [\n            {\n' in ours
    assert theirs.endswith("      }\n   ]\n}\n")
    assert ours.endswith("      }\n   ]\n}\n")


def test_lsblk_tells_of_the_drives_that_are_named() -> None:
    world = mirrors()
    link = f"/dev/disk/by-id/{world.disks[1].links[0]}"

    one = run(world, f"lsblk -J -o SERIAL -- {link}")
    some = run(world, "lsblk -J -o SERIAL /dev/sda /dev/nosuch")
    none = run(world, "lsblk -J -o SERIAL /dev/nosuch")
    parts = [run(world, f"lsblk -J -o KNAME {path}").stdout for path in (f"{link}-part1", "/dev/sdb1")]

    assert ("LAB0001" in one.stdout, "LAB0000" in one.stdout, one.status) == (True, False, 0)
    assert ("LAB0000" in some.stdout, some.status) == (True, 64)
    assert ("", "lsblk: /dev/nosuch: not a block device\n", 32) == (none.stdout, none.stderr, none.status)
    assert [True, True] == ['"kname": "sdb1"' in part or '"kname":"sdb1"' in part for part in parts]


def test_lsblk_shows_the_columns_that_are_asked_for() -> None:
    text = run(mirrors(), "lsblk -J -b -o NAME,SIZE,MODEL,SERIAL").stdout

    first = json.loads(text)["blockdevices"][0]
    assert ["name", "size", "model", "serial", "children"] == list(first)
    assert "lsblk: unknown column: NOSUCH\n" == run(mirrors(), "lsblk -J -o NOSUCH").stderr


def status_of(world: World) -> str:
    return run(world, "zpool status").stdout


def test_a_pulled_disk_is_gone_everywhere_and_comes_back() -> None:
    world = mirrors()
    disk = world.disk("LAB0001")

    unplug(world, disk)

    assert "LAB0001" not in run(world, "lsblk -J -o SERIAL").stdout
    assert "wwn-0x5000c500a0000001 " not in run(world, "ls -l /dev/disk/by-id").stdout
    assert " sdb " not in read_file(world, "/proc/diskstats")
    status = run(world, "zpool status").stdout
    assert "    wwn-0x5000c500a0000001  REMOVED      0     0     0\n" in status
    assert " state: DEGRADED\nstatus: One or more devices have been removed.\n" in status
    assert 'vdev_state = "REMOVED" (0x3)' in run(world, "zpool events -v").stdout
    plug(world, disk)
    assert " state: ONLINE\nstatus: One or more devices is currently being resilvered." in status_of(world)
    Simulation(world).advance(30.0)
    assert " state: ONLINE\n  scan: resilvered " in status_of(world)


def test_a_pool_that_lost_a_whole_vdev_is_suspended() -> None:
    world = mirrors()

    for serial in ("LAB0000", "LAB0001"):
        unplug(world, world.disk(serial))

    assert "SUSPENDED\n" == read_file(world, "/proc/spl/kstat/zfs/tank/state")


@pytest.mark.parametrize(
    ("command", "stdout"),
    [
        ("hostname", "storage24\n"),
        ("uname -n", "storage24\n"),
        ("id -u", "0\n"),
        ("cat /etc/hostname", "storage24\n"),
        ("cat /sys/module/zfs/version", "2.4.4-1~bpo13+1\n"),
        ("zfs version", "zfs-2.4.4-1~bpo13+1\nzfs-kmod-2.4.4-1~bpo13+1\n"),
        ("/usr/sbin/zpool version", "zfs-2.4.4-1~bpo13+1\nzfs-kmod-2.4.4-1~bpo13+1\n"),
    ],
)
def test_small_commands_answer(command: str, stdout: str) -> None:
    assert stdout == run(mirrors(), command).stdout


def test_versions_are_those_of_the_captures() -> None:
    folder = HEALTHY.parent / "version"

    assert captured("zpool_version.json", folder) == run(mirrors(), "zpool version -j").stdout
    assert captured("zfs_version.txt", folder) == run(mirrors(), "zfs version").stdout
    assert captured("uname.txt", folder).split()[:2] == run(mirrors(), "uname -a").stdout.split()[:2]


def test_nothing_is_importable() -> None:
    reply = run(mirrors(), "zpool import")

    assert (captured("zpool_import.txt"), captured("zpool_import.txt.err"), 0) == (
        reply.stdout,
        reply.stderr,
        reply.status,
    )


@pytest.mark.parametrize("file", ["zpool_status_v.txt", "zpool_iostat_human.txt", "zfs_list.json"])
def test_a_host_without_pools_says_so(file: str) -> None:
    command = {
        "zpool_status_v.txt": "zpool status -v",
        "zpool_iostat_human.txt": "zpool iostat -vl",
        "zfs_list.json": "zfs list -j --json-int -t all",
    }[file]
    folder = CAPTURES / "2.4" / "no-pools"
    status = folder / f"{file}.rc"

    reply = run(World("empty", now=EPOCH), command)

    assert captured(file, folder) == reply.stdout
    assert captured(f"{file}.err", folder) == reply.stderr
    assert (int(status.read_text()) if status.exists() else 0) == reply.status


@pytest.mark.parametrize(
    ("command", "status", "said"),
    [
        ("frobnicate", 127, "frobnicate: command not found\n"),
        ("zpool frobnicate", 2, "unrecognized command 'frobnicate'\nusage: zpool command args ...\n"),
        ("zpool", 2, "missing command\nusage: zpool command args ...\n"),
        ("zfs frobnicate", 2, "unrecognized command 'frobnicate'\nusage: zfs command args ...\n"),
        ("zpool status -Z", 2, "invalid option 'Z'\nusage:\n\tstatus "),
        ("zpool list -o", 2, "missing argument for 'o' option\nusage:\n\tlist "),
        ("zpool list -o nosuch", 2, "bad property list: invalid property 'nosuch'\n"),
        ("zfs list -o nosuch", 2, "bad property list: invalid property 'nosuch'\n"),
        ("zfs list -t nosuch", 2, "invalid type 'nosuch'\n"),
        ("zpool list nosuch", 1, "cannot open 'nosuch': no such pool\n"),
        ("zpool prefetch tank", 1, "zpool prefetch: the practice host does not do this\n"),
        ("cat /nosuch", 1, "cat: /nosuch: No such file or directory\n"),
    ],
)
def test_what_it_does_not_know_is_refused(command: str, status: int, said: str) -> None:
    reply = run(mirrors(), command)

    assert status == reply.status
    assert "" == reply.stdout
    assert reply.stderr.startswith(said)


def test_reading_changes_nothing() -> None:
    """What only looks leaves the pool as it is."""
    world = mirrors()
    before = ordered(run(world, "zpool status -j --json-int -vsit").stdout)
    for command in (
        "zpool list -v",
        "zpool iostat -vl",
        "zfs list -t all",
        "zpool history",
        "zpool import",
        "zpool get all tank mirror-0",
    ):
        run(world, command)

    assert before == ordered(run(world, "zpool status -j --json-int -vsit").stdout)
