"""`zdb -l`: the label of a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.practice.getopt import BadOption, getopt
from zconsole.practice.nicenum_and_times import ctime
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pool_label import Label, label_of
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.vdev_names import whole_disk
from zconsole.practice.world.vdev_tree_changes import top_of
from zconsole.practice.zpool_vdevs.drive_lookup_and_in_use_check import device_at

_RULE: Final = "-" * 36
_NONE: Final = "".join(f"failed to unpack label {number}\n" for number in range(4))
_STATES: Final = {"ACTIVE": 0, "EXPORTED": 1, "DESTROYED": 2, "SPARE": 3, "L2CACHE": 4}
_UNREADABLE: Final = 2  # the exit status when a label could not be read


def zdb(world: World, args: Sequence[str]) -> Reply:
    """Answer `zdb -l [-u] DEVICE`; nothing else is known here."""
    try:
        options = getopt(args, "lu")
    except BadOption as error:
        return Reply(stderr=f"zdb: invalid option -- '{error.option}'\n", status=1)
    if "l" not in options or len(options.operands) != 1:
        return Reply(stderr="zdb: the practice host knows only -l and -u of one device\n", status=1)
    path = options.operands[0]
    device = device_at(world, path) or device_at(world, whole_disk(path))
    if device is None:
        return Reply(stderr=f"cannot open '{path}': No such file or directory\n", status=1)
    if world.user_id != 0:
        return Reply(stderr=f"cannot open '{path}': Permission denied\n", status=1)
    label = label_of(world, device.disk)
    if label is None or path == device.path:
        return Reply(_NONE, status=_UNREADABLE)
    text = f"{_RULE}\nLABEL 0 \n{_RULE}\n{_config(label)}    labels = 0 1 2 3 \n"
    if "u" in options and label.pool is not None and label.has_pool:
        text += _uberblock(label.pool, int(world.now) if label.is_imported else label.pool.accessed_at)
    return Reply(text)


def _config(label: Label) -> str:
    state = f"    version: 5000\n    state: {_STATES[label.state]}\n"
    if label.leaf is None or label.pool is None:
        named = f"    name: '{label.pool_name}'\n    state: 0\n    pool_guid: {label.pool_guid}\n"
        return f"    version: 5000\n{named}"
    if not label.has_pool:
        return f"{state}    guid: {label.leaf.guid}\n"
    pool, top = label.pool, top_of(label.pool, label.leaf) or label.leaf
    return (
        f"    version: 5000\n    name: '{pool.name}'\n    state: {_STATES[label.state]}\n"
        f"    txg: {pool.config_txg}\n    pool_guid: {pool.guid}\n    errata: 0\n"
        f"    hostid: {pool.hostid}\n    hostname: '{pool.hostname}'\n    top_guid: {top.guid}\n"
        f"    guid: {label.leaf.guid}\n    vdev_children: {len(pool.root.children)}\n"
        f"    vdev_tree:\n{_tree(top, 8, is_top=True)}"
        "    features_for_read:\n        com.delphix:hole_birth\n        com.delphix:embedded_data\n"
    )


def _tree(vdev: PracticeVdev, depth: int, *, is_top: bool = False) -> str:
    pad = " " * depth
    text = f"{pad}type: '{vdev.kind}'\n{pad}id: {vdev.vdev_id}\n{pad}guid: {vdev.guid}\n"
    if vdev.is_leaf:
        text += f"{pad}path: '{vdev.path}'\n{pad}whole_disk: 1\n"
    if is_top:
        text += (
            f"{pad}metaslab_shift: {vdev.ms_shift}\n{pad}ashift: {vdev.ashift}\n{pad}asize: {vdev.asize}\n"
        )
        text += f"{pad}is_log: {int(vdev.vdev_class == 'log')}\n"
    for index, child in enumerate(vdev.children):
        text += f"{pad}children[{index}]:\n{_tree(child, depth + 4)}"
    return text


def _uberblock(pool: PracticePool, at: int) -> str:
    txg = int(pool.txg)
    return (
        f"    Uberblock[{txg % 32}]\n\tmagic = 0000000000bab10c\n\tversion = 5000\n\ttxg = {txg}\n"
        f"\tguid_sum = {pool.guid}\n\ttimestamp = {at} UTC = {ctime(at)}\n"
        "\tmmp_magic = 00000000a11cea11\n\tmmp_delay = 0\n\tcheckpoint_txg = 0\n        labels = 0 1 2 3 \n"
    )
