"""From a key on an object to a plan that is carried out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import plans, states
from tests.ui.frames import frame, make_app, source_of
from tests.ui.typists import by_hand
from zconsole.actions.intent import Intent, Target, TargetKind, intent
from zconsole.actions.plan import SUDO_SECRET, PlanBasis, RefusalReason, WayOut
from zconsole.base.errors import HostUnreachable, UsageError
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.host.capabilities import HostCapabilities
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.plan_facts import BY_UNLOCKING, HostPolicy, PrivilegeMode, Privileges
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import ImportablePool, Scan
from zconsole.model.run import Run, RunState, StepRun
from zconsole.storage.journal import JournalError
from zconsole.ui.dialogs.disk_chooser import DiskDialog
from zconsole.ui.dialogs.menu import MenuDialog
from zconsole.ui.dialogs.plan import Anew, Confirmed, Instead, PlanDialog
from zconsole.ui.dialogs.run import RunDialog
from zconsole.ui.dialogs.text_prompts_and_notices import SecretDialog, TellDialog, TextDialog
from zconsole.ui.flows.plan_and_run import LEFT_WITHOUT_RUN
from zconsole.ui.screens.pools import PoolsScreen

SIZE = (80, 24)
SCRUB = intent("scrub", "tank")
DONE = Run("1", "storage1", "scrub tank", "tank", RunState.DONE,
           (StepRun(("zpool", "scrub", "tank"), "done", 0, started=states.NOW, ended=states.NOW + 1),),
           undo="zpool scrub -s tank", started=states.NOW)  # fmt: skip


def with_spare_disk() -> HostState:
    """One free disk, and one that bears a file system."""
    free = Disk("sdx", "/dev/sdx", "disk", 9 * states.TIB, "ST8000NM000A", "ZL2FNEW1",
                logical_sector_bytes=512, physical_sector_bytes=4096,
                links=("/dev/disk/by-id/ata-ST8000NM000A_ZL2FNEW1",))  # fmt: skip
    used = replace(free, name="sdy", path="/dev/sdy", serial="ZL2FEXT4", fstype="ext4", label="photos",
                   links=("/dev/disk/by-id/ata-ST8000NM000A_ZL2FEXT4",))  # fmt: skip
    return replace(states.healthy(), inventory=Reading(Inventory((free, used)), states.TICKS))


async def test_a_scrub_goes_from_its_key_to_its_end() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB], source.runs[SCRUB] = plans.scrub(), DONE

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")  # no options
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        assert [] == source.executed
        app.screen.dismiss(Confirmed(""))
        await pilot.pause()
        assert isinstance(app.screen, RunDialog)
        assert "DONE" in frame(app)
        assert "UNDO      zpool scrub -s tank" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PoolsScreen)

    assert source.prepared == [("storage1", SCRUB)]
    assert [(host, plan.intent, typed) for host, plan, typed, _ in source.executed] == [
        ("storage1", SCRUB, "")
    ]


async def test_escape_goes_back_by_one_question_with_its_answer() -> None:
    app = make_app(with_spare_disk())
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"add vdev", "enter")
        await pilot.pause()
        layouts = app.screen
        assert isinstance(layouts, MenuDialog)
        await pilot.press("slash", *"raidz2", "enter")
        await pilot.pause()
        assert isinstance(app.screen, DiskDialog)
        await pilot.press("escape")
        await pilot.pause()
        again = app.screen
        assert isinstance(again, MenuDialog)
        assert again is not layouts
        assert "raidz2" == again.rows.key
        await pilot.press("escape")
        await pilot.pause()
        actions = app.screen
        assert isinstance(actions, MenuDialog)
        assert "add" == actions.rows.key
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PoolsScreen)

    assert not source.prepared


async def test_marked_options_stay_marked_when_the_value_of_one_is_left() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    export = intent("export", "tank", options={"shut-down-guests": True, "guests-within": "90"})
    source.plans[export] = plans.scrub()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"export", "enter")
        await pilot.pause()
        await pilot.press("space", "slash", *"guests-within", "enter", "space", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, MenuDialog)
        assert 2 == frame(app).count("[x]")
        await pilot.press("enter", *"90", "enter")
        await pilot.pause()

    assert [("storage1", export)] == source.prepared


async def test_a_host_that_changed_meanwhile_leads_to_its_new_plan_which_says_what_changed() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB] = plans.scrub()
    stale = replace(DONE, state=RunState.STALE, steps=(), words="the host has changed since the plan",
                    differences=("state of mirror-0 was ONLINE, is DEGRADED",))  # fmt: skip
    source.runs[SCRUB] = stale

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        first = app.screen
        assert isinstance(first, PlanDialog)
        assert "CHANGED" not in frame(app)
        first.dismiss(Confirmed(""))
        await pilot.pause()
        second = app.screen
        assert isinstance(second, PlanDialog)
        assert second is not first
        assert "nothing was run. This is the plan as it is now." in frame(app)
        assert "state of mirror-0 was ONLINE, is DEGRADED" in frame(app)

        source.runs[SCRUB] = DONE
        second.dismiss(Confirmed(""))
        await pilot.pause()
        assert isinstance(app.screen, RunDialog)
        assert "DONE" in frame(app)

    assert [SCRUB, SCRUB] == [wanted for _, wanted in source.prepared]


async def test_runs_that_cannot_be_read_are_counted_before_the_plan_is_confirmed() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB], source.unread = plans.scrub(), 2

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        assert "The journal has 2 rows that cannot be read: each may be a run without" in frame(app)


async def test_a_journal_that_cannot_be_read_does_not_keep_the_plan_from_being_shown() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB], source.unread = plans.scrub(), JournalError("the journal cannot be read")

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        assert "journal" not in frame(app)


async def test_what_is_read_again_on_a_key_says_what_is_other_than_before() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB] = replace(plans.scrub(), basis=PlanBasis((("state of tank", "ONLINE"),)))

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        source.plans[SCRUB] = replace(plans.scrub(), basis=PlanBasis((("state of tank", "DEGRADED"),)))
        first = app.screen
        assert isinstance(first, PlanDialog)
        first.dismiss(Anew())
        await pilot.pause()

        assert isinstance(app.screen, PlanDialog)
        assert "state of tank was ONLINE, is DEGRADED" in frame(app)


def on_two_hosts() -> tuple[HostState, HostState]:
    """nas1 has a pool with datasets, vault1 another pool."""
    vault = states.healthy()
    pools = tuple(
        replace(each, name="vault", pool=replace(each.pool, value=replace(each.pool.value, name="vault")))
        for each in vault.pools[:1]
        if each.pool.value is not None
    )
    return replace(states.with_datasets(), host="nas1"), replace(vault, host="vault1", pools=pools)


async def test_a_snapshot_is_sent_to_another_host_which_is_acted_on() -> None:
    nas, vault = on_two_hosts()
    app = make_app(nas, vault)
    source = source_of(app)
    target = Target(TargetKind.SNAPSHOT, "tank", "tank/home@c")
    wanted = intent("receive", "vault/home", "tank/home@c", options={"from": "nas1"})
    source.plans[wanted] = replace(plans.receive(), intent=wanted)
    source.runs[wanted] = DONE

    async with app.run_test(size=SIZE) as pilot:
        app.act("nas1", target, "receive")
        await pilot.pause()
        assert isinstance(app.screen, MenuDialog)
        assert "vault1" in frame(app)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        assert "vault/home" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        assert "intermediates" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        app.screen.dismiss(Confirmed("vault/home"))
        await pilot.pause()

    assert [("vault1", wanted)] == source.prepared
    assert ["vault1"] == [host for host, *_ in source.executed]


async def test_between_pools_of_the_only_host_nobody_is_asked_which() -> None:
    app = make_app(states.with_datasets())
    source = source_of(app)

    async with app.run_test(size=SIZE) as pilot:
        app.act("storage1", Target(TargetKind.FILESYSTEM, "tank", "tank/home"), "receive")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

    ((host, asked),) = source.prepared
    assert ("storage1", "receive", ("tank/home",), ()) == (host, asked.action, asked.arguments, asked.options)


async def test_who_sends_the_rest_of_a_receive_is_chosen_from_our_hosts() -> None:
    nas, vault = on_two_hosts()
    app = make_app(nas, vault)

    async with app.run_test(size=SIZE) as pilot:
        app.act("vault1", Target(TargetKind.FILESYSTEM, "vault", "vault/home"), "resume-receive")
        await pilot.pause()
        await pilot.press("space", "enter")
        await pilot.pause()
        assert "nas1" in frame(app)
        await pilot.press("enter")
        await pilot.pause()

    assert [("vault1", intent("resume-receive", "vault/home", options={"from": "nas1"}))] == source_of(
        app
    ).prepared


async def test_what_is_only_read_may_be_sent_from_a_host_that_is_read_only() -> None:
    app = make_app(states.with_datasets())
    source_of(app).policies["storage1"] = HostPolicy(read_only="storage1 is read-only in the configuration")

    async with app.run_test(size=SIZE) as pilot:
        app.act("storage1", Target(TargetKind.SNAPSHOT, "tank", "tank/home@c"), "receive")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)


async def test_no_means_that_nothing_is_sent() -> None:
    app = make_app(states.healthy())
    source_of(app).plans[SCRUB] = plans.scrub()

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        for before in (PlanDialog, MenuDialog, MenuDialog, PoolsScreen):
            assert isinstance(app.screen, before)
            await pilot.press(*["escape"] * (before is not PoolsScreen))
            await pilot.pause()

    assert [] == source_of(app).executed


async def test_what_cannot_be_done_stays_and_says_why() -> None:
    app = make_app(states.healthy())
    source_of(app).policies["storage1"] = HostPolicy(read_only="storage1 is read-only in the configuration")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await pilot.pause()
        shown = frame(app)
        assert "Scrub" in shown
        assert "unavailable: storage1 is read-only in the configuration" in shown
        await pilot.press("S")
        await pilot.pause()
        assert isinstance(app.screen, MenuDialog)

    assert [] == source_of(app).prepared


async def test_what_the_user_may_not_do_is_greyed_when_the_host_has_told() -> None:
    """The menu is there at once, and keys typed ahead work; the host's answer greys lines afterwards."""
    app = make_app(states.healthy())
    source = source_of(app)
    source.at_hand = HostCapabilities(Privileges("ann", 1000, PrivilegeMode.PLAIN))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await pilot.pause()
        await pilot.press("S")
        await pilot.pause()
        shown = frame(app)
        assert "unavailable: ann is not root, and it cannot be delegated" in shown
        assert isinstance(app.screen, MenuDialog)

    assert [] == source.prepared


