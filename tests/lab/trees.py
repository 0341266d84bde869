"""Pools on a file, which are made in a second, and trees of datasets that grow in them in one process."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Final

from tests.lab.guests import Guest

FILE_POOL: Final = (
    "rm -f /var/tmp/{name}; truncate -s {size} /var/tmp/{name}; zpool create {words} {name} /var/tmp/{name}"
)
PLANT: Final = """\
import json, sys
import libzfs_core as core
verbs = {
    "create": core.lzc_create,
    "snapshot": lambda name: core.lzc_snapshot([name]),
    "clone": lambda origin, name: core.lzc_clone(name, origin),
    "bookmark": lambda source, name: core.lzc_bookmark({name: source}),
    "rename": core.lzc_rename,
}
for verb, *names in json.load(sys.stdin):
    verbs[verb](*(name.encode() for name in names))
"""  # what it makes is not mounted


def pool_on_a_file(guest: Guest, *, name: str = "tank", size: str = "1G", words: str = "") -> None:
    """A pool of its own on the guest's root disk."""
    guest.ssh(FILE_POOL.format(name=name, size=size, words=words))


def plant(guest: Guest, commands: Sequence[Sequence[str]]) -> None:
    """Carry out the commands of zfs that made a `Forest`, in one process."""
    guest.ssh(f"python3 -c {shlex.quote(PLANT)}", stdin=json.dumps(commands).encode(), timeout_s=900)


def names(guest: Guest) -> set[str]:
    """Every dataset, snapshot and bookmark that there is."""
    return set(guest.ssh("zfs list -Ht all -o name").splitlines())
