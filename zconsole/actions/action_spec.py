"""Specification of an action: words, targets, required facts, planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import Final

from zconsole.actions.byte_count_tolerance import Figure, FigureMeasure
from zconsole.actions.checks.command_to_free_space import SpaceToFree
from zconsole.actions.intent import Intent, OptionValue, Target, TargetKind
from zconsole.actions.plan import Dependent, RefusalReason, Rehearsal, Risk, Step, WayOut
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.change.argv_template import CommandForm

FLAG: Final = "flag"
HOST: Final = "host"
DEPENDS: Final = "*"
MOST_REFUSALS: Final = 20  # per rule


@dataclass(frozen=True, slots=True)
class Argument:
    """Argument of an action. `kind` says what it is chosen from: devices are never typed freely.

    pool, vdev, device, disk (from the inventory), dataset, snapshot, name (a new one), layout, property,
    value, tag, text.
    """

    name: str
    kind: str
    help: str
    is_optional: bool = False
    is_repeated: bool = False


def always_open(_intent: Intent, _facts: PlanFacts) -> str:
    """Default: the option is always available."""
    return ""


@dataclass(frozen=True, slots=True)
class Option:
    """Option of an action; `kind` is flag, text, number, size, property, choice or host."""

    name: str  # as on the command line: `with-clones`
    help: str
    kind: str = FLAG
    choices: tuple[str, ...] = ()
    is_repeated: bool = False
    letter: str = ""  # of the option of zfs(8) that does the same: `r`
    implies: tuple[str, ...] = ()  # flags that this letter gives as well
    takes_more: bool = False  # destroys what the object of the action does not include
    # why menus disable it, from what the screens know
    why_not: Callable[[Intent, PlanFacts], str] = always_open


@dataclass(frozen=True, slots=True)
class Needs:
    """Facts to be read before the action can be planned, besides its pool."""

    disks: bool = False  # disks of the host and the pools they belong to; `uses` needs them too
    bays: bool = False  # of those disks: the bays of enclosures
    datasets: tuple[str, ...] = ()  # pools whose file systems, volumes and bookmarks are listed
    snapshots: tuple[SnapshotSelector, ...] = ()  # in those pools: which snapshots are listed
    holds: bool = False  # of the snapshots listed
    uses: bool = False  # mounts, shares, processes, swap, holders, guests
    shared: tuple[str, ...] | None = None  # datasets whose shares count, with all below; None: of all pools
    disk_uses: bool = False  # the same of disks only: without what uses datasets and volumes
    importable: bool = False  # pools that are not imported
    destroyed: bool = False  # pools that were destroyed, and can still be imported
    labels: tuple[str, ...] = ()  # devices whose ZFS label is read
    properties: tuple[tuple[str, str], ...] = ()  # (object, property); (pool, "all") is all of a pool
    properties_below: tuple[tuple[str, str], ...] = ()  # (dataset, property): of it and of all below it
    of_snapshots: bool = False  # those properties of their snapshots too
    elsewhere: bool = False  # pools imported on our other hosts
    boot: bool = False  # pools that the running system booted from
    programs: bool = False  # whether a channel program may run in the intent's pool
    tools: tuple[str, ...] = ()  # programs besides ZFS's that it would run: whether they are installed
    copies: bool = False  # copies elsewhere that build on its snapshots, as far as known
    mounts: bool = False  # mounted file systems
    files: tuple[str, ...] = ()  # paths: file attributes
    resolved: tuple[str, ...] = ()  # paths: resolved symbolic links
    targets: tuple[str, ...] = ()  # mount points of file systems to be mounted
    measured: tuple[str, ...] = ()  # paths: total size
    sender: tuple[str, str] | None = None  # (one of our hosts, "" for this one; its sending pool)
    sender_snapshots: tuple[SnapshotSelector, ...] = ()  # snapshots listed there
    sought: tuple[int, ...] = ()  # guids of snapshots and bookmarks searched in the whole pool
    send: tuple[str, ...] = ()  # the sending command, whose size is estimated
    sends: str = ""  # the sent dataset, for its permissions
    core: tuple[str, ...] = ()  # calls of libzfs_core that it would make if available
    guests: bool = False  # all guests of libvirt, and whether the user may change them
    lock_holder: bool = False  # what another zconsole is carrying out
    guest_states: tuple[str, ...] = ()  # addresses: their states only
    guest_io: tuple[str, ...] = ()  # addresses: what their disks read and write now, by libvirt's counters
    stored_guests: tuple[str, ...] = ()  # addresses: their stored definitions
    agents: tuple[str, ...] = ()  # uuids: whether their agents answer, and their file systems are frozen
    image_chains: tuple[tuple[str, str], ...] = ()  # paths and formats of images: what they build on
    guest_to_host: DomainNeeds | None = None  # what libvirt would be asked to run: whether it can


def no_needs(_intent: Intent) -> Needs:
    """The pool suffices."""
    return Needs()


def only_disks(_intent: Intent) -> Needs:
    """The pool and the host's disks."""
    return Needs(disks=True)


