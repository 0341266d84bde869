"""Plans carried out on the practice host: what disappears there is what they listed, name by name."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.doubles.plan_worlds import Forest, forests, host, pool
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.practice import World, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.zfs.listing.datasets import list_datasets, parse_datasets

EVERY_TYPE = ("filesystem", "volume", "snapshot", "bookmark")


def run(world: World, *argv: str) -> Reply:
    """Run one command there."""
    reply = answer(world, argv)
    assert isinstance(reply, Reply)
    return reply


def planted(forest: Forest) -> World:
    """A world in which the forest has grown, command by command."""
    world = create_world("mirror 0 1")
    for command in forest.commands:
        reply = run(world, "zfs", *command)
        assert 0 == reply.status, (command, reply.stderr)
    return world


def listed(world: World) -> tuple[Dataset, ...]:
    """What is there."""
    reply = run(world, *list_datasets("tank", types=EVERY_TYPE).argv)
    return tuple(parse_datasets(reply.stdout))


def facts_of(world: World) -> PlanFacts:
    """What is there, as facts."""
    return host(listed(world), pools=(pool(),))


def carried_out(world: World, made: Plan) -> list[Reply]:
    """Every step, in its order."""
    return [run(world, *step.argv) for step in made.steps]


def planned(facts: PlanFacts, action: str, words: list[str], flags: set[str]) -> Plan:
    """The plan of an intent whose words make sense."""
    options: dict[str, OptionValue] = dict.fromkeys(flags, True)
    return plan(intent(action, *words, options=options), facts)


def chosen(names: list[str], choices: list[int]) -> list[str]:
    """Some of them."""
    return [names[choice % len(names)] for choice in choices]


FLAGS = st.sampled_from([set[str](), {"recursive"}, {"with-clones"}])
CHOICES = st.lists(st.integers(0, 1000), min_size=1, max_size=3)


def holds_good(world: World, action: str, words: list[str], flags: set[str]) -> None:
    """Plan it, do it as it was planned, and see what is left; a refused one is refused there too."""
    before = facts_of(world)
    made = planned(before, action, words, flags)
    rehearsed = [run(world, *each.argv) for each in made.rehearsals]

    replies = carried_out(world, made)

    after = {each.name for each in listed(world)}
    if made.is_refused:
        assert any(reply.status for reply in replies), made.refusals
    else:
        assert all(reply.status == 0 for reply in replies), [reply.stderr for reply in replies]
        assert all(reply.status == 0 for reply in rehearsed)
        assert set(made.destroys) == {each.name for each in before.datasets} - after


@settings(max_examples=100)
@given(forest=forests(), choices=CHOICES, flags=FLAGS)
def test_datasets_and_snapshots_that_disappear_are_those_listed(
    forest: Forest, choices: list[int], flags: set[str]
) -> None:
    world = planted(forest)
    systems = sorted(forest.origins.keys() - {"tank"})
    if systems:
        holds_good(world, "destroy", chosen(systems, choices[:1]), flags)


@settings(max_examples=100)
@given(forest=forests(), choices=CHOICES, flags=FLAGS)
def test_snapshots_that_disappear_are_those_listed(
    forest: Forest, choices: list[int], flags: set[str]
) -> None:
    world = planted(forest)
    if forest.snapshots:
        holds_good(world, "destroy", chosen(sorted(forest.snapshots), choices), flags)


@settings(max_examples=100)
@given(forest=forests(), choices=CHOICES, flags=FLAGS)
def test_what_a_rollback_takes_is_what_was_listed(
    forest: Forest, choices: list[int], flags: set[str]
) -> None:
    world = planted(forest)
    if forest.snapshots:
        holds_good(world, "rollback", chosen(sorted(forest.snapshots), choices[:1]), flags)


@settings(max_examples=100)
@given(forest=forests(), choices=CHOICES)
def test_a_promotion_changes_the_names_that_it_told(forest: Forest, choices: list[int]) -> None:
    world = planted(forest)
    clones = sorted(name for name, origin in forest.origins.items() if origin is not None)
    if not clones:
        return
    before = facts_of(world)
    made = planned(before, "promote", chosen(clones, choices[:1]), set())

    (reply,) = carried_out(world, made)

    assert bool(made.refusals) == bool(reply.status)
    if not made.refusals:
        moved = {
            each.name: each.detail.removeprefix("becomes ")
            for each in made.dependents
            if each.kind in {"snapshot", "bookmark"}
        }
        names = {each.name for each in before.datasets}
        assert {moved.get(name, name) for name in names} == {each.name for each in listed(world)}
