"""Named kstats have the head and the lines of the kernel."""

from __future__ import annotations

from tests.practice.laboratory import captured, mirrors
from zconsole.practice.system.kstat_format import head, rows


def test_the_head_has_the_numbers_and_titles_of_the_kernel() -> None:
    real = captured("arcstats.txt").split("\n")
    world = mirrors()
    world.uptime = 1e6

    ours = head(world, 19, int(real[0].split()[3])).split("\n")

    assert real[0].split()[:5] == ours[0].split()[:5]
    assert real[1] == ours[1]


def test_rows_have_the_columns_of_the_kernel() -> None:
    real = [line for line in captured("arcstats.txt").split("\n")[2:] if line]
    values = {line.split()[0]: int(line.split()[2]) for line in real}
    signed = [line.split()[0] for line in real if line.split()[1] == "3"]

    assert real == rows(values, values, signed).rstrip("\n").split("\n")