async def test_a_receive_that_was_not_cut_is_greyed_when_the_host_has_told() -> None:
    app = make_app(states.with_datasets())
    source = source_of(app)
    source.at_hand = replace(
        source.at_hand, properties=(("tank", "receive_resume_token", "-", "-"),)
    )  # fmt: skip

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("D", "a")
        await pilot.pause()
        lines = frame(app).splitlines()

    assert [("storage1", "tank", ("receive_resume_token",))] == source.asked_means
    greyed = [each for each in lines if "unavailable: no receive into tank was interrupted" in each]
    assert ["Resume a receive", "Abort a receive"] == [each.strip("│ ").partition("  ")[0] for each in greyed]


async def test_a_host_that_does_not_tell_what_the_user_may_greys_nothing() -> None:
    app = make_app(states.healthy())
    source_of(app).at_hand = HostUnreachable("no answer")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await pilot.pause()
        assert "not root" not in frame(app)


async def test_an_option_for_which_there_is_no_occasion_stays_and_says_why() -> None:
    """A scrub that does not run is neither paused nor stopped; without an option it is started."""
    app = make_app(states.healthy())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        assert "unavailable: no scrub of tank is running" in frame(app)
        await pilot.press("space", "down", "space")
        await pilot.pause()
        assert "unavailable: there is no scrub of tank to stop" in frame(app)
        await pilot.press("enter")
        await pilot.pause()

    assert source_of(app).prepared == [("storage1", SCRUB)]


