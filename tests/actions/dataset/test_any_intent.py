"""Whatever is asked of whatever tree: a plan or a usage error, and never more lost than the plan lists."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.dependencies.test_affected_objects import what_cannot_stay
from tests.doubles.plan_worlds import Forest, forests, host
from zconsole.actions.catalogue.datasets import SPECS
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Step
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import libzfs_core_argv
from zconsole.zfs.change.channel_program import DESTROY

WAY = libzfs_core_argv.ways()[0]
IDS = sorted(spec.id for spec in SPECS)
FLAGS = st.sampled_from(["recursive", "with-clones", "parents", "sparse"])
LOOSE = st.sampled_from(
    [
        "",
        "tag",
        "tank/new",
        "tank@new",
        "new",
        "compression=zstd",
        "quota=1",
        "volsize=1G",
        "mountpoint",
        "tank",
    ]
)


def lost(step: Step, facts: PlanFacts, forest: Forest) -> set[str]:
    """What a command makes disappear, by what its manual page says; a call of libzfs_core what it names."""
    if libzfs_core_argv.is_call(step.argv):
        request = json.loads(step.stdin or "")
        return set(request["snapshots"]) if step.argv[-1] == libzfs_core_argv.DESTROY else set()
    verb, target = step.argv[1], step.argv[-1]
    flags = {letter for word in step.argv[2:-1] if word.startswith("-") for letter in word[1:]}
    if verb == "program":
        return set(step.argv[5::4]) if step.stdin == DESTROY else set()
    if verb not in {"destroy", "rollback"}:
        return set()
    base, mark, spec = target.partition("@")
    if verb == "rollback":
        ages = {**forest.snapshots, **forest.bookmarks}
        of_base = {name for name in ages if name.startswith((f"{base}@", f"{base}#"))}
        return what_cannot_stay(facts.datasets, {name for name in of_base if ages[name] > ages[target]})
    if not mark:
        return what_cannot_stay(facts.datasets, {target})
    names = {f"{base}@{each}" for each in spec.split(",")}
    if flags & {"r", "R"}:
        below = [name for name in forest.origins if name == base or name.startswith(f"{base}/")]
        names |= {f"{each}@{short}" for each in below for short in spec.split(",")} & forest.snapshots.keys()
    return what_cannot_stay(facts.datasets, names)


def asked(facts: PlanFacts, action: str, words: list[str], flags: set[str]) -> Plan | None:
    """The plan, or None where the words made no sense."""
    options: dict[str, OptionValue] = dict.fromkeys(flags, True)
    try:
        return plan(intent(action, *words, options=options), facts)
    except UsageError:
        return None


@settings(max_examples=200)
@given(
    forest=forests(),
    action=st.sampled_from([*IDS, "destroy", "destroy", "rollback"]),
    choices=st.lists(st.integers(0, 1000), min_size=1, max_size=3),
    loose=st.lists(LOOSE, max_size=2),
    flags=st.sets(FLAGS, max_size=2),
)
def test_no_plan_loses_what_it_does_not_list(
    forest: Forest, action: str, choices: list[int], loose: list[str], flags: set[str]
) -> None:
    facts = host(
        forest.datasets(), may_run_programs=choices[0] % 2 == 0, core=WAY if choices[0] % 3 else None
    )
    names = sorted(each.name for each in facts.datasets)
    words = [*(names[choice % len(names)] for choice in choices), *loose]

    made = asked(facts, action, words, flags)

    if made is None:
        return
    assert not {"-f", "-F"} & {word for step in made.steps for word in step.argv}
    if not made.is_refused:
        gone = {name for step in made.steps for name in lost(step, facts, forest)}
        assert made.intent.target == "tank" or gone == set(made.destroys)
