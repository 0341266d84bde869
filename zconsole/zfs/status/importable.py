"""`zpool import` and `zpool import -D`: pools on this host's disks that are not imported.

The commands read every disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from zconsole.base.errors import ParseError
from zconsole.hosts.host import Command
from zconsole.model.pools.pool import ImportablePool, Vdev
from zconsole.zfs.status.text_layout import Section, TreeLine, byte_length, grow, pools, row_of
from zconsole.zfs.status.vdev_row import vdev_of
from zconsole.zfs.zfs_numbers_and_dates import DATE, prose

TOOL: Final = "zpool import"
SCAN_TIMEOUT_S: Final = 120.0  # it opens every disk and reads its labels, failing disks included
IMPORTABLE: Final = Command(("zpool", "import"), timeout_s=SCAN_TIMEOUT_S)
DESTROYED: Final = Command(("zpool", "import", "-D"), timeout_s=SCAN_TIMEOUT_S)
_NOTHING: Final = "no pools available to import"
_HOST: Final = re.compile(r"(exported from|[Ll]ast accessed by) (\S+) \(hostid=(?:0x)?([0-9a-f]{1,16})\)")
_HOLDS_IT: Final = "exported from"
_HOSTID_TOOL: Final = "zgenhostid(8)"  # named when multihost is on and this host has no hostid
_ACCESS: Final = re.compile(rf"[Ll]ast accessed (?:by .{{1,400}}? )?(?:at|on) ({DATE})")


def parse_importable(text: str) -> tuple[ImportablePool, ...]:
    """Parse `zpool import` output; pools of equal names are distinguished by guid.

    Vdevs have no counters here, and cache and spare devices no state. The last user of the pool is known only
    if ZFS refuses the import because of it.
    """
    if text.strip() == _NOTHING:
        return ()
    return tuple(_pool(sections) for sections in pools(TOOL, text))


def _pool(sections: Sequence[Section]) -> ImportablePool:
    by_label = {section.label: section for section in sections}
    head = sections[0]
    if not {"id", "state", "config"} <= by_label.keys() or not head.first:
        raise ParseError(TOOL, head.line_no, f"pool: {head.first}", "truncated: no id, state or config")
    guid = by_label["id"].first
    if not guid.isascii() or not guid.isdigit() or len(guid) > 20:
        raise ParseError(TOOL, by_label["id"].line_no, guid, "expected a guid")
    told = " ".join(_words(by_label, label) for label in ("status", "action"))
    host, access = _HOST.search(told), _ACCESS.search(told)
    vdevs = _config(head.first, by_label["config"])
    return ImportablePool(
        name=head.first,
        guid=int(guid),
        state=by_label["state"].first.strip(),
        status=_words(by_label, "status"),
        action=_words(by_label, "action"),
        last_host=host[2] if host else None,
        last_access=access[1] if access else None,
        devices=tuple(leaf.name for vdev in vdevs for leaf in vdev.leaves()),
        vdevs=vdevs,
        see=_words(by_label, "see"),
        last_hostid=host[3] if host else None,
        is_active_elsewhere=host is not None and host[1] == _HOLDS_IT,
        wants_hostid=_HOSTID_TOOL in told,
    )


def _words(by_label: dict[str, Section], label: str) -> str:
    section = by_label.get(label)
    return "" if section is None else prose(" ".join(section.lines))


def _config(name: str, section: Section) -> tuple[Vdev, ...]:
    """The vdev tree. It has no header: the pool's own line determines the state column."""
    tree = [(section.line_no + offset, line) for offset, line in enumerate(section.lines)]
    begin = next((at for at, (_, line) in enumerate(tree) if line), None)
    if begin is None:
        raise ParseError(TOOL, section.line_no, "config:", "truncated: no tree")
    line_no, line = tree[begin]
    prefix = f"\t{name} "
    state = line.removeprefix(prefix).lstrip(" ")
    if not line.startswith(prefix) or not state:
        raise ParseError(TOOL, line_no, line, f"expected the line of {name}")
    state_at = byte_length(line) - byte_length(state)
    rows: list[TreeLine] = []
    for number, words in tree[begin + 1 :]:
        if not words:  # prose follows: `Additional devices are known to be part of this pool`
            break
        rows.append(row_of(TOOL, number, words, state_at))
    return grow(TOOL, rows, _vdev)


def _vdev(row: TreeLine, vdev_class: str, children: tuple[Vdev, ...]) -> Vdev:
    return vdev_of(TOOL, row, (), vdev_class, children)
