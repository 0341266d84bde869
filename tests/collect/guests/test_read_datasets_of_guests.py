"""What holds the disks of guests: one command a pool, and no pool costs another one its answer."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_read_guests import listed
from tests.doubles.scripted_host import Answer, ScriptedHost, failed
from zconsole.base.errors import LinkLost
from zconsole.collect.guests.read_datasets_of_guests import read_datasets_of_guests
from zconsole.collect.read_command_runner import Asker
from zconsole.zfs.listing.datasets import list_named_datasets


def host(**pools: Answer) -> ScriptedHost:
    """A host that answers for datasets of these pools."""
    made = ScriptedHost()
    asked = " ".join(list_named_datasets(()).argv)
    made.answers = {f"{asked} {pool}/": answer for pool, answer in pools.items()}
    return made


async def read(made: ScriptedHost, *places: str) -> dict[str, int | None]:
    await made.connect()
    found = await read_datasets_of_guests(Asker(made), places)
    return {name: each.volblocksize_bytes for name, each in found.items()}


async def test_each_pool_is_asked_once_for_its_own_datasets() -> None:
    made = host(tank=listed("tank/a", "volume") + listed("tank/b", "volume"), bulk=listed("bulk/c", "volume"))

    found = await read(made, "tank/a", "bulk/c", "tank/b", "tank/a", "/dev/sdb", "")

    assert {"tank/a": 16384, "tank/b": 16384, "bulk/c": 16384} == found
    assert ["bulk/c", "tank/a tank/b"] == sorted(each.rpartition(" -- ")[2] for each in made.commands)


@pytest.mark.parametrize("answer", [failed("zfs", 1, b"cannot open 'tank/a'"), b"rubbish\n"])
async def test_a_pool_that_fails_is_left_out(answer: Answer) -> None:
    assert {"bulk/c": 16384} == await read(
        host(tank=answer, bulk=listed("bulk/c", "volume")), "tank/a", "bulk/c"
    )


async def test_a_lost_link_is_told() -> None:
    with pytest.raises(LinkLost):
        await read(host(tank=LinkLost("the link was lost")), "tank/a")


async def test_without_a_place_on_zfs_nothing_is_asked() -> None:
    made = host()

    assert {} == await read(made, "", "/dev/sdb")
    assert [] == made.commands
