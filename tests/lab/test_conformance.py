"""The practice host and a real one of the same layout answer alike, apart from what chance decides."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from typing import Final

import pytest

from tests.doubles import histograms_since_import
from tests.doubles.iostat_outputs import since_boot
from tests.lab.conftest import series_to_test
from tests.lab.guests import Guest
from zconsole.hosts.host import Command, Host
from zconsole.hosts.host_address import Address
from zconsole.hosts.ssh.connection_options import SshOptions
from zconsole.hosts.ssh.ssh_host import SshHost
from zconsole.practice import PracticeHost, create_world
from zconsole.system.disk_by_id import BY_ID
from zconsole.system.lsblk import LSBLK
from zconsole.zfs.kstat import pool_state_and_kstat_parser
from zconsole.zfs.listing import datasets, events, pool_get, pool_list, root_dataset_space
from zconsole.zfs.listing.version import parse_version
from zconsole.zfs.status import status

SPOKEN: Final = "2.4"  # by the practice host

pytestmark = [
    pytest.mark.lab,
    pytest.mark.timeout(1800),  # the first test boots the guest, or builds it
    pytest.mark.parametrize(
        "guest", [series for series in series_to_test() if series == SPOKEN], indirect=True, scope="session"
    ),
]

LAYOUT: Final = "mirror 0 1 mirror 2 3 special mirror 4 5 log 6 cache 7 spare 8"
DISK_BYTES: Final = 4 << 30
ANSWER_S: Final = 60.0  # for a command in the guest, on a busy machine
VERSION: Final = parse_version("zfs-2.4.4-1\nzfs-kmod-2.4.4-1\n")
STABLE_NUMBERS: Final = {  # keys of JSON whose numbers the layout decides
    "vers_major", "vers_minor", "spa_version", "zpl_version", "total_space", "rep_dev_size", "phys_space",
    "read_errors", "write_errors", "checksum_errors", "slow_ios", "trim_notsup", "error_count",
}  # fmt: skip
VOLATILE_PROPERTIES: Final = {
    "guid", "load_guid", "free", "allocated", "fragmentation", "capacity", "freeing", "leaked",
    "last_scrubbed_txg", "bcloneused", "bclonesaved", "dedup_table_size", "dedupused", "dedupsaved",
}  # fmt: skip

GUID: Final = re.compile(r"\b\d{15,20}\b")
DATE: Final = re.compile(r"\b[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}\b")

Mask = Callable[[str], object]


def words(text: str) -> object:
    """Everything but guids and dates; and blanks, since a column is as wide as its longest guid."""
    return re.sub(r"(?<=\S) +", " ", DATE.sub("<date>", GUID.sub("<guid>", text)))


def cells(text: str) -> object:
    """Lines of cells; of a cell that holds a number only that it does."""
    return [[_cell(cell) for cell in line.split("\t")] for line in text.split("\n")]


def _cell(cell: str) -> str:
    return "0" if re.fullmatch(r"-|\d+(\.\d+)?", cell.strip()) else cell


def sized_cells(text: str) -> object:
    """Lines of cells; the first number, a size, counts, and whether a later one is known."""
    return [
        [
            cell if index < 2 or not cell.isdigit() else "0"
            for index, cell in enumerate(line.strip().split("\t"))
        ]
        for line in text.split("\n")
    ]


def members(text: str) -> object:
    """Every member of a JSON document in its order, with its value where that is not volatile.

    A cache device has its `alloc_space` once something was written to it, which is a matter of seconds.
    """
    found: list[tuple[str, object]] = []

    def visit(value: object, path: str, key: str) -> None:
        if isinstance(value, dict):
            for name, member in value.items():
                visit(member, f"{path}/{name}", name)
        elif key == "alloc_space" and "/l2cache/" in path:
            return
        elif isinstance(value, int) and key not in STABLE_NUMBERS:
            found.append((path, "number"))
        else:
            found.append((path, value))

    visit(json.loads(text), "", "")
    return found


def properties(text: str) -> object:
    """Property, source and, unless it is volatile, value."""
    rows = [line.split("\t") for line in text.splitlines()]
    return [[name, "" if name in VOLATILE_PROPERTIES else value, source] for _, name, value, source in rows]


def event_fields(text: str) -> object:
    """The names of the fields of a pool's creation, as they are nested."""
    creation = text.partition("sysevent.fs.zfs.pool_create\n")[2].partition("\n\n")[0]
    return re.findall(r"^( +[a-z_]+) =", creation, re.MULTILINE)


