"""Whatever tree ZFS can print, as text or as JSON, is read back unchanged; nonsense is a clear error."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.zfs.recorded import recorded
from tests.zfs.render import as_json, as_text, pools
from zconsole.base.errors import ParseError
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.listing.pool_get import parse_properties
from zconsole.zfs.listing.pool_list import parse_pool_columns, parse_pool_list
from zconsole.zfs.listing.version import parse_version
from zconsole.zfs.status.importable import parse_importable
from zconsole.zfs.status.newest_scan_and_initialize_trim import leaf_activities
from zconsole.zfs.status.status import parse_status, parse_status_json
from zconsole.zfs.status.status_text import parse_status_text

OLD, NEW = ZfsVersion("zfs-2.1.11-1"), ZfsVersion("zfs-2.4.4-1")
QUICKLY = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
READERS = {
    "status as text": lambda output: parse_status(output, OLD),
    "status as JSON": lambda output: parse_status(output, NEW),
    "list": lambda output: parse_pool_list(output.decode("utf-8", "replace")),
    "columns": lambda output: parse_pool_columns(output.decode("utf-8", "replace")),
    "properties": lambda output: parse_properties(output.decode("utf-8", "replace"), "tank"),
    "importable": lambda output: parse_importable(output.decode("utf-8", "replace")),
    "version": lambda output: parse_version(output.decode("utf-8", "replace")),
}
SOURCES = {
    "status as text": "zpool_status*.txt",
    "status as JSON": "zpool_status.json",
    "list": "zpool_list_Hpv.tsv",
    "columns": "zpool_list_Hp_cols.tsv",
    "properties": "zpool_get_all.tsv",
    "importable": "zpool_import*.txt",
    "version": "zfs_version.txt",
}


def complete(pool: Pool) -> Pool:
    """The pool with what a parser adds of its vdevs."""
    return replace(pool, activities=tuple(leaf_activities(pool.vdevs)))


@QUICKLY
@given(pool=pools())
def test_text_is_read_back_as_it_was_printed(pool: Pool) -> None:
    assert (complete(pool),) == parse_status_text(as_text(pool))


@QUICKLY
@given(pool=pools())
def test_json_is_read_back_as_it_was_printed(pool: Pool) -> None:
    assert (complete(pool),) == parse_status_json(as_json(pool))


@QUICKLY
@given(pool=pools())
def test_json_with_numbers_in_strings_says_the_same(pool: Pool) -> None:
    assert parse_status_json(as_json(pool)) == parse_status_json(as_json(pool, is_exact=False))


PRINTED = ("data", "dedup", "special", "log", "cache", "spare")


@pytest.mark.slow
@QUICKLY
@given(first=pools(), second=pools())
def test_two_pools_in_one_text_are_told_apart(first: Pool, second: Pool) -> None:
    text = f"{as_text(first)}\n{as_text(second)}"

    assert (complete(first), complete(second)) == parse_status_text(text)


@QUICKLY
@given(pool=pools(), data=st.data())
def test_text_cut_anywhere_is_an_error_or_the_same_tree(pool: Pool, data: st.DataObject) -> None:
    text = as_text(pool)
    cut = data.draw(st.integers(0, len(text) - 1))

    try:
        found = parse_status_text(text[:cut])
    except ParseError:
        return
    assert found in ((), (replace(complete(pool), error_count=None),))


@QUICKLY
@given(pool=pools(), data=st.data())
def test_a_pool_that_says_nothing_of_errors_loses_whole_vdevs_at_most(
    pool: Pool, data: st.DataObject
) -> None:
    """A pool that could not be opened ends with its tree, so a line that is missing cannot be noticed."""
    unopened = replace(pool, state="UNAVAIL", error_count=None)
    text = as_text(unopened).removesuffix("\nerrors: No known data errors\n")
    cut = data.draw(st.integers(0, len(text)))

    try:
        found = parse_status_text(text[:cut])
    except ParseError:
        return
    flat = [each for part in found for each in as_printed(part)]
    assert flat == as_printed(unopened)[: len(flat)]


@pytest.mark.parametrize("reader", READERS)
@settings(deadline=None, max_examples=50)
@given(noise=st.binary(max_size=300))
def test_noise_is_an_error_or_nothing(reader: str, noise: bytes) -> None:
    with suppress(ParseError):
        READERS[reader](noise)


@pytest.mark.parametrize("reader", SOURCES)
@settings(deadline=None, max_examples=40)
@given(data=st.data())
def test_a_damaged_answer_never_ends_in_anything_but_a_parse_error(reader: str, data: st.DataObject) -> None:
    whole = data.draw(st.sampled_from(answers(reader)), label="answer")
    at = data.draw(st.integers(0, len(whole)), label="from")
    until = data.draw(st.integers(at, min(len(whole), at + 40)), label="to")
    noise = data.draw(st.binary(max_size=20), label="noise")

    with suppress(ParseError):
        READERS[reader](whole[:at] + noise + whole[until:])


@cache
def answers(reader: str) -> list[bytes]:
    paths: list[Path] = recorded(SOURCES[reader])
    return sorted({path.read_bytes() for path in paths if path.stat().st_size})[:30]


def as_printed(pool: Pool) -> list[Vdev]:
    """Every vdev, flattened, in the order of the lines: the dedup class comes before the special one."""
    tops = sorted(pool.vdevs, key=lambda vdev: PRINTED.index(vdev.vdev_class))
    return [flattened(vdev) for top in tops for vdev in top.walk()]


def flattened(vdev: Vdev) -> Vdev:
    """A vdev without those below it, and with what it would be called without them."""
    is_group = vdev.type not in ("disk", "file")
    return replace(vdev, children=(), slow_ios=None, type="group" if is_group else vdev.type)
