"""What stays when a sound device goes: errors of its siblings, less redundancy for what moves."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import leaf, mirror, rules, world
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.model.pools.pool import Count, Scan, Vdev

ROTTEN = leaf(1, checksum_errors=Count(9))


SCRUBBED = Scan("scrub", "finished", start=1, end=2, errors=0)
WORN = leaf(1, "DEGRADED", checksum_errors=Count(50), note="too many errors")


def planned(*tops: Vdev, words: tuple[str, ...], scan: Scan | None = None) -> Plan:
    action, *rest = words
    return plan(intent(action, "tank", *rest), world(*tops, pool={"scan": scan}))


@pytest.mark.parametrize("action", ["detach", "offline"])
@pytest.mark.parametrize("others", [(ROTTEN,), (ROTTEN, leaf(2, checksum_errors=Count(5)))])
def test_the_only_sound_copy_does_not_go_without_a_word(action: str, others: tuple[Vdev, ...]) -> None:
    made = planned(group("mirror-0", leaf(0), *others), words=(action, str(leaf(0).guid)), scan=SCRUBBED)

    assert Risk.DESTRUCTIVE is made.risk
    assert any("may have the only good copy of what mirror-0" in each for each in made.warnings)


@pytest.mark.parametrize("action", ["detach", "offline"])
def test_the_one_with_errors_may_go(action: str) -> None:
    made = planned(group("mirror-0", leaf(0), ROTTEN, leaf(2)), words=(action, str(ROTTEN.guid)))

    assert not any("only good copy" in each for each in made.warnings)


@pytest.mark.parametrize(
    ("other", "told"),
    [
        (group("mirror-1", leaf(2), leaf(3, "FAULTED")), True),
        (leaf(2), True),
        (mirror(1, 2, 3), False),
    ],
)
def test_data_that_moves_where_less_is_survived_is_told(other: Vdev, *, told: bool) -> None:
    top = mirror(0, 0, 1)
    made = planned(top, other, words=("remove", top.name))

    assert told == any("its data moves to the other data vdevs: " in each for each in made.warnings)
    assert told == (made.risk is Risk.DESTRUCTIVE)


@pytest.mark.parametrize(
    ("scan", "refused"),
    [
        (None, ["scrub-first"]),
        (Scan("scrub", "scanning", start=1), ["scrub-first"]),
        (Scan("scrub", "finished", start=1, end=2, errors=3), ["scrub-first"]),
        (SCRUBBED, []),
    ],
)
def test_a_copy_is_not_given_up_beside_a_damaged_one_before_a_scrub(
    scan: Scan | None, refused: list[str]
) -> None:
    made = planned(group("mirror-0", leaf(0), WORN), words=("detach", str(leaf(0).guid)), scan=scan)

    assert refused == rules(made)
    assert [True] == [each.startswith("not known: blocks that only") for each in made.loses]
    assert not made.is_reversible
    assert made.undo is not None
    assert made.undo.endswith("from devices that may not have all of it")


@pytest.mark.parametrize("action", ["detach", "offline"])
@pytest.mark.parametrize(
    "others",
    [
        (ROTTEN, leaf(2)),  # a third copy without an error
        (leaf(1, "FAULTED", write_errors=Count(50)), leaf(2)),  # what counts errors serves nothing
    ],
)
def test_what_another_copy_makes_up_for_is_no_reason(action: str, others: tuple[Vdev, ...]) -> None:
    made = planned(group("mirror-0", leaf(0), *others), words=(action, str(leaf(0).guid)))

    assert ([], ()) == (rules(made), made.loses)
    assert not any("only good copy" in each for each in made.warnings)


def test_taken_offline_it_keeps_its_copy() -> None:
    made = planned(group("mirror-0", leaf(0), WORN), words=("offline", str(leaf(0).guid)))

    assert ([], ()) == (rules(made), made.loses)
    assert any("may have the only good copy" in each for each in made.warnings)


def test_after_a_resilver_with_errors_it_is_not_known_what_is_lost() -> None:
    bad = Scan("resilver", "finished", start=1, end=2, errors=3)

    made = planned(mirror(0, 0, 1), words=("detach", str(leaf(0).guid)), scan=bad)

    assert 1 == len(made.loses)


@pytest.mark.parametrize("scan", [None, SCRUBBED])
def test_neither_is_a_pool_split_nor_a_vdev_moved_away_before(scan: Scan | None) -> None:
    pair = group("mirror-0", leaf(0), WORN)
    splitting = planned(pair, words=("split", "half"), scan=scan)
    moving = planned(pair, mirror(1, 2, 3), words=("remove", pair.name), scan=scan)

    for made in (splitting, moving):
        assert ("scrub-first" in rules(made)) == (scan is None)
        assert made.loses
        assert made.loses[0].startswith("not known: ")
