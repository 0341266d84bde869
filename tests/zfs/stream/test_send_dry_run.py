"""How many bytes a stream would have."""

from __future__ import annotations

import pytest

from zconsole.base.errors import ParseError
from zconsole.zfs.stream.send_dry_run import measure_increment, parse_send_size


def test_the_size_of_an_increment_is_read() -> None:
    assert ("zfs", "send", "-nvP", "-i", "t#a", "t@b") == measure_increment("t#a", "t@b").argv
    assert 131688 == parse_send_size("incremental\ta\tt@b\t131688\nsize\t131688\n")
    for text in ("", "incremental\ta\tt@b\t1\n", "size\tmany\n"):
        with pytest.raises(ParseError):
            parse_send_size(text)
