"""Sentences of findings as labels: without the numbers that change, which would make endless series."""

from __future__ import annotations

import re
from typing import Final

from zconsole.model.finding import Finding

ANY_NUMBER: Final = "N"
_UNIT: Final = "(?:y|mo|min|ms|us|ns|[dhms])"
# A number with `%` or `x` behind it, or a duration such as 5h36m or 12.5ms. Parts of names and releases are
# left: mirror-0, 2026-10-26, 5000c500a0000003, 2.2.2.
_NUMBER: Final = re.compile(
    r"(?<![\w.,/:@#-])"
    rf"(?:\d{{1,20}}{_UNIT}){{0,3}}\d{{1,20}}(?:,\d{{3}}){{0,6}}(?:\.\d{{1,20}})?{_UNIT}?"
    r"(?=%|x\b|(?![\w@/-]|[.,:]\w))"
)
_TIME_CLAUSE: Final = re.compile(
    r" (?:for|since|after|within) (?:about |more than |at least )?N(?=[:;,.)]|\Z)"
)
_COUNT: Final = re.compile(r"\b(?:about )?N (?=(?:read|write|checksum|permanent|data|pending|slow|I/O) )")
_TIMES: Final = re.compile(r"\bNx (?=the )")


def text_of(finding: Finding) -> str:
    """What is said of a finding, with the pool, without the numbers that go with time.

    A clause that is read without its number has none; in others `N` has its place.
    """
    text = _NUMBER.sub(ANY_NUMBER, finding.sentence)
    return _TIMES.sub("many times ", _COUNT.sub("", _TIME_CLAUSE.sub("", text)))
