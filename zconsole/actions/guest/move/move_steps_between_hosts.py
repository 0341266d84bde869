"""Steps that remain of a move of a guest's storage to another host, derived from the facts of both hosts.

The two copies of the guest are kept apart by ZFS: a copy that is read-only cannot be started, whoever tries,
also after a reboot of its host. The old place becomes read-only before the last snapshot is taken there, and
the new place becomes writable only when it has that snapshot: at no moment are both writable.

The property `readonly` of both places is therefore what tells how far the move came. The target writable,
with the guest defined on it, the source read-only and not written since a snapshot that the target has: the
guest is handed over, and nothing is sent any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from zconsole.actions.guest.guest_steps import shutdown_step, start_step
from zconsole.actions.guest.move.move_progress import MoveProgress, written_since
from zconsole.actions.guest.move.remaining_move_steps import NOT_MOUNTED, at_rest
from zconsole.actions.guest.move.snapshots_of_moves import (
    LIVE,
    OFF,
    PREFIX,
    begun_with,
    has_live,
    next_number,
)
from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.plan import Condition, ConditionKind, Step, permissions_on
from zconsole.actions.replication.receiving_step import receiving_step
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.actions.storage_at_rest import READONLY, StorageAtRest
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import LIBVIRT_ACCESS
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.system.libvirt.stored_definition import define, start_at_boot
from zconsole.zfs.change.dataset_argv import mount, set_properties, snapshot
from zconsole.zfs.stream.send_receive_syncoid_argv import send, send_rest


@dataclass(frozen=True, slots=True)
class MoveBetweenHosts:
    """The move with what there is on both hosts. `stored_there` is the definition on the target's host."""

    move: StorageToMove
    source: Dataset
    here: PlanFacts
    there: PlanFacts
    progress: MoveProgress = field(default_factory=MoveProgress)
    stored_there: StoredDefinition | None = None

    @property
    def is_source_read_only(self) -> bool:
        """Whether the guest cannot be started on the old place."""
        return self.here.property(self.source.name, READONLY) == "on"

    @property
    def is_target_writable(self) -> bool:
        """Whether the guest could be started on the new place."""
        return self.move.target is not None and self.there.property(self.move.target_name, READONLY) != "on"

    @property
    def is_defined_there(self) -> bool:
        """Whether the guest is defined on the target's host with each disk at its new place."""
        stored = self.stored_there
        return (
            stored is not None
            and stored.is_defined
            and all(
                f'"{each.path}"' in stored.xml or f"'{each.path}'" in stored.xml for each in self.move.to_move
            )
        )

    @property
    def is_handed_over(self) -> bool:
        """Whether the new place is the one that counts: it has all of the old one, which is closed."""
        is_open = self.is_source_read_only and self.is_target_writable and self.is_defined_there
        return is_open and bool(self.all_arrived)

    @property
    def all_arrived(self) -> str:
        """The snapshot that both places have and behind which nothing was written at the old one, or ""."""
        here, there = (
            snapshots_of(name, facts.datasets)
            for name, facts in ((self.source.name, self.here), (self.move.target_name, self.there))
        )
        guids = {each.guid for each in there}
        common = next((short_of(each.name) for each in reversed(here) if each.guid in guids), "")
        return common if common and written_since(self.source, common, here) == 0 else ""

    @property
    def is_guest_active(self) -> bool:
        """Whether the guest runs at the old place."""
        return self.move.guest.status.state.is_active

    @property
    def ran_before(self) -> bool:
        """Whether the guest runs, or ran when the move began, by the snapshots of that time."""
        if self.is_guest_active or has_live(self.move.target_name, self.there.datasets):
            return True
        return begun_with(self.source, self.here.datasets) is not None

    @property
    def label(self) -> str:
        """The target's host."""
        return self.there.identity.label


