"""Every place that takes a size, a time, a count or a percentage reads it by the one grammar."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from fractions import Fraction

import pytest

from tests.actions.dataset.plans import commands, planned
from tests.doubles.plan_worlds import filesystem, host
from zconsole.analysis.capacity.planner_inputs import USUAL, read_inputs
from zconsole.analysis.pool_layouts.drive_size import parse_drive
from zconsole.analysis.pool_layouts.layout_parser import parse_layout
from zconsole.analysis.search.dataset_query import parse_filter
from zconsole.base.errors import ConfigError, UsageError
from zconsole.base.user_config_file import parse_config
from zconsole.cli.parse_command_line import parse
from zconsole.model.datasets.dataset import Dataset

SOLD = 500 * 10**9
FACTS = host((filesystem("tank"), filesystem("tank/a", available_bytes=10**13)))


def asked(line: str, field: str) -> object:
    """What a command line comes to."""
    return getattr(parse(shlex.split(line)), field)


def of_filter(text: str) -> int:
    """The least size that `larger:` lets through."""
    query = parse_filter(f"larger:{text}")
    assert query is not None
    low, high = 0, 10**15
    while high - low > 1:
        middle = (low + high) // 2
        each = Dataset("tank@a", "snapshot", used_bytes=middle)
        low, high = (low, middle) if query.sift(["tank@a"], {"tank@a": each}, 0.0) else (middle, high)
    return low


def of_planner(text: str) -> int:
    inputs, wrong = read_inputs({**USUAL, "data": text}, USUAL)
    if wrong:
        raise UsageError(wrong["data"])
    return inputs.data_bytes


def of_property(text: str) -> int:
    (argv,) = commands(planned(FACTS, "set", "tank/a", f"quota={text}"))
    return int(argv.split("quota=")[1].split()[0])


def of_volume(text: str) -> int:
    (argv,) = commands(planned(FACTS, "create", "tank/v", volume=text, sparse=True))
    words = argv.split()
    return int(words[words.index("-V") + 1])


SIZES: dict[str, Callable[[str], object]] = {
    "reclaim --need": lambda text: asked(f"reclaim tank --need {text}", "need_bytes"),
    "capacity need --data": lambda text: asked(f"capacity need --data {text}", "data_bytes"),
    "capacity need --raw": lambda text: asked(f"capacity need --raw {text}", "raw_bytes"),
    "filter": of_filter,
    "planner": of_planner,
    "property": of_property,
    "volume": of_volume,
}


@pytest.mark.parametrize("read", SIZES.values(), ids=list(SIZES))
def test_500gb_is_the_same_everywhere(read: Callable[[str], object]) -> None:
    assert SOLD == read("500GB")


def test_a_drive_of_500gb_is_one_that_is_sold_as_such_wherever_it_is_typed() -> None:
    drive = parse_drive("500GB")

    assert (drive, drive) == parse_layout("mirror:2@500GB").vdevs[0].drives
    assert drive == read_inputs({**USUAL, "drive": "500GB"}, USUAL)[0].drive


TIMES: dict[str, Callable[[str], object]] = {
    "slow --for": lambda text: asked(f"slow --for {shlex.quote(text)}", "for_s"),
    "record --for": lambda text: asked(f"record --for {shlex.quote(text)} x", "for_s"),
    "check --timeout": lambda text: asked(f"check --timeout {shlex.quote(text)}", "timeout_s"),
    "iostat --interval": lambda text: asked(f"iostat --interval {shlex.quote(text)}", "interval_s"),
    "reclaim --keep-younger": lambda text: asked(
        f"reclaim tank --need 1G --keep-younger {shlex.quote(text)}", "keep_younger_s"
    ),
    "interval_s": lambda text: parse_config(f'interval_s = "{text}"', "c").interval_s,
    "history_minutes": lambda text: parse_config(f'history_minutes = "{text}"', "c").history_minutes * 60,
}


@pytest.mark.parametrize("read", TIMES.values(), ids=list(TIMES))
@pytest.mark.parametrize("text", ["5m", "5min", "300s", "4m60s", "5 minutes"])
def test_five_minutes_are_the_same_everywhere(read: Callable[[str], object], text: str) -> None:
    assert 300 == read(text)


@pytest.mark.parametrize("read", [*SIZES.values(), *TIMES.values()], ids=[*SIZES, *TIMES])
@pytest.mark.parametrize(
    "text", ["9" * 400, "\u0661\u0662", "inf", "nan", "-5", "0x10", "1e99999999", "many"]
)
def test_hostile_texts_are_refused_in_words(read: Callable[[str], object], text: str) -> None:
    with pytest.raises((UsageError, ConfigError)):
        read(text)


def test_percentages_are_the_same_everywhere() -> None:
    config = parse_config('[thresholds]\nused_warning_percent = "75%"', "c")
    inputs, wrong = read_inputs({**USUAL, "fill": "75%"}, USUAL)

    assert 75.0 == config.thresholds.used_warning_percent
    assert {} == wrong
    assert Fraction(4, 3) in {each.value for each in inputs.budget.factors}
