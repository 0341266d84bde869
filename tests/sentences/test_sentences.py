"""docs/sentences.md has every sentence of the source, and each was said of some state."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.sentences.words_in_source import ROOT, templates

PAGE = ROOT / "docs" / "sentences.md"
LONGEST_S = 1800


def test_the_page_has_the_sentences_of_the_source_and_no_others() -> None:
    """`python -m tests.sentences --write` makes it, and says which sentence no state makes true."""
    listed = re.findall(r"^\| `(.*?)` \| ", PAGE.read_text("utf-8"), re.MULTILINE)

    assert [shown(each.words) for each in templates()] == listed


def shown(words: str) -> str:
    return " ".join(words.replace("`", "'").split()).replace("|", "\\|")


def test_no_sentence_is_listed_without_a_state_in_which_it_was_said() -> None:
    rows = [row for row in PAGE.read_text("utf-8").split("\n") if row.startswith("| `")]

    assert len(templates()) == len(rows)
    assert [] == [row for row in rows if not re.search(r"\| (`[^|`]+`|a made state) \|$", row)]


@pytest.mark.slow
@pytest.mark.timeout(1800)  # a process of its own reads all states
def test_each_sentence_is_said_of_some_state_and_the_page_is_current() -> None:
    """In a process of its own, whose modules report what each of their literals became."""
    outer = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    ended = subprocess.run(
        [sys.executable, "-m", "tests.sentences"],
        cwd=ROOT, env=outer | {"PYTHONHASHSEED": "7"}, timeout=LONGEST_S,
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert (0, "", "") == (ended.returncode, ended.stdout, ended.stderr)
