"""How an action is described: its words, what it can be done to, what it must know, and its planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from zconsole.actions.binding_figure import Figure, FigureMeasure
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.plan import Dependent, RefusalReason, Rehearsal, Risk, Step
from zconsole.model.datasets.snapshot_scope import Concern
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool

FLAG: Final = "flag"
HOST: Final = "host"
DEPENDS: Final = "*"


@dataclass(frozen=True, slots=True)
class Argument:
    """A word of an action. `kind` tells what it is chosen from: no device is ever typed freely.

    pool, vdev, device, disk (picked from the inventory), dataset, snapshot, name (a new one), layout,
    property, value, tag, text.
    """

    name: str
    kind: str
    help: str
    is_optional: bool = False
    is_repeated: bool = False


def always_open(_intent: Intent, _facts: PlanFacts) -> str:
    """Nothing known beforehand speaks against an option."""
    return ""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice beside the words; `kind` is flag, text, number, size, property, choice or host."""

    name: str  # as on the command line: `with-clones`
    help: str
    kind: str = FLAG
    choices: tuple[str, ...] = ()
    is_repeated: bool = False
    why_not: Callable[[Intent, PlanFacts], str] = always_open  # why menus grey it, from what the screens know


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be read before the action can be planned, beyond the pool that it is about."""

    disks: bool = False  # those of the host, and which of them serve in other pools; `uses` needs them too
    datasets: tuple[str, ...] = ()  # pools whose file systems, volumes and bookmarks are listed
    snapshots: tuple[Concern, ...] = ()  # of those pools: which of their snapshots are listed too
    holds: bool = False  # of the snapshots listed
    uses: bool = False  # mounts, shares, processes, swap, holders, guests
    importable: bool = False  # pools that are not imported
    destroyed: bool = False  # pools that were destroyed, and can still be imported
    labels: tuple[str, ...] = ()  # devices whose ZFS label is read
    properties: tuple[tuple[str, str], ...] = ()  # (object, property); (pool, "all") is all of a pool
    properties_below: tuple[tuple[str, str], ...] = ()  # (dataset, property): of it and of all below it
    of_snapshots: bool = False  # those properties of the snapshots of all that too
    elsewhere: bool = False  # what our other hosts have imported
    boot: bool = False  # which pools the running system booted from
    programs: bool = False  # whether a channel program may run in the intent's pool
    tools: tuple[str, ...] = ()  # programs beside ZFS's that it would run: whether they are there
    copies: bool = False  # which copies elsewhere build on its snapshots, as far as that is known
    mounts: bool = False  # where file systems are mounted
    files: tuple[str, ...] = ()  # paths: what stands there
    resolved: tuple[str, ...] = ()  # paths: the same without symbolic links
    targets: tuple[str, ...] = ()  # paths on which file systems would be mounted: what is there
    measured: tuple[str, ...] = ()  # paths: how much all that is there takes
    sender: tuple[str, str] | None = None  # (a host of ours, "" for this one; a pool there that sends)
    sender_snapshots: tuple[Concern, ...] = ()  # which snapshots are listed there
    sought: tuple[int, ...] = ()  # guids of snapshots and bookmarks that are looked for in all of that pool
    send: tuple[str, ...] = ()  # the command that is to send: how much that is
    sends: str = ""  # the dataset that it sends: who may
    core: tuple[str, ...] = ()  # the calls of libzfs_core that it would make where that is to be had


def no_needs(_intent: Intent) -> Needs:
    """The pool is enough."""
    return Needs()


def only_disks(_intent: Intent) -> Needs:
    """The pool, and the disks of the host."""
    return Needs(disks=True)


@dataclass(slots=True)
class Draft:
    """A plan in the making: what only the action knows. `planner.plan` adds what holds for all."""

    title: str
    target: str  # what the guard wants typed
    risk: Risk
    steps: list[Step] = field(default_factory=list)
    destroys: list[str] = field(default_factory=list)
    renames: list[tuple[str, str]] = field(default_factory=list)  # every name that changes, before and after
    pool_renames: list[tuple[str, str]] = field(
        default_factory=list
    )  # of pools whose contents are not listed
    wipes: list[str] = field(
        default_factory=list
    )  # pools that may be lost, with contents that are not listed
    live: list[str] = field(default_factory=list)
    frees_bytes: int | None = None
    dependents: list[Dependent] = field(default_factory=list)
    before: Pool | None = None
    during: Pool | None = None
    after: Pool | None = None
    is_reversible: bool = False
    undo: str | None = None
    alternatives: list[tuple[str, Intent]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    refusals: list[RefusalReason] = field(default_factory=list)
    rehearsals: list[Rehearsal] = field(default_factory=list)
    basis: dict[str, str] = field(default_factory=dict)  # what was looked at, and what was seen
    figures: dict[str, Figure] = field(default_factory=dict)  # numbers of bytes that it rests on too
    not_binding: list[str] = field(default_factory=list)  # what is told, and may be otherwise when it runs

    def refuse(self, rule: str, reason: str, instead: str = "") -> None:
        """No guard opens this any more."""
        self.refusals.append(RefusalReason(rule, reason, instead))

    def raise_risk(self, risk: Risk) -> None:
        """At least so much."""
        if risk.rank > self.risk.rank:
            self.risk = risk

    def saw(self, what: str, seen: object) -> None:
        """The plan rests on this."""
        self.basis[what] = str(seen)

    def counted(self, what: str, measure: FigureMeasure, seen: int | None) -> Figure:
        """The plan rests on so many bytes, as near as the measure wants it."""
        self.figures[what] = figure = Figure(what, measure, seen)
        return figure


Planner = Callable[[Intent, PlanFacts], Draft]
WhyNot = Callable[[Target, PlanFacts], str]


def always(_target: Target, _facts: PlanFacts) -> str:
    """Nothing known beforehand speaks against it."""
    return ""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action that changes something."""

    id: str  # the word of the command line: `offline`
    title: str  # for menus: `Take offline`
    help: str  # a sentence
    targets: frozenset[TargetKind]
    plan: Planner  # raises UsageError where the words make no sense
    arguments: tuple[Argument, ...] = ()  # after the target
    options: tuple[Option, ...] = ()
    key: str = ""  # on the screens where its targets are, as the terminal library spells it
    needs: Callable[[Intent], Needs] = no_needs
    further: Callable[[Intent, PlanFacts], Needs] | None = (
        None  # once that is read: labels of the devices found
    )
    why_not: WhyNot = always  # why it is greyed for a target, from what the screens know; "" when it is not
    asks: tuple[str, ...] = ()  # properties of its target that `why_not` goes by and no screen knows
    # From the object under the cursor; a target that ends in / or @ is a name that the user completes.
    intent_for: Callable[[Target], Intent] | None = None
    permission: str = ""  # of `zfs allow`, without which it takes root; DEPENDS where its words decide
    root_for: frozenset[TargetKind] = frozenset()  # targets for which it takes root all the same
    only_reads: bool = False  # its target; what it changes is asked for, and what forbids that is asked there
    works_suspended: bool = False  # whether ZFS answers it for a suspended pool

    def option(self, name: str) -> Option | None:
        """The option of that name."""
        return next((option for option in self.options if option.name == name), None)
