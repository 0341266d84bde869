"""The list of guests in words: state, what their disks are on, sizes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.guests_on_storage import guest_on
from tests.ui import states
from zconsole.analysis.guests.guests_and_containers import as_guests
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.container import Container, ContainerDataset, ContainerEngine, Evidence
from zconsole.model.guests.guest import (
    PAUSED_BY_IO_ERROR,
    PAUSED_BY_USER,
    SYSTEM,
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestDiskCounters,
    GuestDiskRates,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.views.guests.guest_list import (
    agent_in_words,
    disk_lines,
    guest_table,
    in_order,
    state_in_words,
    summary,
)
from zconsole.views.guests.problems_of_guest import SHARED, problems
from zconsole.views.layout.styled_text import plain
from zconsole.views.layout.table import TableLines

MIB, GIB = 1 << 20, 1 << 30


def guest(name: str, state: GuestState = GuestState.RUNNING, reason: int = 1, *disks: StoredDisk) -> Guest:
    return Guest(GuestDefinition(f"uuid of {name}", name), GuestStatus(name, state, reason), disks)


def on_files(*places: str, problem: str = "") -> StoredDisk:
    """A disk of a chain of images, each in its place."""
    images = tuple(
        StoredImage(Image(f"/{place or 'srv'}/{at}.qcow2", "qcow2", 8 * MIB, MIB, 65536), place)
        for at, place in enumerate(places)
    )
    disk = GuestDisk("vda", images[0].image.path, SourceKind.FILE, format="qcow2", cache="none")
    return StoredDisk(disk, images, GuestDiskCounters("vda", capacity_bytes=8 * MIB), problem)


def on_volume(name: str) -> StoredDisk:
    path = f"/dev/zvol/{name}"
    counted = GuestDiskCounters("vdb", path, allocation_bytes=5 * MIB, capacity_bytes=16 * MIB)
    disk = GuestDisk("vdb", path, SourceKind.BLOCK, format="raw")
    return StoredDisk(disk, (StoredImage(Image(path, "raw"), name, is_volume=True),), counted)


def cells_of(one: Guest) -> list[str]:
    (row,) = guest_table([one]).rows
    return [cell.text for cell in row.cells]


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        (GuestState.RUNNING, 1, ("running", "ok")),
        (GuestState.PAUSED, PAUSED_BY_USER, ("paused by its user", "warn")),
        (GuestState.PAUSED, PAUSED_BY_IO_ERROR, ("paused by an I/O error", "bad")),
        (GuestState.PAUSED, 99, ("paused", "warn")),
        (GuestState.SHUT_OFF, 1, ("shut off", "dim")),
        (GuestState.CRASHED, 1, ("crashed", "bad")),
    ],
)
def test_a_state_in_words(state: GuestState, reason: int, words: tuple[str, str]) -> None:
    assert words == state_in_words(guest("a", state, reason))


def test_every_state_has_words() -> None:
    assert all(state_in_words(guest("a", state))[0] for state in GuestState)


def test_a_disk_of_two_guests_is_marked_in_both_rows_and_told_from_either_side() -> None:
    some = [guest("b", GuestState.RUNNING, 1, on_volume("tank/v")), guest("lone")]
    twin = guest("a", GuestState.RUNNING, 1, on_volume("tank/v"))
    rows = {row.key: row for row in guest_table([*some, twin]).rows}
    at = [each.id for each in guest_table([twin]).columns].index("disks")

    marked = [rows[f"uuid of {name}"].cells[at] for name in ("a", "b", "lone")]

    assert [(f"{SHARED} ", "bad")] * 2 == [(each.lead, each.style) for each in marked[:2]]
    assert "" == marked[2].lead
    words = "/dev/zvol/tank/v is a disk of {} too: both running, they destroy its file system"
    assert [f"{SHARED} {words.format('a')}"] == [plain(each) for each in problems(some[0], [*some, twin])]
    assert [f"{SHARED} {words.format('b')}"] == [plain(each) for each in problems(twin, [*some, twin])]
    assert ["a", "b", "lone"] == [each.name for each in in_order([*some, twin])]


def test_a_shared_disk_of_which_one_guest_is_off_is_a_warning_and_rises_no_row() -> None:
    first = guest("a", GuestState.RUNNING, 1, on_volume("tank/v"))
    off = guest("z", GuestState.SHUT_OFF, 1, on_volume("tank/v"))

    (told,) = problems(first, [first, off])

    assert "warn" == told[0].style
    assert "never start both" in plain(told)
    assert ["a", "b", "z"] == [each.name for each in in_order([off, guest("b"), first])]


def test_a_backing_file_that_is_written_is_told_from_either_side() -> None:
    above = on_files("top", "base")
    written = on_files("base")
    path = above.images[1].image.path
    base = replace(written, disk=replace(written.disk, source=path), images=above.images[1:])
    golden, web = guest("golden", GuestState.RUNNING, 1, base), guest("web", GuestState.RUNNING, 1, above)

    told = [plain(line) for each in (golden, web) for line in problems(each, [golden, web])]

    assert (
        f"{SHARED} {path} is the backing file of a disk of web: what golden writes damages that disk"
        == told[0]
    )
    assert (
        f"{SHARED} the backing file {path} is a disk of golden: what golden writes damages the disk above it"
        == told[1]
    )


def test_a_plain_volume_is_one_line_with_its_io_below_and_an_odd_one_keeps_its_path() -> None:
    rates = GuestDiskRates(5.0, 12.0, 0.0, read_bytes_per_s=4096.0)
    plain_one = replace(on_volume("tank/v"), rates=rates)
    linked = replace(
        plain_one, images=(StoredImage(Image("/srv/disk", "raw"), "tank/v", is_volume=True),), rates=None
    )

    assert ["vdb  tank/v  raw, 16.0 MiB", "  read 12/s 4.00 KiB/s · write 0/s"] == [
        plain(each) for each in disk_lines(guest("a", GuestState.RUNNING, 1, plain_one))
    ]
    assert ["vdb  raw, 16.0 MiB", "  tank/v  /srv/disk  raw"] == [
        plain(each) for each in disk_lines(guest("a", GuestState.RUNNING, 1, linked))
    ]


def test_on_80_columns_the_io_stands_in_the_list_and_no_state_is_cut() -> None:
    full = guest("db02", GuestState.PAUSED, PAUSED_BY_IO_ERROR, on_volume("tank/vm/db02"))
    lines = TableLines(guest_table([full]), 79)

    titles = [each.title for each, _, _ in lines.placed.places]

    assert ["GUEST", "STATE", "DISKS ON", "SIZE", "USED", "READ/s", "WRITE/s"] == titles
    assert " ✗ I/O error " in plain(lines.line(0))


def test_trouble_comes_first_then_what_runs() -> None:
    some = [
        guest("off", GuestState.SHUT_OFF),
        guest("b"),
        guest("a"),
        guest("held", GuestState.PAUSED, PAUSED_BY_USER),
        guest("full", GuestState.PAUSED, PAUSED_BY_IO_ERROR),
        guest("dead", GuestState.CRASHED),
    ]

    assert ["full", "dead", "held", "a", "b", "off"] == [each.name for each in in_order(some)]
    states = "1 paused by an I/O error · 1 crashed · 1 paused by its user · 2 running · 1 shut off"
    assert f"nas1 · 6 guests · {states}" == plain(summary("nas1", some))


def test_a_row_names_each_place_once_and_sums_sizes() -> None:
    one = guest("web01", GuestState.RUNNING, 1, on_files("tank/vm", "tank/vm"), on_volume("tank/db"))

    row = ["web01", "running", "none", "tank/vm, tank/db", "24.0 MiB", "2.00 MiB", "·", "·"]
    assert row == cells_of(one)


def test_on_a_narrow_terminal_the_ends_of_the_names_of_datasets_stay() -> None:
    """Guests share what their datasets are below of: what differs must not be cut."""
    some = [
        guest("twin-a", GuestState.RUNNING, 1, on_volume("tank/vm/web01-test")),
        guest("twin-b", GuestState.RUNNING, 1, on_volume("tank/vm/web01-test-b")),
        guest("three", GuestState.RUNNING, 1, on_files("tank/vm/db02", "bulk/vm", "tank/vm/images")),
    ]

    lines = TableLines(guest_table(some), 79)

    shown = [plain(lines.line(at)) for at in range(3)]
    assert [" …/web01-test ", " …/web01-test-b ", " …/db02, …/vm, +1 "] == [
        next(
            (each for each in (" …/web01-test ", " …/web01-test-b ", " …/db02, …/vm, +1 ") if each in line),
            line,
        )
        for line in shown
    ]


@pytest.mark.parametrize(
    ("has_channel", "is_connected", "state", "words"),
    [
        (True, True, GuestState.RUNNING, "answers"),
        (True, False, GuestState.RUNNING, "not connected"),
        (True, None, GuestState.RUNNING, "·"),
        (True, False, GuestState.SHUT_OFF, "·"),
        (False, None, GuestState.RUNNING, "none"),
    ],
)
def test_the_agent_of_a_guest_that_runs_is_told(
    has_channel: bool, is_connected: bool | None, state: GuestState, words: str
) -> None:
    one = guest("web01", state, 1)
    about = replace(one.definition, has_agent_channel=has_channel, is_agent_connected=is_connected)

    assert words == agent_in_words(replace(one, definition=about))[0]


def test_what_is_not_on_zfs_is_said_to_be_elsewhere() -> None:
    assert "no disk on ZFS" in cells_of(guest("a", GuestState.RUNNING, 1, on_files("")))
    assert any("no disk" == cell.strip() for cell in cells_of(guest("a")))


def paused_by_full_disk(name: str = "db02", connection: str = SYSTEM) -> Guest:
    full = replace(on_files("tank/vm"), error="no space")
    one = guest(name, GuestState.PAUSED, PAUSED_BY_IO_ERROR, on_volume("tank/db"), full)
    return replace(one, definition=replace(one.definition, uuid="uuid", connection=connection))


def test_what_is_wrong_with_a_guest_names_the_disk_and_the_keys_that_end_it() -> None:
    first, second = (plain(each) for each in problems(paused_by_full_disk()))

    assert "✗ paused by an I/O error: no space for vda" == first
    assert "Free space (F), see what holds it (D), or mend the pool; then resume it (u)" == second


def test_a_missing_disk_is_told_first_and_in_its_place() -> None:
    disk = on_volume("tank/web01")
    gone = replace(disk, images=(replace(disk.images[0], is_missing=True),))
    one = guest("web", GuestState.SHUT_OFF, 1, gone)

    assert ["✗ vdb: /dev/zvol/tank/web01 does not exist: it cannot start"] == [
        plain(each) for each in problems(one)
    ]
    assert any("✗ disk missing" in cell for cell in cells_of(one))
    assert any("missing  /dev/zvol/tank/web01" in plain(each) for each in disk_lines(one))
    assert "web" == in_order([guest("a"), one])[0].name


def test_a_corrupt_image_and_a_crash_are_told_and_a_guest_that_runs_has_no_problem() -> None:
    disk = on_files("tank/vm")
    bad = replace(
        disk, images=(replace(disk.images[0], image=replace(disk.images[0].image, is_corrupt=True)),)
    )

    told = [plain(each) for each in problems(guest("a", GuestState.CRASHED, 1, bad))]

    assert [
        "✗ crashed; its process is there, and has its disks open: virsh destroy ends it",
        "✗ vda: /tank/vm/0.qcow2 is marked corrupt",
    ] == told
    assert [] == list(problems(guest("a", GuestState.PAUSED, PAUSED_BY_USER, disk)))


def test_each_image_stands_below_its_disk() -> None:
    told = [plain(each) for each in disk_lines(guest("a", GuestState.RUNNING, 1, on_files("tank/vm", "")))]

    assert "vda  qcow2, 2.00 MiB of 8.00 MiB, cache none" == told[0]
    assert "  tank/vm  /tank/vm/0.qcow2  qcow2, 64.0 KiB clusters" == told[1]
    assert told[2].startswith("  └ not on ZFS  /srv/1.qcow2")


def test_why_a_chain_is_not_known_is_said() -> None:
    one = guest("a", GuestState.RUNNING, 1, on_files("tank/vm", problem="Permission denied"))

    *_, last = (plain(each) for each in disk_lines(one))

    assert "  backing files are not known: Permission denied" == last


def test_the_kind_is_told_where_there_is_more_than_one() -> None:
    root = ContainerDataset("tank/c/web1", Evidence.PROCESS, "the root of its process 7")
    (web,) = as_guests((Container(ContainerEngine.INCUS, "web1", datasets=(root,)),))
    machine = guest("db01", GuestState.RUNNING, 1, on_volume("tank/db"))

    assert "kind" not in {each.id for each in guest_table([machine]).columns}
    mixed = guest_table([machine, web])
    at = [each.id for each in mixed.columns].index("kind")
    assert ["QEMU", "Incus"] == [row.cells[at].text for row in mixed.rows]


def test_the_space_of_a_volume_is_its_data_as_zfs_counts_it() -> None:
    disk = on_volume("tank/vm/db01")
    (image,) = disk.images
    stored = replace(image, dataset=Dataset("tank/vm/db01", "volume", referenced_bytes=3 << 30))
    guest = guest_on("db01", replace(disk, images=(stored,)))

    (row,) = guest_table([guest]).rows

    assert "3.00 GiB" in [cell.text for cell in row.cells]


def test_a_guest_that_could_not_be_looked_at_is_counted_and_told_and_is_not_without_disks() -> None:
    late = replace(guest("late"), unread="libvirt is slow")

    assert "nas · 2 guests · 1 not looked at · 2 running" == plain(summary("nas", [guest("a"), late]))
    assert "not looked at" in cells_of(late)
    assert ["not looked at: libvirt is slow; what it has is not known"] == [
        plain(each) for each in problems(late)
    ]


def holding(left: int, error: str) -> Guest:
    """A guest paused by this error of a disk on a dataset that has so much left."""
    disk = on_volume("tank/db")
    image = replace(disk.images[0], dataset=Dataset("tank/db", "volume", available_bytes=left))
    return guest("db", GuestState.PAUSED, PAUSED_BY_IO_ERROR, replace(disk, images=(image,), error=error))


@pytest.mark.parametrize(
    ("left", "error", "words"),
    [
        (2 * GIB, "no space", "There is space now: zconsole plan guest-resume --host nas db"),
        (95 * MIB, "no space", "Free space (zconsole reclaim tank --host nas)"),
        (2 * GIB, "unspecified error", "It is not for want of space (2.00 GiB left): see zpool status"),
        (2 * GIB, "", "If it was for want of space, there is some now (2.00 GiB left)"),
        (0, "unspecified error", "Free space (zconsole reclaim tank/db --host nas)"),
    ],
)
def test_what_to_do_for_a_paused_guest_follows_the_reason_and_what_is_left(
    left: int, error: str, words: str
) -> None:
    one = holding(left, error)

    _, told = (plain(each) for each in problems(one, where="--host nas"))
    assert told.startswith(words)


def test_a_pool_that_is_full_leaves_nothing_whatever_a_dataset_had() -> None:
    pool = PoolState("tank", pool=Reading(replace(states.tank(), usable_available_bytes=0)))

    _, told = (
        plain(each) for each in problems(holding(2 * GIB, "no space"), state=HostState("nas", pools=(pool,)))
    )

    assert told.startswith("Free space")


def test_a_medium_that_may_be_missing_hinders_no_start_and_another_does() -> None:
    disk = on_volume("tank/iso")
    gone = replace(disk, images=(replace(disk.images[0], is_missing=True),))
    may = replace(gone, disk=replace(disk.disk, device="cdrom", startup_policy="optional"))
    must = replace(gone, disk=replace(disk.disk, device="cdrom"))

    (free,) = problems(guest("a", GuestState.SHUT_OFF, 1, may))
    (bound,) = problems(guest("b", GuestState.SHUT_OFF, 1, must))

    assert "does not exist: it starts without (startupPolicy)" in plain(free)
    assert plain(bound).endswith("does not exist: it cannot start")
    assert not any("missing" in cell for cell in cells_of(guest("a", GuestState.SHUT_OFF, 1, may)))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Could not open backing file: Could not open '/x': No such file or directory", "below it does not"),
        ("Backing file '/a' creates an infinite loop.", "lead back to themselves"),
        ("Could not open '/a': Too many levels of symbolic links", "lead back to themselves"),
        ("Could not open '/a': Permission denied", ""),
    ],
)
def test_a_chain_that_cannot_be_opened_is_a_guest_that_cannot_start(said: str, words: str) -> None:
    one = guest("a", GuestState.SHUT_OFF, 1, on_files("tank/vm", problem=said))

    told = [plain(each) for each in problems(one)]

    assert bool(words) is bool(told)
    assert all(words in each and each.endswith("it cannot start") for each in told)
    assert ("a" if words else "0") == in_order([guest("0"), one])[0].name


def test_of_a_quota_in_a_pool_with_space_the_quota_is_told() -> None:
    pool = PoolState("tank", pool=Reading(replace(states.tank(), usable_available_bytes=2 * GIB)))

    _, told = (
        plain(each)
        for each in problems(holding(95 * MIB, "no space"), state=HostState("nas", pools=(pool,)), where="")
    )

    assert told.startswith("A quota leaves 95.0 MiB for tank/db, its pool has more: raise the quota")
