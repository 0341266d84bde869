"""The rules that sudo needs on a storage host: exactly the commands that zconsole runs, and no others.

They are made by calling what builds those commands, with placeholders for names and numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.disks import ledctl
from zconsole.disks.open_files import OPEN_FILES
from zconsole.zfs import change_dataset, change_pool, change_topology, channel_program, dry_run, replication
from zconsole.zfs.change_pool import Turn
from zconsole.zfs.change_topology import Fresh
from zconsole.zfs.diff import diff
from zconsole.zfs.history import history
from zconsole.zfs.importable import DESTROYED, IMPORTABLE
from zconsole.zfs.label import read_label

WORD: Final = "\0word"  # stands for one word that is no option
WORDS: Final = "\0words"  # for one or more
VALUE: Final = "\0value"  # for what may be empty
NUMBER: Final = 770077
SIGNED: Final = -770077
SETTING: Final = f"{WORD}={VALUE}"
PATTERNS: Final = {  # POSIX extended; blanks stand between words, so a word has none
    WORD: "[^- ][^ ]*",
    WORDS: "[^- ][^ ]*( [^- ][^ ]*)*",
    VALUE: "[^ ]*",
    str(SIGNED): "-?[0-9]+",
    str(NUMBER): "[0-9]+",
}
ELSEWHERE: Final = {"find": "/usr/bin/find", "ledctl": "/usr/sbin/ledctl"}  # than ZFS's programs
HEADER: Final = """\
# What zconsole runs as root on this host, and nothing else. Keep it with:
#     visudo -f /etc/sudoers.d/zconsole
# libzfs_core is not called: a user may be able to change such a program. The commands do the same.
"""
ONE_WORD: Final = """\
# A name or value with a blank in it is left out: sudo does not tell it from two words.
"""
ANYTHING: Final = """\
# This sudo knows no regular expressions: * stands for any words, further options among them.
"""
_PLACE: Final = re.compile(
    "|".join(f"({re.escape(each)})" for each in sorted(PATTERNS, key=len, reverse=True))
)
_SPECIAL: Final = re.compile(r"([.\[\]()*+?{}^$|\\#])")
_USER: Final = re.compile(r"%?[A-Za-z_][A-Za-z0-9_.-]*")
_FOLDER: Final = re.compile(r"(/[A-Za-z0-9_.-]+)+")

Argv = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rules:
    """Whom they are for, where zpool and zfs are, and how strict they are."""

    user: str  # or %group
    folder: str
    asks_password: bool = True  # for commands that change something; reading never asks
    is_old: bool = False  # sudo before 1.9.10 knows no regular expressions: wildcards allow more


@dataclass(frozen=True, slots=True)
class Form:
    """A command with the parts that it may lack: from, to, and whether one may be there again and again."""

    argv: Argv
    optional: tuple[tuple[int, int, bool], ...] = ()

    @property
    def pattern(self) -> str:
        """All that may stand behind the program, as a regular expression without its ends."""
        begins = {begin: "(" for begin, _, _ in self.optional}
        ends = {end: ")*" if again else ")?" for _, end, again in self.optional}
        return "".join(
            f"{begins.get(at, '')}{' ' if at > 1 else ''}{_escaped(word)}{ends.get(at + 1, '')}"
            for at, word in enumerate(self.argv)
            if at
        )


def sudoers(rules: Rules) -> str:
    """The file. Raises UsageError for a user or folder that would mean something else in it."""
    if _USER.fullmatch(rules.user) is None:
        raise UsageError(f"{rules.user!r} is no user and no %group", hint="Letters, digits and any of _ . -")
    if _FOLDER.fullmatch(rules.folder) is None:
        raise UsageError(f"{rules.folder!r} is no folder", hint="Such as /usr/sbin or /usr/local/sbin.")
    tag = "PASSWD: " if rules.asks_password else "NOPASSWD: "
    whose = re.sub(r"[^A-Z0-9]", "_", rules.user.replace("%", "group_").upper())
    read, change = f"ZCONSOLE_READ_{whose}", f"ZCONSOLE_CHANGE_{whose}"  # no two of a host may be alike
    return (
        f"{HEADER}{ANYTHING if rules.is_old else ONE_WORD}"
        f"{_alias(read, reading(), rules)}{_alias(change, changing(), rules)}"
        f"{rules.user} ALL = (root) NOPASSWD: {read}\n"
        f"{rules.user} ALL = (root) {tag}{change}\n"
    )


def reading() -> Iterator[Form]:
    """What zconsole reads and only root may; ZFS's dry runs as well."""
    yield Form(IMPORTABLE.argv)
    yield Form(DESTROYED.argv)
    yield Form(read_label(f"/{WORD}").argv)
    yield Form(history(WORD).argv)
    yield Form(channel_program.try_program(WORD).argv)
    yield Form(OPEN_FILES.argv)
    yield Form(diff(f"{WORD}@{WORD}", WORD).argv)
    yield Form(change_topology.rehearse_remove(WORD, WORD))
    yield Form(change_topology.split(WORD, WORD, is_rehearsal=True))
    yield _form(partial(change_topology.add, WORD, (WORDS,), is_rehearsal=True), _ADD)
    yield _form(partial(_create, is_rehearsal=True), _CREATE)
    for how_far in _HOW_FAR:
        yield Form(dry_run.rehearse_destroy_dataset(WORD, **how_far))


