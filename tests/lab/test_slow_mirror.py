"""The slow half of a mirror on a real pool: it is named, and nothing is to be moved while the pool runs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

import pytest

from tests.lab.console import zconsole
from tests.lab.guests import Guest, said

pytestmark = [pytest.mark.lab, pytest.mark.timeout(1800)]

BASE_MS, SLOW_MS, SLOW = 20, 200, 1
DELAYED: Final = """\
modprobe dm-delay
for n in 0 1; do
    disk=$(readlink -f {disk}$n) ms={base}
    [ $n = {slow} ] && ms={late}
    wipefs -aq $disk
    echo "0 $(blockdev --getsz $disk) delay $disk 0 $ms" | dmsetup create late$n
done
udevadm settle
"""
FILL: Final = (
    "zfs set recordsize=16K compression=off primarycache=metadata tank && "
    "dd if=/dev/urandom of=/tank/data bs=1M count=32 conv=fsync 2>/dev/null"
)
LOAD: Final = (
    "nohup fio --name=x --filename=/tank/data --size=30M --time_based --runtime=600 --ioengine=psync "
    "--bs=16k --rw=randrw --numjobs=2 --rate_iops=20 --output=/dev/null </dev/null >/dev/null 2>&1 &"
)
EXCHANGE: Final = (
    f"exchange the slots of late{SLOW} and late{1 - SLOW}: does the slot stay slow? "
    "Only with the pool exported or the host shut down"
)


@pytest.fixture
def pair(bare_guest: Guest, ssh_alias: str) -> Iterator[str]:
    """A mirror of two disks, of which one is ten times slower, under load; the name of the host."""
    disk = bare_guest.disk(0).removesuffix("0")
    bare_guest.blank()
    bare_guest.ssh(DELAYED.format(disk=disk, base=BASE_MS, slow=SLOW, late=SLOW_MS))
    bare_guest.ssh("zpool create -f -o ashift=12 tank mirror /dev/mapper/late0 /dev/mapper/late1")
    bare_guest.ssh(f"{FILL}; {LOAD}")
    yield ssh_alias
    bare_guest.ssh("pkill -x fio; while pgrep -x fio >/dev/null; do sleep 1; done")
    bare_guest.wipe()
    bare_guest.ssh("for n in 0 1; do dmsetup remove --retry late$n; done")


def test_the_slow_half_of_a_mirror_is_named_and_nothing_is_to_be_moved_live(pair: str, guest: Guest) -> None:
    ended = zconsole("slow", "tank", "--for", "60s", "--host", pair)

    assert 1 == ended.returncode, ended.stdout + ended.stderr
    assert f"late{SLOW} has " in ended.stdout
    words = " ".join(ended.stdout.split())
    assert EXCHANGE in words, words
    assert 1 == words.count("exchange")
    assert "ONLINE" == said(guest, "zpool list -Ho health tank")


def test_the_verdict_as_json_names_one_disk_and_its_only_peer(pair: str) -> None:
    ended = zconsole("slow", "tank", "--for", "60s", "--json", "--host", pair)

    assert 1 == ended.returncode, ended.stdout + ended.stderr
    (found,) = (json.loads(line) for line in ended.stdout.splitlines())
    (verdict,) = found["verdicts"]
    assert (f"late{SLOW}", [f"late{1 - SLOW}"]) == (verdict["disk"], verdict["peers"])
