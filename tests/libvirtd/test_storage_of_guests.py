"""What a real libvirtd can say of a guest's storage, mapped to a dataset or said not to be known."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.libvirtd.sandbox import GUESTS, Sandbox
from tests.libvirtd.test_guest_actions import Commands, commands
from tests.system.libvirt.test_libvirt_python_child import needs_binding

__all__ = ("commands",)  # the fixture

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

DATASET = "tank/vm/files"  # mounted on FOLDER, as the host behind SSH says
FOLDER, LINK = f"{GUESTS}/files", f"{GUESTS}/link"
POOL = f"<pool type='dir'><name>vms</name><target><path>{FOLDER}</path></target></pool>"
VOLUME = "<disk type='volume' device='disk'><source pool='vms' volume='a b.raw'/>{}</disk>"
FILE = "<disk type='file' device='disk'><source file='{}'/>{}</disk>"
TARGET = "<target dev='vda' bus='virtio'/>"
SHARE = "<filesystem type='mount' accessmode='mapped'><source dir='{}'/><target dir='data'/></filesystem>"
SERIAL = "<serial type='file'><source path='{}'/></serial>"


@pytest.fixture
def pool(virt: Sandbox) -> Sandbox:
    """A storage pool of libvirt with a volume, and a link to its folder; at the end they are gone."""
    folder = virt.storage("files", "64m")
    assert FOLDER == folder
    virt.run("ln", "-sfn", FOLDER, LINK)
    virt.path(f"{GUESTS}/pool.xml").write_text(POOL)
    virt.virsh("pool-define", f"{GUESTS}/pool.xml")
    virt.virsh("pool-start", "vms")
    virt.virsh("vol-create-as", "vms", "a b.raw", "1M")
    return virt


@pytest.fixture(autouse=True)
def _no_pool(virt: Sandbox) -> Any:
    yield
    virt.virsh("pool-destroy", "vms", check=False)
    virt.virsh("pool-undefine", "vms", check=False)


def define(virt: Sandbox, name: str, devices: str, *, starts: bool = True) -> None:
    """A guest with these devices; it has nothing to boot from, and runs all the same."""
    virt.path(f"{GUESTS}/{name}.xml").write_text(
        f"<domain type='qemu'><name>{name}</name><memory unit='MiB'>16</memory>"
        "<os><type machine='pc'>hvm</type></os>"
        f"<devices>{devices}<memballoon model='none'/></devices></domain>"
    )
    virt.virsh("define", f"{GUESTS}/{name}.xml")
    if starts:
        virt.virsh("start", name)


def raw(virt: Sandbox, path: str) -> str:
    virt.run("truncate", "-s", "1M", path)
    return path


def told(document: str) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in json.loads(document)["guests"]}


def test_volumes_of_pools_links_and_shares_are_on_their_dataset(pool: Sandbox, commands: Commands) -> None:
    raw(pool, f"{FOLDER}/x.raw")
    pool.run("mkdir", "-p", f"{FOLDER}/shared")
    define(pool, "poolvol", VOLUME.format(TARGET))
    define(pool, "off", VOLUME.format(TARGET), starts=False)
    define(pool, "symlink", FILE.format(f"{LINK}/x.raw", TARGET))
    define(pool, "share", SHARE.format(f"{LINK}/shared") + SERIAL.format(f"{FOLDER}/share.log"))

    done = commands.run("guests", "--json")

    assert 0 == done.returncode, done.stderr
    guests = told(done.stdout)
    for name, path in (
        ("poolvol", f"{FOLDER}/a b.raw"),
        ("off", f"{FOLDER}/a b.raw"),
        ("symlink", f"{LINK}/x.raw"),
    ):
        (image,) = guests[name]["disks"][0]["images"]
        assert (path, DATASET, None) == (image["path"], image["on"], image["not_known"]), name
    assert {("shared folder data", DATASET), ("output of serial", DATASET)} <= {
        (each["role"], *each["on"]) for each in guests["share"]["other_storage"]
    }
    plan = commands.run("plan", "destroy", DATASET)
    for name in ("poolvol", "symlink", "share"):
        assert f"guest {name} is on {DATASET}" in plan.stdout, plan.stdout


def test_a_volume_of_a_pool_that_is_not_active_is_not_known_and_a_plan_and_a_freeze_say_so(
    pool: Sandbox, commands: Commands
) -> None:
    define(pool, "poolvol", VOLUME.format(TARGET))
    pool.virsh("pool-destroy", "vms")

    (image,) = told(commands.run("guests", "--json").stdout)["poolvol"]["disks"][0]["images"]
    plan = commands.run("plan", "destroy", DATASET)
    frozen = commands.run("plan", "snapshot", f"{DATASET}@a", "--freeze-guests")

    assert (None, True) == (image["on"], "not active" in image["not_known"])
    assert "is not known of: poolvol vda (volume a b.raw of the storage pool vms of libvirt" in " ".join(
        plan.stdout.split()
    )
    assert "no running guest lives on it" not in frozen.stdout
    assert "have to be frozen, is not known: poolvol vda" in " ".join(frozen.stdout.split())


@needs_binding
def test_libvirt_python_tells_the_path_of_a_volume(pool: Sandbox) -> None:
    define(pool, "poolvol", VOLUME.format(TARGET))
    pool.path("/srv/virsh.calls").write_text("")

    guests = told(pool.console("guests", "--json").stdout)

    (image,) = guests["poolvol"]["disks"][0]["images"]
    assert (f"{FOLDER}/a b.raw", None, None) == (image["path"], image["on"], image["not_known"])
    assert [] == pool.calls()
