"""Literals of words are found where sentences are made, with the rule and the numbers beside them."""

from __future__ import annotations

import subprocess
import sys

from tests.sentences.words_in_source import ROOT, Threshold, templates_of

SOURCE = '''"""A module."""

from typing import Final

LIMIT: Final = 3  # of each
PATTERN: Final = re.compile("looked for")
WORDS: Final = {"a-b": "two words", "c": "one"}


def rule(disk: "a type") -> "another type":
    """The rule,
    on two lines."""
    if disk.count > LIMIT:
        yield f"{disk.name} has {count(disk.count)} error{'s' if disk.count != 1 else ''}" + (
            f": {'none of it' if disk.is_new else shortened(disk.parts)}"
        )
    match disk.kind:
        case "not said":
            yield "is " "said"
'''


def test_sentences_are_found_and_docstrings_types_and_patterns_are_not() -> None:
    assert [
        ("", "two words"),
        ("rule", "{name} has {count} error{s|}"),
        ("rule", "none of it"),
        ("rule", "is said"),
    ] == [(each.place.function, each.words) for each in templates_of(SOURCE, "x.py")]


def test_a_place_has_its_rule_and_the_numbers_that_it_uses_with_their_reasons() -> None:
    *_, last = templates_of(SOURCE, "x.py")

    assert "The rule, on two lines." == last.place.rule
    assert (Threshold("LIMIT", "3", "of each"),) == last.place.thresholds


def test_a_module_that_is_watched_reports_what_its_words_became() -> None:
    """And says the same as ever."""
    script = (
        "from tests.sentences import words_in_source as w; w.watch();"
        "from zconsole.analysis.vdevs.redundancy import Redundancy, in_words;"
        "print(in_words(Redundancy('mirror-0', 'data', 1, 0)));"
        "print(*(value for values in w.RECORDED.values() for value in values), sep='|')"
    )

    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, timeout=60, capture_output=True, text=True, check=True
    )

    said, recorded = ended.stdout.removesuffix("\n").split("\n")
    assert "no redundancy left in mirror-0" == said
    assert "no redundancy left in mirror-0" in recorded.split("|")