@dataclass(slots=True)
class _Sequence:
    """Steps under construction."""

    of: MoveBetweenHosts
    number: int
    base: str = ""
    steps: list[Step] = field(default_factory=list)

    def here(self, step: Step) -> None:
        self.steps.append(step)

    def there(self, step: Step) -> None:
        self.steps.append(replace(step, on=self.of.label))

    def increment(self, kind: str) -> None:
        """Take a snapshot, and send it: in full when the target has nothing."""
        source, short = self.of.source.name, f"{PREFIX}{self.number}-{kind}"
        self.number += 1
        whole = f"{source}@{short}"
        self.here(
            Step(
                snapshot((whole,)),
                "snapshot what is there now" if kind == LIVE else "snapshot what the guest has left",
                settled_by=(Condition(ConditionKind.DATASET_THERE, whole),),
                permissions=permissions_on("snapshot", source),
                at_rest=at_rest(self.of.move.guest) if kind == OFF else None,
            )
        )
        base = f"{source}@{self.base}" if self.base else ""
        why = "send what was written since" if base else "send all of it"
        self.receive(send(whole, base=base), short, why, is_new=not base)

    def receive(self, argv: tuple[str, ...], short: str, why: str, *, is_new: bool) -> None:
        """Receive a snapshot of the source on the other host."""
        name, here = self.of.move.target_name, self.of.here
        side = SendingSide(here.identity, True, privileges=here.privileges)
        made = receiving_step(side, argv, name, is_new=is_new, snapshot=(short, None))
        assert made.sender is not None  # noqa: S101 - a receiving step has one
        arrived = Condition(
            ConditionKind.SAME_SNAPSHOT,
            f"{name}@{short}",
            pool_of(name),
            here.identity.label,
            f"{self.of.source.name}@{short}",
        )
        sender = replace(made.sender, is_on_plans_host=True)
        self.there(replace(made, why=why, settled_by=(arrived,), sender=sender))
        self.base = short


def remaining_steps_between_hosts(
    of: MoveBetweenHosts, *, within_s: float, starts: bool
) -> tuple[list[Step], StorageAtRest | None]:
    """All steps from here to the guest running on the other host; `within_s` limits the shutdown.

    Where it is not started, also what must be so behind the last of them.
    """
    shorts = [
        short_of(each.name)
        for name, facts in ((of.source.name, of.here), (of.move.target_name, of.there))
        for each in snapshots_of(name, facts.datasets)
    ]
    made = _Sequence(of, next_number(shorts), of.progress.common)
    if not of.is_handed_over:
        _send(made, within_s)
        _hand_over(made)
    rest = _kept(of, of.all_arrived if of.is_handed_over else made.base)
    _start(made, rest, starts=starts)
    return made.steps, None if starts else rest


def _send(made: _Sequence, within_s: float) -> None:
    """Bring the target up to the last state of the guest, which is off then."""
    of = made.of
    name, is_new = of.move.target_name, of.move.target is None
    if of.is_target_writable:  # somebody went back to the old place, and this goes forward again
        made.there(_set(name, (f"{READONLY}=on",), "keep the copy from being started while it is renewed"))
    if of.progress.token:
        why = "go on with what was interrupted"
        made.receive(send_rest(of.progress.token), of.progress.token_snapshot, why, is_new=False)
    elif is_new:
        made.increment(LIVE if of.is_guest_active else OFF)
    if of.is_guest_active:
        made.increment(LIVE)
        as_planned = replace(at_rest(of.move.guest), is_off=False, definition=of.move.stored.xml)
        made.here(replace(shutdown_step(of.move.guest, within_s), at_rest=as_planned))
    if not of.is_source_read_only:
        why = "keep the old copy from being started or changed, also after a reboot"
        off = _set(of.source.name, (f"{READONLY}=on",), why)
        made.here(replace(off, at_rest=at_rest(of.move.guest)))
    made.increment(OFF)


