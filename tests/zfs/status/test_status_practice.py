"""The practice host's pools, asked for by the very questions of zconsole, in both forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.practice.practice_host import PracticeHost
from zconsole.zfs.listing.pool_get import get_all, parse_properties
from zconsole.zfs.listing.pool_list import (
    list_columns,
    list_pool,
    merge_list,
    parse_pool_columns,
    parse_pool_list,
)
from zconsole.zfs.listing.version import VERSION, parse_version
from zconsole.zfs.status.importable import IMPORTABLE, parse_importable
from zconsole.zfs.status.merge_guids import merge_guids
from zconsole.zfs.status.status import parse_status, status, status_guids
from zconsole.zfs.status.status_text import parse_status_text

NOW = 1_795_218_736.0  # in November 2026
OLD, NEW = ZfsVersion("zfs-2.1.11-1"), ZfsVersion("zfs-2.4.4-1")


@pytest.fixture
async def host() -> PracticeHost:
    practice = PracticeHost(clock=ManualClock(NOW))
    await practice.connect()
    return practice


async def answer(host: PracticeHost, command: Command) -> bytes:
    completed = await host.run(command)
    assert completed.is_done, completed.said
    return completed.stdout


async def names(host: PracticeHost) -> tuple[str, ...]:
    return tuple((await answer(host, Command(("zpool", "list", "-Ho", "name")))).decode().splitlines())


async def pools_of(host: PracticeHost, name: str, version: ZfsVersion) -> tuple[Pool, ...]:
    return parse_status(await answer(host, status(name, version=version)), version)


def told_by_both(vdevs: tuple[Vdev, ...]) -> Iterator[Vdev]:
    """The vdevs without what text has not, and without rounded progress."""
    for vdev in vdevs:
        yield replace(
            vdev,
            guid=None,
            phys_path=None,
            devid=None,
            size_bytes=None,
            allocated_bytes=None,
            free_bytes=None,
            physical_bytes=None,
            activities=(),
            children=tuple(told_by_both(vdev.children)),
        )


async def test_text_and_json_of_each_pool_agree(host: PracticeHost) -> None:
    for name in await names(host):
        (exact,) = await pools_of(host, name, NEW)
        (told,) = await pools_of(host, name, OLD)

        assert tuple(told_by_both(exact.vdevs)) == tuple(told_by_both(told.vdevs))
        assert (name, exact.state, exact.status) == (told.name, told.state, told.status)


async def test_guids_come_by_text_as_by_json(host: PracticeHost) -> None:
    for name in await names(host):
        (exact,) = await pools_of(host, name, NEW)
        (told,) = await pools_of(host, name, OLD)
        (with_guids,) = parse_status_text((await answer(host, status_guids(name))).decode())

        assert [v.guid for v in exact.walk()] == [v.guid for v in merge_guids(told, with_guids).walk()]


async def test_space_and_properties_are_read(host: PracticeHost) -> None:
    for name in await names(host):
        (pool,) = await pools_of(host, name, NEW)
        (listed,) = parse_pool_list((await answer(host, list_pool(name))).decode())
        (columns,) = parse_pool_columns((await answer(host, list_columns(name))).decode())

        merged = merge_list(merge_list(pool, listed), columns)

        assert all(vdev.capacity_percent is not None for vdev in merged.of_class("data"))
        assert pool.guid == merged.guid
        assert merged.ashift is not None
        assert parse_properties((await answer(host, get_all(name))).decode(), name)


async def test_the_rest_is_understood(host: PracticeHost) -> None:
    assert (2, 4, 4) == parse_version((await answer(host, VERSION)).decode()).numbers
    completed = await host.run(IMPORTABLE)
    assert isinstance(parse_importable(completed.stdout.decode()), tuple)
