"""The listing of importable pools that `zpool import` prints."""

from __future__ import annotations

from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev
from zconsole.practice.world.status_messages import AUX_WORDS, MESSAGES
from zconsole.practice.world.vdev_names import Naming, widest

_MIN_NAME: Final = 10
_BY_NAME: Final = "The pool can be imported using its name or numeric identifier"


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a pool is not quite well, and the number of the message."""

    status: str
    message: str | None = None


_ANOTHER_HOST: Final = _Reason("The pool was last accessed by another system.", "ZFS-8000-EY")
_RESILVERING: Final = _Reason("One or more devices were being resilvered.")
_DAMAGED: Final = "One or more devices contains corrupted data."  # so ZFS calls those that are not there
_MISSING: Final = _Reason(_DAMAGED, "ZFS-8000-4J")
_MISSING_ALL: Final = _Reason(_DAMAGED, "ZFS-8000-5E")
_FAULTED: Final = _Reason("One or more devices are faulted.")
_OFFLINE: Final = _Reason("One or more devices are offlined.")


def shown(world: World, pool: PracticePool) -> str:
    """The paragraph of one pool."""
    reason = _reason(world, pool)
    comment = pool.properties.get("comment")
    pad = " " if comment else ""
    state = pool.root.state + (" (DESTROYED)" if pool.label_state == "DESTROYED" else "")
    text = f"{pad}  pool: {pool.name}\n{pad}    id: {pool.guid}\n{pad} state: {state}\n"
    if reason is not None:
        text += f"{pad}status: {reason.status}\n"
    text += f"{pad}action: {_action(pool, reason, pad)}"
    text += f"comment: {comment}\n" if comment else ""
    if reason is not None and reason.message:
        text += f"{pad}   see: {MESSAGES}{reason.message}\n"
    return f"{text}{pad}config:\n\n{_config(pool)}"


def _reason(world: World, pool: PracticePool) -> _Reason | None:
    leaves = list(pool.root.leaves())
    if pool.resilver is not None:
        return _RESILVERING
    if pool.label_state == "ACTIVE" and pool.hostid != world.hostid:
        return _ANOTHER_HOST
    if any(leaf.state == "UNAVAIL" for leaf in leaves):
        return _MISSING_ALL if pool.root.state == "UNAVAIL" else _MISSING
    if any(leaf.state == "FAULTED" for leaf in leaves):
        return _FAULTED
    return _OFFLINE if any(leaf.state == "OFFLINE" for leaf in leaves) else None


def _action(pool: PracticePool, reason: _Reason | None, pad: str) -> str:
    if pool.root.state == "ONLINE":
        if reason is _ANOTHER_HOST:
            return f"{_BY_NAME} and\n\t{pad}the '-f' flag.\n"
        return f"{_BY_NAME}.\n"
    if pool.root.state == "DEGRADED":
        return (
            "The pool can be imported despite missing or damaged devices.  The\n"
            f"\t{pad}fault tolerance of the pool may be compromised if imported.\n"
        )
    return "The pool cannot be imported due to damaged devices or data.\n"


def _config(pool: PracticePool) -> str:
    naming = Naming()
    width = max(_MIN_NAME, widest(pool, naming))

    def tree(vdev: PracticeVdev, depth: int) -> str:
        name = naming.name(vdev, pool)
        line = f"\t{'':{depth}}{name:<{width - depth}}  {vdev.state}"
        line += f"  {AUX_WORDS.get(vdev.aux, 'corrupted data')}" if vdev.aux else ""
        children = [child for child in vdev.children if vdev.kind != "root" or child.vdev_class == "normal"]
        beneath = "".join(tree(child, depth + 2) for child in children if child.kind != "indirect")
        return f"{line}\n{beneath}"

    text = tree(pool.root, 0)
    for leaves, heading in ((pool.caches, "cache"), (pool.spares, "spares")):
        if leaves:
            text += f"\t{heading}\n" + "".join(f"\t  {naming.name(leaf, pool)}\n" for leaf in leaves)
    for heading, tops in pool.sections():
        text += f"\t{heading}\t\n" + "".join(tree(top, 2) for top in tops)
    return text
