"""Machine behind a connection, and the user that commands run as there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zconsole.base.lazy_dataclass import dataclass

if TYPE_CHECKING:  # loaded with the first plan
    from zconsole.model.host.machine_identity import MachineIdentity


@dataclass(frozen=True, slots=True)
class User:
    """The acting user."""

    name: str
    number: int
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownMachine:
    """Identity and user, which do not change during a connection; `connection` is its number."""

    identity: MachineIdentity
    user: User
    connection: int | None = None
