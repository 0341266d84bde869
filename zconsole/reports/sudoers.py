"""sudoers rules for a storage host: the commands that zconsole runs, word by word.

The rules come from the functions that build the commands, called with placeholders for names and numbers;
`sudoers_words` holds the pattern of each placeholder. The header says which rules equal root all the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.reports.sudoers_patterns import (
    BASE,
    BELOW,
    BOOKMARK,
    BOUND,
    CHANGE,
    COMPRESSION,
    DATASET,
    DESTROYED,
    DEVICE,
    DIFF,
    EITHER,
    GUIDS,
    IMPORT,
    INHERITED,
    LAYOUT,
    NUMBER,
    OBJECT,
    PATH,
    POOL,
    POOL_CHANGE,
    RECEIVE,
    ROOTED,
    SEND,
    SETTING,
    SIZE,
    SNAPSHOT,
    SNAPSHOTS,
    TAG,
    TOKEN,
    WHICH,
    Grants,
    escaped,
    patterns,
)
from zconsole.system import ledctl
from zconsole.system.open_files import OPEN_FILES
from zconsole.system.smartctl import read_health
from zconsole.zfs.change import channel_program, dataset_argv, pool_argv, topology_argv
from zconsole.zfs.change.pool_argv import ActivityControl
from zconsole.zfs.change.topology_argv import NewPoolOptions
from zconsole.zfs.listing import destroy_dry_run
from zconsole.zfs.listing.device_label import read_label
from zconsole.zfs.listing.diff import diff
from zconsole.zfs.listing.history import history
from zconsole.zfs.status.importable import DESTROYED as LIST_DESTROYED
from zconsole.zfs.status.importable import IMPORTABLE
from zconsole.zfs.stream import send_receive_argv

ELSEWHERE: Final = {
    "find": "/usr/bin/find",
    "ledctl": "/usr/sbin/ledctl",
    "sh": "/bin/sh",
    "smartctl": "/usr/sbin/smartctl",
}  # than ZFS's programs
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
}  # fmt: skip
MISSING: Final = {
    DIFF: "zfs diff, which tells file names",
    SEND: "zfs send, which reads every file",
    RECEIVE: "zfs receive, which takes streams that bring mountpoints and setuid programs",
    IMPORT: "zpool import of a pool, which may bring the same",
}
ONE_WORD: Final = """\
# A name or value with a blank in it is left out: sudo does not tell it from two words.
"""
ANYTHING: Final = """\
# THESE RULES EQUAL ROOT: a sudo before 1.9.10 knows no regular expressions, and * stands for any words,
# further options and mountpoints such as /etc/cron.d among them. Give them only to who may be root.
"""
_PLACE: Final = re.compile(
    "|".join(f"({re.escape(each)})" for each in sorted(patterns(Grants()), key=len, reverse=True))
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
class CommandForm:
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
        raise UsageError(f"{rules.user!r} is no user and no %group", hint="Letters, digits and any of _ . -")
    if _FOLDER.fullmatch(rules.folder) is None or ".." in rules.folder:
        raise UsageError(f"{rules.folder!r} is no folder", hint="Such as /usr/sbin or /usr/local/sbin.")
    rules.grants.check()
    tag = "PASSWD: " if rules.asks_password else "NOPASSWD: "
    whose = re.sub(r"[^A-Z0-9]", "_", rules.user.replace("%", "group_").upper())
    read, change = f"ZCONSOLE_READ_{whose}", f"ZCONSOLE_CHANGE_{whose}"  # two names on one host must differ
    return (
        f"{ANYTHING if rules.is_old else ''}{_header(rules.grants)}{'' if rules.is_old else ONE_WORD}"
        f"{_alias(read, reading(rules.grants), rules)}{_alias(change, changing(rules.grants), rules)}"
        f"{rules.user} ALL = (root) NOSETENV: NOPASSWD: {read}\n"
        f"{rules.user} ALL = (root) NOSETENV: {tag}{change}\n"
    )


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


def reading(grants: Grants) -> Iterator[CommandForm]:
    """Yield the commands that only read and need root, ZFS's dry runs included."""
    yield CommandForm(IMPORTABLE.argv)
    yield CommandForm(LIST_DESTROYED.argv)
    yield CommandForm(read_label(DEVICE).argv)
    yield CommandForm(history(POOL).argv)
    yield CommandForm(channel_program.try_program(POOL).argv)
    yield CommandForm(OPEN_FILES.argv)
    yield CommandForm(read_health(DEVICE).argv)
    if SEND in grants.commands:
        yield from (CommandForm(send_receive_argv.measure(argv)) for argv in _sending())
    if DIFF in grants.commands:
        yield CommandForm(diff(SNAPSHOT, EITHER).argv)
    yield CommandForm(topology_argv.rehearse_remove(POOL, str(NUMBER)))
    yield CommandForm(topology_argv.split(POOL, POOL, is_rehearsal=True))
    yield _form(partial(topology_argv.add, POOL, (LAYOUT,), is_rehearsal=True), _ADD)
    yield _form(partial(_create, is_rehearsal=True), _CREATE)
    for how_far in _HOW_FAR:
        yield CommandForm(destroy_dry_run.rehearse_destroy_dataset(DESTROYED, **how_far))


