"""States of a run."""

from __future__ import annotations

from zconsole.model.run import RunState


def test_a_run_has_ended_in_five_states_and_in_no_other() -> None:
    assert {RunState.CHECKING, RunState.RUNNING, RunState.SETTLING} == {
        state for state in RunState if not state.is_end
    }
