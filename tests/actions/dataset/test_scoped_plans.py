"""A plan from the snapshots that its action says it needs is the plan from all snapshots of the pool."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.actions.dataset.test_any_intent import FLAGS, IDS, LOOSE, WAY
from tests.doubles.plan_worlds import HOST, ROOT, Forest, excerpt, filesystem, forests, host, images, snapshot
from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import Intent, OptionValue, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.model.datasets.replication import SendBase
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.host.plan_facts import Hold, PlanFacts, SendingSide

CHOICES = st.integers(0, 1000)
RANGES = ("{0}%{1}", "%{1}", "{0}%", "{0},{1}", "%")


def as_read(facts: PlanFacts, wanted: Intent) -> PlanFacts:
    """These facts, with no more snapshots than are read for an intent; of wrong words nothing is read."""
    try:
        needs = spec(wanted.action).needs(wanted)
    except UsageError:
        needs = Needs()
    datasets, scope = excerpt(facts.datasets, needs.snapshots)
    holds = tuple(each for each in facts.holds or () if scope.has(each.snapshot))
    sending = facts.sending
    if sending is not None:
        sending = replace(sending, datasets=excerpt(sending.datasets, needs.sender_snapshots)[0])
    return replace(facts, datasets=datasets, scope=scope, holds=holds, sending=sending)


def outcome(wanted: Intent, facts: PlanFacts) -> tuple[Plan | str, Needs | None]:
    """The plan, or what makes no sense; and what else would be read for it."""
    further = spec(wanted.action).further
    try:
        return plan(wanted, facts), None if further is None else further(wanted, facts)
    except UsageError as error:
        return error.message, None


def facts_of(forest: Forest, choice: int) -> PlanFacts:
    """A host with those datasets, some snapshots of them held, some what a copy builds on."""
    names = sorted(forest.snapshots)
    held = names[choice % 3 :: 3]
    datasets = [
        replace(each, holds=1, is_destroy_deferred=choice % 2 == 0) if each.name in held else each
        for each in forest.datasets()
    ]
    marks = {name.replace("@", "#"): name for name in names}
    guids = {each.name: each.guid for each in datasets}
    datasets = [
        replace(each, guid=guids[marks[each.name]]) if each.name in marks else each for each in datasets
    ]
    return host(
        datasets,
        holds=tuple(Hold(name, "tag") for name in held),
        may_run_programs=choice % 2 == 0,
        core=WAY if choice % 3 else None,
        send_bases=tuple(
            SendBase("storage1", name, guids[name] or 0, "vault:b", "it does", 0.0) for name in names[::2]
        ),
        sending=SendingSide(HOST, privileges=ROOT, datasets=tuple(datasets)),
    )


@pytest.mark.slow
@settings(max_examples=400)
@given(
    forest=forests(least=25),
    action=st.sampled_from([*IDS, *["destroy", "rollback", "promote", "receive"] * 8]),
    choices=st.lists(CHOICES, min_size=1, max_size=3),
    loose=st.lists(LOOSE, max_size=2),
    flags=st.sets(FLAGS, max_size=2),
)
def test_no_plan_is_another_one_where_less_was_read(
    forest: Forest, action: str, choices: list[int], loose: list[str], flags: set[str]
) -> None:
    """Most words are of one kind of objects, as a plan would have them."""
    facts = facts_of(forest, choices[0])
    kinds = sorted({each.type for each in facts.datasets})
    kind = kinds[choices[0] % len(kinds)]
    names = sorted(each.name for each in facts.datasets if choices[-1] % 9 == 0 or each.type == kind)
    words = [names[each % len(names)] for each in choices]
    if kind != "snapshot" and choices[-1] % 2:
        words = words[:1]
    options: dict[str, OptionValue] = dict.fromkeys(flags, True)
    wanted = intent(action, *words, *(loose if action != "destroy" else ()), options=options)

    assert outcome(wanted, facts) == outcome(wanted, as_read(facts, wanted))


@settings(max_examples=100)
@given(forest=forests(least=25), choice=CHOICES, words=st.sampled_from(RANGES))
def test_a_range_means_the_same(forest: Forest, choice: int, words: str) -> None:
    facts = facts_of(forest, choice)
    name = sorted(forest.origins)[choice % len(forest.origins)]
    mine = [each.partition("@")[2] for each in forest.snapshots if each.startswith(f"{name}@")]
    if not mine:
        return
    wanted = intent("destroy", f"{name}@{words.format(mine[0], mine[-1])}")

    assert outcome(wanted, facts) == outcome(wanted, as_read(facts, wanted))


@pytest.mark.parametrize(
    "words",
    [
        ("create", "tank/new"),
        ("set", "tank/home", "compression=zstd"),
        ("inherit", "tank/home", "compression"),
        ("mount", "tank/home"),
        ("unmount", "tank/home"),
        ("share", "tank/home"),
        ("unshare", "tank/home"),
        ("load-key", "tank/home"),
        ("unload-key", "tank/home"),
    ],
    ids=lambda words: words[0],
)
def test_what_is_about_no_snapshot_lists_none(words: tuple[str, ...]) -> None:
    assert () == spec(words[0]).needs(intent(*words)).snapshots


def test_what_was_not_read_is_not_destroyed() -> None:
    """A snapshot that appears behind the back of the reading keeps its dataset from going."""
    facts = host(
        (filesystem("tank"), *images()[1:], snapshot("tank/new@s")),
        scope=SnapshotScope(named=frozenset({"tank/home@daily-1"}), bare=frozenset({"tank/home"})),
    )

    dataset = plan(intent("destroy", "tank/vm2"), facts)
    other = plan(intent("destroy", "tank/home@daily-2"), facts)
    named = plan(intent("destroy", "tank/home@daily-1"), facts)

    assert ["unread"] == [each.rule for each in dataset.refusals]
    assert ["unread"] == [each.rule for each in other.refusals]
    assert () == named.refusals
