"""`zpool set`, `zpool upgrade`, the properties of vdevs, and what another user may do."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench
from zconsole.zfs.listing.pool_get import parse_properties


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


def test_vdevs_have_properties() -> None:
    bench = Bench("raidz1 0 1 2")

    bench.do(
        "zpool set autosit=on tank raidz1-0", "zpool set checksum_n=20 tank {0}", "zpool set a:b=c tank {0}"
    )

    assert "on\tlocal\n" == bench.do("zpool get -Ho value,source autosit tank raidz1-0")
    rows = bench.do("zpool get -Hp all tank {0}")
    found = {row.name: row.value for row in parse_properties(rows, bench.path(0))}
    assert ("20", "c", "online", "raidz1-0") == tuple(
        found[key] for key in ("checksum_n", "a:b", "state", "parent")
    )
    names = {
        line.split("\t")[0] for line in bench.do("zpool get -Hp guid tank all-vdevs").strip().split("\n")
    }
    assert 5 == len(names)
    assert 'Expected a list of vdevs in "tank", but got:\n\tnosuch\n' in bench.refused(
        "zpool get all tank nosuch"
    )


def test_a_vdev_that_must_not_be_written_to_says_so() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")

    bench.do("zpool set allocating=off tank mirror-1")

    assert "(non-allocating)" in bench.do("zpool status tank")


def test_a_pool_is_upgraded() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool create -o feature@draid=disabled -o feature@longname=disabled data {2}")
    assert "Some supported and requested features are not enabled on the pool." in bench.pool("data").status
    assert "data\n      draid\n      longname\n" in bench.do("zpool upgrade")

    said = bench.do("zpool upgrade data")

    assert said.endswith("Enabled the following features on 'data':\n  draid\n  longname\n\n")
    assert "enabled\n" == bench.do("zpool get -Ho value feature@draid data")
    assert "" == bench.pool("data").status
    assert "already has all supported and requested features enabled." in bench.do("zpool upgrade tank")


def test_an_upgrade_leaves_out_what_must_be_named() -> None:
    """As OpenZFS 2.4 does; an upgrade that changes nothing is not in the history."""
    bench = Bench("mirror 0 1")
    bench.do("zpool create -o feature@dynamic_gang_header=disabled data {2}")

    said = bench.do("zpool upgrade data")

    assert "already has all supported and requested features enabled." in said
    assert "data\n      dynamic_gang_header(*)\n" in bench.do("zpool upgrade")
    assert "" == bench.pool("data").status
    assert "zpool upgrade" not in bench.do("zpool history data")
    assert "disabled\n" == bench.do("zpool get -Ho value feature@dynamic_gang_header data")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zpool scrub tank", "cannot scrub tank: permission denied\n"),
        ("zpool offline tank {0}", "cannot offline {0}: permission denied\n"),
        ("zpool detach tank {0}", "cannot detach {0}: permission denied\n"),
        ("zpool attach tank {0} {2}", "cannot attach {2} to {0}: permission denied\n"),
        ("zpool set comment=x tank", "cannot set property for 'tank': permission denied\n"),
        ("zpool checkpoint tank", "cannot checkpoint 'tank': permission denied\n"),
        ("zpool create data {2}", "cannot create 'data': permission denied\n"),
        ("zpool add tank mirror {2} {3}", "cannot add to 'tank': permission denied\n"),
        ("zpool export tank", "cannot unmount '/tank': permission denied\n"),
        ("zpool import", "cannot discover pools: permission denied\n"),
        ("zpool clear tank", "cannot clear errors for tank: permission denied\n"),
        ("zpool labelclear {0}-part1", "failed to open {0}-part1: Permission denied\n"),
    ],
)
def test_another_user_may_not(line: str, said: str) -> None:
    bench = Bench("mirror 0 1")
    bench.world.user_id = 1000

    assert said == bench.refused(line)
    assert not bench.disk(2).is_partitioned