@dataclass(frozen=True, slots=True)
class PlanAgain:
    """An option that would make a refused plan possible, or without which it is, and what follows from it."""

    option: str
    why: str = ""
    is_given: bool = True
    value: OptionValue = True
    is_in_words: bool = False  # `why` is the whole offer, and names no option
    is_for_later: bool = False  # it resolves nothing itself: what it does follows the other steps

    def applied(self, intent: Intent) -> Intent:
        """The intent with the option, or without it."""
        options = tuple(each for each in intent.options if each[0] != self.option)
        given = ((self.option, self.value),) if self.is_given else ()
        return replace(intent, options=tuple(sorted((*options, *given))))

    def of(self, intent: Intent) -> tuple[str, Intent]:
        """The offer and the intent, as an alternative."""
        if self.is_in_words:
            return self.why, self.applied(intent)
        value = "" if self.value is True else f" {self.value}"
        words = f"plan again {'with' if self.is_given else 'without'} {self.option}{value}"
        return f"{words}: {self.why}" if self.why else words, self.applied(intent)


@dataclass(slots=True)
class Draft:
    """Plan under construction, as far as it is the action's own. `make_plan.plan` adds the rest."""

    title: str
    target: str  # what must be typed to confirm
    risk: Risk
    short_target: str = ""  # the same where the plan stays at caution, if that tells it as surely
    steps: list[Step] = field(default_factory=list)
    destroys: list[str] = field(default_factory=list)
    loses: list[str] = field(default_factory=list)  # data that is lost and has no name, a clause each
    renames: list[tuple[str, str]] = field(default_factory=list)  # all name changes: before, after
    pool_renames: list[tuple[str, str]] = field(
        default_factory=list
    )  # of pools whose contents are not listed
    wipes: list[str] = field(default_factory=list)  # pools that may be lost, with unlisted contents
    live: list[str] = field(default_factory=list)
    frees_bytes: int | None = None
    dependents: list[Dependent] = field(default_factory=list)
    before: Pool | None = None
    during: Pool | None = None
    after: Pool | None = None
    is_at_most: bool = False  # devices may lack data that nothing shows: what vdevs survive is a bound
    is_reversible: bool = False
    undo: str | None = None
    undo_after: tuple[str, ...] = ()  # by the number of steps done; of more, or without any, `undo` is
    undo_of_nothing_kept: str = ""  # of a first receive of which the target has kept nothing
    at_rest_behind: StorageAtRest | None = None  # what is looked at behind the last step
    alternatives: list[tuple[str, Intent]] = field(default_factory=list)
    again: list[PlanAgain] = field(default_factory=list)
    downtime: list[str] = field(default_factory=list)  # how long guests are off, what that rests on behind it
    space: list[str] = field(default_factory=list)  # what is taken, and what is left for others
    stays: list[str] = field(default_factory=list)  # what is left where it was
    notes: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    refusals: list[RefusalReason] = field(default_factory=list)
    rehearsals: list[Rehearsal] = field(default_factory=list)
    basis: dict[str, str] = field(default_factory=dict)  # facts that the plan rests on, with their values
    figures: dict[str, Figure] = field(default_factory=dict)  # byte counts that it rests on
    not_binding: list[str] = field(default_factory=list)  # what is told but may differ when the plan runs

    def refuse(
        self,
        rule: str,
        reason: str,
        instead: str = "",
        again: PlanAgain | None = None,
        command: tuple[str, ...] = (),
    ) -> None:
        """Add a refusal; `again` is the option with which the same action would be planned.

        `command` is one of zconsole that does what is to be done `instead`.
        """
        self.refusals.append(RefusalReason(rule, reason, instead, command))
        if again is not None and again not in self.again:
            self.again.append(again)

    def refuse_for_space(self, rule: str, reason: str, instead: str, frees: SpaceToFree) -> None:
        """Add a refusal that ends once this space is free."""
        self.refusals.append(RefusalReason(rule, reason, instead, frees.command, frees=frees))

    def refuse_answer(
        self, way_out: WayOut, rule: str, reason: str, instead: str = "", again: PlanAgain | None = None
    ) -> None:
        """Add a refusal that another answer of the user to one question may end."""
        self.refuse(rule, reason, instead, again)
        self.refusals[-1] = replace(self.refusals[-1], way_out=way_out)

    def raise_risk(self, risk: Risk) -> None:
        """Raise the risk to at least this."""
        if risk.rank > self.risk.rank:
            self.risk = risk

    def saw(self, what: str, seen: object) -> None:
        """Add a fact to the basis of the plan."""
        self.basis[what] = str(seen)

    def counted(self, what: str, measure: FigureMeasure, seen: int | None) -> Figure:
        """Add a byte count to the basis of the plan, with the tolerance of its measure."""
        self.figures[what] = figure = Figure(what, measure, seen)
        return figure


