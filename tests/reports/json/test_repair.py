"""The JSON of `repair` has the documented shape, and says what is due."""

from __future__ import annotations

import json

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import the_repair, trouble_at
from tests.doubles.shelves import leaf, serial
from tests.reports.schema import REPAIRS, mismatch
from zconsole.model.host.host_state import HostState
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.repair import repairs_document

FAULTED = group("mirror-0", leaf(0), leaf(1, "FAULTED"))


@pytest.mark.parametrize(
    ("step", "now", "state"),
    [
        ("identify", f"find {serial(1)}", trouble_at(FAULTED)),
        ("new disk", "insert a new disk", trouble_at(FAULTED, gone=[1])),
        ("replace", f"replace {serial(1)} with {serial(2)}", trouble_at(FAULTED, gone=[1], unused=1)),
    ],
)
def test_a_repair_has_the_shape_and_what_to_do_now(step: str, now: str, state: HostState) -> None:
    document = json.loads(as_line(repairs_document("nas1", [the_repair(state, 1)])))

    (repair,) = document["repairs"]
    assert "" == mismatch(document, REPAIRS)
    assert step == repair["step"]
    assert repair["now"].startswith(now)
