"""What holds paths of guests: links followed, loop devices and missing disks read where they are needed."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.analysis.dependencies.dataset_or_device_of_path import PathHolders
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_holders_of_paths import HostStorage, read_holders_of_paths
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.system.mounts_and_boot_pools import Mount

MOUNTS = (
    Mount("/dev/sda1", "/", "ext4"),
    Mount("tank/vm", "/tank/vm", "zfs"),
    Mount("/dev/loop0", "/loop", "ext4"),
)
SDA = Disk("sda", "/dev/sda", "disk", children=(Disk("sda1", "/dev/sda1", "part"),))
LOOP = Disk("loop0", "/dev/loop0", "loop")
LSBLK = (
    b'{"blockdevices": [{"name": "sda", "path": "/dev/sda", "type": "disk", "children": ['
    b'{"name": "sda1", "path": "/dev/sda1", "type": "part"}]},'
    b'{"name": "loop0", "path": "/dev/loop0", "type": "loop"}]}'
)


def host(real: bytes) -> ScriptedHost:
    made = ScriptedHost()
    made.answers = {"realpath": real, "lsblk": LSBLK, "ls -lR /dev/disk": b""}
    made.files["/sys/block/loop0/loop/backing_file"] = b"/tank/vm/disk.img\n"
    return made


async def held(made: ScriptedHost, path: str, *disks: Disk) -> PathHolders:
    asker = Asker(made)
    storage = HostStorage(MOUNTS, {}, Inventory(disks))
    return (await read_holders_of_paths(asker, Privilege(asker, User("root", 0)), [path], storage))[path]


async def test_a_path_over_a_folder_that_is_a_link_is_where_the_link_leads() -> None:
    made = host(b"/tank/vm/a.raw\0")

    found = await held(made, "/srv/link/a.raw", SDA)
    assert PathHolders(("tank/vm",)) == found
    assert "/tank/vm/a.raw" == found.real_path
    assert 1 == len(made.commands)


async def test_the_file_of_a_loop_device_is_read_where_a_path_is_on_one() -> None:
    made = host(b"/loop/a.raw\0")

    assert PathHolders(("tank/vm",)) == await held(made, "/loop/a.raw", SDA, LOOP)
    assert 1 == len(made.commands)


async def test_disks_are_read_where_the_inventory_lacks_one() -> None:
    made = host(b"/srv/a.raw\0")

    assert PathHolders(elsewhere="ext4 on /dev/sda1") == await held(made, "/srv/a.raw")
    assert ["realpath", "lsblk", "ls"] == [each.split()[0] for each in made.commands]


@pytest.mark.parametrize("answer", [failed("lsblk", 1, b"no"), b"rubbish"])
async def test_where_disks_cannot_be_read_it_is_not_known_and_not_elsewhere(answer: object) -> None:
    made = host(b"/srv/a.raw\0")
    made.answers["lsblk"] = answer

    assert (await held(made, "/srv/a.raw")).unknown


async def test_a_path_whose_links_cannot_be_followed_is_not_said_to_be_elsewhere() -> None:
    made = host(b"")
    made.answers["realpath"] = failed("realpath", 1, b"Permission denied")

    assert "its links could not be followed" == (await held(made, "/srv/a.raw", SDA)).unknown
    assert PathHolders(("tank/vm",)) == await held(made, "/tank/vm/a.raw", SDA)


async def test_a_lost_link_is_told_and_without_paths_nothing_is_asked() -> None:
    made = host(b"")
    made.answers["realpath"] = LinkLost("cut")

    with pytest.raises(LinkLost):
        await held(made, "/srv/a.raw", SDA)
    assert {} == await read_holders_of_paths(Asker(host(b"")), Privilege(Asker(made)), [], HostStorage())
