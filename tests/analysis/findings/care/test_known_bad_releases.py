"""Which releases have which error."""

from __future__ import annotations

import pytest

from zconsole.analysis.findings.care.known_bad_releases import KNOWN_ERRORS, known_errors_of
from zconsole.model.host.zfs_version import ZfsVersion


@pytest.mark.parametrize(
    ("expected", "module", "has_dedup"),
    [
        ([], "zfs-kmod-0.7.6-1", False),
        ([7401], "zfs-kmod-0.7.7-1", False),
        ([14753, 15526], "zfs-kmod-2.1.10-1", False),
        ([15526], "zfs-kmod-2.1.11-1", False),
        ([], "zfs-kmod-2.1.11-1+deb12u1", False),
        ([15526], "zfs-kmod-2.2.1-1", True),
        ([], "zfs-kmod-2.2.2-1", True),
        ([18412], "zfs-kmod-2.3.2-2", True),
        ([18412], "zfs-kmod-2.4.0-1", False),
        ([18366, 18412], "zfs-kmod-2.4.0-1", True),
        ([18366], "zfs-kmod-2.4.3-1", True),
        ([], "zfs-kmod-2.4.4-1", True),
        ([], "zfs-kmod-master", True),
    ],
)
def test_a_module_has_the_errors_of_its_release(expected: list[int], module: str, has_dedup: bool) -> None:
    found = known_errors_of(ZfsVersion("zfs-2.4.4-1", module), has_dedup=has_dedup, has_draid=False)

    assert expected == [each.issue for each in found]


@pytest.mark.parametrize(
    ("expected", "release"),
    [
        ([], "2.0.7"),
        ([18286, 18307], "2.1.14"),
        ([18286, 18307], "2.2.9"),
        ([18307], "2.2.10"),
        ([18286, 18307], "2.3.6"),
        ([], "2.3.7"),
        ([18286, 18307], "2.4.1"),
        ([], "2.4.4"),
    ],
)
def test_errors_of_draid_concern_hosts_that_have_one(expected: list[int], release: str) -> None:
    version = ZfsVersion("zfs-2.4.4-1", f"zfs-kmod-{release}-1")

    with_draid = {each.issue for each in known_errors_of(version, has_dedup=False, has_draid=True)}
    without = {each.issue for each in known_errors_of(version, has_dedup=False, has_draid=False)}

    assert set(expected) == with_draid - without


def test_a_module_that_is_not_known_has_no_known_error() -> None:
    assert [] == list(known_errors_of(ZfsVersion("zfs-2.2.0-1"), has_dedup=True, has_draid=True))


def test_each_range_has_an_end_after_its_beginning() -> None:
    assert [] == [each for each in KNOWN_ERRORS if each.first >= each.fixed]


def test_a_release_that_mended_a_part_is_not_named_as_the_one_that_mended_all() -> None:
    """Zeros in copies: OpenZFS 2.2.1 turned block cloning off, and 2.2.2 mended the cause."""
    told = {each.fixed_in for each in KNOWN_ERRORS if each.issue == 15526 and each.first >= (2, 2, 0)}

    assert {"2.2.2"} == told
