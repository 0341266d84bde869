"""The layouts that -n prints."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench


def test_a_dry_run_prints_the_layout_and_touches_nothing() -> None:
    bench = Bench("mirror 0 1")

    said = bench.do(
        "zpool create -n data raidz2 {2} {3} {4} {5} special mirror {6} {7} {11} log {8} cache {9} spare {10}"
    )

    names = [f"wwn-0x5000c500a00000{number:02x}" for number in range(16)]
    assert said == (
        "would create 'data' with the following layout:\n\n\tdata\n\t  raidz2\n"
        + "".join(f"\t    {names[number]}\n" for number in (2, 3, 4, 5))
        + "\tspecial\n\t  mirror\n"
        + "".join(f"\t    {names[number]}\n" for number in (6, 7, 11))
        + f"\tlogs\n\t  {names[8]}\n\tcache\n\t  {names[9]}\n\tspares\n\t  {names[10]}\n"
    )
    assert ["tank"] == list(bench.world.pools)
    assert not bench.disk(2).is_partitioned


def test_a_dry_run_of_add_prints_the_whole_pool() -> None:
    bench = Bench()

    said = bench.do("zpool add -n tank mirror {9} {10} log {11}")

    lines = [line.strip("\t") for line in said.split("\n")]
    assert "would update 'tank' to the following configuration:" == lines[0]
    assert ["  mirror-0", "  mirror-1", "  mirror"] == [
        line for line in lines if line.startswith("  mirror")
    ][:3]
    assert ["tank", "special", "logs", "cache", "spares"] == [
        line for line in lines[1:] if line and not line.startswith(" ")
    ]
    assert ["  wwn-0x5000c500a0000006", "  wwn-0x5000c500a000000b"] == lines[lines.index("logs") + 1 :][:2]
    assert 3 == len(bench.pool().of_class("data") + bench.pool().of_class("special"))
