"""Drives that are in use, or bear a signature or a label."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import GIB, Bench, outline
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.drives import Holder, Signature

USE_FORCE = "invalid vdev specification\nuse '-f' to override the following errors:\n"


@pytest.mark.parametrize(
    ("signature", "said"),
    [
        (Signature("ext4", "old"), "{2} contains a filesystem of type 'ext4'\n"),
        (Signature("crypto_LUKS"), "{2} contains a filesystem of type 'crypto_LUKS'\n"),
        (Signature("LVM2_member"), "{2} contains a filesystem of type 'LVM2_member'\n"),
        (Signature("linux_raid_member"), "{2} contains a filesystem of type 'linux_raid_member'\n"),
        (Signature("swap", number=3), "/dev/sdc3 contains a filesystem of type 'swap'\n"),
    ],
)
def test_a_foreign_signature_is_named_and_gives_way_to_force(signature: Signature, said: str) -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (signature,)

    assert USE_FORCE + said == bench.refused("zpool create data {2}")
    bench.do("zpool create -f data {2}")

    assert () == bench.disk(2).signatures


@pytest.mark.parametrize(
    ("signature", "kind"),
    [
        (Signature("ext4", mountpoint="/srv"), "ext4"),
        (Signature("swap", mountpoint="[SWAP]"), "swap"),
        (
            Signature("crypto_LUKS", holder=Holder("dm-0", "luks-x", "crypt", 8 * GIB, "xfs", "/x")),
            "crypto_LUKS",
        ),
        (Signature("ext4", mountpoint="/srv", number=1), "unknown"),
    ],
)
def test_what_is_mounted_or_held_does_not_give_way(signature: Signature, kind: str) -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (signature,)

    for line in ("zpool create data {2}", "zpool create -f data {2}", "zpool add -f tank {2}"):
        assert f"{{2}} is in use and contains a {kind} filesystem.\n" == bench.refused(line)
    assert (signature,) == bench.disk(2).signatures


@pytest.mark.parametrize(("exported", "word"), [(True, "exported"), (False, "potentially active")])
def test_the_label_of_another_pool_is_named(exported: bool, word: str) -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=900, exported=exported)

    assert f"{USE_FORCE}/dev/sdc1 is part of {word} pool 'old'\n" == bench.refused("zpool add tank {2}")
    bench.do("zpool add -f tank {2}")

    assert [] == bench.world.importable
    assert "mirror(0 1) 2" == outline(bench.pool())
