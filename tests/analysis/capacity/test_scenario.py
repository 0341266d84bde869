"""Named planning scenarios: their names."""

from __future__ import annotations

import pytest

from zconsole.analysis.capacity.scenario import named
from zconsole.base.errors import UsageError


@pytest.mark.parametrize("text", ["", "  ", "x" * 61])
def test_a_plan_has_a_name(text: str) -> None:
    with pytest.raises(UsageError):
        named(text)
    assert "five bays" == named(" five bays ")
