"""Pools of devices that are told apart by guid and path, and plans made on a host that has them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from tests.analysis.build import disk, group, in_class
from tests.doubles.plan_worlds import guid_of, host, pool
from tests.doubles.ways_out import with_sound_ways_out
from zconsole.actions.intent import OptionValue, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev, VdevProgress

ERRORS = Count(7)


def leaf(name: str, state: str = "ONLINE", **values: object) -> Vdev:
    """A device with a guid and a path."""
    return disk(name, state, guid=guid_of(name), path=f"/dev/disk/by-id/{name}-part1", **values)


def of(name: str, *children: Vdev) -> Vdev:
    """A group with a guid."""
    return group(name, *children, guid=guid_of(name))


def mirror(*states: str, name: str = "mirror-0") -> Vdev:
    """A mirror of devices in these states; they are called `mirror-0-a`, `mirror-0-b` and so on."""
    return of(
        name, *(leaf(f"{name}-{letter}", state) for letter, state in zip("abcdef", states, strict=False))
    )


def log(*names: str) -> tuple[Vdev, ...]:
    """Lone log devices."""
    return tuple(in_class(leaf(name), "log") for name in names)


def tank(*vdevs: Vdev, **values: object) -> Pool:
    """A pool; of one healthy mirror unless told."""
    tops = vdevs or (mirror("ONLINE", "ONLINE"),)
    state = "ONLINE" if all(top.state in {"ONLINE", "AVAIL", "INUSE"} for top in tops) else "DEGRADED"
    return pool("tank", **{"vdevs": tops, "state": state, "error_count": 0, **values})


def planned(
    facts: PlanFacts | Pool, action: str, target: str = "tank", *words: str, **options: OptionValue
) -> Plan:
    """The plan of an action; options are written with underscores."""
    given = {name.replace("_", "-"): value for name, value in options.items()}
    known = host(pools=(facts,)) if isinstance(facts, Pool) else facts
    return with_sound_ways_out(plan(intent(action, target, *words, options=given), known), known)


def rules(made: Plan) -> set[str]:
    """The rules that refuse it."""
    return {refusal.rule for refusal in made.refusals}


def argv(made: Plan) -> str:
    """Its only step as it would be typed."""
    (step,) = made.steps
    return " ".join(step.argv)


def with_errors(vdev: Vdev) -> Vdev:
    """The device with checksum errors."""
    return replace(vdev, checksum_errors=ERRORS)


STATES = st.sampled_from(
    ("ONLINE", "ONLINE", "ONLINE", "DEGRADED", "OFFLINE", "FAULTED", "UNAVAIL", "REMOVED")
)


ACTIVITIES: tuple[tuple[VdevProgress, ...], ...] = (
    (),
    (VdevProgress("trim", "unsupported"),),
    (VdevProgress("trim", "active"), VdevProgress("initialize", "suspended")),
    (VdevProgress("initialize", "active"),),
)


@st.composite
def members(draw: st.DrawFn, name: str) -> Vdev:
    """A device, or what stands for one while it is replaced or spared."""
    made = leaf(
        name,
        draw(STATES),
        is_resilvering=draw(st.booleans()),
        checksum_errors=draw(st.sampled_from((Count(0), ERRORS))),
        activities=draw(st.sampled_from(ACTIVITIES)),
    )
    kind = draw(st.sampled_from(("", "", "", "spare", "replacing")))
    if not kind:
        return made
    return of(f"{kind}-0-{name}", made, leaf(f"{name}n", draw(STATES), is_resilvering=draw(st.booleans())))


@st.composite
def pools(draw: st.DrawFn) -> Pool:
    """A pool of one to three groups in any state."""
    tops = []
    for number in range(draw(st.integers(1, 3))):
        kind, fewest = draw(st.sampled_from((("mirror", 2), ("raidz1", 2), ("raidz2", 3), ("", 1))))
        width = draw(st.integers(fewest, 5)) if kind else 1
        parts = [draw(members(f"{number}-{at}")) for at in range(width)]
        vdev_class = draw(st.sampled_from(("data", "data", "special", "log")))
        tops.append(in_class(of(f"{kind}-{number}", *parts) if kind else parts[0], vdev_class))
    scan = draw(
        st.sampled_from((None, Scan("resilver", "scanning", start=1), Scan("scrub", "scanning", start=1)))
    )
    return tank(*tops, scan=scan)
