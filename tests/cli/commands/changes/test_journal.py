"""The journal on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.acting import Zconsole
from tests.reports.schema import JOURNAL, mismatch
from zconsole.practice import PracticeHost


class TestJournal:
    """`zconsole journal`."""

    @pytest.fixture(autouse=True)
    def _done(self, zconsole: Zconsole, nas: PracticeHost, tmp_path: Path) -> None:
        """Two runs."""
        for comment in ("one", "two"):
            file = str(tmp_path / f"{comment}.json")
            zconsole("plan", "set", "tank", f"comment={comment}", "--host", "nas", "-o", file)
            assert 0 == zconsole("apply", file, "--confirm", "tank")[0]

    def test_what_was_done_is_told_oldest_first(self, zconsole: Zconsole) -> None:
        code, out, _ = zconsole("journal")

        assert 0 == code
        assert out.index("DONE      zpool set comment=one tank") < out.index(
            "DONE      zpool set comment=two tank"
        )

    def test_in_json_a_documented_object_a_run(self, zconsole: Zconsole) -> None:
        _, out, _ = zconsole("journal", "--jsonl", "--last", "1")

        (document,) = [json.loads(line) for line in out.splitlines()]
        assert "" == mismatch(document, JOURNAL)
        assert ["zpool", "set", "comment=two", "tank"] == document["steps"][0]["argv"]
        assert ("nas", "done") == (document["host"], document["state"])

    def test_one_document_has_all_runs(self, zconsole: Zconsole) -> None:
        _, out, _ = zconsole("journal", "--json")

        document = json.loads(out)
        assert (1, ["schema", "runs"]) == (document["schema"], list(document))
        assert ["comment=one", "comment=two"] == [each["steps"][0]["argv"][2] for each in document["runs"]]
        assert all("" == mismatch(each, JOURNAL) for each in document["runs"])

    def test_of_one_host(self, zconsole: Zconsole) -> None:
        assert (
            "Nothing has been carried out from this account yet on storage2.\n"
            == (zconsole("journal", "--host", "storage2")[1])
        )
        assert 2 == len(zconsole("journal", "--host", "nas", "--jsonl")[1].splitlines())


def test_an_empty_journal_is_said_and_no_error(zconsole: Zconsole) -> None:
    assert (0, "Nothing has been carried out from this account yet.\n", "") == zconsole("journal")
    assert (0, "", "") == zconsole("journal", "--jsonl")
    assert (0, '{"schema": 1, "runs": []}\n', "") == zconsole("journal", "--json")
