"""Gathering reads a host once: all of it, or the part that answers, with the reason for the rest."""

from __future__ import annotations

import asyncio
import json

import pytest

from tests.conftest import CAPTURES
from tests.doubles.machines import host_of
from tests.doubles.scripted_host import HANG, Answer, ScriptedHost, failed
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, ZfsMissing
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather, read_pool_names
from zconsole.collect.read_pool_status_and_space import read_pool
from zconsole.hosts.host import CannotListFolders, Command
from zconsole.hosts.host_wrapper import HostWrapper
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.zfs.listing.pool_list import list_columns

SERIES = ["2.1", "2.3", "2.4"]


@pytest.mark.parametrize("series", SERIES)
async def test_every_series_gives_the_same_facts(series: str) -> None:
    """Sizes, space and states do not depend on whether the host knows JSON."""
    state = await gather(host_of(series, "healthy-mirrors"), ManualClock())

    pool = state.pools[0].pool.value
    assert "" == state.pools[0].pool.problem
    assert pool is not None
    assert ("ONLINE", 24159191040, 12) == (pool.state, pool.size_bytes, pool.ashift)
    assert pool.used_percent is not None
    assert ["data", "data", "special", "log", "cache", "spare"] == [v.vdev_class for v in pool.vdevs]
    assert state.inventory.value is not None
    assert {f"LAB{i:04d}" for i in range(12)} <= {disk.serial for disk in state.inventory.value.disks}


async def test_text_only_versions_get_their_guids_once() -> None:
    """2.1 prints guids for names: asked for beside the status, matched by position."""
    host = host_of("2.1", "healthy-mirrors")
    text = (CAPTURES / "2.1" / "healthy-mirrors" / "zpool_status_vPsit.txt").read_text()
    for number in range(9):
        path = f"/dev/disk/by-id/wwn-0x5000c500a000000{number}-part1"
        text = text.replace(path, f"70000{number:05}".ljust(len(path)))
    host.answers["zpool status -gP"] = text.replace("mirror-0", "4711    ").encode()

    state = await gather(host, ManualClock())

    assert 1 == sum(line.startswith("zpool status -gP") for line in host.commands)
    assert state.pools[0].pool.value is not None
    assert 4711 == state.pools[0].pool.value.vdevs[0].guid


async def test_text_only_versions_get_the_slots_from_the_cachefile() -> None:
    """A pulled disk is then known by its slot, so that the new one in the same slot comes first."""
    host = host_of("2.1", "healthy-mirrors")
    live = CAPTURES / "live" / "2.1"
    for line, name in (
        ("ls -1p /proc/spl/kstat/zfs", "pools_dir.txt"),
        ("zpool status -vsitpP tank", "cached_config_status.txt"),
        ("zpool status -gP tank", "cached_config_guids.txt"),
        ("zdb -C", "cached_config.txt"),
    ):
        host.answers[line] = (live / name).read_bytes()

    state = await gather(host, ManualClock(), pools=("tank",))

    pool = state.pools[0].pool.value
    assert pool is not None
    assert ["pci-0000:00:04.0-scsi-0:0:1:0"] == [
        leaf.phys_path for leaf in pool.walk() if leaf.state == "REMOVED"
    ]


ASHIFT = "zpool get -Hp -o name,value ashift"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (b"{guid}\t9\n", 9),
        (b"", None),
        (failed("zpool get", 1, b"permission denied"), None),
        (b"mirror-0\t9\n", None),
        (HANG, None),
    ],
)
async def test_the_ashift_that_json_does_not_tell_is_asked_for(answer: Answer, expected: int | None) -> None:
    host = host_of("2.4", "healthy-mirrors")
    first = (await gather(host, ManualClock())).pools[0].pool.value
    assert first is not None
    top = first.vdevs[0]
    host.answers[ASHIFT] = (
        answer.replace(b"{guid}", str(top.guid).encode()) if isinstance(answer, bytes) else answer
    )

    (state,) = (await gather(host, ManualClock())).pools

    assert "" == state.pool.problem
    assert state.pool.value is not None
    assert expected == ashift_of(state.pool.value.vdevs[0])


