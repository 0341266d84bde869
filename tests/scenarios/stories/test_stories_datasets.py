"""The accidents that others had with datasets, tried again: each is refused, or guarded as its risk asks."""

from __future__ import annotations

import inspect
import pkgutil
from dataclasses import replace
from importlib import import_module

import pytest

import zconsole.zfs
from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import GIB, filesystem, host, images, linked, snapshot, volume
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan, Risk
from zconsole.actions.typed_confirmation_state_machine import GuardStage, guard_of
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import HostPolicy, OutsideUse

FACTS = host(images())


def typed(made: Plan, text: str) -> GuardStage:
    """How far the guard is after a text was typed, one key a second."""
    guard, now = guard_of(made).painted(0.0), 1.0
    for character in text:
        guard = guard.key(character, character, now)
        now += 1.0
    return guard.tick(now).stage


class TestStory6:
    """The wrong dataset was destroyed; there is no rewind on a healthy pool."""

    def test_only_the_host_and_the_whole_name_open_it(self) -> None:
        made = planned(FACTS, "destroy", "tank/home", recursive=True)

        assert "storage1:tank/home" == made.confirm
        assert {GuardStage.TYPING} == {
            typed(made, text)
            for text in ("tank/home", "y", "storage1:tank/hom", "storage1:tank/images", "storage2:tank/home")
        }

    def test_what_it_is_stands_in_the_plan(self) -> None:
        made = planned(FACTS, "destroy", "tank/home", recursive=True)

        assert any("refers to 2.00 GiB" in each and "1.00 MiB written" in each for each in made.notes)
        assert {"tank/home/ann", "tank/home@daily-1", "tank/home#daily-1"} <= set(made.destroys)
        assert "/tank/home" in {each.name for each in made.dependents}
        assert not made.is_reversible

    def test_what_is_protected_stays(self) -> None:
        facts = replace(FACTS, policy=HostPolicy(protected=("tank/home*",)))

        assert "protected" in rules(planned(facts, "destroy", "tank/home", recursive=True))

    def test_renaming_and_waiting_is_offered_instead(self) -> None:
        offered = [each for _, each in planned(FACTS, "destroy", "tank/home", recursive=True).alternatives]

        assert Intent("rename", "tank/home", ("tank/home-to-destroy",)) in offered

    def test_another_one_of_the_same_name_is_not_destroyed_for_it(self) -> None:
        shown = planned(FACTS, "destroy", "tank/home/ann", recursive=True)
        others = [
            replace(each, guid=1, createtxg=90) if each.name == "tank/home/ann" else each for each in images()
        ]

        assert shown.basis != planned(host(others), "destroy", "tank/home/ann", recursive=True).basis


class TestStory7:
    """The @ was forgotten: the dataset was destroyed, not the snapshot."""

    @pytest.mark.parametrize("target", ["tank/home", "tank/images"])
    def test_without_the_snapshot_it_is_refused_and_says_what_it_is(self, target: str) -> None:
        made = planned(FACTS, "destroy", target)

        assert "children" in rules(made)
        assert any("not a snapshot of it" in each for each in made.warnings)

    def test_what_is_typed_for_snapshots_never_names_the_dataset_alone(self) -> None:
        for words in (
            ["tank/home@daily-1"],
            ["tank/home@daily-1%daily-2"],
            ["tank/home@daily-1", "tank/home@daily-2"],
        ):
            made = planned(FACTS, "destroy", *words)

            assert made.confirm is not None
            assert made.confirm.startswith("storage1:tank/home@")
            assert GuardStage.TYPING is typed(made, "storage1:tank/home")

    def test_no_command_for_snapshots_can_hit_the_dataset(self) -> None:
        for facts in (FACTS, replace(FACTS, may_run_programs=True)):
            made = planned(facts, "destroy", "tank/home@daily-1", "tank/home/ann@daily-2")

            assert all("@" in word for step in made.steps for word in step.argv if word.startswith("tank/"))

    def test_snapshots_and_datasets_are_never_destroyed_together(self) -> None:
        with pytest.raises(UsageError):
            planned(FACTS, "destroy", "tank/home@daily-1", "tank/home")

    @pytest.mark.parametrize("word", ["tank/home@", "tank/home@,", "tank/home@daily-1,", "@daily-1"])
    def test_half_a_name_is_nothing(self, word: str) -> None:
        with pytest.raises(UsageError):
            planned(FACTS, "destroy", word)


def test_story_9_the_dry_run_leaves_out_the_clones() -> None:
    """All of them are listed and counted, and promoting is offered before."""
    made = planned(FACTS, "destroy", "tank/images@gold", with_clones=True)

    assert ("tank/images@gold", "tank/vm1", "tank/vm1-test", "tank/vm1@patched", "tank/vm2") == made.destroys
    assert Risk.CATASTROPHIC is made.risk
    assert GuardStage.TYPING is typed(made, "storage1:tank/images@gold")
    assert GuardStage.TYPING is typed(made, "storage1:tank/images@gold 4")
    assert GuardStage.READY is typed(made, "storage1:tank/images@gold 5")
    without = planned(FACTS, "destroy", "tank/images@gold")
    assert ["clones"] == rules(without)
    assert Intent("promote", "tank/vm1") in [each for _, each in without.alternatives]


