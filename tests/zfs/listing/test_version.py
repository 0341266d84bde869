"""Which OpenZFS a host says it runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.zfs.recorded import each
from zconsole.base.errors import ParseError
from zconsole.zfs.listing.version import VERSION, parse_version

TEXT = "zfs-2.1.11-1+deb12u1\nzfs-kmod-2.1.11-1+deb12u1\n"


@each("zfs_version.txt")
def test_recorded_versions_have_numbers(path: Path) -> None:
    version = parse_version(path.read_text())

    assert path.parts[-3] == ".".join(map(str, version.numbers[:2]))
    assert not version.differs
    assert (version.numbers >= (2, 3)) == version.has_json


def test_the_kernel_module_may_be_missing() -> None:
    version = parse_version("zfs-2.1.11-1+deb12u1\n")

    assert ("zfs-2.1.11-1+deb12u1", None) == (version.userland, version.kernel)


@pytest.mark.parametrize("cut", range(len(TEXT)))
def test_a_version_cut_short_is_an_error_or_lacks_the_kernel(cut: int) -> None:
    if TEXT[:cut].endswith("\n"):
        assert parse_version(TEXT).userland == parse_version(TEXT[:cut]).userland
        return
    with pytest.raises(ParseError, match="zfs version"):
        parse_version(TEXT[:cut])


def test_an_answer_without_a_version_is_an_error() -> None:
    with pytest.raises(ParseError, match="names no version"):
        parse_version("bash: zfs: command not found\n")


def test_the_question_is_asked_without_a_pool() -> None:
    assert ("zfs", "version") == VERSION.argv
