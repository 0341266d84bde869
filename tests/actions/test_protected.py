"""What `protected` names stays, and stays protected: no name of it changes so that no pattern covers it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.dataset.plans import planned, rules
from tests.doubles import shelves
from tests.doubles.plan_worlds import GIB, bookmark, filesystem, host, linked, snapshot, volume
from zconsole.actions.intent import OptionValue
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts
from zconsole.model.pools.pool import ImportablePool

DATASETS = linked((
    filesystem("tank"),
    filesystem("tank/rb"),
    snapshot("tank/rb@keep", 21),
    bookmark("tank/rb#keep", 21),
    filesystem("tank/a"),
    filesystem("tank/a/x"),
    snapshot("tank/a/x@1", 21),
    snapshot("tank/a@1", 21),
    filesystem("tank/c", origin="tank/a@1", createtxg=30),
    volume("tank/v"),
))  # fmt: skip
FACTS = host(DATASETS, properties=(("tank/v", "volsize", str(10 * GIB), "local"),))


def protecting(*patterns: str, facts: PlanFacts = FACTS) -> PlanFacts:
    return replace(facts, policy=HostPolicy(protected=patterns))


def why(facts: PlanFacts, action: str, target: str, *words: str, **options: OptionValue) -> list[str]:
    """The reasons of the rule."""
    made = planned(facts, action, target, *words, **options)
    return [each.reason for each in made.refusals if each.rule == "protected"]


@pytest.mark.parametrize(
    ("pattern", "action", "target", "words", "options", "named"),
    [
        ("tank/rb*", "rename", "tank/rb", ["tank/free"], {}, "tank/rb"),
        ("tank/a/x", "rename", "tank/a", ["tank/b"], {}, "tank/a/x"),
        ("tank/a/x@1", "rename", "tank/a", ["tank/b"], {}, "tank/a/x@1"),
        ("tank/a/x@*", "rename", "tank/a/x", ["tank/y"], {}, "tank/a/x@1"),
        ("tank/rb#*", "rename", "tank/rb", ["tank/free"], {}, "tank/rb#keep"),
        ("tank/rb*", "rename", "tank/rb", ["tank/a/rb"], {}, "tank/rb"),
        ("*@keep", "rename", "tank/rb@keep", ["old"], {}, "tank/rb@keep"),
        ("tank/a/x@1", "rename", "tank/a@1", ["2"], {"recursive": True}, "tank/a/x@1"),
        ("tank/a@*", "promote", "tank/c", [], {}, "tank/a@1"),
        ("tank/a*", "promote", "tank/c", [], {}, "tank/a@1"),
        ("tank/a/x", "destroy", "tank/a", [], {"recursive": True}, "tank/a/x"),
        ("tank/a/x@1", "destroy", "tank/a@1", [], {"recursive": True}, "tank/a/x@1"),
        ("tank/c", "destroy", "tank/a", [], {"with_clones": True}, "tank/c"),
        ("tank/rb#keep", "destroy", "tank/rb#keep", [], {}, "tank/rb#keep"),
        ("tank/rb", "rollback", "tank/rb@keep", [], {}, "tank/rb"),
        ("tank/v", "set", "tank/v", ["volsize=5G"], {}, "tank/v"),
        ("tank/a/x", "destroy", "tank", [], {}, "tank/a/x"),
        ("tank", "destroy", "tank", [], {}, "tank"),
    ],
)
def test_what_takes_an_object_or_its_protection_away_is_refused(  # noqa: PLR0917 - a table
    pattern: str, action: str, target: str, words: list[str], options: dict[str, OptionValue], named: str
) -> None:
    reasons = why(protecting(pattern), action, target, *words, **options)

    assert [] == why(FACTS, action, target, *words, **options)
    assert 1 == len(reasons)
    assert repr(pattern) in reasons[0]
    assert reasons[0].startswith(f"{named} ")


@pytest.mark.parametrize(
    ("pattern", "action", "target", "words"),
    [
        ("tank/rb*", "rename", "tank/rb", ["tank/rb2"]),
        ("*rb*", "rename", "tank/rb", ["tank/a/rb"]),
        ("*@keep", "rename", "tank/rb", ["tank/free"]),
        ("tank/free", "rename", "tank/rb", ["tank/free"]),
        ("tank/a", "promote", "tank/c", []),
        ("tank/v", "set", "tank/v", ["volsize=20G"]),
        ("tank/a/x", "rename", "tank/rb", ["tank/free"]),
    ],
)
def test_what_stays_protected_may_change_its_name(
    pattern: str, action: str, target: str, words: list[str]
) -> None:
    assert [] == rules(planned(protecting(pattern), action, target, *words))


def test_of_many_that_would_leave_a_pattern_one_is_named_and_all_are_counted() -> None:
    (reason,) = why(protecting("tank/a*"), "rename", "tank/a", "tank/b")

    assert (
        "tank/a is protected by the pattern 'tank/a*' of the configuration, "
        "and would not be as tank/b, and so would 3 more" == reason
    )


BULK = ImportablePool("bulk", 77, "ONLINE", vdevs=(shelves.mirror(0, 1),))


@pytest.mark.parametrize(
    ("pattern", "is_refused"),
    [
        ("bulk/vm", True),
        ("bulk", True),
        ("b*", True),
        ("*ulk@keep", True),
        ("*@keep", False),
        ("tank*", False),
    ],
)
def test_a_pool_is_not_imported_under_a_name_that_is_not_protected(pattern: str, *, is_refused: bool) -> None:
    facts = host(
        pools=(), importable=(BULK,), destroyed=(), labels=(), policy=HostPolicy(protected=(pattern,))
    )

    assert is_refused is bool(why(facts, "import", "bulk", name="other"))
    assert [] == why(facts, "import", "bulk")


@pytest.mark.parametrize(
    ("pattern", "state", "is_refused"),
    [
        ("bulk/vm", "exported", True),
        ("bulk/vm", "active", True),
        ("*@keep", "exported", True),
        ("tank/*", "exported", False),
        ("bulk/vm", "destroyed", False),
        ("bulk/vm", "spare", False),
    ],
)
def test_the_label_of_a_pool_that_may_hold_what_is_protected_is_not_cleared(
    pattern: str, state: str, *, is_refused: bool
) -> None:
    facts = shelves.world(
        shelves.mirror(0, 1),
        disks=[shelves.used(4, "bulk")],
        labels=(shelves.label(4, state=state),),
        policy=HostPolicy(protected=(pattern,)),
    )

    assert is_refused is bool(why(facts, "labelclear", shelves.serial(4)))
