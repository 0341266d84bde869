"""Settings of ZFS on a host beside its pools: module parameters, hostid, ARC, event daemon."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class HostSettings:
    """None is unknown. `zed_set` has the names of zed.rc's variables that have a value, never the values."""

    parameters: tuple[tuple[str, str], ...] = ()  # of the module, by name
    hostid: int | None = None  # as ZFS sees it: 0 without /etc/hostid and spl_hostid
    arc_max_bytes: int | None = None
    memory_bytes: int | None = None
    is_zed_running: bool | None = None
    zed_set: tuple[str, ...] | None = None  # None: zed.rc cannot be read
    has_mailer: bool | None = None  # the program that zed mails with is installed

    def parameter(self, name: str) -> str | None:
        """The value of a parameter that was read."""
        return next((value for each, value in self.parameters if each == name), None)