async def test_a_scrub_that_runs_can_be_stopped_from_the_menu() -> None:
    scan = Scan("scrub", "scanning", start=int(states.NOW) - 60, percent=10.0)
    healthy = states.healthy()
    tank = healthy.pools[0]
    assert tank.pool.value is not None
    pool = replace(tank, pool=replace(tank.pool, value=replace(tank.pool.value, scan=scan)))
    app = make_app(replace(healthy, pools=(pool, *healthy.pools[1:])))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("down", "space", "enter")
        await pilot.pause()

    assert source_of(app).prepared == [("storage1", intent("scrub", "tank", options={"stop": True}))]


async def test_a_new_disk_is_chosen_from_the_inventory() -> None:
    app = make_app(with_spare_disk())

    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("enter", "down", "down")
        await pilot.press("a", "R")
        await pilot.pause()
        shown = frame(app)
        assert "ST8000NM000A" in shown
        assert "ZL2FNEW1" in shown
        assert "holds ext4 photos" in shown
        assert "read 0s ago" in shown
        await pilot.press("down", "enter")  # behind the pool's own spare
        await pilot.pause()
        if isinstance(app.screen, MenuDialog):  # the options
            await pilot.press("enter")
            await pilot.pause()

    host, wanted = source_of(app).prepared[0]
    assert "storage1" == host
    assert "replace" == wanted.action
    assert wanted.arguments[0].isdigit()  # the old one by guid
    assert "/dev/disk/by-id/ata-ST8000NM000A_ZL2FNEW1" == wanted.arguments[1]


