"""Steps in the journal."""

from __future__ import annotations

import pytest

from zconsole.model.journal import StepEntry


@pytest.mark.parametrize(
    ("expected", "state", "status"),
    [(True, "unknown", 0), (False, "unknown", None), (False, "done", 0), (False, "failed", 1)],
)
def test_a_step_may_have_ended_and_its_effect_be_unknown(
    expected: bool,
    state: str,
    status: int | None,
) -> None:
    assert expected is StepEntry(("zfs", "destroy", "x"), state=state, status=status).was_seen_to_end
