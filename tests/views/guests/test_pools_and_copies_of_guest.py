"""What a guest depends on: pool, full pool, copies, and the I/O of its datasets beside its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample
from zconsole.views.guests.pools_and_copies_of_guest import (
    copy_lines,
    datasets_of,
    live_io_lines,
    pool_lines,
)
from zconsole.views.layout.styled_text import Line, plain

HOST = states.with_guests()
CELLS = 16


def named(name: str) -> Guest:
    return next(each for each in HOST.guests.value or () if each.name == name)


def text(lines: tuple[Line, ...]) -> list[str]:
    return [plain(each).rstrip() for each in lines]


DB01 = named("db01")
PLACE = datasets_of(DB01)[0]
POOL = PLACE.partition("/")[0]


def compared(*found: Finding, sent: tuple[str, ...] = ()) -> HostState:
    seen = ReplicationSeen(HOST.host, states.NOW - 7200, found, (), sent)
    return replace(HOST, replication=Reading(seen, 1.0))


def test_a_pool_has_its_state_its_space_and_what_a_full_one_does() -> None:
    lines = text(tuple(pool_lines(DB01, HOST, CELLS)))

    assert lines[0].startswith(f"{POOL:<16}ONLINE, ")
    assert " free" in lines[0]
    assert any(each.strip().startswith("when it is full: ") for each in lines)


def test_a_guest_that_is_off_loses_nothing_in_a_full_pool() -> None:
    off = replace(DB01, status=replace(DB01.status, state=GuestState.SHUT_OFF))

    assert not any("when it is full" in each for each in text(tuple(pool_lines(off, HOST, CELLS))))


def test_a_pool_that_is_not_read_yet_says_so_and_an_unknown_one_nothing() -> None:
    pools = tuple(replace(each, pool=Reading()) for each in HOST.pools)

    assert "not read yet" in text(tuple(pool_lines(DB01, replace(HOST, pools=pools), CELLS)))[0]
    assert () == tuple(pool_lines(DB01, replace(HOST, pools=()), CELLS))


def test_copies_are_as_they_were_compared_last() -> None:
    stale = Finding("replica-stale", Severity.WARNING, PLACE, f"the copy of {PLACE} is 3d behind", "")

    def told(host: HostState) -> str:
        return text(tuple(copy_lines(DB01, host, states.NOW, CELLS)))[0]

    assert "copies          not compared with other pools yet; `zconsole replicas` does that" == told(HOST)
    assert f"copies          {PLACE}: has a copy; compared 2h ago" == told(compared(sent=(PLACE,)))
    assert f"copies          {PLACE}: no copy in a pool that was compared; compared 2h ago" == told(
        compared()
    )
    assert f"copies          {PLACE}: the copy of {PLACE} is 3d behind" == told(
        compared(stale, sent=(PLACE,))
    )


def test_the_io_of_a_dataset_stands_below_that_of_the_disk_on_it() -> None:
    io = DatasetIo(PLACE, 12.0, 40.0, 12 * 4096.0, 40 * 8192.0)
    sample = DatasetIoSample(states.NOW, 1.0, (io,))
    pools = tuple(
        replace(each, dataset_io=Reading(sample, 1.0)) if each.name == POOL else each for each in HOST.pools
    )
    with_rates, without = (
        tuple(live_io_lines(DB01, host, CELLS)) for host in (replace(HOST, pools=pools), HOST)
    )

    assert f"{'':16}{PLACE}: read 12/s 48.0 KiB/s · write 40/s 320 KiB/s" in text(with_rates)
    assert not any(PLACE in each for each in text(without))
    assert text(without) == text(tuple(live_io_lines(DB01, None, CELLS)))


@pytest.mark.parametrize(
    ("available", "policy", "words"),
    [
        (4 << 30, "", ["a quota leaves 4.00 GiB for {place} (vda): there its writes fail"]),
        (4 << 30, "stop", ["a quota leaves 4.00 GiB for {place} (vda): QEMU pauses it there"]),
        (None, "", []),
        (1 << 50, "", []),
    ],
)
def test_a_quota_that_leaves_less_than_the_pool_has_is_told(
    available: int | None, policy: str, words: list[str]
) -> None:
    (first, *others) = DB01.disks
    image = first.images[0]
    dataset = replace(image.dataset or Dataset(PLACE, "volume", 1), available_bytes=available)
    disk = replace(
        first,
        disk=replace(first.disk, error_policy=policy),
        images=(replace(image, dataset=dataset), *first.images[1:]),
    )
    guest = replace(DB01, disks=(disk, *others))

    told = [each.strip() for each in text(tuple(pool_lines(guest, HOST, CELLS))) if "quota" in each]

    assert [each.format(place=PLACE) for each in words] == told
