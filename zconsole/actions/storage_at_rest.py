"""A guest at rest: what must be so right before a step that relies on it, however long the plan has run.

Between the steps of a move anybody may start the guest, as libvirt does when it is restarted; what it writes
at the old place behind the last snapshot would be left there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from zconsole.base.bounded_int import natural
from zconsole.base.errors import ParseError
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of
from zconsole.model.guests.guest import GuestState
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.libvirt.disk_definition_text import parse_disk_texts
from zconsole.zfs.listing.dataset_get import written_since

_NS_PER_S = 1_000_000_000
_CREATION: Final = "creation"
READONLY: Final = "readonly"


@dataclass(frozen=True, slots=True)
class StorageAtRest:
    """A guest that is shut off, and storage that was not written since a snapshot; on the plan's own host.

    A file system may have other files, which may be written: with `images` only these count. A disk's
    definition is another where somebody edited it.
    """

    guest: str  # address
    name: str
    snapshot: str = ""  # the last one that is sent, with its dataset; empty where none is sent yet
    images: tuple[str, ...] = ()  # paths of the guest's images there; of a volume none
    disks: tuple[tuple[str, str], ...] = ()  # target and path of each, as the stored definition must have it
    definition: str = ""  # its stored definition, which must be as it was; empty where any is right
    is_off: bool = True  # False: only its definition is looked at
    copy: str = ""  # that snapshot at the new place, which must be there; empty where it is not looked at
    copy_on: str = ""  # label of the host of the new place where it is another
    is_read_only: bool = False  # whether its dataset has to be so that nobody can start the guest on it

    @property
    def needs_definition(self) -> bool:
        """Whether its stored definition is looked at."""
        return bool(self.disks or self.definition)

    @property
    def source(self) -> str:
        """The dataset that must not be written."""
        return dataset_of(self.snapshot)

    def with_disk(self, target: str, path: str) -> StorageAtRest:
        """The same once this disk is defined at another path."""
        kept = tuple((each, path if each == target else was) for each, was in self.disks)
        return replace(self, disks=kept)

    @property
    def properties(self) -> tuple[tuple[str, str], ...]:
        """What of ZFS tells of it."""
        if not self.snapshot:
            return ()
        kept = ((self.source, READONLY),) if self.is_read_only else ()
        copied = self.properties_of_copy if not self.copy_on else ()
        return (self.source, written_since(self.snapshot)), (self.snapshot, _CREATION), *kept, *copied

    @property
    def properties_of_copy(self) -> tuple[tuple[str, str], ...]:
        """What of ZFS tells whether the new place is there, on its host."""
        return ((self.copy, _CREATION),) if self.copy else ()

    def why_not(self, facts: PlanFacts) -> str:
        """Why it is not so, a clause; empty if it is. A copy on another host is looked at by `why_gone`."""
        if not self.is_off:
            return self._defined_otherwise(facts)
        state = facts.guest_state(self.guest)
        if state is None:
            return f"whether {self.name} is shut off could not be read"
        if state is not GuestState.SHUT_OFF:
            return f"{self.name} is {state.in_words}, and not shut off"
        return (
            self._other_disks(facts)
            or self._defined_otherwise(facts)
            or (self._written(facts) if self.snapshot else "")
            or self._open(facts)
            or ("" if self.copy_on else self.why_gone(facts))
        )

    def _defined_otherwise(self, facts: PlanFacts) -> str:
        """Somebody has edited it, as to add a disk or memory: the copy would be without that."""
        if not self.definition or self._stored(facts).strip() == self.definition.strip():
            return ""
        if not self._stored(facts):
            return self._untold
        return f"the definition of {self.name} was changed since this was planned"

    def _stored(self, facts: PlanFacts) -> str:
        """Its stored definition; empty where libvirt tells none."""
        return next((each.xml for each in facts.stored if each.address == self.guest), "")

    @property
    def _untold(self) -> str:
        return f"libvirt does not tell the stored definition of {self.name} any more"

    def _other_disks(self, facts: PlanFacts) -> str:
        if not self.disks:
            return ""
        xml = self._stored(facts)
        if not xml:
            return self._untold
        try:
            found = {each.target: each.source for each in parse_disk_texts(xml)}
        except ParseError as error:
            return f"the stored definition of {self.name} cannot be read: {error.reason}"
        for target, path in self.disks:
            if found.get(target) != path:
                return (
                    f"{target} of {self.name} is defined at {found.get(target) or 'nothing'}, not at {path}"
                )
        return ""

    def _written(self, facts: PlanFacts) -> str:
        """What was written since the snapshot; a file that was not modified since was not written."""
        written = natural(facts.property(self.source, written_since(self.snapshot)) or "")
        if written is None:
            return f"what was written to {self.source} since {self.snapshot} could not be read"
        if not written or self._are_untouched(facts):
            return ""
        return f"{size(written)} was written to {self.source} since {self.snapshot}, the last that was sent"

    def why_gone(self, facts: PlanFacts) -> str:
        """That somebody has destroyed or renamed the new place; `facts` are those of its host."""
        is_there = not self.copy or natural(facts.property(self.copy, _CREATION) or "") is not None
        where = f" on {self.copy_on}" if self.copy_on else ""
        return "" if is_there else f"{self.copy}{where} is not there any more"

    def _open(self, facts: PlanFacts) -> str:
        """That the old place may be written again."""
        if not self.is_read_only or facts.property(self.source, READONLY) == "on":
            return ""
        return f"{self.source} is not read-only any more: {self.name} could be started on both places"

    def _are_untouched(self, facts: PlanFacts) -> bool:
        taken = natural(facts.property(self.snapshot, _CREATION) or "")
        found = [facts.files.file(path) for path in self.images]
        return (
            taken is not None
            and bool(found)
            and all(each is not None and each.modified_ns // _NS_PER_S <= taken for each in found)
        )
