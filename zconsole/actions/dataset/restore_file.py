"""Restore: copy a file or folder from a snapshot, beside the present one or over it."""

from __future__ import annotations

import math
import shlex
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option, PlanAgain
from zconsole.actions.checks.new_dataset_checks import refuse_full
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.actions.dataset_there_or_gone_conditions import dataset_there
from zconsole.actions.guest.guests_with_overwritten_file import check_guests_with_file, folders_of_guests
from zconsole.actions.guest.shut_down_guests_first import AND_AFTER
from zconsole.actions.guest.space_taken_from_guests import takes_much, tell_space_of_data
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import dataset_of_type
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import saw_datasets
from zconsole.analysis.snapshots.dot_zfs_directory import path_in, relative, snapshot_root, why_no_files
from zconsole.base.errors import UsageError
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, SNAPSHOT, Dataset
from zconsole.model.datasets.snapshot_contents import Extent, FileState, FileType, Mounted
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.file_programs import copy_new, put_in_place
from zconsole.zfs.change.argv_template import SNAPSHOTS, CommandForm
from zconsole.zfs.change.dataset_argv import snapshot as take_snapshot

_HINT: Final = "zconsole plan restore POOL/DATASET@SNAPSHOT PATH [--to PATH] [--overwrite]"
_COPIED: Final = frozenset({FileType.FILE, FileType.FOLDER, FileType.LINK})
_MOST_NAMES: Final = 10
_LEAST_PACE: Final = 4 << 20  # minimum bytes per second, and files per second, of a copy
_LEAST_FILES: Final = 100
_LEAST_S: Final = 600.0
_MOST_S: Final = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class _Places:
    """Absolute paths: snapshot directory, source, and target folder."""

    mounted: Mounted
    snapshot: str
    source: str
    original: str  # its path in the live file system
    wanted: str  # requested path; empty if none
    short: str

    @property
    def target(self) -> str:
        """Target path: requested or original."""
        return self.wanted or self.original

    @property
    def beside(self) -> tuple[str, ...]:
        """Candidate names beside the original, in order."""
        first = f"{self.target}.from-{self.short}"
        return (first, *(f"{first}.{number}" for number in range(2, _MOST_NAMES)))

    @property
    def needed_paths(self) -> tuple[str, ...]:
        """All paths that a plan needs."""
        return (
            self.mounted.mountpoint, f"{self.snapshot}/.", self.source, folder_of(self.source),
            self.target, folder_of(self.target), *self.beside,
        )  # fmt: skip


def folder_of(path: str) -> str:
    """The folder that a path is in."""
    return path.rpartition("/")[0] or "/"


