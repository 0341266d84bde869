"""A draft of a plan: its risk only rises, and it remembers what it rests on."""

from __future__ import annotations

import pytest

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Draft, Needs, no_needs, only_disks
from zconsole.actions.byte_count_tolerance import FigureMeasure
from zconsole.actions.intent import Intent
from zconsole.actions.plan import RefusalReason, Risk


@pytest.mark.parametrize(
    ("expected", "risk"),
    [(Risk.CAUTION, Risk.ROUTINE), (Risk.CAUTION, Risk.CAUTION), (Risk.CATASTROPHIC, Risk.CATASTROPHIC)],
)
def test_a_risk_is_raised_and_never_lowered(expected: Risk, risk: Risk) -> None:
    draft = Draft("x", "tank", Risk.CAUTION)

    draft.raise_risk(risk)

    assert expected is draft.risk


def test_what_was_seen_is_kept_as_text_and_the_last_look_counts() -> None:
    draft = Draft("x", "tank", Risk.ROUTINE)

    draft.saw("guid of tank", 5)
    draft.saw("guid of tank", 6)

    assert {"guid of tank": "6"} == draft.basis


def test_a_number_of_bytes_is_kept_with_its_measure() -> None:
    draft = Draft("x", "tank", Risk.ROUTINE)

    figure = draft.counted("written to tank", FigureMeasure.WRITTEN, 9)

    assert {"written to tank": figure} == draft.figures
    assert 9 == figure.bytes


def test_refusals_are_kept_in_order_with_what_to_do_instead() -> None:
    draft = Draft("x", "tank", Risk.ROUTINE)

    draft.refuse("held", "it is held", "release it")
    draft.refuse("full", "no space")

    assert [RefusalReason("held", "it is held", "release it"), RefusalReason("full", "no space")] == (
        draft.refusals
    )


def test_an_option_is_found_by_its_name() -> None:
    assert "sparse" == getattr(spec("create").option("sparse"), "name", "")
    assert spec("create").option("with-clones") is None


def test_an_action_about_disks_reads_those_and_one_about_its_pool_nothing_more() -> None:
    wanted = Intent("x", "tank")

    assert Needs(disks=True) == only_disks(wanted)
    assert Needs() == no_needs(wanted)
