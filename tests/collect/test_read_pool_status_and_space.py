"""Pools that are read by the same commands are as those that are read each by itself."""

from __future__ import annotations

import pytest

from tests.doubles.machines import host_of
from tests.doubles.noting_host import Noting
from zconsole.base.clock import ManualClock
from zconsole.base.errors import HostError, ParseError
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_pool_status_and_space import read_pool, read_spaces, read_statuses, with_space
from zconsole.hosts.host import Command
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.ready_made_pools import create_pool

VERSIONS = [ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"), ZfsVersion("zfs-2.1.11-1", "zfs-kmod-2.1.11-1")]


async def two_pools() -> Noting:
    world = create_world("mirror 0 1", pool="alpha")
    create_pool(world, "beta", ["raidz", "LAB0002", "LAB0003", "LAB0004"])
    host = Noting(PracticeHost(clock=ManualClock(1_800_000_000), world=world))
    await host.connect()
    return host


@pytest.mark.parametrize("version", VERSIONS)
async def test_two_pools_are_read_as_each_by_itself(version: ZfsVersion) -> None:
    host = await two_pools()
    asker = Asker(host)
    alone = {name: await read_pool(asker, name, version) for name in ("alpha", "beta")}
    host.commands.clear()

    bare = await read_statuses(asker, ("alpha", "beta"), version, known=alone)
    spaces = await read_spaces(asker, ("alpha", "beta"))

    assert alone == {name: with_space(pool, spaces[name]) for name, pool in bare.items()}
    assert 4 == len(host.commands)


async def test_what_may_share_a_session_says_so_and_nothing_else_does() -> None:
    host, asked = await two_pools(), list[Command]()
    run = host.run

    async def noting(command: Command) -> object:
        asked.append(command)
        return await run(command)

    host.run = noting  # type: ignore[method-assign,assignment]
    asker = Asker(host)

    await read_spaces(asker, ("alpha",), shares=True)
    await read_spaces(asker, ("alpha",))

    assert [True] * 3 + [False] * 3 == [each.shares_session for each in asked]


async def test_a_pool_that_is_not_in_the_answer_fails_with_all() -> None:
    """The caller reads each by itself then."""
    asker = Asker(host_of("2.4", "healthy-mirrors"))

    with pytest.raises(ParseError, match="no pool bulk"):
        await read_statuses(asker, ("tank", "bulk"), VERSIONS[0], known={})
    with pytest.raises(HostError):
        await read_spaces(Asker(await two_pools()), ("alpha", "gone"))
