"""sudoers rules for a storage host: the commands that zconsole runs, word by word.

Each action lists the forms of its commands; `sudoers_patterns` has the pattern of each placeholder in them.
The header says which rules equal root all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from zconsole.actions.action_catalogue import SPECS
from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.guest.shut_down_guests_first import forms_of
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.reports.sudoers_patterns import Grants, escaped, patterns
from zconsole.system.dd_disk_reads import read_burst, read_piece
from zconsole.system.kernel_messages import DMESG
from zconsole.system.open_files import OPEN_FILES
from zconsole.system.smartctl import read_health
from zconsole.zfs.change import channel_program
from zconsole.zfs.change.argv_template import (
    DEFINE,
    DEVICE,
    DIFF,
    EITHER,
    GUESTS,
    IMPORT,
    NUMBER,
    POOL,
    RECEIVE,
    SEND,
    SNAPSHOT,
    CommandForm,
)
from zconsole.zfs.listing.device_label import read_label
from zconsole.zfs.listing.diff import diff
from zconsole.zfs.listing.history import history
from zconsole.zfs.status.importable import DESTROYED as LIST_DESTROYED
from zconsole.zfs.status.importable import IMPORTABLE

ELSEWHERE: Final = {
    "chown": "/usr/bin/chown",
    "dd": "/usr/bin/dd",
    "dmesg": "/usr/bin/dmesg",
    "find": "/usr/bin/find",
    "ledctl": "/usr/sbin/ledctl",
    "mktemp": "/usr/bin/mktemp",
    "rmdir": "/usr/bin/rmdir",
    "sh": "/bin/sh",
    "smartctl": "/usr/sbin/smartctl",
    "virsh": "/usr/bin/virsh",
}  # than ZFS's programs
SYSTEM_PATH: Final = "/usr/sbin:/usr/bin:/sbin:/bin"
MOST_CHARACTERS: Final = 1024  # of a regular expression in sudoers
HEADER: Final = """\
# What zconsole runs as root on this host, and nothing else. Keep it with:
#     visudo -f /etc/sudoers.d/zconsole
# It needs sudo 1.9.10 or later.
#
# Whoever has these rules can destroy everything in {pools}, and put any unused disk into a pool.
# Each of the following makes them root as well. Where one applies, give the rules only to people who
# may be root:
# - a disk of a pool that they can write to by other means (a loop device, a volume of a guest, one that
#   they can take out): what is in the pool is theirs to change.
# - file systems of the running system, where {these} have any: to roll back, rename, promote
#   or replace one is to change who is root.{keep}
# - a file system whose parent has a mountpoint such as / or /usr: what is created, cloned or renamed
#   below that parent is mounted there.
# - zfs program reads its script from stdin: it can destroy, roll back, promote and snapshot whatever is
#   in the pool that is named, and tell every property; it can neither read nor write files.
{granted}#
# Not in these rules, unless the option is given:
{missing}# Set only to values that are named when the rules are made: mountpoint, altroot, keylocation,
# cachefile, sharenfs, sharesmb, setuid, exec, devices, zoned, and the contexts of SELinux.
# libzfs_core is not called: a user may be able to change such a program. The commands do the same.
"""
GRANTED: Final = {
    DIFF: "zfs diff tells the names of all files.",
    SEND: "zfs send reads every file of a pool, whoever owns it: the password hashes too where / is in one.",
    RECEIVE: "zfs receive takes any stream: its properties may have a mountpoint such as /etc/cron.d, or\n"
    "#   setuid=on and programs that are root. To mount it then is to be root.",
    IMPORT: "zpool import takes any pool on any disk, and such mountpoints and programs with it.\n"
    "#   To mount them then is to be root.",
    GUESTS: "virsh starts, shuts down, pauses, resumes, freezes and thaws every guest of the host.",
    DEFINE: "virsh define and update-device take any definition of a guest: one with every file and disk of\n"
    "#   the host in it. To start it then is to be root, as a member of the group libvirt is.",
}  # fmt: skip
MISSING: Final = {
    DIFF: "zfs diff, which tells file names",
    SEND: "zfs send, which reads every file",
    RECEIVE: "zfs receive, which takes streams that bring mountpoints and setuid programs",
    IMPORT: "zpool import of a pool, which may bring the same",
    GUESTS: "virsh start, shutdown, suspend, resume, domfsfreeze and domfsthaw; a member of the group\n"
    "#   libvirt needs none",
    DEFINE: "virsh define, update-device, autostart and undefine, which move guests: they equal root",
}
ONE_WORD: Final = """\
# A name or value with a blank in it is left out: sudo does not tell it from two words.
"""
ANYTHING: Final = """\
# THESE RULES EQUAL ROOT: a sudo before 1.9.10 knows no regular expressions, and * stands for any words,
# further options and mountpoints such as /etc/cron.d among them. Give them only to who may be root.
"""
_PLACE: Final = re.compile(
    f"({'|'.join(re.escape(each) for each in sorted(patterns(Grants()), key=len, reverse=True))})"
)
_USER: Final = re.compile(r"%?[A-Za-z_][A-Za-z0-9_.-]*")
_FOLDER: Final = re.compile(r"(/[A-Za-z0-9_.-]+)+")

Argv = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Settings of the rules: the user, the paths of zpool and zfs, and the strictness."""

    user: str  # or %group
    folder: str
    asks_password: bool = True  # for commands that change something; commands that only read never ask
    is_old: bool = False  # sudo before 1.9.10 has no regular expressions, and wildcards equal root
    grants: Grants = field(default_factory=Grants)


