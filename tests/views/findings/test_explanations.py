"""What a finding means for whoever reads it at night."""

from __future__ import annotations

from pathlib import Path

from zconsole.views.findings.explanations import _MEANINGS, meaning


def test_each_meaning_is_of_a_finding_that_there_is_and_is_whole_sentences() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "findings.md").read_text(encoding="utf-8")

    assert [] == [each for each in _MEANINGS if f"\n### {each}\n" not in manual]
    assert [] == [
        each for each in _MEANINGS if not meaning(each).endswith(".") or not meaning(each)[0].isupper()
    ]


def test_a_finding_that_says_it_all_has_none() -> None:
    assert "" == meaning("disk-slow")
    assert meaning("pool-suspended").startswith("Nothing is read or written")