Planner = Callable[[Intent, PlanFacts], Draft]
WhyNot = Callable[[Target, PlanFacts], str]


def no_reason(_intent: Intent) -> str:
    """Default: nothing is against it."""
    return ""


def always(_target: Target, _facts: PlanFacts) -> str:
    """Default: the action is always available."""
    return ""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """An action that changes something."""

    id: str  # the word of the command line: `offline`
    title: str  # for menus: `Take offline`
    help: str  # a sentence
    targets: frozenset[TargetKind]
    plan: Planner  # raises UsageError for invalid words
    target_word: str = ""  # in usage lines, if not the kinds of its targets
    arguments: tuple[Argument, ...] = ()  # after the target
    options: tuple[Option, ...] = ()
    key: str = ""  # on screens with its targets, in the terminal library's spelling
    needs: Callable[[Intent], Needs] = no_needs
    further: Callable[[Intent, PlanFacts], Needs] | None = None  # after that: labels of the devices found
    last: Callable[[Intent, PlanFacts], Needs] | None = None  # after that, at most twice: of what was found
    # of another of our hosts that its steps change: its label, "" for none, and what is read of it; asked
    # again with that
    other: Callable[[Intent, PlanFacts], tuple[str, Needs]] | None = None
    why_not: WhyNot = always  # why it is disabled for a target, from what the screens know; "" if it is not
    asks: tuple[str, ...] = ()  # properties of its target that `why_not` needs and no screen knows
    # From the object under the cursor; a target ending in / or @ is a name that the user completes.
    intent_for: Callable[[Target], Intent] | None = None
    permission: str = ""  # of `zfs allow`, otherwise it requires root; DEPENDS on its words
    root_for: frozenset[TargetKind] = frozenset()  # targets for which it requires root nevertheless
    only_reads: bool = False  # its target; what it changes is asked for separately, with its restrictions
    commands: tuple[CommandForm, ...] = ()  # all that its plans may run by sudo, dry runs included
    # why a guest whose disks it is about cannot be started behind it; "" where it finds them again
    why_no_start: Callable[[Intent], str] = no_reason
    works_suspended: bool = False  # whether ZFS accepts it for a suspended pool

    def option(self, name: str) -> Option | None:
        """The option with this name."""
        return next((option for option in self.options if option.name == name), None)
