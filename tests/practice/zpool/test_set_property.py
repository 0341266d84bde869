"""`zpool set` of pools and vdevs."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench


@pytest.mark.parametrize(
    ("pair", "stored"),
    [
        ("autotrim=on", "autotrim=1"),
        ("failmode=continue", "failmode=1"),
        ("comment=rack", "comment=rack"),
        ("cachefile=none", "cachefile=none"),
        ("ashift=12", "ashift=12"),
        ("org.example:owner=ops", "org.example:owner=ops"),
    ],
)
def test_a_property_is_set_and_read_back(pair: str, stored: str) -> None:
    bench = Bench("mirror 0 1")
    name, _, value = pair.partition("=")

    bench.do(f"zpool set {pair} tank")

    assert f"{value}\tlocal\n" == bench.do(f"zpool get -Ho value,source {name} tank")
    assert f"set {stored}" in bench.internal()
    assert f"zpool set {pair} tank" == bench.history()[-1]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("nosuch=1 tank", 255, "cannot set property for 'tank': invalid property 'nosuch'\n"),
        (
            "autotrim=maybe tank",
            255,
            "cannot set property for 'tank': 'autotrim' must be one of 'on | off'\n",
        ),
        ("size=1 tank", 255, "cannot set property for 'tank': 'size' is readonly\n"),
        (
            "readonly=on tank",
            255,
            "cannot set property for 'tank': property 'readonly' can only be set at import",
        ),
        (
            "ashift=44 tank",
            255,
            "cannot set property for 'tank': property 'ashift' number 44 is invalid, only",
        ),
        (
            "feature@draid=disabled tank",
            255,
            "cannot set property for 'tank': property 'feature@draid' can only be",
        ),
        ("comment=x nosuch", 22, "cannot open 'nosuch': is not a pool\n"),
        ("comment=x tank nosuch", 22, "cannot find 'nosuch' in 'tank': device not in pool\n"),
        ("comment", 2, "missing pool name\nusage:\n\tset "),
        ("comment tank", 2, "missing value in property=value argument\nusage:\n"),
        ("nosuch=1 tank mirror-0", 255, "cannot set property for 'mirror-0': invalid property: 'nosuch'\n"),
        ("allocating=off tank mirror-0", 255, "cannot set property for 'mirror-0': out of space\n"),
    ],
)
def test_what_cannot_be_set_is_refused_in_zfs_words(words: str, status: int, said: str) -> None:
    bench = Bench("mirror 0 1")

    reply = bench.run(f"zpool set {words}")

    assert status == reply.status
    assert reply.stderr.startswith(said)


def test_a_vdev_that_must_not_be_written_to_says_so() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")

    bench.do("zpool set allocating=off tank mirror-1")

    assert "(non-allocating)" in bench.do("zpool status tank")