@on_writable_datasets
def plan_restore(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine to an unused name; destructive over a file, which a snapshot preserves first."""
    snapshot = dataset_of_type(intent.target, SNAPSHOT, facts, hint=_HINT)
    base = dataset_of_type(dataset_of(snapshot.name), FILESYSTEMS_AND_VOLUMES, facts, hint=_HINT)
    if not intent.argument(0):
        raise UsageError("restore needs the path of a file or folder", hint=_HINT)
    shown = visible(intent.argument(0))
    draft = Draft(f"restore {shown} from {snapshot.name}", base.name, Risk.ROUTINE, is_reversible=True)
    saw_datasets(draft, (base, snapshot))
    _offer_clone(draft, base, snapshot, facts)
    if facts.files.mounts is None:
        draft.refuse("unread", "what is mounted could not be read")
        return draft
    places = _places(intent, facts)
    if places is None:
        draft.refuse("no-files", why_no_files(base))
        return draft
    if not places.mounted.is_writable:
        draft.refuse("read-only-mount", f"{base.name} is mounted read-only on {places.mounted.mountpoint}")
    source = _source(draft, places, facts)
    if source is not None and _is_same_file_system(draft, places, facts):
        _plan_copy(draft, (base, snapshot, source), places, facts, overwrites=intent.flag("overwrite"))
    return draft


def _plan_copy(
    draft: Draft,
    of: tuple[Dataset, Dataset, FileState],
    places: _Places,
    facts: PlanFacts,
    *,
    overwrites: bool,
) -> None:
    """The steps: copy to an unused name; then replace the target, after a snapshot of it."""
    base, snapshot, source = of
    extent = facts.files.extent(places.source)
    existing = facts.files.file(places.target)
    free = _free_name(places, facts)
    draft.saw(f"what is at {visible(places.target)}", "nothing" if existing is None else _identity(existing))
    _check_space(draft, base, extent, source, facts)
    if existing is None:
        place = places.target
    elif overwrites:
        _refuse_overwriting(draft, source, existing, base, facts)
        check_guests_with_file(draft, places.target, facts)
        place = free or ""
    elif places.wanted:
        draft.refuse("exists", f"{visible(places.target)} is there already",
                     "give it another name", PlanAgain("overwrite", "of a file"))  # fmt: skip
        return
    else:
        place = free or ""
        draft.notes.append(f"{visible(places.original)} stays as it is: the copy gets a name beside it")
    if not place:
        draft.refuse("exists", f"{visible(places.beside[0])} and all such names are taken")
        return
    if existing is not None and overwrites:
        _keep_first(draft, base, snapshot, facts)
    argv, stdin = copy_new(source.path, place)
    draft.steps.append(
        Step(
            argv,
            f"copy it to {visible(place)}",
            stdin=stdin,
            timeout_s=_timeout(extent),
            settled_by=(_exists(place, base), _is_whole(place, base, source, extent)),
        )
    )
    draft.undo = _removal(place)
    if existing is not None and overwrites:
        argv, stdin = put_in_place(place, places.target)
        draft.steps.append(
            Step(
                argv,
                f"give it the name of {visible(places.target)}, which goes",
                stdin=stdin,
                settled_by=(_is_whole(places.target, base, source, extent),),
            )
        )
        draft.risk = Risk.DESTRUCTIVE
        draft.destroys.append(visible(places.target))
        draft.warnings.append(f"lost from the file system: {visible(places.target)}, {_in_words(existing)}")
        kept = next(name for name in _names_to_keep(base.name, snapshot.name) if facts.dataset(name) is None)
        again = shlex.join(["zconsole", "plan", "restore", kept, visible(places.target), "--overwrite"])
        draft.undo = f"{kept} has it: {again}"
    draft.notes.append(f"{_in_words(source)}{_amount(source, extent)}, as it was in {snapshot.name}")


def _removal(path: str) -> str:
    """Command that removes the copy; None for names that cannot be typed as displayed."""
    shown = visible(path)
    return shlex.join(["rm", "-r", "--", path]) if shown == path else f"remove {shown}"


def _places(intent: Intent, facts: PlanFacts) -> _Places | None:
    """The paths; None when the file system is not accessible. Raises UsageError."""
    base, short = dataset_of(intent.target), short_of(intent.target)
    mounted = facts.files.mount(base)
    if mounted is None:
        return None
    path = relative(intent.argument(0), mounted, short)
    if not path:
        raise UsageError(
            f"that is the whole of {base}",
            hint=f"zconsole plan clone {intent.target} POOL/NAME has all of it.",
        )
    wanted = intent.text("to")
    to = "" if wanted is None else relative(wanted, mounted)
    if wanted is not None and not to:
        raise UsageError(f"{wanted} is the whole of {base}", hint="--to is the name that the copy gets.")
    root = snapshot_root(mounted, short)
    where = mounted.mountpoint
    return _Places(
        mounted, root, path_in(root, path), path_in(where, path), path_in(where, to) if to else "", short
    )


def _source(draft: Draft, places: _Places, facts: PlanFacts) -> FileState | None:
    """The source, if it exists, has a supported type, and is not behind a symbolic link."""
    source = facts.files.file(places.source)
    if source is None:
        draft.refuse("not-there", f"{visible(places.original)} is not in the snapshot, or cannot be seen",
                     "browse the snapshot for what it has; root sees all of it")  # fmt: skip
        return None
    folder = folder_of(places.source)
    if facts.files.real(folder) != folder:
        draft.refuse("symlink", f"a symbolic link is in the way to {visible(places.source)}",
                     "name the path that it leads to")  # fmt: skip
    if source.type not in _COPIED:
        draft.refuse("not-a-file", f"{visible(places.original)} is a {source.type.value}")
    draft.saw(f"{visible(places.source)}", _identity(source))
    extent = facts.files.extent(places.source)
    draft.saw("what is copied", f"{extent.size_bytes} bytes in {extent.inodes} inodes")
    return source


def _is_same_file_system(draft: Draft, places: _Places, facts: PlanFacts) -> bool:
    """Whether the target is really in the dataset's file system."""
    root = facts.files.file(places.mounted.mountpoint)
    folder = folder_of(places.target)
    above = facts.files.file(folder)
    draft.saw(f"mountpoint of {places.mounted.dataset}", places.mounted.mountpoint)
    if root is None or root.type is not FileType.FOLDER:
        draft.refuse("not-mounted", f"{places.mounted.mountpoint} cannot be seen")
        return False
    if above is None or above.type is not FileType.FOLDER:
        draft.refuse("no-folder", f"there is no folder {visible(folder)} any more",
                     "restore that folder, or name another place")  # fmt: skip
        return False
    draft.saw(f"folder {visible(folder)}", f"inode {above.inode}")
    if facts.files.real(folder) != folder:
        draft.refuse("symlink", f"a symbolic link is in the way to {visible(folder)}",
                     "name the path that it leads to")  # fmt: skip
        return False
    if above.device != root.device:
        draft.refuse("another-filesystem", f"{visible(folder)} is not on {places.mounted.dataset}: "
                     "something else is mounted there", "name another place")  # fmt: skip
        return False
    return True


def _refuse_overwriting(
    draft: Draft, source: FileState, existing: FileState, base: Dataset, facts: PlanFacts
) -> None:
    if FileType.FOLDER in {source.type, existing.type}:
        draft.refuse("folder", "a folder is not overwritten: the contents of both would be mixed",
                     "", PlanAgain("overwrite", "a name beside it", is_given=False))  # fmt: skip
    elif (source.type, source.size_bytes, source.modified_ns) == (
        existing.type, existing.size_bytes, existing.modified_ns,
    ):  # fmt: skip
        draft.refuse("unchanged", "by its size and time it is what the snapshot has",
                     "", PlanAgain("overwrite", "a name beside it", is_given=False))  # fmt: skip
    if existing.type not in _COPIED:
        draft.refuse("not-a-file", f"what is there is a {existing.type.value}")
    pattern = facts.policy.protects(base.name)
    if pattern is not None:
        draft.refuse("protected", f"{base.name} is protected by the pattern {pattern!r} of the configuration",
                     "remove it from `protected` there, or copy beside it")  # fmt: skip


def _taken(extent: Extent, source: FileState) -> int | None:
    """Space that the copy takes."""
    if extent.allocated_bytes is None and source.type is FileType.FILE:
        return source.size_bytes
    return extent.allocated_bytes


def _check_space(draft: Draft, base: Dataset, extent: Extent, source: FileState, facts: PlanFacts) -> None:
    refuse_full(draft, base, "a copy")
    room = base.available_bytes
    taken = _taken(extent, source)
    apparent = extent.size_bytes if extent.size_bytes is not None else None
    if taken is None:
        draft.warnings.append("its size could not be read: whether there is room is not known")
    elif room is not None and room < taken:
        draft.refuse("space", f"it takes {size(taken)}, and {size(room)} are available in {base.name}",
                     "a clone takes no space at first")  # fmt: skip
        return
    elif room is not None:
        left = size(room - taken)
        draft.notes.append(
            f"it takes {size(taken)} of the {size(room)} available to {base.name}; {left} are left"
        )
    if takes_much(taken, room):
        tell_space_of_data(draft, base.name, taken, facts)
    if taken is not None and room is not None and apparent is not None and room < apparent:
        draft.warnings.append(
            f"{size(apparent)} to programs, {size(room)} available: it fits if it compresses as well again"
        )


def _keep_first(draft: Draft, base: Dataset, snapshot: Dataset, facts: PlanFacts) -> None:
    name = next(
        (each for each in _names_to_keep(base.name, snapshot.name) if facts.dataset(each) is None), None
    )
    if name is None:
        draft.refuse("snapshot-exists", "all names for a snapshot of what is there now are taken")
        return
    draft.steps.append(
        Step(
            take_snapshot((name,)),
            "keep what is there now",
            settled_by=(dataset_there(name),),
            permissions=permissions_on("snapshot", base.name),
        )
    )


def _names_to_keep(base: str, snapshot: str) -> tuple[str, ...]:
    first = f"{base}@before-restore-{short_of(snapshot)}"
    return (first, *(f"{first}.{number}" for number in range(2, _MOST_NAMES)))


def _offer_clone(draft: Draft, base: Dataset, snapshot: Dataset, facts: PlanFacts) -> None:
    copy = f"{base.name}-{short_of(snapshot.name)}"
    if "/" in copy and facts.dataset(copy) is None:
        draft.alternatives.append(
            (f"clone it as {copy}, and take from there what is wanted: it takes no space",
             Intent("clone", snapshot.name, (copy,)))
        )  # fmt: skip


def _free_name(places: _Places, facts: PlanFacts) -> str | None:
    return next((name for name in places.beside if facts.files.file(name) is None), None)


def _exists(path: str, base: Dataset) -> Condition:
    return Condition(ConditionKind.FILE_THERE, path, base.pool)


def _is_whole(path: str, base: Dataset, source: FileState, extent: Extent) -> Condition:
    """Condition that the copy is complete: bytes and inodes of a folder, size and time of others."""
    if source.type is FileType.FOLDER:
        amount = f"{extent.size_bytes} {extent.inodes}"
    else:
        amount = f"{source.size_bytes} {source.modified_ns}"
    return Condition(ConditionKind.FILE_IS, path, base.pool, key=source.type.value, value=amount)


def _timeout(extent: Extent) -> float:
    """Longer than a slow disk takes: an interrupted copy would be of unknown completeness."""
    if extent.size_bytes is None or extent.inodes is None:
        return _MOST_S
    return min(_MOST_S, math.ceil(_LEAST_S + extent.size_bytes / _LEAST_PACE + extent.inodes / _LEAST_FILES))


def _identity(file: FileState) -> str:
    return f"{file.type.value}, inode {file.inode}, {file.size_bytes} bytes, modified {file.modified_ns}"


def _in_words(file: FileState) -> str:
    what = f"a {file.type.value}"
    return f"{what} of {size(file.size_bytes)}" if file.type is FileType.FILE else what


def _amount(source: FileState, extent: Extent) -> str:
    if source.type is not FileType.FOLDER or extent.size_bytes is None:
        return ""
    return f" with {size(extent.size_bytes)} in {extent.inodes} files and folders"


def _needs(intent: Intent) -> Needs:
    kept = _names_to_keep(dataset_of(intent.target), intent.target)
    return Needs(
        datasets=(intent.pool,),
        snapshots=snapshot_selectors(intent.target, *kept),
        uses=intent.flag("overwrite"),
        mounts=True,
    )


def _further(intent: Intent, facts: PlanFacts) -> Needs:
    if facts.dataset(intent.target) is None or not intent.argument(0):
        return Needs()
    places = _places(intent, facts)
    if places is None:
        return Needs()
    return Needs(
        files=tuple(dict.fromkeys(places.needed_paths)),
        resolved=tuple(
            dict.fromkeys((folder_of(places.source), folder_of(places.target), *folders_of_guests(facts)))
        ),
        measured=(places.source,),
    )


def _who_writes(intent: Intent, facts: PlanFacts) -> Needs:
    """Needs who writes beside a copy that takes much of what is left."""
    base = facts.dataset(dataset_of(intent.target))
    places = _places(intent, facts) if base is not None and intent.argument(0) else None
    source = facts.files.file(places.source) if places is not None else None
    if places is None or base is None or source is None:
        return Needs()
    taken = _taken(facts.files.extent(places.source), source)
    return Needs(uses=takes_much(taken, base.available_bytes))


def _intent_for(target: Target) -> Intent:
    return Intent("restore", target.name, (target.path,) if target.path else ())


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "restore", "Restore a copy", "Copy a file or folder back from a snapshot, next to the present one.",
        frozenset({TargetKind.SNAPSHOT, TargetKind.FILE}), plan_restore,
        arguments=(
            Argument("PATH", "path", "the file or folder, as it is named in the file system"),
        ),
        options=(
            Option("to", "the name that the copy gets, a path in the same file system", kind="text"),
            Option("overwrite", "replace the present file; a snapshot keeps it first"),
            *AND_AFTER,
        ),
        needs=_needs, further=_further, last=_who_writes, intent_for=_intent_for,
        commands=(CommandForm(take_snapshot, ((SNAPSHOTS,),), {"recursive": True}),),
    ),
)  # fmt: skip