def _hand_over(made: _Sequence) -> None:
    """Define the guest on the other host, then let its storage be written there."""
    of = made.of
    name, uuid = of.move.target_name, of.move.guest.definition.uuid
    disks = tuple(
        Condition(ConditionKind.GUEST_DISK, uuid, key=each.disk.target, value=each.path)
        for each in of.move.to_move
    )
    rest = _kept(of, made.base)
    if not of.is_defined_there:
        made.there(
            Step(
                define(),
                f"define {of.move.guest.name} there, with its disks at the new place",
                stdin=definition_there(of.move),
                settled_by=disks,
                permissions=(LIBVIRT_ACCESS,),
                at_rest=rest,
            )
        )
    words = (f"{READONLY}=off", *of.progress.settings)
    why = "let it be written" + (", with what was set at the old place" if of.progress.settings else "")
    made.there(replace(_set(name, words, why), at_rest=rest))


def _start(made: _Sequence, rest: StorageAtRest, *, starts: bool) -> None:
    """Mount, pass on the start with the host, and start the guest."""
    of = made.of
    name, guest, target = of.move.target_name, of.move.guest, of.move.target
    uuid = guest.definition.uuid
    runs_there = of.there.guest_state(uuid)
    is_there_active = runs_there is not None and runs_there.is_active
    if of.source.type != "volume" and (target is None or target.is_mounted in NOT_MOUNTED):
        mounted = Condition(ConditionKind.PROPERTY_IS, name, pool_of(name), "mounted", "yes")
        made.there(
            Step(mount(name), "mount it", settled_by=(mounted,), permissions=permissions_on("mount", name))
        )
    if of.move.stored.is_started_at_boot:
        if of.stored_there is None or not of.stored_there.is_started_at_boot:
            made.there(_at_boot(uuid, guest.name, is_on=True))
        made.here(_at_boot(uuid, guest.name, is_on=False))
    if starts and not is_there_active:
        made.there(replace(start_step(guest), at_rest=rest))


def _kept(of: MoveBetweenHosts, sent: str) -> StorageAtRest:
    """The guest off and defined as it was, its old place read-only and as it was sent, the new one there."""
    rest = at_rest(of.move.guest, f"{of.source.name}@{sent}")
    copy = f"{of.move.target_name}@{_name_there(of, sent)}"
    return replace(rest, is_read_only=True, definition=of.move.stored.xml, copy=copy, copy_on=of.label)


def _name_there(of: MoveBetweenHosts, sent: str) -> str:
    """The short name that a snapshot of the source has at the target, or will have."""
    here = (
        each.guid for each in snapshots_of(of.source.name, of.here.datasets) if short_of(each.name) == sent
    )
    guid = next(here, None)
    there = snapshots_of(of.move.target_name, of.there.datasets)
    return next((short_of(each.name) for each in there if guid is not None and each.guid == guid), sent)


def definition_there(move: StorageToMove) -> str:
    """The stored definition with the new paths, and nothing else changed."""
    xml = move.stored.xml
    for each in move.to_move:
        xml = xml.replace(each.disk.text, each.disk.with_source(each.path), 1)
    return xml.strip() + "\n"


def _at_boot(uuid: str, name: str, *, is_on: bool) -> Step:
    return Step(
        start_at_boot(uuid, is_on=is_on),
        f"start {name} with this host from now on" if is_on else f"do not start {name} with this host",
        settled_by=(Condition(ConditionKind.GUEST_AT_BOOT, uuid, key=name, value="on" if is_on else "off"),),
        permissions=(LIBVIRT_ACCESS,),
    )


def _set(name: str, words: Sequence[str], why: str) -> Step:
    pairs = [word.partition("=")[::2] for word in words]
    return Step(
        set_properties(name, words),
        why,
        settled_by=tuple(
            Condition(ConditionKind.PROPERTY_IS, name, pool_of(name), key, value) for key, value in pairs
        ),
        permissions=permissions_on(",".join(key for key, _ in pairs), name),
    )
