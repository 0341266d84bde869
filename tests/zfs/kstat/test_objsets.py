"""What datasets read and wrote: every recorded kstat, as grep passes it on, and the rates between two."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.zfs.kstat.objsets import Objset, parse_objsets, rates, read_objsets

PATTERN = re.compile(read_objsets("tank").argv[read_objsets("tank").argv.index("-e") + 1])


def grepped(text: str) -> str:
    """The lines that the pattern leaves."""
    return "".join(f"{line}\n" for line in text.split("\n") if PATTERN.match(line))


def objset(at_ns: int, *, created_ns: int = 1, commits: int | None = 0, **counters: int) -> Objset:
    names = ("writes", "written_bytes", "reads", "read_bytes", "unlinked")
    return Objset(
        "tank/a",
        **{name: counters.get(name, 0) for name in names},
        commits=commits,
        created_ns=created_ns,
        at_ns=at_ns,
    )


def test_one_process_reads_all_of_a_pool_and_nothing_else() -> None:
    argv = read_objsets("tank").argv

    assert ("grep", "/proc/spl/kstat/zfs/tank", "--include=objset-*") == (argv[0], argv[-1], argv[2])


@pytest.mark.parametrize("version", ["2.1", "2.3", "2.4"])
@pytest.mark.parametrize("is_grepped", [True, False])
def test_all_datasets_of_a_pool_are_read_from_one_output(version: str, is_grepped: bool) -> None:
    paths = sorted((CAPTURES / version / "healthy-mirrors").glob("kstat_tank_objset-*.txt"))
    text = "".join(path.read_text() for path in paths)

    objsets = {each.dataset: each for each in parse_objsets(grepped(text) if is_grepped else text)}

    assert 14 == len(objsets) == len(paths)
    assert 41943040 == objsets["tank/db"].written_bytes
    assert 25600 == objsets["tank/vm-disk0"].writes
    assert objsets["tank/vm-disk0"].reads > 0
    assert "tank/with space" in objsets
    assert all(0 < each.created_ns <= each.at_ns for each in objsets.values())
    assert (objsets["tank"].commits is None) == (version == "2.1")


@pytest.mark.parametrize(("version", "commits"), [("2.1", None), ("2.4", 124)])
def test_what_a_real_kernel_counts_is_read(version: str, commits: int | None) -> None:
    (one,) = parse_objsets((CAPTURES / "live" / version / "objset_io.txt").read_text())

    assert ("tank", commits) == (one.dataset, commits)
    assert one.commits == commits
    assert one.written_bytes > 500_000_000


def test_rates_are_of_the_hosts_own_time() -> None:
    then, now = (
        objset(1_000_000_000),
        objset(
            3_000_000_000, reads=10, read_bytes=81920, writes=4, written_bytes=4096, unlinked=2, commits=6
        ),
    )

    found = rates({"tank/a": then}, now)

    assert found is not None
    assert (5.0, 2.0, 40960.0, 2048.0) == (
        found.read_ops,
        found.write_ops,
        found.read_bytes,
        found.write_bytes,
    )
    assert (1.0, 3.0) == (found.unlinked, found.commits)
    assert (8192.0, 1024.0) == (found.read_size, found.write_size)


def test_what_did_nothing_has_no_mean_size_and_old_versions_no_commits() -> None:
    found = rates({"tank/a": objset(1, commits=None)}, objset(2_000_000_000, commits=None))

    assert found is not None
    assert (0.0, None, None, None) == (found.read_ops, found.read_size, found.write_size, found.commits)


@pytest.mark.parametrize(
    "now",
    [
        objset(3_000_000_000, created_ns=2_000_000_000, reads=5),  # unmounted and mounted again
        objset(1_000_000_000, reads=5),  # the same reading once more
    ],
)
def test_two_readings_that_cannot_be_compared_give_no_rate(now: Objset) -> None:
    assert rates({"tank/a": objset(1_000_000_000)}, now) is None
    assert rates({}, now) is None


def test_a_counter_that_went_back_is_no_negative_rate() -> None:
    found = rates({"tank/a": objset(1, reads=9)}, objset(1_000_000_001, reads=3))

    assert found is not None
    assert 0 == found.read_ops


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nonsense\n", "not a kstat"),
        ("12 monkeys\n", "not a kstat header"),
        ("1 1 0x01 1 2 3 4\ndataset_name 7 tank\n", "without its counters"),
        ("1 1 0x01 1 2 3 4\ndataset_name 7 ta", "truncated"),
    ],
)
def test_what_is_no_answer_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ParseError, match=reason):
        parse_objsets(text)


def test_no_open_dataset_is_an_answer() -> None:
    assert () == parse_objsets("")


@given(st.text(st.sampled_from("0x1 \nabcnamewritesdataset_7٣\u2028")))
def test_noise_is_refused_or_read_and_nothing_else(noise: str) -> None:
    with suppress(ParseError):
        parse_objsets("1 1 0x01 1 2 3 4\n" + noise)
