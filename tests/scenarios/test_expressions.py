"""No expression of the package takes more than linear time, whatever a host prints."""

from __future__ import annotations

import re
from time import thread_time

import pytest

from tests.scenarios.expressions import Expression, expressions, modules, slow_inputs, source
from zconsole.zfs.pool_status_text import parse_status_text

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


@pytest.mark.parametrize("label", ["scan", "remove", "expand", "checkpoint"])
@pytest.mark.parametrize("word", ["expanded ", "a copied a in ", "% done", ") a in ", "-", "(a) "])
def test_a_section_of_300_000_characters_is_read_in_no_time(label: str, word: str) -> None:
    lines = f"expanded {word * (300_000 // len(word))}", f"\t{word * (300_000 // len(word))}"
    text = f"  pool: tank\n state: ONLINE\n{label}: {lines[0]}\n{lines[1]}\n{CONFIG}"

    began = thread_time()
    parse_status_text(text)

    assert thread_time() - began < LONGEST_S


CONFIG = """config:

\tNAME        STATE     READ WRITE CKSUM
\ttank        ONLINE       0     0     0
\t  sda       ONLINE       0     0     0

errors: No known data errors
"""