def changing(grants: Grants) -> Iterator[CommandForm]:
    """Yield every granted command of every plan, and the commands of the lock."""
    yield CommandForm(TAKE_AS_ROOT)
    yield from _of_pools(grants)
    yield from _of_topology(grants)
    yield from _of_datasets()
    yield from _of_streams(grants)
    yield CommandForm(ledctl.locate(DEVICE))
    yield CommandForm(ledctl.locate_off(DEVICE))


_ADD: Final[dict[str, object]] = {"ashift": NUMBER, "may_differ": True}
_ASHIFT: Final[dict[str, object]] = {"ashift": NUMBER, "sequential": True}
_UNPLACED: Final[dict[str, object]] = {"ashift": NUMBER, "compression": COMPRESSION}
_CREATE: Final[dict[str, object]] = {**_UNPLACED, "mountpoint": PATH}
_SETTINGS: Final[dict[str, object]] = {"properties": (SETTING,)}
_RECURSIVE: Final[dict[str, object]] = {"recursive": True}
_HOW_FAR: Final[tuple[dict[str, bool], ...]] = ({}, {"recursive": True}, {"with_clones": True})
_GUID: Final = str(NUMBER)


def _of_pools(grants: Grants) -> Iterator[CommandForm]:
    yield CommandForm(pool_argv.start_scrub(POOL))
    yield CommandForm(pool_argv.pause_scrub(POOL))
    yield CommandForm(pool_argv.stop_scrub(POOL))
    yield _form(partial(pool_argv.clear, POOL), {"vdev": _GUID})
    yield _form(partial(pool_argv.offline, POOL, _GUID), {"temporary": True, "fault": True})
    yield _form(partial(pool_argv.online, POOL, _GUID), {"expand": True})
    for turn in ActivityControl:
        for work in (pool_argv.initialize, pool_argv.trim):
            yield CommandForm(work(POOL, (), turn))
            yield CommandForm(work(POOL, (GUIDS,), turn))
    yield CommandForm(pool_argv.checkpoint(POOL))
    yield CommandForm(pool_argv.discard_checkpoint(POOL))
    yield CommandForm(_changed(pool_argv.set_property, POOL, POOL_CHANGE))
    yield CommandForm(pool_argv.upgrade(POOL))
    yield CommandForm(pool_argv.export(POOL))
    if IMPORT in grants.commands:
        altroot = {"altroot": BELOW} if grants.mountpoints else {}
        flags = dict.fromkeys(("destroyed", "force", "without_log", "read_only"), True)
        yield _form(partial(pool_argv.import_pool, NUMBER), {**flags, **altroot, "new_name": POOL})
    yield CommandForm(pool_argv.destroy_pool(POOL))


def _of_topology(grants: Grants) -> Iterator[CommandForm]:
    yield _form(partial(topology_argv.attach, POOL, _GUID, DEVICE), _ASHIFT)
    yield _form(partial(topology_argv.replace, POOL, _GUID, DEVICE), _ASHIFT)
    yield CommandForm(topology_argv.detach(POOL, _GUID))
    yield _form(partial(topology_argv.add, POOL, (LAYOUT,)), _ADD)
    yield CommandForm(topology_argv.remove(POOL, _GUID))
    yield CommandForm(topology_argv.split(POOL, POOL))
    yield _form(partial(_create, mountpoint=PATH), _UNPLACED)
    if patterns(grants)[ROOTED]:
        yield _form(partial(_create, name=ROOTED), _UNPLACED)
    for is_forced in (False, True):
        yield CommandForm(topology_argv.labelclear(DEVICE, is_forced=is_forced))


