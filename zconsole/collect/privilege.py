"""Privilege escalation on a host: already root, sudo, doas, or none.

sudo's answer for the exact argv decides. A password goes to sudo's stdin only, and only when sudo asks for
it: otherwise it would become input of the command.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.base.errors import ParseError, UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.secret import Secret
from zconsole.collect.concurrent_reads import all_of
from zconsole.collect.read_command_runner import ZFS_TOOLS, Asker, failure
from zconsole.hosts.host import NOT_STARTED, Command, Completed, Outcome
from zconsole.model.dataset_names import dataset_of, parent_of, pool_of
from zconsole.model.host.connected_machine_and_user import User
from zconsole.model.host.plan_facts import Delegation, PrivilegeMode, Privileges
from zconsole.zfs.listing.allow import allowed, delegations, parse_allow

USER: Final = Command(("id",))
DOAS_CONF: Final = "/etc/doas.conf"
WANTS_PASSWORD: Final = "a password is required"  # noqa: S105 - sudo's own words under LC_ALL=C.UTF-8
VALIDATE: Final = ("sudo", "-n", "-k", "-v")
CANNOT_OPEN: Final = "could not open config file"  # doas's message
ASKING: Final = ("sudo", "-k", "-S", "-p", "")  # reads the password from stdin, each time
NO_PASSWORD: Final = "!authenticate"  # noqa: S105 - how `sudo -ll` tells of NOPASSWD
PASSWORD: Final = "authenticate"  # noqa: S105 - and of PASSWD; without either the Defaults of sudoers decide
_ID: Final = re.compile(r"uid=(\d{1,10})(?:\(([^()\n]{1,256})\))?(?: [^\n]*)?")
_GROUP: Final = re.compile(r"(?<!\d)\d{1,10}\(([^()\n]{1,256})\)")
_OPTIONS: Final = re.compile(r"^    Options: (.+)$", re.MULTILINE)
_COMMANDS: Final = "    Commands:\n"  # followed by the command, which may contain any text


@dataclass(frozen=True, slots=True)
class Escalation:
    """How one command becomes root. `is_sure` is False when sudo does not say whether it needs a password.

    `is_told` is False when sudo does not say without a password whether it allows the command.
    """

    privilege_mode: PrivilegeMode
    is_sure: bool = True
    is_told: bool = True


UNTOLD: Final = Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=False, is_told=False)


class Privilege:
    """Escalation finder for one host; asks each time, because rules change.

    `user` is known where it was read over the same connection.
    """

    def __init__(self, asker: Asker, user: User | None = None) -> None:
        self._asker = asker
        self._user = user
        self._missing: set[str] = set()
        self._validation: Completed | None = None
        self._validating = asyncio.Lock()
        self._is_untold = False  # sudo lists nothing without the password, for any command
        self._ahead: dict[tuple[str, ...], Escalation] = {}

    async def user(self) -> User:
        """User that commands run as. Raises HostError."""
        if self._user is None:
            self._user = await read_user(self._asker)
        return self._user

    async def ask_ahead(self, argvs: Iterable[Sequence[str]]) -> None:
        """Find the ways of commands that will probably be asked for, all at once; each is used once.

        Raises HostError.
        """
        wanted = [tuple(argv) for argv in dict.fromkeys(map(tuple, argvs))]
        found = await all_of(self.way(argv) for argv in wanted)
        self._ahead.update(zip(wanted, found, strict=True))

    async def is_root(self) -> bool:
        """Whether commands run as root without escalation."""
        return (await self.user()).number == 0

    async def way(self, argv: Sequence[str]) -> Escalation:
        """How this exact command becomes root. Raises HostError."""
        if await self.is_root():
            return Escalation(PrivilegeMode.ROOT)
        known = self._ahead.pop(tuple(argv), None)
        return (
            known or await self._by_sudo(argv) or await self._by_doas(argv) or Escalation(PrivilegeMode.PLAIN)
        )

    async def way_as(self, planned: Privileges | None, argv: Sequence[str]) -> Escalation:
        """How a step of a plan becomes root; a delegated step stays unprivileged."""
        if planned is not None and planned.privilege_mode is PrivilegeMode.PLAIN:
            return Escalation(PrivilegeMode.PLAIN)
        return await self.way(argv)

    async def at_best(self) -> PrivilegeMode:
        """The best escalation of any command; `way` decides for a specific one."""
        if await self.is_root():
            return PrivilegeMode.ROOT
        validated = await self._validated()
        if validated is not None and (validated.is_done or WANTS_PASSWORD in validated.said):
            return PrivilegeMode.SUDO if validated.is_done else PrivilegeMode.SUDO_PASSWORD
        doas = await self._by_doas(("zpool", "version"))
        return PrivilegeMode.PLAIN if doas is None else doas.privilege_mode

    async def to_read(self, command: Command) -> Command:
        """The command as root if that needs no password; otherwise unchanged."""
        way = await self.way(command.argv)
        if way.is_sure and way.privilege_mode in {PrivilegeMode.SUDO, PrivilegeMode.DOAS}:
            return as_root(command, way.privilege_mode)
        return command

    async def delegated(self, datasets: Sequence[str]) -> tuple[Delegation, ...]:
        """Permissions of this user by `zfs allow` on these datasets, or their nearest existing ancestors."""
        user = await self.user()
        found: list[Delegation] = []
        for dataset in dict.fromkeys(dataset_of(each) for each in datasets):
            name = dataset
            while name:
                completed = await self._asker.run(allowed(name), kind="allow", pool=pool_of(name))
                if completed.is_done:
                    grants = parse_allow(completed.stdout.decode("utf-8", "surrogateescape"))
                    found += delegations(grants, user.name, user.number, user.groups)
                    break
                name = parent_of(name)
        return tuple(dict.fromkeys(found))

    async def _by_sudo(self, argv: Sequence[str]) -> Escalation | None:
        """Escalation by sudo; None without sudo, or where sudo does not allow the command."""
        if self._is_untold:
            return UNTOLD
        asked = await self._probe(("sudo", "-n", "-l", "-l", *argv))
        if asked is None:
            return None
        if not asked.is_done:
            self._is_untold = WANTS_PASSWORD in asked.said and await self._is_known_to_sudo()
            return UNTOLD if self._is_untold else None
        options = rule_options(asked.stdout.decode("utf-8", "replace"))
        if options & {NO_PASSWORD, PASSWORD}:
            return Escalation(PrivilegeMode.SUDO if NO_PASSWORD in options else PrivilegeMode.SUDO_PASSWORD)
        validated = await self._validated()
        if validated is not None and validated.is_done:
            return Escalation(PrivilegeMode.SUDO)
        return Escalation(PrivilegeMode.SUDO_PASSWORD, is_sure=False)

    async def _is_known_to_sudo(self) -> bool:
        """Whether sudo allows this user any command; `sudo -l` asks unknown users for a password, too."""
        validated = await self._validated()
        is_known = validated is not None and (validated.is_done or WANTS_PASSWORD in validated.said)
        if not is_known:
            self._missing.add("sudo")
        return is_known

    async def _validated(self) -> Completed | None:
        """Result of `sudo -v` for the user; run once."""
        async with self._validating:
            if self._validation is None:
                self._validation = await self._probe(VALIDATE)
        return self._validation

    async def _by_doas(self, argv: Sequence[str]) -> Escalation | None:
        """Escalation by doas; where only root may read its rules, a harmless command is tried."""
        asked = await self._probe(("doas", "-C", DOAS_CONF, *argv))
        if asked is not None and not asked.is_done and CANNOT_OPEN in asked.said:
            harmless = (argv[0], "version") if argv[0] in ZFS_TOOLS else ("true",)
            tried = await self._probe(("doas", "-n", *harmless))
            return Escalation(PrivilegeMode.DOAS) if tried is not None and tried.is_done else None
        if asked is None or not asked.is_done:
            return None
        return Escalation(PrivilegeMode.DOAS) if asked.stdout.strip() == b"permit nopass" else None

    async def _probe(self, argv: tuple[str, ...]) -> Completed | None:
        """Run a program that may be missing; None where it is."""
        program = argv[0]
        if program in self._missing:
            return None
        completed = await self._asker.run(Command(argv), kind=program)
        if completed.status in NOT_STARTED:
            self._missing.add(program)
            return None
        if completed.outcome is Outcome.UNKNOWN:
            raise failure(completed, self._asker.host.label)
        return completed


async def read_user(asker: Asker) -> User:
    """User that commands run as on a host. Raises HostError."""
    return parse_user((await asker.ask(USER, kind="id")).decode("utf-8", "replace"))


def parse_user(text: str) -> User:
    """User from the output of `id`. Raises ParseError."""
    found = _ID.fullmatch(text.rstrip("\n"))
    if found is None or not text.endswith("\n"):
        raise ParseError("id", 1, text, "does not tell who acts there")
    return User(found[2] or found[1], int(found[1]), tuple(_GROUP.findall(text.partition(" groups=")[2])))


def rule_options(text: str) -> frozenset[str]:
    """Options of the matched rule in `sudo -ll ARGV`; sudo before 1.9.14 shows no rule."""
    found = _OPTIONS.search(text.partition(_COMMANDS)[0])
    return frozenset() if found is None else frozenset(found[1].split(", "))


def as_root(command: Command, privilege_mode: PrivilegeMode, password: Secret | None = None) -> Command:
    """Command with its escalation. A password is the first line on stdin, before the command's own."""
    match privilege_mode:
        case PrivilegeMode.ROOT | PrivilegeMode.PLAIN:
            return command
        case PrivilegeMode.SUDO:
            return replace(command, argv=("sudo", "-n", *command.argv))
        case PrivilegeMode.DOAS:
            return replace(command, argv=("doas", "-n", *command.argv))
        case PrivilegeMode.SUDO_PASSWORD:
            if password is None:
                raise UsageError("sudo requires a password", hint="It is asked for before the plan runs.")
            line = password.reveal().encode("utf-8", "surrogateescape")
            if b"\n" in line or b"\0" in line:
                raise UsageError("a password for sudo is one line", hint="Type it again.")
            return replace(
                command,
                argv=(*ASKING, *command.argv),
                stdin=line + b"\n" + (command.stdin or b""),
            )


