"""Login to a host by SSH: how long each of its phases took."""

from __future__ import annotations

from enum import Enum

from zconsole.base.lazy_dataclass import dataclass


class LoginPhase(Enum):
    """Phase of a login, in order; the value completes `... of it in`."""

    CONNECT = "the TCP connection"  # with the lookup of the name; through a jump host, by it
    KEY_EXCHANGE = "the key exchange"  # until sshd accepts requests to authenticate
    AUTHENTICATION = "the authentication"
    SESSION = "the opening of the session"  # the first one, until sshd accepts its command
    SHELL = "the login shell"  # until its first command answers


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """Duration of a phase in seconds; of one that has not ended, so far."""

    phase: LoginPhase
    seconds: float
    has_ended: bool = True


@dataclass(frozen=True, slots=True)
class SshLogin:
    """One login to one host. `phases` has those that were seen, in order; a jump host has no session."""

    host: str  # label of the host or jump host
    phases: tuple[PhaseTime, ...] = ()
    jumps: tuple[SshLogin, ...] = ()  # the jump hosts before it, the first one first, without their own

    @property
    def total_s(self) -> float:
        """Seconds of all phases; those of jump hosts are apart."""
        return sum(each.seconds for each in self.phases)

    @property
    def slowest(self) -> PhaseTime | None:
        """The longest phase; None before any was seen."""
        return max(self.phases, key=lambda each: each.seconds, default=None)

    def of(self, phase: LoginPhase) -> float | None:
        """Seconds of a phase; None where it was not seen."""
        return next((each.seconds for each in self.phases if each.phase is phase), None)
