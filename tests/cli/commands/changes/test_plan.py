"""A plan is printed and nothing is changed."""

from __future__ import annotations

import json

from tests.cli.acting import (
    BEGAN,
    Zconsole,
    state_of,
)
from tests.reports.schema import PLAN, mismatch
from zconsole.practice import PracticeHost


def test_plan_prints_and_changes_nothing(zconsole: Zconsole, nas: PracticeHost, disk: str) -> None:
    code, out, err = zconsole("plan", "offline", "tank", disk, "--host", "nas")

    assert (0, "") == (code, err)
    assert out.startswith("nas")
    assert "RUNS      zpool offline tank " in out
    assert "ONLINE" == state_of(nas)


def test_plan_in_json_is_one_documented_object(zconsole: Zconsole, nas: PracticeHost, disk: str) -> None:
    code, out, _ = zconsole("plan", "--host", "nas", "offline", "tank", disk, "--json", "--temporary")

    document = json.loads(out)
    assert 0 == code
    assert "" == mismatch(document, PLAN)
    assert ("offline", "nas", disk) == (document["action"], document["host"], document["target"])
    assert {"temporary": True} == document["intent"]["options"]
    assert BEGAN == document["made_at"]


def test_a_refused_plan_ends_with_3(zconsole: Zconsole, nas: PracticeHost) -> None:
    code, out, _ = zconsole("plan", "scrub", "tank", "--stop", "--host", "nas", "--json")

    assert 3 == code
    assert ["no-scrub"] == [refusal["rule"] for refusal in json.loads(out)["refusals"]]
