"""Benchmark a file system's pool by fio, on a scratch dataset below it that is destroyed at the end."""

from __future__ import annotations

from dataclasses import replace
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Draft, Needs, Option
from zconsole.actions.checks.new_dataset_checks import refuse_place
from zconsole.actions.checks.property_value_checks import size_bytes
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset_facts_needed import needs_datasets
from zconsole.actions.intent import Intent, Target, TargetKind, refuse_surplus_arguments
from zconsole.actions.object_lookup import dataset_of_type
from zconsole.actions.plan import Condition, ConditionKind, Risk, Step, WayOut
from zconsole.base.errors import UsageError
from zconsole.base.fixed_width_formatting import duration, size, used_percent, zfs_size
from zconsole.base.name_lists import joined_by_and
from zconsole.base.quantities import SIZE_HINT
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.pool import Pool
from zconsole.zfs.benchmark.scratch_dataset_script import (
    LAYOUT_S,
    PATTERNS,
    SCRATCH,
    SCRIPT,
    Scratch,
    benchmark_argv,
    commands_as_root,
    create_argv,
    destroy_argv,
    destroyed_by,
    give_argv,
    make_folder_argv,
    remove_folder_argv,
)
from zconsole.zfs.change.argv_template import DATASET, NUMBER, SCRATCH_FOLDER, USER_NAME, CommandForm

BENCHMARK: Final = "benchmark"
DEFAULT_BYTES: Final = 1 << 30
LEAST_BYTES: Final = 64 << 20
DEFAULT_SECONDS: Final = 10
LEAST_SECONDS, MOST_SECONDS = 10, 120  # at least one txg is written within 10 s (zfs_txg_timeout is 5)
DEFAULT_RECORDSIZE: Final = 128 << 10
LEAST_RECORDSIZE, MOST_RECORDSIZE = 512, 16 << 20
CACHES: Final = ("metadata", "all", "none")
SYNC: Final = "sync"
_CACHE_TOLD: Final = {
    "metadata": " (data is read from the disks, as it is where files do not fit into memory)",
    "all": "",
    "none": " (metadata is read from the disks as well, at each access)",
}
SPACE_FACTOR: Final = 3  # copy on write: old blocks are free some txgs after they were written again
FULL_PERCENT: Final = 90.0
PACKAGES: Final = {"fio": "fio", "setsid": "util-linux", "mktemp": "coreutils", "timeout": "coreutils"}
TOOLS: Final = tuple(PACKAGES)
_HINT: Final = "zconsole plan benchmark POOL/DATASET [--size 8G] [--seconds 30] [--recordsize 16K]"