@dataclass(frozen=True, slots=True)
class RuledCommand:
    """Command with optional parts: begin, end, and whether the part may be repeated."""

    argv: Argv
    optional: tuple[tuple[int, int, bool], ...] = ()

    def pattern(self, words: Mapping[str, str]) -> str:
        """Return the regular expression, without anchors, of the arguments behind the program.

        `words` are the regular expressions of the placeholders.
        """
        begins = {begin: "(" for begin, _, _ in self.optional}
        ends = {end: ")*" if again else ")?" for _, end, again in self.optional}
        return "".join(
            f"{begins.get(at, '')}{' ' if at > 1 else ''}{_escaped(word, words)}{ends.get(at + 1, '')}"
            for at, word in enumerate(self.argv)
            if at
        )


def sudoers(rules: Rules) -> str:
    """Return the file. Raises UsageError for values that are sudoers syntax, or must never be granted."""
    if _USER.fullmatch(rules.user) is None:
        raise UsageError(f"{rules.user!r} is not a user or %group", hint="Letters, digits and any of _ . -")
    if _FOLDER.fullmatch(rules.folder) is None or ".." in rules.folder:
        raise UsageError(f"{rules.folder!r} is not a folder", hint="Such as /usr/sbin or /usr/local/sbin.")
    rules.grants.check()
    tag = "PASSWD: " if rules.asks_password else "NOPASSWD: "
    whose = re.sub(r"[^A-Z0-9]", "_", rules.user.replace("%", "group_").upper())
    read, change = f"ZCONSOLE_READ_{whose}", f"ZCONSOLE_CHANGE_{whose}"  # two names on one host must differ
    return (
        f"{ANYTHING if rules.is_old else ''}{_header(rules.grants)}{'' if rules.is_old else ONE_WORD}"
        f"{_alias(read, reading(rules.grants), rules)}{_alias(change, changing(rules.grants), rules)}"
        f"{''.join(_search_path(each, rules) for each in (read, change))}"
        f"{rules.user} ALL = (root) NOSETENV: NOPASSWD: {read}\n"
        f"{rules.user} ALL = (root) NOSETENV: {tag}{change}\n"
    )


def _search_path(alias: str, rules: Rules) -> str:
    """Where the shells among these commands find programs: not in the user's PATH, which sudo may pass on."""
    return f'Defaults!{alias} secure_path="{rules.folder}:{SYSTEM_PATH}"\n'


def _header(grants: Grants) -> str:
    """Return the header: what the rules allow, what they do not, and which of them equal root."""
    pools = ", ".join(grants.pools) or "every pool"
    these = "these pools" if grants.pools else "the pools"
    keep = "" if grants.pools else " --pools keeps to the pools that have none."
    granted = "".join(f"# - {words}\n" for each, words in GRANTED.items() if each in grants.commands)
    if grants.mountpoints:
        granted += (
            f"# - {', '.join(grants.mountpoints)}: a symbolic link that they make there leads a mount to\n"
            "#   where they want it, such as /etc. Let nobody but root write there.\n"
        )
    if grants.keys:
        granted += f"# - keys are read as root from {', '.join(grants.keys)}.\n"
    if grants.values:
        granted += f"# - {', '.join(f'{name}={value}' for name, value in grants.values)} may be set.\n"
    missing = "".join(
        f"# - {words} (--with {each})\n" for each, words in MISSING.items() if each not in grants.commands
    )
    return HEADER.format(
        pools=pools, these=these, keep=keep, granted=granted, missing=missing or "# - nothing\n"
    )


