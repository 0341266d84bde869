"""What the kernel swaps to."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.system.swaps import parse_swaps

HEAD = "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
TEXT = (
    HEAD + "/dev/zd0                                partition\t8388604\t\t0\t\t-2\n"
    "/swap\\040file                           file\t\t1048572\t\t12\t\t-3\n"
)


def test_devices_and_files_are_read() -> None:
    assert ("/dev/zd0", "/swap file") == parse_swaps(TEXT)


@pytest.mark.parametrize("text", ["", HEAD])
def test_a_host_may_have_none(text: str) -> None:
    assert () == parse_swaps(text)


def test_a_file_cut_short_is_an_error_or_the_first_of_them() -> None:
    for at in range(len(TEXT)):
        try:
            part = parse_swaps(TEXT[:at])
        except ParseError:
            continue
        assert ("/dev/zd0", "/swap file")[: len(part)] == part


def test_what_is_no_swap_is_an_error() -> None:
    with pytest.raises(ParseError):
        parse_swaps(HEAD + "zd0 partition 1 2 3\n")
