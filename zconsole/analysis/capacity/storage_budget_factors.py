"""Storage budget: TB of drives per TiB of data, about eight as a rule of thumb, factor by factor.

The storage budget of Jim Salter ("8:1"): drives are sold in TB, a pool is full at 80 %, data grows, snapshots
take space, disks fail, and one system is no backup. The product is 7.15, taught as 8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import (
    TB,
    TIB,
    parse_amount,
    parse_count,
    parse_number,
    parse_percent,
    parse_sold_size,
)

UNITS: Final = "tb_per_tib"
FREE: Final = "free_space"
GROWTH: Final = "growth"
SNAPSHOTS: Final = "snapshots"
REDUNDANCY: Final = "redundancy"
EXACT_UNITS: Final = Fraction(TIB, TB)  # 1.0995
MOST_SYSTEMS: Final = 20
MOST_TB_PER_TIB: Final = Fraction(6, 5)
LARGEST_FACTOR: Final = 1000
LARGEST_BYTES: Final = 2**70
MOST_YEARS: Final = 50
USUAL_YEARS: Final = 5  # that hardware is kept


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of the budget and its reason."""

    name: str
    value: Fraction
    why: str


DEFAULT_FACTORS: Final = (
    Factor(
        UNITS,
        Fraction("1.1"),
        "drives are sold in TB, data is counted in TiB: exactly 1.0995, a conversion and no loss",
    ),
    Factor(FREE, Fraction("1.25"), "a pool is full at 80 %: above that it gets slow, at 90 % act at once"),
    Factor(GROWTH, Fraction(2), "data doubles in about five years, the time that hardware is kept"),
    Factor(
        SNAPSHOTS,
        Fraction("1.3"),
        "30 hourly, 30 daily and 3 monthly snapshots take about a third of the data",
    ),
    Factor(REDUNDANCY, Fraction(2), "mirrors of two; a raidz2 of 8 takes about 1.4"),
)
_WHY_OTHERWISE: Final = {  # reasons of values other than the default
    UNITS: "drives are sold in TB, data is counted in TiB",
    FREE: "a pool gets slow before it is full",
    GROWTH: "the data grows as long as the hardware is kept",
    SNAPSHOTS: "snapshots keep what was deleted and overwritten",
    REDUNDANCY: "bytes of drives for each that files can fill",
}
DEFAULT_SYSTEMS: Final = 1  # a hot spare and disaster recovery make it 3


@dataclass(frozen=True, slots=True)
class Budget:
    """The factors of one system, and the number of systems."""

    factors: tuple[Factor, ...] = DEFAULT_FACTORS
    systems: int = DEFAULT_SYSTEMS

    def __post_init__(self) -> None:
        if not 1 <= self.systems <= MOST_SYSTEMS:
            raise UsageError(f"{self.systems} systems are not from 1 to {MOST_SYSTEMS}")
        for factor in self.factors:
            if not 1 <= factor.value <= LARGEST_FACTOR:
                name = factor.name.replace("_", " ")
                raise UsageError(
                    f"{name}: {float(factor.value):g} is not a factor from 1 to {LARGEST_FACTOR}",
                    hint="A factor multiplies: 2 is twice as much, 1 leaves it as it is.",
                )

    @property
    def product(self) -> Fraction:
        """TB of drives per TiB of data in one system: 7.15."""
        product = Fraction(1)
        for factor in self.factors:
            product *= factor.value
        return product

    @property
    def of_usable(self) -> tuple[Factor, ...]:
        """The factors from data to the usable space of its pool."""
        return tuple(factor for factor in self.factors if factor.name not in (UNITS, REDUNDANCY))

    @property
    def rule(self) -> int:
        """The product as a rule of thumb: 8."""
        return ceil(self.product)

    def without(self, *names: str) -> Fraction:
        """The product of all other factors."""
        product = Fraction(1)
        for factor in self.factors:
            if factor.name not in names:
                product *= factor.value
        return product

    def raw_bytes(self, data_bytes: int) -> int:
        """Bytes of drives that one system needs for this much data."""
        return round(Fraction(data_bytes, TIB) * self.product * TB)

    def data_bytes(self, raw_bytes: int) -> int:
        """Present data that this many bytes of drives in one system can start with."""
        return int(Fraction(raw_bytes, TB) / self.product * TIB)

    def usable_bytes(self, data_bytes: int) -> int:
        """Required usable space: data with free space, growth and snapshots; without units and redundancy."""
        return ceil(data_bytes * self.without(UNITS, REDUNDANCY))


def budget(values: Mapping[str, Fraction | None], systems: int | None = None) -> Budget:
    """The default budget with some factors replaced, by name. Raises UsageError for an impossible one."""
    factors = tuple(
        factor
        if (value := values.get(factor.name)) in (None, factor.value)
        else Factor(factor.name, value, _WHY_OTHERWISE[factor.name])
        for factor in DEFAULT_FACTORS
    )
    return Budget(factors, DEFAULT_SYSTEMS if systems is None else systems)


def with_redundancy_of(budgeted: Budget, raw_bytes: int, usable_bytes: int, layout: str) -> Budget:
    """The budget with a layout's redundancy in place of the default, so that it counts once."""
    own = Fraction(raw_bytes, usable_bytes)
    why = f"{layout}: bytes of its drives for each that files can fill"
    return replace(
        budgeted,
        factors=tuple(
            replace(factor, value=own, why=why) if factor.name == REDUNDANCY else factor
            for factor in budgeted.factors
        ),
    )


def yearly_growth(percent: Fraction, years: int) -> Fraction:
    """The factor of yearly growth over several years."""
    return (1 + percent / 100) ** years


def read_data(text: str) -> int:
    """Bytes of data. Raises UsageError for none, and for more than there can be."""
    return _possible(parse_amount(text), text)


def read_drives(text: str) -> int:
    """Bytes of all drives of a system, which are sold in TB. Raises UsageError."""
    parse_amount(text)
    return _possible(parse_sold_size(text).size_bytes, text)


def read_units(text: str) -> Fraction:
    """TB per TiB, or the word `exact`. Raises UsageError."""
    if text == "exact":
        return EXACT_UNITS
    units = parse_number(text)
    if not 1 <= units <= MOST_TB_PER_TIB:
        raise UsageError(f"{text!r}: a TiB is 1.0995 TB, and is planned as 1 to {float(MOST_TB_PER_TIB):g}")
    return units


def read_free_space(text: str) -> Fraction:
    """The factor of a percentage at which a pool is full: 80 % is 1.25. Raises UsageError."""
    full = parse_percent(text)
    if not 0 < full <= 100:
        raise UsageError(f"{text!r}: a pool is full at some percent from 1 to 100")
    return 100 / full


def read_growth(text: str, years: str | None = None) -> Fraction:
    """The factor that data grows by: as it is, or of so many percent a year (of 5). Raises UsageError."""
    if not text.endswith("%"):
        return parse_number(text)
    span = USUAL_YEARS if years is None else parse_count(years, least=1, most=MOST_YEARS)
    return yearly_growth(parse_percent(text), span)


def _possible(size_bytes: int, text: str) -> int:
    if not 0 < size_bytes <= LARGEST_BYTES:
        raise UsageError(f"{text!r} is not an amount that a pool can have", hint="As in 10TiB.")
    return size_bytes
