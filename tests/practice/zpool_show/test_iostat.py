"""`zpool iostat` of the practice host: the real layout, and numbers that follow from the meters."""

from __future__ import annotations

import re

import pytest

from tests.practice.laboratory import captured, mirrors, run
from zconsole.practice import World
from zconsole.practice.getopt import getopt
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.program_and_subcommand_table import Samples, answer
from zconsole.practice.world.pools_and_vdevs import Load
from zconsole.practice.zpool_show.iostat import SHORT, Printer

NANOSECONDS = 1_000_000_000


def busy_mirrors() -> World:
    world = mirrors()
    world.pools["tank"].load = Load(900, 16384, 400, 32768, sync_writes=120, metadata=0.1)
    Simulation(world).live_through(3600.0)
    return world


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("zpool_iostat_Hpvlq_since_boot.tsv", "zpool iostat -Hpvlq"),
        ("zpool_iostat_Hpvl_y.tsv", "zpool iostat -Hpvl"),
    ],
)
def test_scripts_get_the_same_rows_blank_lines_and_number_of_columns(file: str, command: str) -> None:
    expected = captured(file).split("\n")
    if "_y" in file:
        expected = [*expected[: len(expected) // 2], ""]  # two samples were taken

    got = run(busy_mirrors(), command).stdout.split("\n")

    assert [line.partition("\t")[0] for line in expected] == [line.partition("\t")[0] for line in got]
    assert [line.count("\t") for line in expected] == [line.count("\t") for line in got]


def test_people_get_the_same_headings_and_widths() -> None:
    expected = captured("zpool_iostat_human.txt").split("\n")

    got = run(busy_mirrors(), "zpool iostat -vl").stdout.split("\n")

    assert expected[:3] == got[:3]
    assert [len(line) for line in expected] == [len(line) for line in got]
    assert [line for line in expected if line.startswith(("special", "logs", "cache"))] == [
        line for line in got if line.startswith(("special", "logs", "cache"))
    ]


@pytest.mark.parametrize("letter", ["w", "r"])
def test_histograms_have_the_same_buckets_and_columns(letter: str) -> None:
    expected = captured(f"zpool_iostat_{letter}.txt").split("\n")

    got = run(busy_mirrors(), f"zpool iostat -{letter}Hp").stdout.split("\n")

    assert [line.split("\t")[0] for line in expected] == [line.split("\t")[0] for line in got]
    assert [line.count("\t") for line in expected] == [line.count("\t") for line in got]


def test_a_latency_is_the_mean_of_the_middles_of_its_buckets() -> None:
    """What -l says follows from what -w counts, as libzpool works it out."""
    world = busy_mirrors()
    histograms = [
        [int(cell) for cell in line.split("\t")]
        for line in run(world, "zpool iostat -wHp").stdout.split("\n")
        if "\t" in line
    ]

    latencies = run(world, "zpool iostat -Hpl").stdout.strip().split("\t")[7:]

    for column, latency in enumerate(latencies, start=1):
        count = sum(row[column] for row in histograms)
        total = sum(row[column] * ((row[0] + 1) // 2 + (row[0] + 1) // 4) for row in histograms)
        assert latency == (str(total // count) if count else "-")


def test_what_stands_above_leaves_is_their_sum() -> None:
    """ZFS adds the operations of the children up, so a mirror writes everything twice."""
    world = busy_mirrors()
    rows = {
        cells[0]: [int(cell) for cell in cells[3:7]]
        for line in run(world, "zpool iostat -Hpv").stdout.split("\n")
        if len(cells := line.split("\t")) > 1
    }
    one, other = rows["wwn-0x5000c500a0000000"], rows["wwn-0x5000c500a0000001"]

    for whole, half, rest in zip(rows["mirror-0"], one, other, strict=True):
        assert half + rest <= whole <= half + rest + 1


def test_the_first_sample_counts_since_import_and_the_next_since_the_first() -> None:
    world = busy_mirrors()
    simulation = Simulation(world)
    printer = Printer(world, [world.pools["tank"]], (), getopt(["-Hp"], SHORT))

    since_import = [int(cell) for cell in printer.sample().split("\t")[1:]]
    nothing_happened = [int(cell) for cell in printer.sample().split("\t")[1:]]
    world.pools["tank"].load = None
    simulation.advance(world.elapsed + 1)
    idle = [int(cell) for cell in printer.sample().split("\t")[1:]]

    assert min(since_import[2:]) > 0
    assert [0, 0, 0, 0] == nothing_happened[2:]
    assert [0, 0, 0, 0] == idle[2:]


def test_rates_do_not_depend_on_the_length_of_the_interval() -> None:
    """Half a second, a second or a minute: operations are counted a second."""
    rates = []
    for interval in (0.5, 1.0, 10.0, 60.0):
        world = busy_mirrors()
        simulation = Simulation(world)
        printer = Printer(world, [world.pools["tank"]], (), getopt(["-Hpy"], SHORT))
        printer.skip()
        reads = []
        for _ in range(int(240 / interval)):
            simulation.advance(world.elapsed + interval)
            reads.append(int(printer.sample().split("\t")[3]))
        rates.append(sum(reads) / len(reads))

    assert max(rates) < 1.15 * min(rates)


def test_the_time_stands_before_each_sample_when_asked_for() -> None:
    world = busy_mirrors()

    assert f"{int(world.now)}\ntank\t" == run(world, "zpool iostat -Hp -T u").stdout[:16]
    assert re.match(r"[A-Z][a-z]{2} Nov 21 00:00:00 UTC 2026\n", run(world, "zpool iostat -H -Td").stdout)


def test_interval_and_count_follow_the_pools() -> None:
    found = answer(mirrors(), ["zpool", "iostat", "-Hpy", "tank", "0.5", "3"])

    assert isinstance(found, Samples)
    assert (0.5, 3, True) == (found.interval_s, found.count, found.omits_first)


def test_single_vdevs_can_be_asked_for_by_name_or_guid() -> None:
    world = busy_mirrors()
    guid = world.pools["tank"].root.children[0].children[0].guid

    by_name = run(world, "zpool iostat -Hp tank wwn-0x5000c500a0000000 wwn-0x5000c500a0000003").stdout
    by_guid = run(world, f"zpool iostat -gHp tank {guid}").stdout

    names = [line.split("\t")[0] for line in by_name.split("\n") if line]
    assert ["wwn-0x5000c500a0000000", "wwn-0x5000c500a0000003"] == names
    assert str(guid) == by_guid.strip().split("\t")[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-wl", "[-r|-w] isn't allowed with [-c|-l|-q]\nusage:\n"),
        ("-wr", "Only one of [-r|-w] can be passed at a time\nusage:\n"),
        ("-Z", "invalid option 'Z'\nusage:\n"),
        ("tank 0", "interval cannot be zero\nusage:\n"),
    ],
)
def test_flags_that_exclude_each_other_are_refused_with_the_usage(words: str, said: str) -> None:
    reply = run(mirrors(), f"zpool iostat {words}")

    assert 2 == reply.status
    assert "" == reply.stdout
    assert reply.stderr.startswith(said)
