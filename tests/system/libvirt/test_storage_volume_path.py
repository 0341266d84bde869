"""Where a volume of a storage pool is, as virsh prints it."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import SYSTEM
from zconsole.system.libvirt.storage_volume_path import parse_volume_path, volume_path


def test_names_that_look_like_options_are_values() -> None:
    assert ("--pool=-p", "--vol=--help") == volume_path(SYSTEM, "-p", "--help").argv[-2:]


@pytest.mark.parametrize(
    ("path", "printed"),
    [
        ("/srv/P/a b ", "/srv/P/a b \n\n"),
        ("/srv/P/a", "/srv/P/a\n"),
        ("", "rbd/image\n\n"),
        ("", ""),
    ],
)
def test_a_path_is_one_of_the_host(path: str, printed: str) -> None:
    assert path == parse_volume_path(printed)


def test_more_than_a_path_is_an_error() -> None:
    with pytest.raises(ParseError):
        parse_volume_path("/a\n/b\n\n")
