"""What a finding means for whoever reads it at night."""

from __future__ import annotations

import re
from pathlib import Path

from tests.ui import states
from zconsole.views.findings.advice import ADVICE
from zconsole.views.findings.by_id.what_to_do import _OTHERS, KNOWN_IDS
from zconsole.views.findings.by_id.what_to_do_in_case import IN_CASE
from zconsole.views.findings.explanations import _MEANINGS, meaning
from zconsole.views.guests.problems_of_guest import problems
from zconsole.views.layout.screen_key_registry import ACTIONS, key_name
from zconsole.views.layout.styled_text import plain

DOCS = Path(__file__).parents[3] / "docs"


def test_each_meaning_is_of_a_finding_that_there_is_and_is_whole_sentences() -> None:
    manual = (DOCS / "findings.md").read_text(encoding="utf-8")

    assert [] == [each for each in _MEANINGS if f"\n### {each}\n" not in manual]
    assert [] == [
        each for each in _MEANINGS if not meaning(each).endswith(".") or not meaning(each)[0].isupper()
    ]


def test_a_finding_that_says_it_all_has_none() -> None:
    assert "" == meaning("disk-slow")
    assert meaning("pool-suspended").startswith("Nothing is read or written")


def test_each_key_that_a_text_of_findings_or_guests_names_is_bound_to_what_it_says() -> None:
    """`the Guests screen (V)`: the words before a key name its action, or the key is one of guests."""
    texts = [*map(meaning, sorted(KNOWN_IDS | _MEANINGS.keys())), *_OTHERS.values()]
    texts += [words for _, _, words in IN_CASE]
    texts += [field for each in ADVICE.values() for field in (each.why, each.action, each.cost)]
    texts += [(DOCS / name).read_text(encoding="utf-8") for name in ("findings.md", "guests.md")]
    texts += [plain(each) for guest in states.with_guests().guests.value or () for each in problems(guest)]

    named = {(found[1].lower(), found[2]) for text in texts for found in _KEY_IN_WORDS.finditer(text)}

    assert any("guests screen" in words and key == "V" for words, key in named)
    assert [] == sorted(each for each in named if not _is_bound(*each))


_KEY_IN_WORDS = re.compile(r"((?:\w+ ){0,3}\w+) \(`?([A-Za-z])`?\)")


def _is_bound(words: str, key: str) -> bool:
    """Whether an action with a word of its title in those words has the key, or one of the list of guests."""
    bound = [action for action in ACTIONS if key in map(key_name, action.keys)]
    title = any(word in words.split() for action in bound for word in action.title.lower().split())
    return title or any(action.is_in("guests") and action.footer for action in bound)
