"""Pools in any trouble that their states, errors, SMART data and scans can tell together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from tests.analysis.build import NOW, group, in_class, scrubbed
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.vdevs.resilver_targets import with_resilver_targets
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import SUSPENDED, Count, Scan, Vdev
from zconsole.model.pools.smart_health import DiskHealth

FAILED: Final[Mapping[str, object]] = {"write_errors": Count(50), "note": "too many errors"}
LAYOUTS: Final = (
    (("mirror-0", 2),),
    (("mirror-0", 3),),
    (("mirror-0", 2), ("mirror-1", 2)),
    (("raidz1-0", 4),),
    (("raidz2-0", 5),),
    (("raidz3-0", 6),),
    (("draid2:2d:6c:1s-0", 6),),
)
RUNS: Final = Scan("resilver", "scanning", start=int(NOW) - 3600, percent=40.0)
SCANS: Final = (
    None,
    scrubbed(days_ago=3),
    replace(RUNS, function="scrub"),
    replace(RUNS, state="finished", end=int(NOW) - 300, percent=100.0, errors=0),
    replace(RUNS, state="finished", end=int(NOW) - 300, percent=100.0, errors=3),
    replace(RUNS, state="canceled", end=int(NOW) - 300),
)


def _spared(number: int, old: Vdev, **of_spare: object) -> Vdev:
    return group(f"spare-{number}", old, in_class(leaf(20 + number, **of_spare), "spare"), state=old.state)


def _replaced(number: int, old: Vdev, state: str = "ONLINE", **of_new: object) -> Vdev:
    return group(f"replacing-{number}", old, leaf(40 + number, state, **of_new), state=old.state)


PARTS: Final[Mapping[str, Callable[[int], Vdev]]] = {
    "sound": leaf,
    "faulted": lambda at: leaf(at, "FAULTED", **FAILED),
    "removed": lambda at: leaf(at, "REMOVED"),
    "unavail": lambda at: leaf(at, "UNAVAIL"),
    "offline": lambda at: leaf(at, "OFFLINE"),
    "degraded": lambda at: leaf(at, "DEGRADED", checksum_errors=Count(99), note="too many errors"),
    "checksums": lambda at: leaf(at, checksum_errors=Count(4)),
    "reads": lambda at: leaf(at, read_errors=Count(4)),
    "pending": leaf,
    "failing": leaf,
    "is back": lambda at: leaf(at, is_resilvering=True),
    "on a spare": lambda at: _spared(at, leaf(at, "FAULTED", **FAILED)),
    "spare is filled": lambda at: _spared(at, leaf(at, "FAULTED", **FAILED), is_resilvering=True),
    "spare failed": lambda at: group(
        f"spare-{at}", leaf(at, "FAULTED", **FAILED), in_class(leaf(20 + at, "FAULTED"), "spare")
    ),
    "spare can go": lambda at: _spared(at, leaf(at)),
    "back beside its spare": lambda at: _spared(at, leaf(at, is_resilvering=True)),
    "replaced": lambda at: _replaced(at, leaf(at, "FAULTED", **FAILED), is_resilvering=True),
    "replaced while it serves": lambda at: _replaced(at, leaf(at), is_resilvering=True),
    "new one failed": lambda at: _replaced(at, leaf(at, "FAULTED", **FAILED), "FAULTED", **FAILED),
}
_FILLED: Final = frozenset(
    {"is back", "spare is filled", "back beside its spare", "replaced", "replaced while it serves"}
)
_SPARED: Final = frozenset(
    {"spare failed", "on a spare", "spare is filled", "spare can go", "back beside its spare"}
)
_SMART: Final = {
    "pending": DiskHealth(protocol="ATA", is_passing=True, pending=8),
    "failing": DiskHealth(protocol="ATA", is_passing=False),
}


@st.composite
def troubled_hosts(draw: st.DrawFn) -> HostState:
    """A host with one pool, one or two parts of which are in trouble, as it is after its status was read."""
    layout = draw(st.sampled_from(LAYOUTS))
    total = sum(size for _, size in layout)
    kinds = ["sound"] * total
    for _ in range(draw(st.integers(1, 2))):
        kinds[draw(st.integers(0, total - 1))] = draw(st.sampled_from(list(PARTS)[1:]))
    is_running = bool(_FILLED & set(kinds))
    extra: dict[str, object] = {"error_count": draw(st.sampled_from([0, 0, 0, 5]))}
    match draw(st.integers(0, 12)):
        case 0:
            extra |= {"checkpoint_bytes": 10**9, "checkpoint_created": int(NOW) - 9 * 86_400}
        case 1 if not is_running:
            extra |= {"readonly": "on"}
    tops = tuple(_tops(layout, kinds))
    is_degraded = any(top.state != "ONLINE" for top in tops)
    state = SUSPENDED if draw(st.integers(0, 15)) == 0 else "DEGRADED" if is_degraded else "ONLINE"
    spares = [in_class(leaf(20 + at, "INUSE"), "spare") for at, kind in enumerate(kinds) if kind in _SPARED]
    found = trouble_at(
        *tops,
        *spares,
        *(in_class(leaf(60 + at, "AVAIL"), "spare") for at in range(draw(st.integers(0, 1)))),
        gone=[at for at, kind in enumerate(kinds) if kind in {"removed", "unavail"}],
        unused=draw(st.integers(0, 2)),
        health={at: _SMART[kind] for at, kind in enumerate(kinds) if kind in _SMART} or None,
        state=state,
        scan=RUNS if is_running else draw(st.sampled_from(SCANS)),
        **extra,
    )
    (of,) = found.pools
    assert of.pool.value is not None
    read = replace(of, pool=replace(of.pool, value=with_resilver_targets(of.pool.value)))
    return replace(found, pools=(read,))


def _tops(layout: Sequence[tuple[str, int]], kinds: Sequence[str]) -> Iterator[Vdev]:
    first = 0
    for name, size in layout:
        parts = [PARTS[kinds[at]](at) for at in range(first, first + size)]
        state = "ONLINE" if all(each.state == "ONLINE" for each in parts) else "DEGRADED"
        yield group(name, *parts, configured_ashift=12, state=state)
        first += size
