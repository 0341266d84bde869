"""Events of a host's pools, as `zpool events -v` prints them."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Event:
    """One event: time, class, and all fields in ZFS's order and spelling."""

    at: float | None  # epoch seconds
    event_class: str  # sysevent.fs.zfs.*, ereport.fs.zfs.*, resource.fs.zfs.*
    pool: str | None
    eid: int | None
    fields: tuple[tuple[str, str], ...] = ()

    def field(self, name: str) -> str | None:
        """The value of the first field with this name."""
        return next((value for key, value in self.fields if key == name), None)

    @property
    def short_class(self) -> str:
        """The class without its common prefix: `pool_create`, `ereport checksum`."""
        head, _, tail = self.event_class.partition(".fs.zfs.")
        if not tail:
            return self.event_class
        return tail if head == "sysevent" else f"{head} {tail}"
