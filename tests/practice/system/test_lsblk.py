"""`lsblk -J` beside a real one."""

from __future__ import annotations

import json

from tests.practice.laboratory import captured, mirrors, run
from tests.practice.zpool.bench import GIB, Bench
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.drives import Holder, Signature
from zconsole.system.lsblk import parse_lsblk


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

    assert (True, False, 0) == ("LAB0001" in one.stdout, "LAB0000" in one.stdout, one.status)
    assert (True, 64) == ("LAB0000" in some.stdout, some.status)
    assert ("", "lsblk: /dev/nosuch: not a block device\n", 32) == (none.stdout, none.stderr, none.status)
    assert [True, True] == ['"kname": "sdb1"' in part or '"kname":"sdb1"' in part for part in parts]


def test_lsblk_shows_the_columns_that_are_asked_for() -> None:
    text = run(mirrors(), "lsblk -J -b -o NAME,SIZE,MODEL,SERIAL").stdout

    first = json.loads(text)["blockdevices"][0]
    assert ["name", "size", "model", "serial", "children"] == list(first)
    assert "lsblk: unknown column: NOSUCH\n" == run(mirrors(), "lsblk -J -o NOSUCH").stderr


def test_lsblk_shows_what_is_on_each_drive() -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (
        Signature("crypto_LUKS", holder=Holder("dm-0", "luks-x", "crypt", 8 * GIB, "xfs", "/x")),
    )
    bench.disk(3).signatures = (
        Signature("ext4", "root", "/", number=1),
        Signature("swap", "", "[SWAP]", number=2),
    )
    bring(bench.world, "old", ["LAB0004"], host="attic", days_ago=900)

    document = json.loads(bench.do("lsblk -J -b -o NAME,TYPE,FSTYPE,LABEL,MOUNTPOINTS"))

    by_name = {item["name"]: item for item in document["blockdevices"]}
    assert "crypto_LUKS" == by_name["sdc"]["fstype"]
    assert ("luks-x", "crypt", "xfs", ["/x"]) == tuple(
        by_name["sdc"]["children"][0][key] for key in ("name", "type", "fstype", "mountpoints")
    )
    assert [("ext4", ["/"]), ("swap", ["[SWAP]"])] == [
        (part["fstype"], part["mountpoints"]) for part in by_name["sdd"]["children"]
    ]
    assert ("zfs_member", "old") == tuple(by_name["sde"]["children"][0][key] for key in ("fstype", "label"))
    assert ("zfs_member", "tank") == tuple(by_name["sda"]["children"][0][key] for key in ("fstype", "label"))
    assert "children" not in by_name["sdf"]
    assert len(bench.world.disks) == len(parse_lsblk(bench.do("lsblk -J -b -O")))