class TestStory10:
    """`-r` on a parent took clones that lived in the tree; the clone to destroy was the live original."""

    JAILS = linked((
        filesystem("tank"), filesystem("tank/jails"), filesystem("tank/jails/base"),
        snapshot("tank/jails/base@p1"), filesystem("tank/jails/web", origin="tank/jails/base@p1"),
    ))  # fmt: skip

    def test_live_clones_in_the_tree_are_told_and_counted(self) -> None:
        made = planned(host(self.JAILS), "destroy", "tank/jails", recursive=True)

        assert Risk.CATASTROPHIC is made.risk
        assert "storage1:tank/jails 4" == made.confirm
        assert ("clone", "tank/jails/web") in {(each.kind, each.name) for each in made.dependents}
        assert any("tank/jails/web" in each for each in made.warnings)
        assert "tank/jails/web" in made.live

    def test_after_a_promotion_the_former_original_stands_on_the_clone(self) -> None:
        promoted = linked((
            filesystem("tank"), filesystem("tank/live", origin="tank/new@p1"), filesystem("tank/new"),
            snapshot("tank/new@p1"),
        ))  # fmt: skip

        made = planned(host(promoted), "destroy", "tank/new", recursive=True)

        assert ["clones"] == rules(made)
        assert "tank/live" in made.refusals[0].reason
        assert Intent("promote", "tank/live") in [each for _, each in made.alternatives]


def test_story_11_receive_f_wiped_the_target() -> None:
    """No command knows the flag; a target that would have to be rolled back is refused."""
    for module in pkgutil.iter_modules(zconsole.zfs.__path__, "zconsole.zfs."):
        assert '"-F"' not in inspect.getsource(import_module(module.name))


class TestStory12:
    """A rollback under a running machine succeeds and corrupts it; `-r` took newer snapshots."""

    DATASETS = (*images(), snapshot("tank/vm2@before", 40), snapshot("tank/vm2@after", 41))

    @pytest.mark.parametrize(
        ("object_name", "kind"),
        [
            ("tank/vm2", "guest"),
            ("/dev/zvol/tank/vm2", "guest"),
            ("tank/vm2", "process"),
            ("tank/vm2", "holder"),
        ],
    )
    @pytest.mark.parametrize(
        ("action", "words", "options"),
        [
            ("rollback", ["tank/vm2@after"], {}),
            ("rollback", ["tank/vm2@before"], {"recursive": True}),
            ("destroy", ["tank/vm2"], {"recursive": True}),
            ("destroy", ["tank/images"], {"with_clones": True}),
        ],
    )
    def test_whatever_runs_on_it_blocks_and_is_named(
        self, object_name: str, kind: str, action: str, words: list[str], options: dict[str, bool]
    ) -> None:
        facts = host(self.DATASETS, uses=(OutsideUse(object_name, kind, "web1"),))

        made = planned(facts, action, *words, **options)

        assert ["in-use"] == rules(made)
        assert "web1" in made.refusals[0].reason
        assert (kind, "web1") in {(each.kind, each.name) for each in made.dependents}

    def test_newer_snapshots_are_listed_and_never_taken_unasked(self) -> None:
        assert ["newer"] == rules(planned(host(self.DATASETS), "rollback", "tank/vm2@before"))

        made = planned(host(self.DATASETS), "rollback", "tank/vm2@before", recursive=True)

        assert ("tank/vm2@after",) == made.destroys
        assert "storage1:tank/vm2@before" == made.confirm

    def test_a_clone_and_a_guard_snapshot_are_offered(self) -> None:
        alternatives = planned(host(self.DATASETS), "rollback", "tank/vm2@before").alternatives

        assert {"clone", "rollback", "snapshot"} == {each.action for _, each in alternatives}


class TestStory18:
    """A pool at 100 %: files cannot be removed, nothing can be made."""

    FULL = host((
        filesystem("tank", available_bytes=0), filesystem("tank/home", available_bytes=0),
        snapshot("tank/home@a", 20), volume("tank/v", available_bytes=0),
    ))  # fmt: skip

    @pytest.mark.parametrize(
        ("action", "words"),
        [("create", ["tank/new"]), ("snapshot", ["tank/home@b"]), ("clone", ["tank/home@a", "tank/c"]),
         ("bookmark", ["tank/home@a"]), ("set", ["tank/home", "reservation=1T"])],
    )  # fmt: skip
    def test_what_needs_space_is_refused_beforehand(self, action: str, words: list[str]) -> None:
        made = planned(self.FULL, action, *words)

        assert ["full"] == rules(made)

    def test_what_frees_space_is_still_done(self) -> None:
        """Destroying may use what ZFS keeps back."""
        made = planned(self.FULL, "destroy", "tank/home@a")

        assert ["zfs destroy tank/home@a"] == commands(made)
        assert made.frees_bytes is not None
        assert made.frees_bytes < GIB

    def test_a_quota_that_is_smaller_than_what_is_used_is_refused(self) -> None:
        assert ["below-used"] == rules(planned(self.FULL, "set", "tank/home", "quota=1G"))
