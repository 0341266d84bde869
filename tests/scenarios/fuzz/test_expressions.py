"""No expression of the package takes more than linear time, whatever a host prints."""

from __future__ import annotations

import re
from time import thread_time

import pytest

from tests.scenarios.fuzz.expressions import Expression, expressions, modules, slow_inputs, source
from zconsole.zfs.status.status_text import parse_status_text

pytestmark = pytest.mark.usefixtures("only_own_time")

PARTS = 8
LONGEST_S = 2.0  # of the processor; it takes a hundredth of that


@pytest.mark.parametrize("part", range(PARTS))
def test_each_expression_is_linear_in_what_it_reads(part: int) -> None:
    """An input that is four times as long takes four times as long, and each kB no more than 2 ms."""
    found, _unknown = expressions()

    slow = {each.where: next(slow_inputs(each), None) for each in found[part::PARTS]}

    assert {} == {where: found for where, found in slow.items() if found is not None}


def test_no_expression_escapes_the_search() -> None:
    """Each call of `re` has an expression that is known, or is of a user's own words, which others test."""
    found, unknown = expressions()

    assert [] == unknown
    assert 150 < len(found)
    assert {} == {each.__name__: its for each in modules() if (its := source(each).imports)}


@pytest.mark.slow(after=3)
@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+b", "fullmatch"),
        (r"expanded (?P<vdev>.+) copied \S+ in (?P<took>.+?),? on (?P<end>\d{4})", "fullmatch"),
        (r"(?P<percent>\S+)% done", "search"),
        (r"(?P<name>\S.*?) +(?P<type>\d) +(?P<data>.*)", "fullmatch"),
        (r" *, *", "split"),
        (r"\d+\(([^()]+)\)", "findall"),
        (r"\[txg:(\d{1,20})\] (.*?)(?: ?\[on ([^\]]*)\])?", "fullmatch"),
    ],
)
def test_what_is_not_linear_is_found(pattern: str, method: str) -> None:
    """The search for slow inputs finds those of expressions that once stood in the package."""
    expression = Expression("here", re.compile(pattern), frozenset({method}))

    assert next(slow_inputs(expression), None) is not None


SINCE = "in progress since Sun Nov 22 10:00:00 2026"
SECTIONS = {
    "scan": ["expanded", "scrub (", "resilvered ", f"scrub {SINCE}"],
    "remove": ["Removal of ", "Removal of vdev 1 copied ", "Evacuation of ", f"Evacuation of sda {SINCE}"],
    "expand": ["expanded ", "expansion of ", f"expansion of raidz1-0 {SINCE}"],
    "checkpoint": ["created ", "discarding, "],
}


@pytest.mark.parametrize(
    ("label", "first"), [(label, each) for label in SECTIONS for each in SECTIONS[label]]
)
@pytest.mark.parametrize("word", ["expanded ", "a copied a in ", "% done", ") a in ", "-", "(a) "])
def test_a_section_of_300_000_characters_is_read_in_no_time(label: str, first: str, word: str) -> None:
    """Those that are under way read the lines below their first, which is then as ZFS writes it."""
    long = word * (300_000 // len(word))
    start = first if SINCE in first else first + long
    text = f"  pool: tank\n state: ONLINE\n{label}: {start}\n\t{long}\n{CONFIG}"

    began = thread_time()
    parse_status_text(text)

    assert thread_time() - began < LONGEST_S


CONFIG = """config:

\tNAME        STATE     READ WRITE CKSUM
\ttank        ONLINE       0     0     0
\t  sda       ONLINE       0     0     0

errors: No known data errors
"""
