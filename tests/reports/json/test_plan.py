"""Plans as JSON, and read back: what was written is what is read, and everything else is a sentence."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.json.plans import TEXTS, as_saved, made, written
from tests.reports.schema import PLAN, mismatch
from tests.ui.plans import receive
from zconsole.actions.plan import Rehearsal
from zconsole.reports.json.read_saved_plan import PlanFileError, read_plan

STEP = {"argv": ["zpool"], "stdin": None, "why": ""}
WRONG: dict[str, list[object]] = {
    "schema": ["1", True, None, 2, 1.0],
    "action": [1, None, []],
    "host": [None, 1, ["nas"]],
    "title": [None, 1],
    "risk": [None, "none", 1],
    "confirm": [1, [], True],
    "steps": [None, {}, "zpool", [1], [{}], [{**STEP, "argv": "zpool"}], [{**STEP, "argv": [1]}],
              [{**STEP, "stdin": 1}]],
    "destroys": [None, "tank", [1], {}],
    "refusals": [None, ["no"], [{"reason": 1}], [{}]],
    "secrets": [None, [1], "key"],
    "made_at": [None, "1", True, []],
    "expires": [None, "1", True, []],
    "intent": [None, [], {}, {"action": 1}],
    "basis": [None, [], {"a": 1}, {"a": None}],
    "fingerprint": [None, 1, ""],
}  # fmt: skip


def test_a_step_that_is_fed_says_by_what_and_is_read_back() -> None:
    fed = receive()
    document = json.loads(written(fed))

    assert "" == mismatch(document, PLAN)
    sender = fed.steps[0].sender
    assert sender is not None
    assert {"host": "nas1", "argv": list(sender.argv), "size_bytes": 26 << 30} == document["steps"][0][
        "fed_by"
    ]
    assert () == as_saved(fed).differences(fed)


class TestHostile:
    """Files that somebody has made."""

    def changed(self, **values: object) -> str:
        """A plan's file with some values changed, and nothing else."""
        return json.dumps({**json.loads(written(made()["caution"])), **values})

    @pytest.mark.parametrize(
        "values",
        [
            {"steps": [{"argv": ["zpool", "destroy", "tank"], "stdin": None, "why": ""}]},
            {"destroys": ["tank"]},
            {"basis": {}},
            {"fingerprint": "0" * 64},
        ],
    )
    def test_what_does_not_fit_its_fingerprint_is_refused(self, values: dict[str, object]) -> None:
        with pytest.raises(PlanFileError, match="fingerprint"):
            read_plan(self.changed(**values))

    @pytest.mark.parametrize("values", [{"action": "scrub"}, {"risk": "refused"}])
    def test_what_contradicts_itself_is_refused(self, values: dict[str, object]) -> None:
        with pytest.raises(PlanFileError, match="contradicts itself"):
            read_plan(self.changed(**values))

    @pytest.mark.parametrize(
        ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
    )
    def test_values_of_another_type_are_refused(self, key: str, value: object) -> None:
        with pytest.raises(PlanFileError, match=r"^this is not a plan of zconsole: "):
            read_plan(self.changed(**{key: value}))

    @pytest.mark.parametrize("key", list(WRONG))
    def test_what_is_missing_is_named(self, key: str) -> None:
        document = json.loads(written(made()["caution"]))
        del document[key]

        with pytest.raises(PlanFileError, match=f"'{key}' is missing"):
            read_plan(json.dumps(document))

    @pytest.mark.parametrize(
        "text",
        [
            "", "{", "null", "[]", '"plan"', "1e999", "NaN", '{"schema": NaN}', '{"schema": 1, "schema": 1}',
            '{"schema": 2}', "[" * 100_000, '{"schema": 1}', '{"schema": true}', "\ufeff{}",
        ],
    )  # fmt: skip
    def test_anything_else_is_a_sentence(self, text: str) -> None:
        with pytest.raises(PlanFileError, match="this is not a plan"):
            read_plan(text)

    @pytest.mark.parametrize("moment", [10**400, 1e308 * 10])
    def test_moments_without_an_end_are_refused(self, moment: float) -> None:
        with pytest.raises(PlanFileError):
            read_plan(self.changed(made_at=moment))

    @given(at=st.integers(0))
    def test_a_file_cut_short_is_never_a_plan(self, at: int) -> None:
        whole = written(made()["caution"])

        with pytest.raises(PlanFileError):
            read_plan(whole[: at % len(whole)])

    @given(
        found=st.recursive(
            st.none() | st.booleans() | st.integers() | TEXTS,
            lambda each: st.lists(each) | st.dictionaries(TEXTS, each),
        )
    )
    def test_any_json_is_a_plan_or_a_sentence(self, found: object) -> None:
        with pytest.raises(PlanFileError):
            read_plan(json.dumps(found))

    def test_what_a_newer_version_adds_is_passed_over(self) -> None:
        assert made()["caution"].intent == read_plan(self.changed(newer=[1, 2])).intent

    def test_long_words_are_cut_in_the_complaint(self) -> None:
        with pytest.raises(PlanFileError) as raised:
            read_plan(self.changed(risk="x" * 10_000))

        assert len(raised.value.message) < 200


def test_a_dry_run_is_part_of_the_document() -> None:
    plan = replace(made()["routine"], rehearsals=(Rehearsal(("zpool", "add", "-n"), "would add", 0),))

    document = json.loads(written(plan))

    assert [{"argv": ["zpool", "add", "-n"], "stdin": None, "status": 0, "said": "would add"}] == (
        document["rehearsals"]
    )