async def test_a_host_that_does_not_answer_is_told_of() -> None:
    app = make_app(states.healthy())
    source_of(app).plans[SCRUB] = HostUnreachable("storage1 does not answer", hint="It is tried again.")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TellDialog)
        assert "storage1 does not answer" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        assert "options, if any: Scrub tank" in frame(app)  # the question before, with its answers


@pytest.mark.parametrize(("typed", "is_said"), [("", False), ("m", True)])
async def test_who_leaves_a_plan_amid_its_confirmation_is_told_that_nothing_was_run(
    typed: str, is_said: bool
) -> None:
    """The serial was typed, and `yes` was not: it looks as if it had been sent."""
    app = make_app(states.with_datasets())
    source_of(app).plans[SCRUB] = replace(plans.destroy_snapshot(), intent=SCRUB)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        dialog = app.screen
        assert isinstance(dialog, PlanDialog)
        dialog.shown(0.0)
        await by_hand(pilot, (dialog.guard.confirm or "")[: len(typed)])
        await pilot.press(*["escape"] * 3)
        await pilot.pause()

        assert isinstance(app.screen, PoolsScreen)
        assert is_said == (LEFT_WITHOUT_RUN in frame(app))
        assert [] == source_of(app).executed


async def test_the_alternative_is_planned_in_its_place() -> None:
    app = make_app(states.with_datasets())
    source = source_of(app)
    promote = Intent("promote", "tank/vm1")
    source.plans[SCRUB] = plans.destroy_gold()
    source.plans[promote] = replace(plans.scrub(), title="promote tank/vm1")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        app.screen.dismiss(Instead(promote))
        await pilot.pause()
        assert "promote tank/vm1" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert "F6 promote tank/vm1 first" in frame(app)  # the plan whose alternative it was
        await pilot.press("escape")
        await pilot.pause()
        assert "options, if any: Scrub tank" in frame(app)


