"""Pools that fill in ways that are known: for forecasts that must hold what they say."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from zconsole.analysis.forecast.evenly_spaced_series_without_jumps import DAY_S
from zconsole.analysis.forecast.trend import trend
from zconsole.model.forecast import HistorySource, SpaceHistory, Trend

GIB = 1 << 30
START = 1_700_000_000.0
A_DAY = 4  # values
WEEK_OF_LEVELS = (0, 1, 2, 2, 1, 5, 6)
KINDS = (
    *("linear", "noise", "walk", "heavy", "weekly", "weekend", "staircase", "bursts", "purges"),
    *("rare purges", "one deletion", "one import", "another pace", "slow swings", "all at once"),
    *("percent", "noisy percent", "percent of a part", "levelling off", "yearly"),
)
BY_PEOPLE = (
    "tenants",
    "academic year",
)  # growth that changes when people come and go; no constant is of these
BENT = ("percent", "noisy percent", "percent of a part", "levelling off", "yearly")
PERCENT = ("percent", "noisy percent", "percent of a part")
TUNED_ON = range(40)  # seeds that served to choose constants,
MOST_FILLED = 4.0  # times what is used now: no pool is planned for more
HELD_OUT = range(1000, 1040)  # and those that did not
LENGTHS = (10, 25, 60, 180, 500)  # days of history
SEEN_FROM = {
    "staircase": 180,
    "bursts": 180,
    "purges": 60,
    "rare purges": 180,
}  # what no history shows, nobody knows


@dataclass(frozen=True, slots=True)
class Case:
    """A history, and when the pool that it is of passes 90 % of what it can use."""

    past: SpaceHistory
    now: float
    used: float
    usable: float
    passes: float


def filling(kind: str, chance: random.Random, days: float, all_days: float) -> list[tuple[float, float]]:
    """How much is used, four times a day; what happens once happens in the first `days`."""
    pace = chance.uniform(3, 25) * GIB / A_DAY
    import_size = chance.uniform(100, 600) * GIB
    every = chance.choice((20, 30, 45)) * A_DAY
    other_pace, turns = pace * chance.choice((0.3, 0.5, 2, 3)), chance.uniform(0.2, 0.8) * days * A_DAY
    walk, once = pace * chance.uniform(1, 6), int(chance.uniform(0.1, 0.9) * days * A_DAY)
    level, swing, values = 5000.0 * GIB, 0.0, []
    bent = _Bent(kind, chance, pace) if kind in BENT else None
    people = _People(kind, chance, pace) if kind in BY_PEOPLE else None
    for step in range(int(all_days * A_DAY)):
        day = step // A_DAY % 7
        extra = 0.0
        if bent is not None:
            level = bent.next(level, step / A_DAY)
        elif people is not None:
            level += people.pace(step / A_DAY)
        else:
            level += other_pace if kind == "another pace" and step > turns else pace
        match kind:
            case "walk":
                level += chance.gauss(0, walk)
            case "heavy":
                level += chance.choice((-0.5, 0.5)) * walk * min(200.0, chance.paretovariate(1.6))
            case "weekend":
                level += 6 * pace if day >= 5 else -0.5 * pace
            case "staircase" if step and step % every == 0:
                level += import_size
            case "bursts" if chance.random() < 1 / every:
                level += import_size * chance.uniform(0.3, 2)
            case "purges" if step and step % every == 0:
                level -= 0.6 * pace * every
            case "rare purges" if chance.random() < 1 / every:
                level -= 0.5 * pace * every * chance.uniform(0.5, 1.5)
            case "one deletion" if step == once:
                level -= 3 * import_size
            case "one import" if step == once:
                level += 3 * import_size
            case "slow swings":
                swing = 0.97 * swing + chance.gauss(0, 2 * pace)
                extra = swing
            case "all at once":
                level += chance.gauss(0, walk)
                extra = chance.gauss(0, 4 * pace) + 6 * pace * WEEK_OF_LEVELS[day]
            case "noise" | "levelling off" | "tenants" | "academic year":
                extra = chance.gauss(0, 4 * pace)
            case "weekly":
                extra = 6 * pace * WEEK_OF_LEVELS[day]
            case _:
                pass
        values.append((START + step * DAY_S / A_DAY, max(0.0, level + extra)))
    return values


class _People:
    """Growth by tenants who come one by one and stay, or of 40 weeks in a year with 12 weeks off."""

    def __init__(self, kind: str, chance: random.Random, pace: float) -> None:
        self._kind = kind
        self._chance = chance
        self._one = pace
        self._pace = pace + sum(self._share() for _ in range(7)) if kind == "tenants" else pace
        self._phase = chance.uniform(0, 365)

    def pace(self, day: float) -> float:
        """What is added in a quarter of a day."""
        if self._kind == "academic year":
            return self._pace if (day + self._phase) % 365 < 280 else -0.1 * self._pace
        if self._chance.random() < 1 / (60 * A_DAY):
            self._pace += self._share()
        return self._pace

    def _share(self) -> float:
        return self._one * self._chance.uniform(0.1, 0.4)


class _Bent:
    """Growth whose rate changes by a law: by percent, towards an end, with the seasons."""

    def __init__(self, kind: str, chance: random.Random, pace: float) -> None:
        self._kind = kind
        self._chance = chance
        self._pace = pace
        self._a_day = math.log(chance.uniform(1.15, 3)) / 365
        self._noise = chance.uniform(0, 2 if kind == "percent" else 8)
        self._part: float | None = None
        self._part_share = chance.uniform(0.1, 0.6)
        self._tau_days = chance.uniform(150, 600)
        self._season, self._phase = chance.uniform(0.3, 1.5), chance.uniform(0, 2 * math.pi)

    def next(self, level: float, day: float) -> float:
        rate = self._a_day / A_DAY * (1 + self._chance.gauss(0, self._noise))
        match self._kind:
            case "percent" | "noisy percent":
                return level * math.exp(rate)
            case "percent of a part":
                before = level * self._part_share if self._part is None else self._part
                self._part = before * math.exp(1.5 * rate)
                return level + self._part - before
            case "levelling off":
                return level + 6 * self._pace * math.exp(-day / self._tau_days)
            case _:
                return level + self._pace * (
                    1 + self._season * math.sin(2 * math.pi * day / 365.25 + self._phase)
                )


def case(kind: str, days: float, seed: int) -> Case | None:
    """A pool that passes 90 % some time after its history; None where it never grows."""
    chance = random.Random(f"{kind} {days} {seed}")  # noqa: S311
    ahead = chance.uniform(0.3, 4) * days
    values = filling(kind, chance, days, days + ahead)
    past, future = values[: int(days * A_DAY)], values[int(days * A_DAY) :]
    now, used = past[-1]
    top = max(value for _, value in future)
    if top <= used:
        return None
    level = used + (top - used) * chance.uniform(0.3, 1)
    if kind in PERCENT:
        level = min(level, used * MOST_FILLED)
    passes = next(at for at, value in future if value >= level)
    return Case(SpaceHistory(HistorySource.SAMPLES, tuple(past)), now, used, level / 0.9, passes)


TIB = 1 << 40


def steady(days: int, pace: float, start: float = TIB) -> SpaceHistory:
    return SpaceHistory(
        HistorySource.SAMPLES, tuple((START + day * DAY_S, start + pace * day) for day in range(days + 1))
    )


def of(history: SpaceHistory, usable: float, doubt: float = 0.0) -> Trend:
    now, used = history.points[-1]
    return trend(history, now=now, used=used, usable=usable, doubt=doubt)
