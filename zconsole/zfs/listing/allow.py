"""`zfs allow`: permissions delegated on a dataset and on its ancestors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from zconsole.base.bounded_lines import whole_lines
from zconsole.base.errors import ParseError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.hosts.host import Command
from zconsole.model.host.plan_facts import Delegation

TOOL: Final = "zfs allow"
_DATASET: Final = re.compile(r"---- Permissions on (.+?) -*")  # a long name has no trailing dashes
_SETS: Final = "Permission sets:"
_CREATE: Final = "Create time permissions:"
_SCOPES: Final = ("Local permissions:", "Descendent permissions:", "Local+Descendent permissions:")
_SECTIONS: Final = frozenset((_SETS, _CREATE, *_SCOPES))
_NAMED: Final = re.compile(r"\t(user|group) (?:\(unknown: (\d{1,20})\)|(.+)) (\S+)")
_EVERYONE: Final = re.compile(r"\teveryone (\S+)")
_SET: Final = re.compile(r"\t(@\S+) (\S+)")


@dataclass(frozen=True, slots=True)
class Grant:
    """Permissions of one subject on a dataset; permission sets (`@name`) are unresolved."""

    dataset: str
    who: str  # user, group, everyone, set, create
    name: str
    permissions: frozenset[str]
    here: bool = True  # on the dataset itself
    below: bool = True  # on its descendants


def allowed(dataset: str) -> Command:
    """Print the permissions on a dataset and its ancestors."""
    return Command(("zfs", "allow", dataset))


def parse_allow(text: str) -> tuple[Grant, ...]:
    """Every grant; the text is empty without delegation."""
    return tuple(_grants(text))


def delegations(
    grants: Iterable[Grant], user: str, user_id: int, groups: Iterable[str]
) -> tuple[Delegation, ...]:
    """The permissions of this user, including those granted on datasets they create."""
    grants = tuple(grants)
    names = {"user": {user, str(user_id)}, "group": set(groups), "everyone": {""}}
    sets: dict[str, frozenset[str]] = {}
    for grant in grants:
        if grant.who == "set":
            sets[grant.name] = sets.get(grant.name, frozenset()) | grant.permissions
    return tuple(
        Delegation(grant.dataset, _resolved(grant.permissions, sets), grant.here, grant.below)
        for grant in grants
        if grant.name in names.get(grant.who, ())
    )


def _resolved(permissions: frozenset[str], sets: dict[str, frozenset[str]]) -> frozenset[str]:
    """The permissions with sets expanded; sets may contain sets, even circularly."""
    found: set[str] = set()
    waiting = list(permissions)
    known: set[str] = set()
    while waiting:
        word = waiting.pop()
        if not word.startswith("@"):
            found.add(word)
        elif word not in known:
            known.add(word)
            waiting += sets.get(word, frozenset())
    return frozenset(found)


def _grants(text: str) -> Iterator[Grant]:
    dataset = section = ""
    for line_no, line in whole_lines(TOOL, text):
        if header := _DATASET.fullmatch(line):
            dataset, section = header[1], ""
        elif dataset and line in _SECTIONS:
            section = line
        elif line:
            grant = _grant(dataset, section, line) if section else None
            if grant is None:
                raise ParseError(TOOL, line_no, line, "expected a grant")
            yield grant


def _grant(dataset: str, section: str, line: str) -> Grant | None:
    if section == _CREATE:
        return Grant(dataset, "create", "", _words(line.strip())) if line.startswith("\t") else None
    if section == _SETS:
        found = _SET.fullmatch(line)
        return None if found is None else Grant(dataset, "set", found[1], _words(found[2]))
    here, below = section != _SCOPES[1], section != _SCOPES[0]
    if everyone := _EVERYONE.fullmatch(line):
        return Grant(dataset, "everyone", "", _words(everyone[1]), here, below)
    if named := _NAMED.fullmatch(line):
        return Grant(dataset, named[1], named[2] or named[3], _words(named[4]), here, below)
    return None


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in text.split(",") if word)
