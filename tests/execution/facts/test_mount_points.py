"""Nothing is mounted over what is there: every action that mounts, planned on the practice host."""

from __future__ import annotations

import pytest

from tests.doubles.practice_runs import HOST, Bench
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.model.run import RunState
from zconsole.practice import create_world


async def planned(bench: Bench, action: str, target: str, *words: str, **options: str | bool) -> Plan:
    """A plan, made from what the host says now."""
    return await bench.operator.prepare(HOST, intent(action, target, *words, options=options))


def rules(made: Plan) -> set[str]:
    """Why it is refused."""
    return {each.rule for each in made.refusals}


def told(made: Plan) -> str:
    """All that it warns of."""
    return "\n".join(made.warnings)


@pytest.mark.parametrize(
    ("action", "target", "words", "options"),
    [
        ("create", "tank/etc", ("mountpoint=/etc",), {}),
        ("create", "tank/x", ("mountpoint=//etc/../etc/",), {}),
        ("create", "tank/x", ("mountpoint=/etc/cron.d",), {}),
        ("create", "tank/x", ("mountpoint=/lib",), {}),  # a symbolic link
        ("create", "tank/x", ("mountpoint=/var/run/x",), {}),
        ("create", "tank/x", ("mountpoint=/srv/../",), {}),
        ("clone", "tank/home@a", ("tank/c", "mountpoint=/usr/lib"), {}),
        ("set", "tank/home", ("mountpoint=/",), {}),
        ("set", "tank/home", ("mountpoint=/boot",), {}),
        ("set", "tank", ("mountpoint=/root",), {}),
        ("create-pool", "bulk", ("sdc",), {"mountpoint": "/etc"}),
        ("create-pool", "etc", ("sdc",), {}),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else str(part) if part else "-",
)
async def test_paths_of_the_running_system_are_refused(
    action: str, target: str, words: tuple[str, ...], options: dict[str, str | bool]
) -> None:
    bench = Bench()

    made = await planned(bench, action, target, *words, **options)

    assert Risk.REFUSED is made.risk
    assert "system-mountpoint" in rules(made)


@pytest.mark.parametrize("value", ["none", "legacy", "/new", "/srv/empty"])
async def test_what_hides_nothing_is_as_it_was(value: str) -> None:
    made = await planned(Bench(), "create", "tank/x", f"mountpoint={value}")

    assert (Risk.ROUTINE, ()) == (made.risk, made.warnings)


async def test_a_directory_with_files_is_told_with_their_number() -> None:
    made = await planned(Bench(), "create", "tank/x", "mountpoint=/srv/old")

    assert Risk.CAUTION is made.risk
    assert ("/srv/old is not empty: tank/x hides 2 entries",) == made.warnings


async def test_other_mounts_below_are_told_by_name() -> None:
    bench = Bench()
    bench.type("zfs create tank/media", "zfs set mountpoint=/srv/media tank/media")

    made = await planned(bench, "create", "tank/x", "mountpoint=/srv")

    assert "tank/x hides tank/media, mounted on /srv/media" in made.warnings


async def test_each_child_that_inherits_is_checked() -> None:
    """The parent goes to a new directory, the child below it onto one with files."""
    bench = Bench()
    bench.type("zfs create tank/srv", "zfs create tank/srv/old", "zfs create tank/srv/etc")

    onto_files = await planned(bench, "set", "tank/srv", "mountpoint=/srv")
    onto_system = await planned(bench, "set", "tank/srv", "mountpoint=/")

    assert "/srv/old is not empty: tank/srv/old hides 2 entries" in onto_files.warnings
    reasons = [each.reason for each in onto_system.refusals if each.rule == "system-mountpoint"]
    assert any("tank/srv/etc would be mounted on /etc" in each for each in reasons)
    assert any("tank/srv would be mounted on /:" in each for each in reasons)


async def test_a_child_with_a_mountpoint_of_its_own_stays_and_is_no_change() -> None:
    bench = Bench()
    bench.type("zfs create tank/a", "zfs create tank/a/etc", "zfs set mountpoint=/data tank/a/etc")

    made = await planned(bench, "set", "tank/a", "mountpoint=/new")

    assert "/data" not in told(made)
    assert set() == rules(made)


async def test_a_rename_moves_what_inherits_below_another_parent() -> None:
    """As on a pool whose root has the mountpoint /: what is renamed into it goes to /etc."""
    bench = Bench()
    bench.type("zfs create tank/ROOT", "zfs set canmount=off tank/ROOT", "zfs create tank/home/etc")
    bench.world.pools["tank"].datasets["tank/ROOT"].properties["mountpoint"] = "/"

    moved = await planned(bench, "rename", "tank/home/etc", "tank/ROOT/etc")
    made = await planned(bench, "create", "tank/ROOT/usr")
    cloned = await planned(bench, "clone", "tank/home@a", "tank/ROOT/boot")
    deeper = await planned(bench, "create", "tank/ROOT/etc/a", parents=True)

    for each in (moved, made, cloned, deeper):
        assert "system-mountpoint" in rules(each)


async def test_what_is_mounted_on_the_root_stays_and_its_twin_may_be_made_with_noauto() -> None:
    """Boot environments: one is mounted on /, others have the same mountpoint and are not mounted."""
    bench = Bench()
    bench.type("zfs create tank/be")
    bench.world.pools["tank"].datasets["tank/be"].properties["mountpoint"] = "/"
    bench.type("zfs snapshot tank/be@now")

    renamed = await planned(bench, "rename", "tank/be", "tank/be2")
    twin = await planned(bench, "clone", "tank/be@now", "tank/be3", "mountpoint=/", "canmount=noauto")
    bad = await planned(bench, "clone", "tank/be@now", "tank/be3", "mountpoint=/")

    assert "system-mountpoint" not in rules(renamed)
    assert set() == rules(twin)
    assert "its canmount is noauto" in told(twin)
    assert "system-mountpoint" in rules(bad)


async def test_to_mount_or_to_let_mount_what_has_such_a_mountpoint_is_refused() -> None:
    bench = Bench()
    bench.type("zfs create tank/be", "zfs set canmount=noauto tank/be", "zfs unmount tank/be")
    bench.world.pools["tank"].datasets["tank/be"].properties["mountpoint"] = "/etc"

    assert "system-mountpoint" in rules(await planned(bench, "mount", "tank/be"))
    assert "system-mountpoint" in rules(await planned(bench, "set", "tank/be", "canmount=on"))


async def test_inherit_goes_where_the_parent_says() -> None:
    bench = Bench()
    bench.type("zfs create tank/a", "zfs create tank/a/old", "zfs set mountpoint=/elsewhere tank/a/old")
    bench.type("zfs set canmount=off tank/a")
    bench.world.pools["tank"].datasets["tank/a"].properties["mountpoint"] = "/srv"

    made = await planned(bench, "inherit", "tank/a/old", "mountpoint")

    assert "/srv/old is not empty: tank/a/old hides 2 entries" in made.warnings


async def test_what_a_process_has_open_is_refused() -> None:
    """Somebody is logged in below /home, or a service writes there."""
    bench = Bench()
    bench.type("zfs create tank/media", "zfs set mountpoint=/srv/media tank/media")
    bench.world.pools["tank"].datasets["tank/media"].is_busy = True

    made = await planned(bench, "create", "tank/x", "mountpoint=/srv")

    assert {"mountpoint-in-use"} == rules(made)
    assert "smbd" in made.refusals[0].reason


async def test_it_must_be_a_directory() -> None:
    made = await planned(Bench(), "create", "tank/x", "mountpoint=/srv/old/report.pdf")

    assert {"not-a-directory"} == rules(made)


async def test_a_directory_that_fills_before_the_plan_runs_makes_it_stale() -> None:
    bench = Bench()
    made = await planned(bench, "create", "tank/x", "mountpoint=/srv/media")
    bench.type("zfs create tank/other", "zfs set mountpoint=/srv/media tank/other")

    run = await bench.operator.execute(HOST, made, made.confirm or "")

    assert RunState.STALE is run.state


async def test_the_altroot_of_a_pool_stands_in_front_and_dots_do_not_lead_out_of_it() -> None:
    bench = Bench(world=create_world("mirror 0 1", disks=4))
    bench.world.pools["tank"].properties["altroot"] = "/mnt"

    inside = await planned(bench, "create", "tank/x", "mountpoint=/etc")
    outside = await planned(bench, "create", "tank/x", "mountpoint=/../etc")
    run = await bench.operator.execute(
        HOST, made := await planned(bench, "set", "tank/home", "mountpoint=/there"), made.confirm or ""
    )

    back = await planned(bench, "inherit", "tank/home", "mountpoint")
    assert "zfs set mountpoint=/there tank/home" == back.undo
    assert set() == rules(inside)
    assert {"system-mountpoint"} == rules(outside)
    assert RunState.DONE is run.state, run.words


class TestImport:
    """A foreign pool: nothing of it is mounted before each of its mountpoints was checked."""

    async def imported(self) -> Bench:
        """A pool that another host made: one file system for /etc, one for a new directory, one for files."""
        bench = Bench()
        bench.type("zfs create tank/evil", "zfs create tank/files", "zfs create tank/off")
        bench.type("zfs set mountpoint=/srv/old tank/files", "zfs set canmount=noauto tank/off")
        bench.world.pools["tank"].datasets["tank/evil"].properties["mountpoint"] = "/etc"
        bench.type("zpool export tank")
        made = await planned(bench, "import", "tank")
        run = await bench.operator.execute(HOST, made, made.confirm or "")
        assert RunState.DONE is run.state, run.words
        return bench

    async def test_import_mounts_nothing(self) -> None:
        bench = await self.imported()

        assert "" == bench.says(["zfs", "mount"])

    async def test_what_is_safe_is_mounted_and_the_rest_is_told(self) -> None:
        bench = await self.imported()

        made = await planned(bench, "mount", "tank", below=True)

        assert ["tank/files", "tank", "tank/home"] == [step.argv[-1] for step in made.steps]
        assert (
            "tank/evil stays unmounted: its mountpoint is /etc: the running system needs it" in made.warnings
        )
        assert "tank/off stays unmounted: its canmount is noauto" in made.warnings
        assert "/srv/old is not empty: tank/files hides 2 entries" in made.warnings
        run = await bench.operator.execute(HOST, made, made.confirm or "")
        assert RunState.DONE is run.state, run.words
        assert "/etc" not in bench.says(["zfs", "mount"])

    async def test_a_pool_that_was_imported_read_only_can_be_mounted(self) -> None:
        bench = Bench()
        bench.type("zpool export tank")
        made = await planned(bench, "import", "tank", **{"read-only": True})
        await bench.operator.execute(HOST, made, made.confirm or "")

        assert set() == rules(await planned(bench, "mount", "tank", below=True))

    async def test_an_altroot_is_no_path_of_the_system_either(self) -> None:
        bench = Bench()
        bench.type("zpool export tank")

        assert "system-mountpoint" in rules(await planned(bench, "import", "tank", altroot="/etc"))
        assert set() == rules(await planned(bench, "import", "tank", altroot="/mnt"))