async def test_an_ashift_is_asked_for_once() -> None:
    """Also of a vdev of which nothing was said."""
    host = host_of("2.4", "healthy-mirrors")
    asker, version = Asker(host), ZfsVersion("2.4.0", "2.4.0")
    bare = await read_pool(asker, "tank", version)
    guids = [top.guid for top in bare.vdevs if top.vdev_class == "data"]
    host.answers[ASHIFT] = "".join(f"{guid}\t12\n" for guid in guids).encode()
    known = await read_pool(asker, "tank", version)
    host.commands.clear()

    later = await read_pool(asker, "tank", version, known=known)

    assert {12, None} == {ashift_of(top) for top in later.vdevs}
    assert known.vdevs == later.vdevs
    assert not [each for each in host.commands if each.startswith(ASHIFT)]


async def test_a_suspended_pool_that_hangs_is_told_and_the_host_stays() -> None:
    """The word of kstat stands even though zpool gives none."""
    host = host_of("2.4", "healthy-mirrors")
    host.files["/proc/spl/kstat/zfs/tank/state"] = b"SUSPENDED\n"
    host.answers["zpool status -j"] = HANG

    state = await gather(host, ManualClock())

    assert "SUSPENDED" == state.pools[0].state
    assert "suspended" in state.pools[0].pool.problem


async def test_disks_that_cannot_be_listed_cost_only_themselves() -> None:
    """A container without lsblk still shows its pools."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["lsblk"] = failed("lsblk -J", 127, b"lsblk: not found")

    state = await gather(host, ManualClock())

    assert state.inventory.value is None
    assert "lsblk" in state.inventory.problem
    assert state.pools[0].pool.value is not None


@pytest.mark.parametrize(
    "answer",
    [
        HANG,
        failed("ls -lR /dev/disk", 1, b"ls: reading directory '/dev/disk/by-id': Input/output error"),
        failed("ls -lR /dev/disk", 126, b"Permission denied"),
        b"what is this\n",
    ],
)
async def test_disks_are_listed_without_their_links(answer: Answer) -> None:
    """The pools' own names lead to them by serial number; that the links are missing is a problem."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["ls -l"] = answer

    state = await gather(host, ManualClock())

    known = state.inventory.value
    assert known is not None
    assert 12 <= len(known.disks)
    assert "ls" in state.inventory.problem
    assert state.inventory.problem == known.links_problem


async def test_a_host_without_links_has_none() -> None:
    """A folder that does not exist is no problem: some guests have no udev."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["ls -l"] = failed("ls -lR /dev/disk", 2, b"ls: cannot access '/dev/disk': No such file")

    assert "" == (await gather(host, ManualClock())).inventory.problem


async def test_without_the_kernel_module_the_sentence_says_what_to_load() -> None:
    """The commands are there, the module is not."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["ls -1p"] = failed("ls", 2, b"No such file or directory")
    host.answers["zfs version"] = failed("zfs version", 1, b"The ZFS modules are not loaded.")

    with pytest.raises(ZfsMissing) as error:
        await gather(host, ManualClock())

    assert "modprobe zfs" in error.value.hint


async def test_a_pool_that_is_not_there_is_named_with_those_that_are() -> None:
    """A typing error is answered with the names to choose from."""
    with pytest.raises(CommandFailed) as error:
        await gather(host_of("2.4", "healthy-mirrors"), ManualClock(), pools=("tnak",))

    assert "tnak" in error.value.message
    assert "tank" in error.value.hint


async def test_json_that_zfs_cut_short_gives_way_to_text() -> None:
    """A damaged file with a name that is not UTF-8 must not hide the pool that it is in."""
    folder = CAPTURES / "2.4" / "error-names-binary"
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zpool status -j"] = (folder / "zpool_status.json.cut").read_bytes()
    host.answers["zpool status -vsitpP"] = (folder / "zpool_status_vsitpP.txt").read_bytes()
    host.answers["zpool status -gP"] = (folder / "zpool_status_gP.txt").read_bytes()

    state = await gather(host, ManualClock())

    pool = state.pools[0].pool.value
    assert "" == state.pools[0].pool.problem
    assert pool is not None
    assert pool.error_files
    assert all(vdev.guid for vdev in pool.vdevs)


