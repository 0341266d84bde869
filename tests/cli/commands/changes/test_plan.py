"""A plan is printed and nothing is changed."""

from __future__ import annotations

import json

import pytest

from tests.cli.acting import (
    BEGAN,
    Zconsole,
    state_of,
)
from tests.reports.schema import PLAN, mismatch
from zconsole.practice import PracticeHost
from zconsole.practice.program_and_subcommand_table import answer


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


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (("destroy", "-R", "tank/a"), {"recursive": True, "with-clones": True}),
        (("destroy", "tank/a", "-r"), {"recursive": True}),
        (("destroy", "-rR", "tank/a"), {"recursive": True, "with-clones": True}),
        (("destroy", "--with-clones", "tank/a"), {"with-clones": True}),
        (("rollback", "-r", "tank/a@1"), {"recursive": True}),
        (("rollback", "-R", "tank/a@1"), {"recursive": True, "with-clones": True}),
        (("snapshot", "-r", "tank/a@2"), {"recursive": True}),
        (("hold", "-r", "tank/a@1", "keep"), {"recursive": True}),
        (("create", "-p", "tank/x/y"), {"parents": True}),
        (("create", "-s", "-V", "1G", "tank/v"), {"sparse": True, "volume": "1G"}),
        (("clone", "-p", "tank/a@1", "tank/x/y"), {"parents": True}),
        (("inherit", "-r", "tank/a", "compression"), {"recursive": True}),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_letters_of_zfs_are_the_options_that_do_the_same(
    zconsole: Zconsole, nas: PracticeHost, words: tuple[str, ...], options: dict[str, object]
) -> None:
    assert 0 == answer(nas.world, ("zfs", "create", "tank/a")).status
    assert 0 == answer(nas.world, ("zfs", "snapshot", "tank/a@1")).status

    _, out, err = zconsole("plan", *words, "--host", "nas", "--json")

    assert "" == err
    assert options == json.loads(out)["intent"]["options"]


def test_a_letter_that_no_option_has_is_named(zconsole: Zconsole, nas: PracticeHost) -> None:
    code, out, err = zconsole("plan", "destroy", "-f", "tank/a", "--host", "nas")

    assert (2, "") == (code, out)
    assert "unrecognized arguments: -f" in err