def asks_for_password(command: Command) -> bool:
    """Whether sudo reads a password from the command's stdin."""
    return command.argv[: len(ASKING)] == ASKING


def was_refused_unasked(completed: Completed) -> bool:
    """Whether `sudo -n` certainly did not start the command, because a password is required."""
    return (
        completed.outcome is Outcome.FAILED
        and completed.command.argv[:2] == ("sudo", "-n")
        and not completed.stdout
        and (last := completed.said.rpartition("\n")[2]).startswith("sudo:")
        and WANTS_PASSWORD in last
    )


async def read_at_best(privilege: Privilege, dataset: str) -> Privileges:
    """Acting user, best escalation, and without one the permissions delegated on a dataset."""
    user, privilege_mode = await privilege.user(), await privilege.at_best()
    delegated = () if privilege_mode is not PrivilegeMode.PLAIN else await privilege.delegated((dataset,))
    return Privileges(user.name, user.number, privilege_mode, delegated)


async def read_privileges(
    privilege: Privilege, argvs: Sequence[Sequence[str]], datasets: Sequence[str]
) -> Privileges:
    """Acting user and one escalation for all commands: the weakest of theirs, or none."""
    user = await privilege.user()
    ways = (
        [(await privilege.way(argv)).privilege_mode for argv in argvs]
        if user.number
        else [PrivilegeMode.ROOT]
    )
    by_rank = (
        PrivilegeMode.PLAIN,
        PrivilegeMode.SUDO_PASSWORD,
        PrivilegeMode.SUDO,
        PrivilegeMode.DOAS,
        PrivilegeMode.ROOT,
    )
    privilege_mode = min(ways, key=by_rank.index, default=PrivilegeMode.PLAIN)
    delegated = () if privilege_mode is not PrivilegeMode.PLAIN else await privilege.delegated(datasets)
    return Privileges(user.name, user.number, privilege_mode, delegated)
