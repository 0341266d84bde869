"""Every finding of the list has a state in which it is said, and one beside it in which it is not."""

from __future__ import annotations

import pytest

from tests.analysis.findings.edges import EDGES, Edge, differences, is_near
from zconsole.views.findings.by_id.what_to_do import KNOWN_IDS

MOST_DIFFERENCES = 4  # values; one of them is what the rule looks at, the others follow from it
NEAR_PERCENT = 50.0  # of the larger value: block sizes are powers of two


@pytest.mark.parametrize("finding_id", sorted(KNOWN_IDS))
def test_a_finding_is_said_on_one_side_of_its_limit_and_not_on_the_other(finding_id: str) -> None:
    edges = [edge for edge in EDGES if edge.id == finding_id]

    assert edges, f"add to EDGES a pair of states on the two sides of the limit of {finding_id}"
    for edge in edges:
        assert finding_id in said(edge, edge.speaks)
        assert finding_id not in said(edge, edge.silent)


@pytest.mark.parametrize("edge", EDGES, ids=[edge.id for edge in EDGES])
def test_the_two_states_of_a_finding_are_beside_one_another(edge: Edge) -> None:
    found = differences(edge.speaks, edge.silent)

    assert 1 <= len(found) <= MOST_DIFFERENCES, found
    assert [] == [pair for pair in found if not is_near(*pair, NEAR_PERCENT)]


def test_only_findings_of_the_list_have_edges() -> None:
    assert set() == {edge.id for edge in EDGES} - KNOWN_IDS


def test_differences_are_those_of_the_values_within() -> None:
    assert ((1, 2), ("c", None)) == differences((1, "a", "c"), (2, "a"))
    assert is_near(100, 51, NEAR_PERCENT)
    assert not is_near(100, 49, NEAR_PERCENT)


def said(edge: Edge, state: object) -> set[str]:
    return {each.id for each in edge.judge(state)}