def changing() -> Iterator[Form]:
    """Every command of every plan."""
    yield from _of_pools()
    yield from _of_topology()
    yield from _of_datasets()
    yield Form(ledctl.locate(f"/{WORD}"))
    yield Form(ledctl.locate_off(f"/{WORD}"))


_ADD: Final[dict[str, object]] = {"ashift": NUMBER, "may_differ": True}
_ASHIFT: Final[dict[str, object]] = {"ashift": NUMBER, "sequential": True}
_CREATE: Final[dict[str, object]] = {"ashift": NUMBER, "compression": WORD, "mountpoint": WORD}
_SETTINGS: Final[dict[str, object]] = {"properties": (SETTING,)}
_RECURSIVE: Final[dict[str, object]] = {"recursive": True}
_HOW_FAR: Final[tuple[dict[str, bool], ...]] = ({}, {"recursive": True}, {"with_clones": True})


def _of_pools() -> Iterator[Form]:
    yield Form(change_pool.start_scrub(WORD))
    yield Form(change_pool.pause_scrub(WORD))
    yield Form(change_pool.stop_scrub(WORD))
    yield _form(partial(change_pool.clear, WORD), {"vdev": WORD})
    yield _form(partial(change_pool.offline, WORD, WORD), {"temporary": True, "fault": True})
    yield _form(partial(change_pool.online, WORD, WORD), {"expand": True})
    for turn in Turn:
        for work in (change_pool.initialize, change_pool.trim):
            yield Form(work(WORD, (), turn))
            yield Form(work(WORD, (WORDS,), turn))
    yield Form(change_pool.checkpoint(WORD))
    yield Form(change_pool.discard_checkpoint(WORD))
    yield Form(change_pool.set_property(WORD, WORD, VALUE))
    yield Form(change_pool.upgrade(WORD))
    yield Form(change_pool.export(WORD))
    yield _form(
        partial(change_pool.import_pool, NUMBER),
        {
            **dict.fromkeys(("destroyed", "force", "without_log", "read_only"), True),
            "altroot": WORD,
            "new_name": WORD,
        },
    )
    yield Form(change_pool.destroy_pool(WORD))


def _of_topology() -> Iterator[Form]:
    yield _form(partial(change_topology.attach, WORD, WORD, WORD), _ASHIFT)
    yield _form(partial(change_topology.replace, WORD, WORD, WORD), _ASHIFT)
    yield Form(change_topology.detach(WORD, WORD))
    yield _form(partial(change_topology.add, WORD, (WORDS,)), _ADD)
    yield Form(change_topology.remove(WORD, WORD))
    yield Form(change_topology.split(WORD, WORD))
    yield _form(_create, _CREATE)
    for is_forced in (False, True):
        yield Form(change_topology.labelclear(f"/{WORD}", is_forced=is_forced))