async def test_a_password_is_masked_and_handed_over_as_a_secret() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB] = replace(plans.scrub(), privilege_mode=PrivilegeMode.SUDO_PASSWORD)
    source.runs[SCRUB] = DONE

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "S")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        app.screen.dismiss(Confirmed(""))
        await pilot.pause()
        assert isinstance(app.screen, SecretDialog)
        await pilot.press(*"hunter2")
        assert "hunter2" not in frame(app)
        await pilot.press("enter")
        await pilot.pause()

    secrets = source.executed[0][3]
    assert "hunter2" == secrets[SUDO_SECRET].reveal()
    assert "hunter2" not in repr(source.executed)


async def test_a_pool_to_import_is_chosen_with_its_last_host_in_sight() -> None:
    app = make_app(states.empty())
    source_of(app).pools_to_import = (ImportablePool("tank", 4711, "ONLINE", last_host="old-nas"),)

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a")
        await pilot.pause()
        menu = app.screen
        assert isinstance(menu, MenuDialog)
        menu.rows.put_on("import")
        await pilot.press("enter")
        await pilot.pause()
        assert "last on old-nas" in frame(app)
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("enter")  # no options
        await pilot.pause()

    assert source_of(app).prepared == [("storage1", Intent("import", "4711"))]


@pytest.mark.parametrize("typed", ["storage1", "storage2"])
async def test_a_production_host_is_unlocked_by_its_name(typed: str) -> None:
    config = Config(hosts=(HostConfig("storage1", "storage1", is_production=True, colour="red"),))
    app = make_app(states.healthy(), config=config)
    source_of(app).policies["storage1"] = HostPolicy(read_only="storage1 is a production host")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("U")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await by_hand(pilot, typed)
        await pilot.press("enter")
        await pilot.pause()

    assert source_of(app).unlocked == (["storage1"] if typed == "storage1" else [])


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        (BY_UNLOCKING, "To change that: U on the screens unlocks it."),
        ("start it without", "To change that: start it without."),
    ],
)
async def test_the_menu_of_a_locked_host_says_on_top_that_nothing_can_be_done_and_what_changes_it(
    ends: str, told: str
) -> None:
    app = make_app(states.with_datasets())
    source_of(app).policies["storage1"] = HostPolicy("storage1 is locked", ends)

    async with app.run_test(size=(160, 50)) as pilot:
        await pilot.press("enter", "end", "a")
        await pilot.pause()

        assert isinstance(app.screen, MenuDialog)
        shown = " ".join(frame(app).split())
        await pilot.press("escape")
        await pilot.pause()
        assert not isinstance(app.screen, MenuDialog)

    assert f"Nothing can be done here now: storage1 is locked. {told}" in shown


async def test_the_answers_before_a_refused_plan_are_changed_with_a_key() -> None:
    """The way out of a name that is taken is another name: the question comes again, with the former one."""
    app = make_app(states.with_datasets())
    source = source_of(app)
    taken, free = (intent("snapshot", f"tank@{name}") for name in ("gold", "gold2"))
    source.plans[taken], source.plans[free] = plans.refused(), replace(plans.scrub(), title="snapshot gold2")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"snapshot keep", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await pilot.press(*"gold", "enter")
        await pilot.pause()
        await pilot.press("enter")  # no options
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)

        await pilot.press("backspace")
        await pilot.pause()
        assert isinstance(app.screen, MenuDialog)
        await pilot.press("backspace")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        assert "tank@gold" in frame(app)
        await pilot.press("end", "2", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()

        assert "snapshot gold2" in frame(app)
        assert [("storage1", taken), ("storage1", free)] == source.prepared


async def test_the_key_of_a_refusal_goes_to_the_question_that_ends_it_and_keeps_the_other_answers() -> None:
    app = make_app(states.with_datasets())
    source = source_of(app)
    words = ("tank@gold", "tank@go?d", "tank@gold2")
    taken, misworded, free = (intent("snapshot", name, options={"recursive": True}) for name in words)
    refused = RefusalReason("exists", "tank@gold already exists", "choose another name", way_out=WayOut.NAME)
    source.plans[taken] = replace(plans.refused(), intent=taken, refusals=(refused,))
    source.plans[misworded] = UsageError("'go?d' is not a name")
    source.plans[free] = replace(plans.scrub(), title="snapshot gold2")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"snapshot keep", "enter")
        await pilot.pause()
        await pilot.press(*"gold", "enter")
        await pilot.pause()
        await pilot.press("space", "enter")  # recursive
        await pilot.pause()
        assert "F6 another name than tank@gold" in frame(app)
        assert "It is refused in this way" in frame(app)

        await pilot.press("f6")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)

        await pilot.press("f6")
        await pilot.pause()
        await pilot.press("end", "backspace", "backspace", *"?d", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TellDialog)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TextDialog)
        assert "tank@go?d" in frame(app)
        await pilot.press("end", "backspace", "backspace", *"ld2", "enter")
        await pilot.pause()

        assert "snapshot gold2" in frame(app)
        assert [taken, taken, misworded, free] == [each for _, each in source.prepared]


