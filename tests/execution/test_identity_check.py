"""Right before a step: the objects of these names are those of the plan, or it is said what they are."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.practice_runs import Bench
from zconsole.actions.step_subject import StepSubject, SubjectKind, disk_in_words, which
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.identity_check import pool_is, verify_identities
from zconsole.execution.identity_lookup import read_which
from zconsole.system.lsblk import lsblk_of, parse_lsblk


class Check:
    """A host on which objects were planned with, and what the check says of them after other commands."""

    def __init__(self) -> None:
        self.bench = Bench()
        self.bench.type("zfs create tank/x", "zfs snapshot tank/x@a")
        self.asker = Asker(self.bench.host)

    async def dataset(self, name: str, **values: object) -> StepSubject:
        """A dataset as it is now."""
        await self.bench.host.connect()
        (found,) = await read_which(self.asker, (name,))
        seen = which(found.guid, found.createtxg)
        return replace(StepSubject(SubjectKind.DATASET, name, seen), **values)  # type: ignore[arg-type]

    async def disk(self, path: str) -> StepSubject:
        """A disk as it is now."""
        await self.bench.host.connect()
        asked = await self.asker.run(lsblk_of([path]), kind="lsblk-of")
        (disk,) = parse_lsblk(asked.stdout.decode())
        return StepSubject(SubjectKind.DISK, path, disk_in_words(disk))

    async def pool(self) -> StepSubject:
        """The pool as it is now."""
        await self.bench.host.connect()
        guid = (await self.bench.host.read("/proc/spl/kstat/zfs/tank/guid")).decode().strip()
        return StepSubject(SubjectKind.POOL, "tank", f"guid {guid}")

    async def said(self, *subjects: StepSubject) -> tuple[str, ...]:
        """The differences."""
        return await verify_identities(self.asker, subjects)


async def test_what_did_not_change_has_no_difference() -> None:
    check = Check()
    objects = [await check.dataset("tank/x"), await check.dataset("tank/x@a"), await check.pool()]

    assert () == await check.said(*objects)


async def test_another_object_of_that_name_is_told_with_the_present_name_of_the_reviewed_one() -> None:
    check = Check()
    planned = await check.dataset("tank/x")
    check.bench.type("zfs rename tank/x tank/safe", "zfs create tank/x")

    (told,) = await check.said(planned)

    assert told.startswith("tank/x is another object than the one that was reviewed (guid ")
    assert told.endswith("; the reviewed one is tank/safe now")


async def test_what_is_gone_is_gone_or_has_another_name() -> None:
    check = Check()
    snapshot = await check.dataset("tank/x@a")
    check.bench.type("zfs rename tank/x@a tank/x@b")
    assert ("tank/x@a is gone; the reviewed one is tank/x@b now",) == await check.said(snapshot)

    check.bench.type("zfs destroy tank/x@b")
    assert ("tank/x@a is gone",) == await check.said(snapshot)


async def test_what_came_into_a_dataset_that_is_destroyed_whole_would_go_too() -> None:
    check = Check()
    subjects = [await check.dataset("tank/x", is_whole=True), await check.dataset("tank/x@a")]
    assert () == await check.said(*subjects)

    check.bench.type("zfs create tank/x/child", "zfs snapshot tank/x@b")

    assert {f"{name} is new, and would go too" for name in ("tank/x/child", "tank/x@b")} == set(
        await check.said(*subjects)
    )


async def test_a_snapshot_newer_than_the_plan_would_go_with_a_rollback_and_an_older_one_not() -> None:
    check = Check()
    await check.bench.host.connect()
    (snapshot,) = await read_which(check.asker, ("tank/x@a",))
    planned = await check.dataset("tank/x", newest_txg=snapshot.createtxg)
    assert () == await check.said(planned)

    check.bench.type("zfs snapshot tank/x@later")

    assert ("tank/x@later is new, and would go too",) == await check.said(planned)


async def test_a_dataset_that_was_to_be_unmounted_is_told_while_it_is_mounted() -> None:
    check = Check()

    assert ("tank/x is mounted",) == await check.said(await check.dataset("tank/x", is_mounted=False))
    assert () == await check.said(await check.dataset("tank/x", is_mounted=True))


@pytest.mark.parametrize(("limit", "what"), [("most_referenced", "referenced"), ("most_written", "written")])
async def test_more_data_than_was_reviewed_is_told(limit: str, what: str) -> None:
    check = Check()

    (told,) = await check.said(await check.dataset("tank", **{limit: 0}))

    assert what in told
    assert "was to have" in told
    assert () == await check.said(await check.dataset("tank", **{limit: 1 << 60}))


async def test_another_pool_of_that_name_is_told_and_one_that_is_gone() -> None:
    check = Check()
    planned = await check.pool()
    other = replace(planned, seen="guid 7")

    assert await pool_is(check.asker, planned)
    assert not await pool_is(check.asker, other)
    (told,) = await check.said(other)
    assert told.startswith("tank is another pool than the one that was reviewed (guid ")
    assert ("there is no pool none any more",) == await check.said(replace(planned, name="none"))


async def test_a_disk_with_other_contents_or_another_disk_is_told() -> None:
    check = Check()
    path = f"/dev/disk/by-id/{check.bench.world.disks[0].links[0]}"
    planned = await check.disk(path)
    other = replace(planned, seen="serial XYZ, 4 TB, empty")

    assert () == await check.said(planned)
    assert () == await check.said(await check.pool(), planned)
    for told in (await check.said(other), await check.said(await check.pool(), other)):
        assert (f"{path} was serial XYZ, 4 TB, empty, is {planned.seen}",) == told
