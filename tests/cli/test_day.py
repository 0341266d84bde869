"""What an untouched console keeps in memory does not grow with the hours."""

from __future__ import annotations

import pytest

from tests.bench.day import lived

HOURS = 3
MOST_MIB = 110.0  # a day ends at 99


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_some_hours_of_the_demonstration_take_what_a_day_takes() -> None:
    seen = lived(HOURS, within_s=900)

    assert list(range(1, HOURS + 1)) == [hour for hour, _, _ in seen]
    sizes = [size for _, size, _ in seen]
    assert max(sizes) < MOST_MIB
    assert sizes[-1] - sizes[-2] < 0.08 * sizes[-2]  # an hour that is kept twice would be more
    assert seen[-1][2] > 100 * HOURS  # it draws meanwhile
