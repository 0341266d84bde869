"""Guests of a host by virsh and qemu-img, and what their disks are on."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from tests.doubles.scripted_host import HANG, Answer, ScriptedHost, failed
from zconsole.base.errors import CommandFailed, LinkLost, ParseError
from zconsole.collect.concurrent_reads import BATCH
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt
from zconsole.collect.guests.read_guests import LATE, NOT_TOLD, read_guests
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.hosts.host import Command, Completed
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.lsblk import parse_lsblk
from zconsole.zfs.listing.datasets import DATASET_COLUMNS

HERE = CAPTURES / "libvirt" / "9.0"
WEB, DB = "e0f20368-b0cf-4f90-bc00-65f12a552c4b", "53ab802c-5f75-46bd-9b53-b1f4418a81e3"
VIRSH = "virsh -r -q -c qemu:///system"
CHAIN = "qemu-img info -U --backing-chain --output=json -f qcow2 --"
RAW_IMAGE = "qemu-img info -U --backing-chain --output=json -f raw --"
ONE = b'[{"filename": "/tank/vms/raw.img", "format": "raw", "virtual-size": 1048576, "actual-size": 4096}]'
MOUNTS = b"tank /tank zfs rw 0 0\ntank/vms /tank/vms zfs rw 0 0\n/dev/sda1 / ext4 rw 0 0\n"
ZVOL = (
    f"<domain type='kvm'><name>db02</name><uuid>{DB}</uuid><devices>"
    "<disk type='block' device='disk'><driver name='qemu' type='raw' cache='none'/>"
    "<source dev='/dev/zvol/tank/db'/><target dev='vda'/></disk></devices></domain>"
).encode()
BOOTED = b"/root/.cache/zfslab/2.1/vmlinuz\0/root/.cache/zfslab/2.1/initrd.img\0"
LSBLK = (
    b'{"blockdevices": [{"name": "sda", "path": "/dev/sda", "type": "disk", "children": ['
    b'{"name": "sda1", "path": "/dev/sda1", "type": "part"}]}]}'
)
DISKS = Inventory(parse_lsblk(LSBLK.decode()))
LINKS = (
    b"/dev/zvol:\ntotal 0\ndrwxr-xr-x 2 root root 60 Nov 20 06:00 tank\n\n/dev/zvol/tank:\ntotal 0\n"
    b"lrwxrwxrwx 1 root root 9 Nov 20 06:00 db -> ../../zd0\n"
)


def listed(name: str, kind: str) -> bytes:
    """A dataset as `zfs list` prints it."""
    known = {"name": name, "type": kind, "recordsize": "131072", "volblocksize": "16384"}
    return ("\t".join(known.get(column, "-") for column in DATASET_COLUMNS) + "\n").encode()


def host() -> ScriptedHost:
    """One guest on files of a dataset, one on a volume, both off."""
    made = ScriptedHost()
    made.answers = {
        f"{VIRSH} domstats": (HERE / "domstats_off.txt").read_bytes(),
        f"{VIRSH} list --all": f"{WEB}\n{DB}\n\n".encode(),
        f"{VIRSH} dumpxml {WEB}": (HERE / "dumpxml_off.xml").read_bytes(),
        f"{VIRSH} dumpxml {DB}": ZVOL,
        f"{CHAIN} /tank/vms/web01.qcow2": (HERE / "qemu-img_chain.json").read_bytes(),
        f"{RAW_IMAGE} /tank/vms/raw.img": ONE,
        "ls -lR /dev/zvol": LINKS,
        "lsblk": LSBLK,
        "ls -lR /dev/disk": b"",
        "zfs list -Hp -o name,type,used": listed("tank/vms", "filesystem") + listed("tank/db", "volume"),
        "realpath": b"/tank/vms/web01.qcow2\0/tank/vms/raw.img\0/tank/vms/base.qcow2\0" + BOOTED,
    }
    made.files["/proc/mounts"] = MOUNTS
    return made


async def guests_of(made: ScriptedHost) -> tuple[Guest, ...]:
    await made.connect()
    asker = Asker(made)
    return await read_guests(asker, Privilege(asker, User("root", 0)), DISKS)


async def test_each_image_is_on_its_dataset_and_a_device_on_its_volume() -> None:
    db, web = await guests_of(host())

    assert ("db02", ("tank/db",)) == (db.name, db.places)
    assert ("web01", ("tank/vms",)) == (web.name, web.places)
    assert [True] == [image.is_volume for image in db.disks[0].images]
    assert ["/tank/vms/web01.qcow2", "/tank/vms/base.qcow2"] == [
        image.image.path for image in web.disks[0].images
    ]
    assert [False, False] == [image.is_volume for image in web.disks[0].images]


async def test_what_a_raw_file_takes_is_told_by_its_file_system_and_not_by_libvirt() -> None:
    """By libvirt it is the highest byte that a running guest has written since its start."""
    _, web = await guests_of(host())

    (image,) = web.disks[1].images
    assert 4096 == image.image.allocated_bytes


async def test_an_image_is_opened_in_the_format_of_the_definition_alone() -> None:
    """A guest may write to its raw disk what looks like an image with another one below it."""
    made = host()

    await guests_of(made)

    asked = [command.split()[5:] for command in made.commands if command.startswith("qemu-img")]
    assert [
        ["-f", "qcow2", "--", "/tank/vms/web01.qcow2"],
        ["-f", "raw", "--", "/tank/vms/raw.img"],
    ] == asked


async def test_a_path_leads_where_its_links_lead() -> None:
    made = host()
    made.files["/proc/mounts"] = MOUNTS + b"fast/images /srv/images zfs rw 0 0\n"
    made.answers["realpath"] = b"/srv/images/web01.qcow2\0/tank/vms/raw.img\0/tank/vms/base.qcow2\0" + BOOTED

    _, web = await guests_of(made)

    assert ("fast/images", "tank/vms") == web.places


async def test_the_whole_takes_a_command_for_the_counters_and_one_for_each_guest_and_file() -> None:
    made = host()

    await guests_of(made)

    assert 10 == len(made.commands)


async def test_where_the_link_of_a_volume_leads_is_asked_of_nothing_else() -> None:
    made = host()
    made.answers[f"{VIRSH} list --all"] = f"{DB}\n\n".encode()
    await made.connect()
    asker = Asker(made)
    known = Inventory(
        parse_lsblk(LSBLK.decode().replace("sda1", "sda9").replace('sda"', 'zd0"').replace("/sda", "/zd0"))
    )

    (db, *_) = await read_guests(asker, Privilege(asker, User("root", 0)), known)

    assert ("tank/db",) == db.places
    assert "/dev/zd0" == db.disks[0].images[0].real_path
    assert not [each for each in made.commands if each.startswith(("realpath", "ls -1dL"))]


async def test_a_link_that_leads_to_no_device_of_the_host_may_be_missing() -> None:
    made = host()
    made.answers["ls -1dL -- "] = failed(
        "ls", 2, b"ls: cannot access '/dev/zvol/tank/db': No such file or directory\n"
    )

    db, _ = await guests_of(made)

    assert db.disks[0].images[0].is_missing


async def test_what_holds_the_disks_is_told_with_its_properties() -> None:
    db, web = await guests_of(host())

    (volume,) = (image.dataset for image in db.disks[0].images)
    assert volume is not None
    assert ("tank/db", 16384) == (volume.name, volume.volblocksize_bytes)
    assert [131072, 131072] == [
        image.dataset.recordsize_bytes for image in web.disks[0].images if image.dataset is not None
    ]


@pytest.mark.parametrize("answer", [failed("zfs", 1, b"cannot open"), HANG, b"rubbish"])
async def test_a_pool_that_does_not_answer_costs_the_properties_alone(answer: object) -> None:
    made = host()
    made.answers["zfs list -Hp -o name,type,used"] = answer

    db, web = await guests_of(made)

    assert ("tank/db",) == db.places
    assert {None} == {image.dataset for each in (db, web) for disk in each.disks for image in disk.images}


@pytest.mark.parametrize(
    "answer",
    [failed("qemu-img", 127, b"not found"), failed("qemu-img", 1, b"Permission denied"), b"{}"],
    ids=["absent", "refused", "rubbish"],
)
async def test_where_images_cannot_be_read_the_disk_itself_is_placed_and_why_is_said(answer: object) -> None:
    made = host()
    made.answers[f"{CHAIN} /tank/vms/web01.qcow2"] = answer
    made.answers["realpath"] = b"/tank/vms/web01.qcow2\0/tank/vms/raw.img\0" + BOOTED

    _, web = await guests_of(made)

    assert ("tank/vms",) == web.places
    assert web.disks[0].problem
    assert "" == web.disks[1].problem


async def test_a_path_that_cannot_be_resolved_is_taken_as_it_stands() -> None:
    made = host()
    made.answers["realpath"] = failed("realpath", 1, b"Permission denied")

    _, web = await guests_of(made)

    assert ("tank/vms",) == web.places


async def test_a_guest_that_goes_meanwhile_is_left_out_and_one_that_comes_has_no_state() -> None:
    made = host()
    made.answers[f"{VIRSH} dumpxml {DB}"] = failed("virsh", 1, b"error: Domain not found")
    made.answers[f"{VIRSH} domstats"] = b"\n"
    made.answers["realpath"] = b"/tank/vms/web01.qcow2\0/tank/vms/raw.img\0/tank/vms/base.qcow2\0" + BOOTED

    (web,) = await guests_of(made)

    assert ("web01", GuestState.UNKNOWN) == (web.name, web.status.state)


class FailingOnce(ScriptedHost):
    """A host of which one command fails the first time, and another from then on, if any."""

    def __init__(self, answers: dict[str, Answer], once: str, then: str = "") -> None:
        super().__init__()
        self.answers = dict(answers)
        self.files["/proc/mounts"] = MOUNTS
        self._once, self._then, self._told = once, then, self.answers[once]
        self.answers[once] = ENDED

    async def run(self, command: Command) -> Completed:
        completed = await super().run(command)
        if " ".join(command.argv).startswith(self._once):
            self.answers[self._once] = self._told
            if self._then:
                self.answers[self._then] = ENDED
        return completed


ENDED = failed("virsh", 1, b"error: failed to connect to the hypervisor")


async def test_a_libvirt_that_ends_meanwhile_does_not_make_its_guests_gone() -> None:
    made = FailingOnce(host().answers, f"{VIRSH} dumpxml {DB}", f"{VIRSH} list --all")

    with pytest.raises(CommandFailed):
        await guests_of(made)


async def test_a_guest_is_asked_for_again_where_libvirt_was_restarted_meanwhile() -> None:
    made = FailingOnce(host().answers, f"{VIRSH} dumpxml {DB}")

    assert ["db02", "web01"] == [each.name for each in await guests_of(made)]


async def test_a_host_without_libvirt_is_said_to_be_one() -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = failed("virsh", 127, b"virsh: not found")

    with pytest.raises(NoLibvirt):
        await guests_of(made)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (failed("virsh", 1, b"error: failed to connect to the hypervisor"), CommandFailed),
        (b"rubbish\n", ParseError),
        (LinkLost("gone"), LinkLost),
    ],
)
async def test_a_libvirt_that_does_not_answer_is_an_error(answer: object, error: type[Exception]) -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = answer

    with pytest.raises(error) as raised:
        await guests_of(made)

    assert not isinstance(raised.value, NoLibvirt)


async def test_a_guest_whose_definition_is_not_told_is_named_with_its_state_and_the_reason() -> None:
    made = host()
    made.answers[f"{VIRSH} dumpxml {DB}"] = failed("virsh", 1, b"error: cannot acquire state change lock")

    db, web = await guests_of(made)

    assert ("db02", GuestState.SHUT_OFF, NOT_TOLD, ()) == (db.name, db.status.state, db.unread, db.disks)
    assert (("its storage", NOT_TOLD),) == db.unmapped
    assert ("web01", "") == (web.name, web.unread)


async def test_where_there_is_no_time_for_all_the_others_are_named() -> None:
    made = host()
    uuids = [f"00000000-0000-0000-0000-{at:012d}" for at in range(BATCH)]
    made.answers[f"{VIRSH} list --all"] = "".join(f"{each}\n" for each in (WEB, *uuids, DB)).encode()
    for uuid in uuids:
        made.answers[f"{VIRSH} dumpxml {uuid}"] = failed("virsh", 1, b"error: failed to get domain")
    await made.connect()
    asker = Asker(made)

    found = await read_guests(asker, Privilege(asker, User("root", 0)), DISKS, within_s=0.0)

    assert {"web01": "", "db02": LATE} == {each.name: each.unread for each in found}


async def test_a_guest_that_is_gone_is_not_named() -> None:
    made = host()
    made.answers[f"{VIRSH} list --all"] = f"{WEB}\n".encode()
    made.answers[f"{VIRSH} dumpxml {DB}"] = failed("virsh", 1, b"error: failed to get domain")

    assert ["web01"] == [each.name for each in await guests_of(made)]