def reading(grants: Grants) -> Iterator[RuledCommand]:
    """Yield the commands that only read and need root, ZFS's dry runs included."""
    yield RuledCommand(IMPORTABLE.argv)
    yield RuledCommand(LIST_DESTROYED.argv)
    yield RuledCommand(read_label(DEVICE).argv)
    yield RuledCommand(history(POOL).argv)
    yield RuledCommand(channel_program.try_program(POOL).argv)
    yield RuledCommand(OPEN_FILES.argv)
    yield RuledCommand(read_health(DEVICE).argv)
    yield RuledCommand(DMESG.argv)
    yield RuledCommand(read_burst(DEVICE, NUMBER).argv)
    yield RuledCommand(read_piece(DEVICE, NUMBER).argv)
    if DIFF in grants.commands:
        yield RuledCommand(diff(SNAPSHOT, EITHER).argv)
    yield from (ruled for form, ruled in of_actions(grants) if form.only_reads)


def changing(grants: Grants) -> Iterator[RuledCommand]:
    """Yield every granted command of every plan, and the commands of the lock."""
    yield RuledCommand(TAKE_AS_ROOT)
    yield from (ruled for form, ruled in of_actions(grants) if not form.only_reads)


def of_actions(
    grants: Grants, specs: Iterable[ActionSpec] = SPECS
) -> Iterator[tuple[CommandForm, RuledCommand]]:
    """Yield the granted commands of actions, with the forms that they come from."""
    words = patterns(grants)
    for form in (form for spec in specs for form in forms_of(spec)):
        if not form.grant or form.grant in grants.commands:
            ruled = _ruled(form, words)
            if ruled is not None:
                yield form, ruled


def _ruled(form: CommandForm, words: Mapping[str, str]) -> RuledCommand | None:
    """Return the command built with all options; parts that depend on an option are marked.

    What nothing is granted for (an empty pattern) is left out: an option, or None for the command.
    """
    given = {
        name: value
        for name, value in {**form.options, **form.repeated}.items()
        if words.get(str(value)) != ""
    }
    whole = form.build(*form.words, **given)
    if any(not words[place] for word in whole for place in _PLACE.findall(word)):
        return None
    spans = []
    for option in given:
        without = form.build(*form.words, **{name: given[name] for name in given if name != option})
        begin = next(
            (at for at, pair in enumerate(zip(whole, without, strict=False)) if pair[0] != pair[1]),
            len(without),
        )
        spans.append((begin, begin + len(whole) - len(without), option in form.repeated))
    return RuledCommand(whole, tuple(sorted(spans)))


def commands(forms: Iterable[RuledCommand], rules: Rules) -> tuple[str, ...]:
    """Return each command as sudoers has it, once. Raises UsageError for one that is too long for sudo."""
    words = patterns(rules.grants)
    return tuple(dict.fromkeys(_written(form, rules, words) for form in forms))


def _alias(name: str, forms: Iterable[RuledCommand], rules: Rules) -> str:
    return f"Cmnd_Alias {name} = \\\n    " + ", \\\n    ".join(commands(forms, rules)) + "\n"


def _written(form: RuledCommand, rules: Rules, words: Mapping[str, str]) -> str:
    name = form.argv[0]
    program = ELSEWHERE.get(name) or f"{rules.folder}/{name}"
    if not rules.is_old:
        pattern = f"^{form.pattern(words)}$"
        if len(pattern) > MOST_CHARACTERS:
            raise UsageError(
                f"the rule for {' '.join(form.argv[:2])} is longer than sudo's {MOST_CHARACTERS} characters",
                hint="Name fewer pools, directories and values.",
            )
        return f"{program} {pattern}"
    places = [at for at, word in enumerate(form.argv) if _PLACE.search(word)]
    first = min((*places, *(begin for begin, _, _ in form.optional)), default=len(form.argv))
    plain, whole = form.argv[1:first], first == len(form.argv)
    return " ".join([program, *map(_escaped_wildcard, plain), *(() if whole else ("*",))])


def _escaped(word: str, words: Mapping[str, str]) -> str:
    """Escape a word for a regular expression in sudoers and insert the patterns of its placeholders."""
    return "".join(words.get(part, escaped(part)) for part in _PLACE.split(word))


def _escaped_wildcard(word: str) -> str:
    """Escape a word that is matched literally: special characters of sudoers, and wildcards.

    A backslash is both: sudo takes one of two away when it reads the file, and again when it compares.
    """
    return re.sub(r"([,:=*?\[\]])", r"\\\1", word.replace("\\", r"\\\\"))
