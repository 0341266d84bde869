"""Sentences of findings as labels: without the numbers that change, which would make endless series."""

from __future__ import annotations

import re
from typing import Final

from zconsole.model.finding import Finding

ANY_NUMBER: Final = "N"
# A number with `%` or `x` behind it, or a duration such as 5h36m or 12.5ms. Parts of names and releases are
# left: mirror-0, 2026-10-26, 5000c500a0000003, 2.2.2.
_NUMBER: Final = re.compile(
    r"(?<![\w.,/:@#-])"
    r"(?:\d{1,20}(?:,\d{3}){0,6}(?:\.\d{1,20})?(?:y|mo|min|ms|us|ns|[dhms])?){1,4}"
    r"(?=%|x\b|(?![\w@/-]|[.,:]\w))"
)


def text_of(finding: Finding) -> str:
    """What is said of a finding, with the pool, and `N` for each number that goes with time."""
    return _NUMBER.sub(ANY_NUMBER, finding.sentence)
