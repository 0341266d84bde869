"""A parser ends in a value or in its ParseError, and soon, whatever the bytes are that a host sends."""

# ruff: noqa: S311 - what is random here is seeded, and no secret

from __future__ import annotations

from random import Random
from time import thread_time

import pytest

from tests.scenarios.fuzz.mutations import always, mutated, stretched
from tests.scenarios.fuzz.parsers import PARSERS, Parser, found, looked_at, named
from zconsole.base.errors import HostError, ParseError

FEW, MANY = 40, 2_000
FEW_STRETCHED, MANY_STRETCHED = 2, 60
FEW_SEEDS = 4  # captures of each
FEW_ALWAYS = 8
SHOWN = 2_000  # characters
CALL_S, MEGABYTE_S = 1.0, 8.0  # of the processor; many times what a call takes

pytestmark = [
    pytest.mark.timeout(1200),  # with --long; each call has its own bound
    pytest.mark.usefixtures("only_own_time"),
]
each = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.name)


def test_every_parser_has_an_entry() -> None:
    entries = {parser.name for parser in PARSERS}

    assert set() == set(found()) - entries
    assert entries == {name for name in entries if callable(named(name))}


@each
def test_each_reads_what_it_is_for(parser: Parser) -> None:
    """At least one of what it is fed with is read to its end, or the fuzzers would show nothing."""
    read = [seed for seed in parser.seeds() if _read(parser, seed, "as it is") is None]

    assert read


@each
def test_each_ends_in_a_value_or_its_error(parser: Parser, request: pytest.FixtureRequest) -> None:
    is_long = request.config.getoption("--long")
    seeds = _seeds(parser, is_long=is_long)
    for number in range(MANY if is_long else FEW):
        random = Random(f"{parser.name} {number}")
        _read(parser, mutated(seeds[number % len(seeds)], random), f"seed {number}")


@pytest.mark.slow
@each
def test_each_takes_its_time_by_the_megabyte(parser: Parser, request: pytest.FixtureRequest) -> None:
    """One place of an answer goes on for ever, or nothing of it is what it should be."""
    is_long = request.config.getoption("--long")
    seeds = _seeds(parser, is_long=is_long)
    for number in range(MANY_STRETCHED if is_long else FEW_STRETCHED):
        random = Random(f"{parser.name} {number}")
        _read(parser, stretched(seeds[number % len(seeds)], random), f"stretched {number}")
    whole = list(always())
    start = 0 if is_long else sum(parser.name.encode()) % len(whole)  # all of them, among all parsers
    for number in range(len(whole) if is_long else FEW_ALWAYS):
        place = (start + number) % len(whole)
        _read(parser, whole[place], f"always {place}")


def _seeds(parser: Parser, *, is_long: bool) -> list[bytes]:
    """Of many captures some of the smaller ones, others for each parser."""
    seeds = parser.seeds()
    if is_long or len(seeds) <= FEW_SEEDS:
        return seeds
    some = Random(parser.name).sample(seeds, min(len(seeds), 3 * FEW_SEEDS))
    return sorted(some, key=len)[:FEW_SEEDS]


def _read(parser: Parser, data: bytes, what: str) -> Exception | None:
    """Its error, if that is what it ended in."""
    error: ParseError | HostError | None = None
    began = thread_time()
    try:
        looked_at(parser.read(data))
    except ParseError as told:
        error = told
    except HostError as told:
        error = told
        assert isinstance(told, parser.errors), f"{parser.name}, {what}: {told!r}"  # noqa: PT017 - see above
    except Exception as wrong:
        raise AssertionError(f"{parser.name}, {what}: {wrong!r} of {data[:2000]!r}") from wrong
    took = thread_time() - began
    assert error is None or len(str(error)) < SHOWN, f"{parser.name}, {what}: its error is not for people"
    assert took < CALL_S + MEGABYTE_S * len(data) / 1e6, (
        f"{parser.name}, {what}: {took:.1f} s of {data[:2000]!r}"
    )
    return error
