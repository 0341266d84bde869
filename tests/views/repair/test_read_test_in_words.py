"""The result of a read test in a sentence."""

from __future__ import annotations

import pytest

from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome
from zconsole.views.repair.read_test_in_words import read_test_in_words

MIB = 1 << 20


@pytest.mark.parametrize(
    ("said", "outcome", "read_mib", "words"),
    [
        ("read test passed: 192 MiB at 96.0 MiB/s", ReadTestOutcome.PASSED, 192, ""),
        ("read test failed: I/O error; use another disk", ReadTestOutcome.FAILED, 0, "I/O error"),
        (
            "read test failed after 64.0 MiB: I/O error; use another disk",
            ReadTestOutcome.FAILED,
            64,
            "I/O error",
        ),
        ("read test not run: not permitted", ReadTestOutcome.NOT_RUN, 0, "not permitted"),
    ],
)
def test_each_outcome_has_its_sentence(
    said: str, outcome: ReadTestOutcome, read_mib: int, words: str
) -> None:
    assert said == read_test_in_words(ReadTest(("SER",), 0.0, outcome, read_mib * MIB, 2.0, words))
