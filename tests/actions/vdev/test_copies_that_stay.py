"""What stays when a sound device goes: errors of its siblings, less redundancy for what moves."""

from __future__ import annotations

import pytest

from tests.analysis.build import group
from tests.doubles.shelves import leaf, mirror, world
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.model.pools.pool import Count, Vdev

ROTTEN = leaf(1, checksum_errors=Count(9))


def planned(*tops: Vdev, words: tuple[str, ...]) -> Plan:
    action, *rest = words
    return plan(intent(action, "tank", *rest), world(*tops))


@pytest.mark.parametrize("action", ["detach", "offline"])
@pytest.mark.parametrize("others", [(ROTTEN,), (ROTTEN, leaf(2, checksum_errors=Count(5)))])
def test_the_only_sound_copy_does_not_go_without_a_word(action: str, others: tuple[Vdev, ...]) -> None:
    made = planned(group("mirror-0", leaf(0), *others), words=(action, str(leaf(0).guid)))

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
