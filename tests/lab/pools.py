"""A pool for tests, made anew only where the one of the last test is not as it was made."""

from __future__ import annotations

import shlex
from typing import Final

from tests.lab.guests import Guest, LabError

MADE: Final = "/run/zfslab-pool"  # in the guest: what was seen of it when it was made
SEEN: Final = """\
zpool list -Ho name,health,checkpoint,readonly,altroot
zpool status | grep -E 'in progress|paused|suspended|action:'
zpool status -P | sed -n '/config:/,$p'
zfs list -Ht all -o name
ls /tank
lsblk -rno NAME,FSTYPE | sed 's: zfs_member::'
"""
MEND: Final = """\
for pool in $(zpool list -Ho name | grep -vx tank); do zpool destroy -f $pool; done
[ "$(zpool get -Ho value readonly tank 2>&1)" = off ] || { zpool export tank; zpool import tank; }
for disk in $(zpool status tank | awk '$2 == "OFFLINE" { print $1 }'); do zpool online tank $disk; done
timeout 30 zpool wait -t resilver tank
zpool clear tank
zfs mount -a
udevadm settle
"""  # what tests leave behind, and takes less time than another pool
FILL: Final = "dd if=/dev/urandom of=/tank/some bs=1M count=32 conv=fsync 2>/dev/null && zpool sync tank"


def pool_of_layout(guest: Guest, words: str) -> None:
    """Have the pool tank, `{3}` being the disk in bay 3, with some data; the other disks are blank."""
    given = words.format(*map(guest.disk, range(guest.disks)))
    seen = f"(echo {shlex.quote(given)}; {{ {SEEN}}} 2>&1)"
    as_made = f'[ "$({seen})" = "$(cat {MADE})" ]'
    try:
        is_of_layout = f"grep -qxF {shlex.quote(given)} {MADE}"
        guest.ssh(f"{is_of_layout} || exit 1\n{as_made} && exit 0\n({MEND}) >/dev/null 2>&1\n{as_made}")
    except LabError:
        guest.ssh(f"rm -f {MADE}")
        guest.wipe()
        guest.create_pool(f"-o ashift=12 tank {given}")
        guest.ssh(f"{FILL} && udevadm settle && {seen} > {MADE}")