def devices(text: str) -> object:
    """Disks and their partitions: kind, size, identity; the kernel's names depend on the order of finding."""
    found = []
    for disk in json.loads(text)["blockdevices"]:
        if str(disk.get("model")).strip() == "LABDISK":
            parts = [(part["size"], part.get("partn")) for part in disk.get("children", ())]
            found.append((disk["serial"], disk["wwn"], disk["size"], disk["type"], parts))
    return sorted(found)


def links(text: str) -> object:
    """The names that lead to the shelf's disks."""
    return sorted(re.findall(r"\b((?:wwn-0x|scsi-3)5000c500a\w+(?:-part\d+)?) ->", text))


def names(text: str) -> object:
    """The first word of each line."""
    return [line.split()[0] for line in text.splitlines() if line.strip()]


def pools_only(text: str) -> object:
    """The folders, which are the pools."""
    return [line for line in text.splitlines() if line.endswith("/")]


QUESTIONS: Final[tuple[tuple[Command, Mask], ...]] = (
    (Command(("zpool", "version")), lambda text: len(text.splitlines())),
    (Command(("zpool", "status")), words),
    (Command(("zpool", "status", "-v", "tank")), words),
    (Command(("zpool", "status", "-vsitpP", "tank")), words),
    (status.status("tank", version=VERSION), members),
    (status.status_guids("tank"), words),
    (Command(("zpool", "status", "nosuch")), words),
    (Command(("zpool", "list", "-Ho", "name")), words),
    (pool_list.list_pool("tank"), sized_cells),
    (pool_list.list_columns("tank"), cells),
    (pool_get.get_all("tank"), properties),
    (since_boot(("tank",)), lambda text: cells(text.partition("\n")[2])),
    (histograms_since_import.latency_histograms("tank"), cells),
    (histograms_since_import.size_histograms("tank"), cells),
    (events.recent(), event_fields),
    (datasets.list_datasets(), cells),
    (root_dataset_space.root_dataset("tank"), cells),
    (pool_state_and_kstat_parser.list_kstat_dir(), pools_only),
    (LSBLK, devices),
    (BY_ID, links),
)
FILES: Final[tuple[tuple[str, Mask], ...]] = (
    (pool_state_and_kstat_parser.pool_state_path("tank"), words),
    ("/proc/spl/kstat/zfs/arcstats", names),
)


@pytest.fixture(scope="module")
def tank(guest: Guest) -> Iterator[Guest]:
    """The layout, on real OpenZFS."""
    vdevs = " ".join(guest.disk(int(word)) if word.isdigit() else word for word in LAYOUT.split())
    guest.wipe()
    guest.create_pool(f"-o ashift=12 -O compression=lz4 tank {vdevs}")
    guest.ssh("for txg in 1 2 3; do zpool sync tank; done")  # sizes are told from the second on
    yield guest
    guest.wipe()


@pytest.fixture
async def real(tank: Guest) -> AsyncIterator[Host]:
    """The guest."""
    host = SshHost(Address(tank.name), replace(SshOptions.patient(ANSWER_S), config_file=tank.ssh_config))
    await host.connect()
    yield host
    await host.close()


@pytest.fixture
async def practice(tank: Guest) -> AsyncIterator[Host]:
    """The practice host with the layout."""
    host = PracticeHost(world=create_world(LAYOUT, disks=tank.disks, disk_size=DISK_BYTES))
    await host.connect()
    yield host
    await host.close()


def _name(value: object) -> str:
    return " ".join(value.argv)[:60] if isinstance(value, Command) else getattr(value, "__name__", str(value))


@pytest.mark.parametrize(("question", "mask"), QUESTIONS, ids=_name)
async def test_the_practice_host_answers_as_openzfs_does(
    question: Command, mask: Mask, real: Host, practice: Host
) -> None:
    expected = await real.run(replace(question, timeout_s=ANSWER_S))
    actual = await practice.run(question)

    assert (expected.status, mask(expected.stdout.decode())) == (actual.status, mask(actual.stdout.decode()))
    assert words(expected.stderr.decode()) == words(actual.stderr.decode())


@pytest.mark.parametrize(("path", "mask"), FILES, ids=_name)
async def test_the_practice_hosts_files_read_as_the_kernels_do(
    path: str, mask: Mask, real: Host, practice: Host
) -> None:
    assert mask((await real.read(path)).decode()) == mask((await practice.read(path)).decode())