def _of_datasets() -> Iterator[CommandForm]:
    parents: dict[str, object] = {"parents": True}
    yield _form(partial(dataset_argv.create_filesystem, DATASET), parents, _SETTINGS)
    yield _form(partial(dataset_argv.create_volume, DATASET, SIZE), {**parents, "sparse": True}, _SETTINGS)
    yield _form(partial(dataset_argv.snapshot, (SNAPSHOTS,)), _RECURSIVE)
    for how_far in _HOW_FAR:
        yield CommandForm(dataset_argv.destroy_dataset(DESTROYED, **how_far))
        yield CommandForm(dataset_argv.rollback(SNAPSHOT, **how_far))
    yield _form(_destroy_by_program, {}, {"times": 2})
    yield CommandForm(("zfs", "program", "-j", POOL, "-", DATASET, WHICH, SNAPSHOT, WHICH))  # for promote
    yield _form(partial(dataset_argv.clone, SNAPSHOT, DATASET), parents, _SETTINGS)
    yield CommandForm(dataset_argv.promote(DATASET))
    yield _form(partial(dataset_argv.rename, EITHER, EITHER), {**parents, **_RECURSIVE})
    yield _form(partial(dataset_argv.hold, TAG, (SNAPSHOTS,)), _RECURSIVE)
    yield _form(partial(dataset_argv.release, TAG, (SNAPSHOTS,)), _RECURSIVE)
    yield CommandForm(dataset_argv.bookmark(BASE, BOOKMARK))
    yield CommandForm(_changed(dataset_argv.set_property, EITHER, CHANGE))
    yield _form(partial(dataset_argv.inherit, EITHER, INHERITED), _RECURSIVE)
    for simple in (
        *(dataset_argv.mount, dataset_argv.unmount, dataset_argv.share, dataset_argv.unshare),
        *(dataset_argv.load_key, dataset_argv.unload_key),
    ):
        yield CommandForm(simple(DATASET))


def _of_streams(grants: Grants) -> Iterator[CommandForm]:
    """Yield the commands of send and receive. A send reads all of a snapshot: it needs the password."""
    if SEND in grants.commands:
        yield from map(CommandForm, _sending())
    if RECEIVE in grants.commands:
        for is_new in (False, True):
            yield CommandForm(send_receive_argv.receive(DATASET, is_new=is_new))
    yield CommandForm(send_receive_argv.abort_receive(DATASET))


def _sending() -> Iterator[Argv]:
    for is_raw in (False, True):
        yield send_receive_argv.send(SNAPSHOT, is_raw=is_raw)
        for between in (False, True):
            yield send_receive_argv.send(SNAPSHOT, base=BASE, is_raw=is_raw, intermediates=between)
    yield send_receive_argv.send_rest(TOKEN)


def _create(*, name: str = POOL, is_rehearsal: bool = False, **given: object) -> Argv:
    fresh = NewPoolOptions(**given)  # type: ignore[arg-type]
    return topology_argv.create(name, (LAYOUT,), fresh, is_rehearsal=is_rehearsal)


def _changed(build: Callable[[str, str, str], Argv], target: str, setting: str) -> Argv:
    """Return a command that sets a property, with the placeholder `setting` for PROPERTY=VALUE."""
    argv = build(target, "NAME", "VALUE")
    return tuple(setting if word == "NAME=VALUE" else word for word in argv)


def _destroy_by_program(times: int = 1) -> Argv:
    return ("zfs", "program", "-j", POOL, "-", *(OBJECT, WHICH, BOUND, BOUND) * times)


def _form(
    build: Callable[..., Argv], options: Mapping[str, object], repeated: Mapping[str, object] | None = None
) -> CommandForm:
    """Return the form of a command built with all options; parts that depend on an option are marked."""
    given = {**options, **(repeated or {})}
    whole = build(**given)
    spans = []
    for option in given:
        without = build(**{other: value for other, value in given.items() if other != option})
        begin = next(
            (at for at, pair in enumerate(zip(whole, without, strict=False)) if pair[0] != pair[1]),
            len(without),
        )
        spans.append((begin, begin + len(whole) - len(without), option in (repeated or {})))
    return CommandForm(whole, tuple(sorted(spans)))


def _alias(name: str, forms: Iterable[CommandForm], rules: Rules) -> str:
    words = patterns(rules.grants)
    written = dict.fromkeys(_written(form, rules, words) for form in forms)
    return f"Cmnd_Alias {name} = \\\n    " + ", \\\n    ".join(written) + "\n"


def _written(form: CommandForm, rules: Rules, words: Mapping[str, str]) -> str:
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
    found = [part for part in _PLACE.split(word) if part is not None]
    return "".join(words.get(part, escaped(part)) for part in found)


def _escaped_wildcard(word: str) -> str:
    """Escape a word that is matched literally: special characters of sudoers, and wildcards.

    A backslash is both: sudo takes one of two away when it reads the file, and again when it compares.
    """
    return re.sub(r"([,:=*?\[\]])", r"\\\1", word.replace("\\", r"\\\\"))