@on_writable_datasets
def plan_benchmark(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: no data is lost, and everything else on the pool becomes slow meanwhile."""
    refuse_surplus_arguments(intent, 0)
    above = dataset_of_type(intent.target, frozenset({"filesystem"}), facts, hint=_HINT)
    scratch = _scratch(intent, above)
    draft = Draft(f"benchmark {above.name}", above.name, Risk.CAUTION, is_reversible=True)
    if missing := [tool for tool in TOOLS if tool in (facts.missing_tools or frozenset())]:
        packages = tuple(dict.fromkeys(PACKAGES[tool] for tool in missing))
        noun = "package" if len(packages) == 1 else "packages"
        draft.refuse(
            "no-fio",
            f"this host lacks {joined_by_and(missing)}",
            f"install the {noun} {joined_by_and(packages)}",
        )
    refuse_place(draft, scratch.name, facts, parents=None)
    if facts.dataset(scratch.name) is not None:
        draft.notes.append(f"an earlier benchmark may have left it: zfs destroy -r {scratch.name}")
    pool = facts.pool(intent.pool)
    if pool is not None:
        _check_pool(draft, pool)
    _check_space(draft, above, pool, scratch)
    _tell(draft, above, scratch, facts.property(above.name, SYNC))
    draft.undo = (
        f"nothing is left to undo; should the scratch dataset be left: zfs destroy -r {quote(scratch.name)}"
    )
    told = Condition(ConditionKind.HISTORY, intent.pool, intent.pool, value=destroyed_by(scratch.name))
    draft.steps.append(
        Step(
            benchmark_argv(scratch),
            f"create {scratch.name}, run fio on it, and destroy it again",
            stdin=SCRIPT,
            timeout_s=2.0 * LAYOUT_S + len(PATTERNS) * (10.0 * scratch.seconds + 120.0),
            settled_by=(told,),
            is_followed=True,
            escalates=commands_as_root(scratch, facts.privileges.user),
        )
    )
    return draft


def _scratch(intent: Intent, above: Dataset) -> Scratch:
    """The words of the script. Raises UsageError for numbers that fio or ZFS would refuse."""
    given = {name: intent.text(name) for name in ("size", "recordsize")}
    sizes = {name: None if text is None else size_bytes(text) for name, text in given.items()}
    for name, text in given.items():
        if text is not None and sizes[name] is None:
            raise UsageError(f"{text!r} is not a size", hint=SIZE_HINT)
    recordsize = sizes["recordsize"] or above.recordsize_bytes or DEFAULT_RECORDSIZE
    if recordsize & (recordsize - 1) or not LEAST_RECORDSIZE <= recordsize <= MOST_RECORDSIZE:
        raise UsageError(f"{zfs_size(recordsize)} is no recordsize", hint="A power of two from 512 to 16M.")
    file_bytes = sizes["size"] or DEFAULT_BYTES
    if file_bytes < LEAST_BYTES:
        raise UsageError(
            f"{size(file_bytes)} is too small to tell anything",
            hint=f"{size(LEAST_BYTES)} or more.",
        )
    seconds = int(intent.text("seconds") or DEFAULT_SECONDS)
    if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
        raise UsageError(
            f"a pattern cannot run for {seconds} s", hint=f"{LEAST_SECONDS}s to {MOST_SECONDS}s."
        )
    cache = intent.text("primarycache") or CACHES[0]
    if cache not in CACHES:
        raise UsageError(f"{cache!r} is no value of primarycache", hint=f"One of {', '.join(CACHES)}.")
    return Scratch(above.pool, f"{above.name}/{SCRATCH}", recordsize, cache, file_bytes, seconds)


def _check_pool(draft: Draft, pool: Pool) -> None:
    """A pool that needs its disks for itself, or is nearly full, tells nothing and is made worse."""
    draft.saw(f"state of {pool.name}", pool.state)
    if pool.state != "ONLINE":
        draft.refuse("degraded", f"{pool.name} is {pool.state}", "repair it first")
    if pool.scan is not None and pool.scan.is_running:
        draft.refuse("scan-running", f"a {pool.scan.function} of {pool.name} is running",
                     "wait for its end: it would be slowed down, and so would the benchmark")  # fmt: skip
    used, usable = pool.usable_used_bytes, pool.usable_bytes
    if used is not None and usable and 100 * used / usable >= FULL_PERCENT:
        draft.refuse("nearly-full", f"{pool.name} is {used_percent(100 * used / usable)} full",
                     "free space first: a full pool is slow by itself")  # fmt: skip


def _check_space(draft: Draft, above: Dataset, pool: Pool | None, scratch: Scratch) -> None:
    """Room for the file, for its blocks that are written again, and below the limit of a full pool."""
    needed = SPACE_FACTOR * scratch.size_bytes
    room = above.available_bytes
    if room is None:
        draft.refuse("space-unknown", f"the free space of {above.name} is not known")
        return
    if needed > room:
        draft.refuse_answer(
            WayOut.VALUE,
            "full",
            f"it may take {size(needed)} for a moment, and {size(room)} are left",
            "a smaller test file",
        )
    elif pool is not None and pool.usable_bytes and pool.usable_used_bytes is not None:
        after = 100 * (pool.usable_used_bytes + needed) / pool.usable_bytes
        if after >= FULL_PERCENT:
            draft.refuse(
                "full",
                f"{pool.name} might become {used_percent(after)} full meanwhile",
                "a smaller test file",
            )


def _tell(draft: Draft, above: Dataset, scratch: Scratch, sync: str | None) -> None:
    draft.notes.append(
        "one process sends one request at a time (queue depth 1): this tells latency; many programs at once "
        "get more"
    )
    most = duration(len(PATTERNS) * scratch.seconds)
    draft.warnings.append(
        f"everything on {above.pool} is slow meanwhile: {len(PATTERNS)} patterns for {most} in all, after "
        f"{size(scratch.size_bytes)} were written"
    )
    cache = f"primarycache={scratch.primarycache}{_CACHE_TOLD[scratch.primarycache]}"
    draft.notes.append(
        f"recordsize {zfs_size(scratch.recordsize)}, {cache}; "
        f"compression, sync, encryption and the rest as {above.name} has them"
    )
    if sync == "disabled":
        draft.warnings.append(
            f"{above.name} has sync=disabled: what is measured as a synchronous write waits for memory "
            "alone, not for the disks"
        )
    elif sync == "always":
        draft.notes.append(f"{above.name} has sync=always: every write waits for the intent log")
    if scratch.primarycache == "all":
        draft.warnings.append(
            "with primarycache=all reads come from memory as far as the file fits into the ARC: the results "
            "say where they did"
        )
    draft.notes.append(
        "if the link is lost, the host ends the pattern under way and destroys the scratch dataset by "
        f"itself; after a crash of the host: zfs destroy -r {scratch.name}"
    )


def _needs(intent: Intent) -> Needs:
    return replace(needs_datasets(intent), tools=TOOLS, properties=((intent.target, SYNC),))


def _why_not(_target: Target, facts: PlanFacts) -> str:
    return "this host has no fio" if "fio" in (facts.missing_tools or frozenset()) else ""


_FORMS: Final = (
    CommandForm(make_folder_argv),
    *(CommandForm(create_argv, (DATASET, NUMBER, cache, SCRATCH_FOLDER)) for cache in CACHES),
    CommandForm(give_argv, (USER_NAME, SCRATCH_FOLDER)),
    CommandForm(destroy_argv, (DATASET,)),
    CommandForm(remove_folder_argv, (SCRATCH_FOLDER,)),
)
SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        BENCHMARK, "Benchmark ...",
        "Measure by fio what the pool delivers, on a scratch dataset that is destroyed at the end.",
        frozenset({TargetKind.FILESYSTEM}), plan_benchmark,
        target_word="DATASET",
        options=(
            Option("size", "size of the file (1 GiB); with primarycache=all more than the ARC", kind="size"),
            Option("seconds", f"length of a pattern ({DEFAULT_SECONDS})", kind="number"),
            Option("recordsize", "recordsize of the scratch dataset, if not that of DATASET", kind="size"),
            Option("primarycache", "what the ARC may hold of it (metadata)", kind="choice", choices=CACHES),
        ),
        needs=_needs, why_not=_why_not, intent_for=lambda target: Intent(BENCHMARK, target.name),
        commands=_FORMS,
    ),
)  # fmt: skip
