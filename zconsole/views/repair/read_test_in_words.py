"""Result of a read test in a sentence."""

from __future__ import annotations

from zconsole.base.fixed_width_formatting import bandwidth, size
from zconsole.model.pools.read_test import ReadTest, ReadTestOutcome


def read_test_in_words(test: ReadTest) -> str:
    """`read test passed: 192 MiB at 181 MiB/s`, or why not."""
    match test.outcome:
        case ReadTestOutcome.PASSED:
            return f"read test passed: {size(test.read_bytes)} at {bandwidth(test.bytes_per_s)}"
        case ReadTestOutcome.FAILED:
            so_far = f" after {size(test.read_bytes)}" if test.read_bytes else ""
            return f"read test failed{so_far}: {test.words}; use another disk"
        case ReadTestOutcome.NOT_RUN:
            return f"read test not run: {test.words}"
