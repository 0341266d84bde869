"""`zpool upgrade`."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench


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