async def test_what_hangs_is_given_up_in_time_for_the_rest() -> None:
    """Who waits 60 s for everything has a hanging command after 20 s."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zpool list -Hpv"] = HANG

    state = await gather(host, ManualClock(), within_s=60.0)

    assert [20.0] == [command.timeout_s for command in host.lingering]
    assert "no answer within the deadline" in state.pools[0].pool.problem


async def test_what_is_asked_beside_a_reading_that_failed_does_not_go_on() -> None:
    """The other commands of the group are given up with it, and the pool says which one failed."""
    host = host_of("2.4", "healthy-mirrors")
    host.late[" ".join(list_columns("tank").argv)] = asyncio.Event()
    host.answers["zpool list -Hpv"] = failed("zpool list -Hpv tank", 1, b"no such pool")

    state = await gather(host, ManualClock())

    assert "no such pool" in state.pools[0].pool.problem
    assert {asyncio.current_task()} == asyncio.all_tasks()


async def test_a_host_whose_zpool_is_gone_is_an_error_not_a_pool_with_a_problem() -> None:
    """Where zfs answers and zpool does not exist, nothing about the pools is true."""
    host = host_of("2.4", "healthy-mirrors")
    host.answers["zpool"] = failed("zpool status", 127, b"env: zpool: No such file or directory")
    for answer in [line for line in host.answers if line.startswith("zpool ")]:
        del host.answers[answer]

    with pytest.raises(ZfsMissing):
        await gather(host, ManualClock())


@pytest.mark.parametrize(
    ("answer", "resilvering"),
    [
        (failed("zpool status", 1, b"no"), ["slow1", "slow2"]),
        (HANG, ["slow1", "slow2"]),
        (b"cut short", ["slow1", "slow2"]),
        (None, ["slow2"]),
    ],
    ids=["text fails", "text hangs", "text is broken", "text knows"],
)
async def test_which_devices_a_sequential_resilver_is_for_is_asked_of_the_text(
    answer: object, resilvering: list[str]
) -> None:
    """JSON names their mirror only; where text says nothing either, none of them is counted on."""
    folder = CAPTURES / "2.4" / "rebuild-running"
    host = host_of("2.4", "rebuild-running")
    document = json.loads((folder / "zpool_status.json").read_text())
    disks = document["pools"]["tank"]["vdevs"]["tank"]["vdevs"]["mirror-0"]["vdevs"]
    disks["slow2"] = {**disks["slow1"], "name": "slow2", "guid": 7, "path": "/dev/mapper/slow2"}
    host.answers["zpool status -j"] = json.dumps(document).encode()
    lines = (folder / "zpool_status_vsitpP.txt").read_bytes().splitlines(keepends=True)
    at = next(at for at, line in enumerate(lines) if b"/dev/mapper/slow1" in line)
    lines.insert(at + 1, lines[at].replace(b"slow1", b"slow2"))
    lines[at] = lines[at].replace(b"  (resilvering)", b"")
    host.answers["zpool status -vsitpP"] = b"".join(lines) if answer is None else answer

    state = await gather(host, ManualClock())

    pool = state.pools[0].pool.value
    assert pool is not None
    assert resilvering == [leaf.name for leaf in pool.vdevs[0].leaves() if leaf.is_resilvering]


class Listing(HostWrapper):
    """A host that lists folders without a process, and keeps what it told as what `ls` would have printed."""

    lists_folders = True

    def __init__(self, inner: ScriptedHost, names: tuple[str, ...] | Exception) -> None:
        super().__init__(inner)
        self.names = names
        self.kept: list[tuple[str, bytes]] = []

    async def list_folder(self, path: str) -> tuple[str, ...]:
        assert "/proc/spl/kstat/zfs" == path
        if isinstance(self.names, Exception):
            raise self.names
        return self.names

    def keep_answer(self, command: Command, printed: bytes) -> None:
        self.kept.append((" ".join(command.argv), printed))


async def test_pools_are_listed_without_a_process_where_that_is_possible() -> None:
    inner = host_of("2.4", "healthy-mirrors")
    host = Listing(inner, ("zil", "tank/", "arcstats", "bulk/"))

    assert ("bulk", "tank") == await read_pool_names(Asker(host))
    assert [] == inner.commands
    assert [("ls -1p /proc/spl/kstat/zfs", b"arcstats\nbulk/\ntank/\nzil\n")] == host.kept


@pytest.mark.parametrize("refusal", [CannotListFolders("no SFTP"), PermissionError(), FileNotFoundError()])
async def test_where_it_is_not_ls_lists_them(refusal: Exception) -> None:
    host = Listing(host_of("2.4", "healthy-mirrors"), refusal)

    assert ("tank",) == await read_pool_names(Asker(host))
