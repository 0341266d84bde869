"""With decimal units no sentence of findings, screens, reports and plans has a binary one, but ZFS's own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator

import pytest

from tests.doubles.faulty_host import Nemesis
from tests.doubles.practice_runs import HOST, Bench
from tests.scenarios.walks.test_random_intents import Chooser, new_world
from tests.sentences.scenes import scenes
from tests.sentences.words_in_source import ROOT
from zconsole.actions.intent import Intent
from zconsole.actions.plan import Plan
from zconsole.base.errors import UsageError
from zconsole.base.size_units import SizeUnits, use_size_units
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.reports.text.plan import plan_lines

BESIDE = re.compile(r"\d [kMGTPE]?B \(\d+(?:\.\d+)? [KMGTPE]iB$")
BINARY = re.compile(r"(?P<before>\S*?)(?P<number>\d+(?:\.\d+)?) (?P<unit>[KMGTPE])iB")
POWERS = "KMGTPE"
LIMITS = {  # of ZFS and of rules, as the manual has them
    found[0]
    for source in (ROOT / "zconsole" / "views" / "findings").glob("*.py")
    for found in BINARY.finditer(source.read_text("utf-8"))
}
LARGEST_BLOCK = 16 << 20
INTENTS = 300
VALUES = (
    ("tank/home", "quota=1K"),
    ("tank/home", "refquota=1K"),
    ("tank/home", "reservation=900T"),
    ("tank/home", "refreservation=900T"),
    ("tank/home", "quota=9T"),
    ("tank/home", "recordsize=4K"),
    ("tank/home", "recordsize=1M"),
    ("tank/home", "special_small_blocks=1M"),
    ("tank/vm/c", "volsize=32M"),
    ("tank/vm/c", "volsize=96M"),
    ("tank/vm/c", "volsize=900T"),
    ("tank/vm/c", "reservation=900T"),
    ("tank/vm/c", "refreservation=none"),
)


@pytest.fixture(autouse=True)
def _decimal(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.node.get_closest_marker("timeout"):
        scenes()  # are made with the usual units
    use_size_units(SizeUnits.DECIMAL)
    yield
    use_size_units(SizeUnits.BINARY)


def binary_in(lines: Iterable[str]) -> set[str]:
    """The lines with a size in powers of 1024 that is no block size, no value of a property, no fixed limit.

    Where drives are bought, it may stand in parentheses behind a decimal one.
    """
    return {
        text
        for text in lines
        for found in BINARY.finditer(text)
        if not (
            is_block(found)
            or found[0] in LIMITS
            or found["before"].endswith("=")
            or BESIDE.search(text[: found.end()])
        )
    }


def is_block(found: re.Match[str]) -> bool:
    """A power of two up to the largest block of ZFS."""
    size = float(found["number"]) * 1024 ** (POWERS.index(found["unit"]) + 1)
    return size.is_integer() and size <= LARGEST_BLOCK and int(size).bit_count() == 1


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_finding_screen_or_report_mixes_the_units() -> None:
    assert set() == binary_in(text for scene in scenes() if scene.state is not None for text in scene.lines())


def test_no_value_of_a_property_is_answered_in_the_other_units() -> None:
    bench = new_world(1)
    answer(bench.world, ["zfs", "create", "-s", "-V", "64M", "tank/vm/sparse"])
    plans = [_prepared(bench, Intent("set", name, (value,))) for name, value in VALUES]

    told = [text for plan in plans if plan is not None for text in plan_lines(plan, "", ())]

    assert any(" MB" in text for text in told)
    assert set() == binary_in(told)


@pytest.mark.slow
def test_no_plan_mixes_the_units() -> None:
    bench = new_world(3)
    chooser = Chooser(bench.world, 3)
    plans = [_prepared(bench, chooser.intent()) for _ in range(INTENTS)]

    assert set() == binary_in(text for plan in plans if plan is not None for text in plan_lines(plan, "", ()))


def _prepared(bench: Bench, wanted: Intent) -> Plan | None:
    operator = bench.another(Nemesis(bench.host, bench.manual, 1, is_calm=True))
    try:
        return asyncio.run(operator.prepare(HOST, wanted))
    except UsageError:
        return None
