"""The output of a real run: OpenZFS 2.4, a raidz1 of four emulated disks, recordsize 16K."""

from __future__ import annotations

from pathlib import Path

from zconsole.zfs.benchmark.output_of_runs import is_benchmark, parse_runs
from zconsole.zfs.benchmark.scratch_dataset_script import PATTERNS

REAL = (Path(__file__).parent / "run_2_4.txt").read_text()


def test_every_pattern_has_its_rate_and_its_vdevs() -> None:
    runs = parse_runs(REAL)

    assert [name for name, *_ in PATTERNS] == [run.name for run in runs]
    assert {("tank", "raidz1-0", "sda", "sdb", "sdc", "sdd")} == {
        tuple(vdev.name for vdev in run.vdevs) for run in runs
    }
    assert [("read" in name) for name, *_ in PATTERNS] == [run.read is not None for run in runs]
    assert 383371 == runs[-1].vdevs[0].write_bytes_per_s
    assert 4340693 == runs[-1].vdevs[0].disk_write_ns


def test_an_output_that_was_cut_has_what_is_left() -> None:
    half = REAL[len(REAL) // 2 :]

    names = [run.name for run in parse_runs(half)]

    assert names
    assert [name for name, *_ in PATTERNS][-len(names) :] == names
    assert () == parse_runs("cannot create 'tank/x': out of space\n")


def test_other_output_is_no_benchmark() -> None:
    assert is_benchmark(REAL)
    assert not is_benchmark("zconsole-benchmark: writes the file that is read\n")
