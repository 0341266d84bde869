"""What the user's configuration forbids: hosts that are only looked at, objects that nothing destroys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.config import Config, HostConfig
from zconsole.model.facts import Policy

UNLOCKED_S: Final = 15 * 60.0


@dataclass(slots=True)
class Policies:
    """The policy of each host by its label, and which of them are unlocked until when."""

    config: Config = field(default_factory=Config)
    clock: Clock = field(default_factory=SystemClock)
    _unlocked_until: dict[str, float] = field(default_factory=dict)  # monotonic seconds

    def of(self, host: str) -> Policy:
        """What is forbidden on a host now."""
        named = self.config.reached_as(host)
        protected = (*self.config.protected, *(named.protected if named is not None else ()))
        return Policy(self._read_only(host, named), tuple(dict.fromkeys(protected)))

    def unlock(self, host: str) -> float:
        """Allow changes on a production host for a while; epoch seconds until when."""
        self._unlocked_until[host] = self.clock.monotonic() + UNLOCKED_S
        return self.clock.now() + UNLOCKED_S

    def _read_only(self, host: str, named: HostConfig | None) -> str:
        if self.config.is_read_only:
            return "zconsole was started read-only"
        if named is None:
            return ""
        if named.is_read_only:
            return f"{host} is read-only in the configuration"
        until = self._unlocked_until.get(host)
        if named.is_production and (until is None or self.clock.monotonic() >= until):
            return f"{host} is a production host, read-only until it is unlocked"
        return ""