def _of_datasets() -> Iterator[Form]:
    parents: dict[str, object] = {"parents": True}
    yield _form(partial(change_dataset.create_filesystem, WORD), parents, _SETTINGS)
    yield _form(partial(change_dataset.create_volume, WORD, WORD), {**parents, "sparse": True}, _SETTINGS)
    yield _form(partial(change_dataset.snapshot, (WORDS,)), _RECURSIVE)
    for how_far in _HOW_FAR:
        yield Form(change_dataset.destroy_dataset(WORD, **how_far))
        yield Form(change_dataset.rollback(f"{WORD}@{WORD}", **how_far))
    yield _form(_destroy_by_program, {}, {"times": 2})
    yield _form(partial(change_dataset.clone, f"{WORD}@{WORD}", WORD), parents, _SETTINGS)
    yield from _of_streams()
    yield Form(change_dataset.promote(WORD))
    yield _form(partial(change_dataset.rename, WORD, WORD), {**parents, **_RECURSIVE})
    yield _form(partial(change_dataset.hold, WORD, (WORDS,)), _RECURSIVE)
    yield _form(partial(change_dataset.release, WORD, (WORDS,)), _RECURSIVE)
    yield Form(change_dataset.bookmark(WORD, f"{WORD}#{WORD}"))
    yield Form(change_dataset.set_property(WORD, WORD, VALUE))
    yield _form(partial(change_dataset.inherit, WORD, WORD), _RECURSIVE)
    for simple in (
        *(change_dataset.mount, change_dataset.unmount, change_dataset.share, change_dataset.unshare),
        *(change_dataset.load_key, change_dataset.unload_key),
    ):
        yield Form(simple(WORD))


def _of_streams() -> Iterator[Form]:
    """To send reads all that is in a snapshot: it asks for the password like what changes something."""
    for is_raw in (False, True):
        yield Form(replication.send(f"{WORD}@{WORD}", is_raw=is_raw))
        for between in (False, True):
            yield Form(replication.send(f"{WORD}@{WORD}", base=WORD, is_raw=is_raw, intermediates=between))
    yield Form(replication.send_rest(WORD))
    for is_new in (False, True):
        yield Form(replication.receive(WORD, is_new=is_new))
    yield Form(replication.abort_receive(WORD))


def _create(*, is_rehearsal: bool = False, **given: object) -> Argv:
    fresh = Fresh(**given)  # type: ignore[arg-type]
    return change_topology.create(WORD, (WORDS,), fresh, is_rehearsal=is_rehearsal)


def _destroy_by_program(times: int = 1) -> Argv:
    return channel_program.destroy_snapshots(WORD, [(f"{WORD}@{WORD}", SIGNED)] * times)


def _form(
    build: Callable[..., Argv], options: Mapping[str, object], repeated: Mapping[str, object] | None = None
) -> Form:
    """The command with everything given, each part marked that is not there without its option."""
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
    return Form(whole, tuple(sorted(spans)))


def _alias(name: str, forms: Iterator[Form], rules: Rules) -> str:
    written = dict.fromkeys(_written(form, rules) for form in forms)
    return f"Cmnd_Alias {name} = \\\n    " + ", \\\n    ".join(written) + "\n"


def _written(form: Form, rules: Rules) -> str:
    name = form.argv[0]
    program = ELSEWHERE.get(name) or f"{rules.folder}/{name}"
    if not rules.is_old:
        return f"{program} ^{form.pattern}$"
    places = [at for at, word in enumerate(form.argv) if _PLACE.search(word)]
    first = min((*places, *(begin for begin, _, _ in form.optional)), default=len(form.argv))
    plain, whole = form.argv[1:first], first == len(form.argv)
    return " ".join([program, *map(_escaped_wildcard, plain), *(() if whole else ("*",))])


def _escaped(word: str) -> str:
    """A word for a regular expression of sudo's, with what stands for its places."""
    parts = _PLACE.split(word)
    found = [part for part in parts if part is not None]
    return "".join(PATTERNS.get(part, _SPECIAL.sub(r"\\\1", part)) for part in found)


def _escaped_wildcard(word: str) -> str:
    """A word that is matched as it is: sudo's own special characters, and those of wildcards.

    A backslash is both: sudo takes one of two away when it reads the file, and again when it compares.
    """
    return re.sub(r"([,:=*?\[\]])", r"\\\1", word.replace("\\", r"\\\\"))