async def test_words_that_are_not_understood_are_asked_again_with_all_answers() -> None:
    app = make_app(states.with_datasets())
    source = source_of(app)
    source.plans[intent("snapshot", "tank@a b")] = UsageError("'a b' is not a name")

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"snapshot keep", "enter")
        await pilot.pause()
        await pilot.press(*"a", "space", "b", "enter")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, TellDialog)
        await pilot.press("enter")
        await pilot.pause()

        assert isinstance(app.screen, TextDialog)
        assert "tank@a b" in frame(app)


async def test_a_refused_plan_without_questions_before_it_leads_back_to_the_screen() -> None:
    app = make_app(states.healthy())
    source = source_of(app)
    source.plans[SCRUB] = plans.refused()

    async with app.run_test(size=SIZE) as pilot:
        app.carry_out("storage1", SCRUB)
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        await pilot.press("backspace")
        await pilot.pause()

        assert isinstance(app.screen, PoolsScreen)


async def test_the_menu_of_actions_finds_what_other_keys_of_the_screen_do() -> None:
    app = make_app(states.with_datasets())

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("D", "down", "a", *"free")
        await pilot.pause()
        assert "F   Free space" in frame(app)
        await pilot.press("enter")
        await pilot.pause()

        assert isinstance(app.screen, TextDialog)
        assert "free space in tank/home" in frame(app)


async def test_disks_of_unequal_sizes_lead_back_to_the_list_with_their_marks() -> None:
    small = with_spare_disk().inventory.value
    assert small is not None
    one = small.disks[0]
    other = replace(one, name="sdz", path="/dev/sdz", serial="ZL2FBIG2", size_bytes=18 * states.TIB,
                    links=("/dev/disk/by-id/ata-ST18000_ZL2FBIG2",))  # fmt: skip
    app = make_app(replace(states.healthy(), inventory=Reading(Inventory((one, other)), states.TICKS)))
    source = source_of(app)
    words = tuple(each.links[0] for each in (one, other))
    wanted = intent("add", "tank", "mirror", *words)
    why = RefusalReason("sizes", "a mirror of 2 has disks of two sizes", way_out=WayOut.DISKS)
    source.plans[wanted] = replace(plans.scrub(), intent=wanted, refusals=(why,))

    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("a", "slash", *"add vdev", "enter")
        await pilot.pause()
        await pilot.press("slash", *"mirror", "enter")
        await pilot.pause()
        await pilot.press("space", "down", "down", "space", "enter")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)
        assert "F6 choose other disks; these stay marked" in frame(app)
        await pilot.press("f6")
        await pilot.pause()
        assert isinstance(app.screen, DiskDialog)
        assert 2 == frame(app).count("[x]")
        assert "does not fit beside ZL2FNEW1" in frame(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, PlanDialog)

    assert [("storage1", wanted)] * 2 == source.prepared
