"""Advice on the properties of a pool in words."""

from __future__ import annotations

from typing import Final

from zconsole.views.findings.advice_wording import Advice, HelpedData, Stake

POOL_PROPERTIES: Final = (
    Advice(
        "autotrim-off",
        Stake.SPEED,
        HelpedData.ALL,
        "autotrim=off, and an SSD of the pool that takes a trim has had none for 35 days. Pools younger "
        "than that, "
        "and disks whose kind is not known, are not looked at.",
        "zpoolprops(7), autotrim: off is the default, for those who trim from time to time; timers of "
        "distributions "
        "do so every month",
        "An SSD that is never told what is free copies old data about: writes become slower, and it "
        "wears out earlier.",
        "zpool trim POOL, each month by a timer (zfs-trim-monthly@POOL.timer of systemd); or zpool set "
        "autotrim=on POOL.",
        "A trim is load for minutes; autotrim=on is a little load always, which some SSDs do badly.",
        ("autotrim", "devices", "oldest_trim_s", "limit_days"),
    ),
    Advice(
        "autoexpand-off",
        Stake.SPACE,
        HelpedData.NEW,
        "autoexpand=off, and in a data vdev some disks are 10 % larger than the smallest one.",
        "zpoolprops(7), autoexpand: all disks of a mirror or raidz must be larger before there is more space",
        "Disks are being replaced by larger ones. After the last one the pool has no more space than "
        "before until "
        "somebody expands each disk.",
        "zpool set autoexpand=on POOL before the last disk is replaced; afterwards zpool online -e POOL "
        "DEVICE for each.",
        "None. A vdev cannot shrink again: leave it off if smaller disks are to come back.",
        ("autoexpand", "larger", "disks", "smallest_bytes", "limit_percent"),
    ),
    Advice(
        "failmode",
        Stake.SERVICE,
        HelpedData.ALL,
        "failmode is continue or panic.",
        "zpoolprops(7), failmode: the default is wait",
        "With wait all I/O stands still until the devices are back and the pool is cleared, and nothing "
        "is lost of what "
        "programs have written unless the host is booted before that. With continue new writes fail, for "
        "which few programs are made; with "
        "panic one pool's "
        "loss of its cable takes the whole host down.",
        "zpool set failmode=wait POOL; keep panic where a cluster takes the pool over from a crashed host.",
        "None, until devices are lost.",
        ("failmode",),
    ),
)
