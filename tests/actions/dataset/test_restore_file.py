"""Restore: to a free name by default, over a file only once a snapshot keeps it, and never past a mount."""

from __future__ import annotations

from dataclasses import replace
from zlib import crc32

import pytest

from tests.actions.dataset.plans import commands, planned, rules
from tests.doubles.plan_worlds import filesystem, host, snapshot, volume
from zconsole.actions.action_catalogue import spec
from zconsole.actions.intent import intent
from zconsole.actions.plan import Risk
from zconsole.base.errors import UsageError
from zconsole.execution.outcomes.evaluate_step_condition import holds as holds_now
from zconsole.execution.outcomes.evaluate_step_condition import telling
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import needs_of
from zconsole.model.datasets.snapshot_contents import Extent, FileLookup, FileState, FileType, Mounted
from zconsole.model.host.plan_facts import HostPolicy, PlanFacts

HOME = "tank/home"
SNAP = "tank/home@a"
ROOT = "/tank/home"
INSIDE = f"{ROOT}/.zfs/snapshot/a"
NOW_NS = 1_795_000_000_000_000_000


def there(path: str, kind: FileType = FileType.FILE, **values: object) -> FileState:
    """What stands under a path, on the file system or in its snapshot."""
    device = 77 if path.startswith(INSIDE) else 50
    made = FileState(path, kind, device, crc32(path.encode()), 1000, NOW_NS)
    return replace(made, **values)  # type: ignore[arg-type]


def folder(path: str, **values: object) -> FileState:
    """A folder."""
    return there(path, FileType.FOLDER, **values)


BASICS = (
    folder(ROOT),
    folder(f"{ROOT}/docs"),
    folder(f"{INSIDE}/docs"),
    there(f"{INSIDE}/docs/x"),
)


def nas(*found: FileState, extent: Extent | None = None, **values: object) -> PlanFacts:
    """A file system with a snapshot, and what was looked at in both."""
    files = (*BASICS, *found)
    seen = {each.path: each for each in files}
    looked = FileLookup(
        (Mounted(HOME, ROOT),),
        frozenset(seen),
        tuple(seen.values()),
        tuple((path, path) for path in (ROOT, f"{ROOT}/docs", INSIDE, f"{INSIDE}/docs")),
        ((f"{INSIDE}/docs/x", extent or Extent(1000, 512, 1)),
         (f"{INSIDE}/docs", extent or Extent(5000, 2048, 4))),
    )  # fmt: skip
    made = host((filesystem("tank"), filesystem(HOME), snapshot(SNAP)), files=looked)
    return replace(made, **values)  # type: ignore[arg-type]


def test_what_is_gone_comes_back_where_it_was() -> None:
    made = planned(nas(), "restore", SNAP, "docs/x")

    assert [f"cp -anT -- {INSIDE}/docs/x {ROOT}/docs/x"] == commands(made)
    assert (Risk.ROUTINE, (), True) == (made.risk, made.destroys, made.is_reversible)
    assert f"rm -r -- {ROOT}/docs/x" == made.undo


@pytest.mark.parametrize("path", ["docs/x", f"{ROOT}/docs/x", f"{INSIDE}/docs/x", "docs/x/"])
def test_a_path_may_be_written_as_it_is_seen(path: str) -> None:
    made = planned(nas(there(f"{ROOT}/docs/x", size_bytes=7)), "restore", SNAP, path)

    assert [f"cp -anT -- {INSIDE}/docs/x {ROOT}/docs/x.from-a"] == commands(made)
    assert any("stays as it is" in note for note in made.notes)


def test_a_name_beside_it_that_is_taken_is_not_written_over() -> None:
    facts = nas(there(f"{ROOT}/docs/x"), there(f"{ROOT}/docs/x.from-a"), there(f"{ROOT}/docs/x.from-a.2"))

    assert [f"cp -anT -- {INSIDE}/docs/x {ROOT}/docs/x.from-a.3"] == commands(
        planned(facts, "restore", SNAP, "docs/x")
    )


def test_a_folder_comes_with_all_that_is_in_it() -> None:
    made = planned(nas(), "restore", SNAP, "docs")

    assert [f"cp -anT -- {INSIDE}/docs {ROOT}/docs.from-a"] == commands(made)
    assert any("4 files and folders" in note for note in made.notes)


def test_another_name_can_be_given() -> None:
    assert [f"cp -anT -- {INSIDE}/docs/x {ROOT}/y"] == commands(
        planned(nas(), "restore", SNAP, "docs/x", to="y")
    )
    assert ["exists"] == rules(planned(nas(there(f"{ROOT}/y")), "restore", SNAP, "docs/x", to="y"))


def test_a_file_is_written_over_only_after_a_snapshot() -> None:
    facts = nas(there(f"{ROOT}/docs/x", size_bytes=7))
    made = planned(facts, "restore", SNAP, "docs/x", overwrite=True)

    assert [
        f"zfs snapshot {HOME}@before-restore-a",
        f"cp -anT -- {INSIDE}/docs/x {ROOT}/docs/x.from-a",
        f"mv -fT -- {ROOT}/docs/x.from-a {ROOT}/docs/x",
    ] == commands(made)
    assert (Risk.DESTRUCTIVE, "storage1:tank/home") == (made.risk, made.confirm)
    assert (f"{ROOT}/docs/x",) == made.destroys
    assert any("lost from the file system" in warning for warning in made.warnings)
    assert f"{HOME}@before-restore-a" in str(made.undo)


def test_a_snapshot_of_that_name_does_not_stand_in_for_the_one_that_is_needed() -> None:
    facts = nas(there(f"{ROOT}/docs/x", size_bytes=7))
    facts = replace(facts, datasets=(*facts.datasets, snapshot(f"{HOME}@before-restore-a")))

    made = planned(facts, "restore", SNAP, "docs/x", overwrite=True)

    assert f"zfs snapshot {HOME}@before-restore-a.2" == commands(made)[0]


def test_the_way_back_removes_the_copy_and_nothing_else() -> None:
    """A blank in a name would make two names of it."""
    facts = nas(there(f"{INSIDE}/docs/x y"), there(f"{ROOT}/docs/x y", size_bytes=7))

    assert f"rm -r -- '{ROOT}/docs/x y.from-a'" == planned(facts, "restore", SNAP, "docs/x y").undo
    over = planned(facts, "restore", SNAP, "docs/x y", overwrite=True)
    assert f"restore --host storage1 {HOME}@before-restore-a '{ROOT}/docs/x y' --overwrite" in str(over.undo)
    odd = planned(nas(there(f"{INSIDE}/docs/x\x1b")), "restore", SNAP, "docs/x\x1b")
    assert f"remove {ROOT}/docs/x^[" == odd.undo


def test_a_line_break_in_a_name_goes_to_stdin() -> None:
    facts = nas(there(f"{INSIDE}/docs/x\ny"))
    made = planned(facts, "restore", SNAP, "docs/x\ny")

    assert ["xargs -0 cp -anT --"] == commands(made)
    assert f"{INSIDE}/docs/x\ny\0{ROOT}/docs/x\ny\0" == made.steps[0].stdin
    assert "\n" not in made.title + str(made.undo)


@pytest.mark.parametrize(
    ("rule", "facts", "words", "options"),
    [
        ("not-there", nas(), ("docs/none",), {}),
        ("no-folder", nas(folder(f"{INSIDE}/gone"), there(f"{INSIDE}/gone/x")), ("gone/x",), {}),
        ("folder", nas(), ("docs",), {"overwrite": True}),
        ("unchanged", nas(there(f"{ROOT}/docs/x")), ("docs/x",), {"overwrite": True}),
        ("not-a-file", nas(there(f"{INSIDE}/docs/s", FileType.SOCKET)), ("docs/s",), {}),
        ("another-filesystem", nas(folder(f"{ROOT}/docs", device=51)), ("docs/x",), {}),
        ("not-mounted", nas(there(ROOT)), ("docs/x",), {}),
        ("space", nas(extent=Extent(1000, 1 << 50, 1)), ("docs/x",), {}),
    ],
)
def test_what_must_not_be_is_refused(
    rule: str, facts: PlanFacts, words: tuple[str, ...], options: dict[str, bool]
) -> None:
    if rule == "no-folder":
        files = replace(facts.files, resolved=(*facts.files.resolved, (f"{INSIDE}/gone",) * 2))
        facts = replace(facts, files=files)

    made = planned(facts, "restore", SNAP, *words, **options)

    assert [rule] == rules(made)
    assert Risk.REFUSED is made.risk


def test_a_symbolic_link_in_the_way_is_not_followed() -> None:
    facts = nas()
    elsewhere = tuple(
        (path, "/etc" if path == f"{ROOT}/docs" else real) for path, real in facts.files.resolved
    )

    made = planned(replace(facts, files=replace(facts.files, resolved=elsewhere)), "restore", SNAP, "docs/x")

    assert ["symlink"] == rules(made)


def test_nothing_is_copied_where_the_file_system_is_not_seen() -> None:
    facts = nas()
    unmounted = replace(facts, files=replace(facts.files, mounts=()))
    read_only = replace(facts, files=replace(facts.files, mounts=(Mounted(HOME, ROOT, is_writable=False),)))

    assert ["no-files"] == rules(planned(unmounted, "restore", SNAP, "docs/x"))
    assert ["read-only-mount"] == rules(planned(read_only, "restore", SNAP, "docs/x"))
    of_volume = host((filesystem("tank"), volume("tank/v"), snapshot("tank/v@a")), files=FileLookup(()))
    refused = planned(of_volume, "restore", "tank/v@a", "x")
    assert ["no-files"] == rules(refused)
    assert "is a volume" in refused.refusals[0].reason


def test_what_is_protected_is_not_written_over_and_may_be_copied_beside() -> None:
    facts = nas(there(f"{ROOT}/docs/x", size_bytes=7), policy=HostPolicy(protected=("tank/home",)))

    assert ["protected"] == rules(planned(facts, "restore", SNAP, "docs/x", overwrite=True))
    assert [] == rules(planned(facts, "restore", SNAP, "docs/x"))


@pytest.mark.parametrize(
    "words", [("",), (".",), ("a/../b",), ("/etc/passwd",), ("a//b",), (".zfs/x",), ("a\0b",)]
)
def test_a_path_that_means_something_else_is_no_path(words: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        planned(nas(), "restore", SNAP, *words)


def test_all_that_a_plan_rests_on_is_asked_for() -> None:
    wanted = intent("restore", SNAP, "docs/x", options={"to": "y"})
    further = spec("restore").further
    assert further is not None

    needs = further(wanted, nas())

    assert {ROOT, f"{INSIDE}/docs/x", f"{INSIDE}/docs", f"{ROOT}/y", f"{INSIDE}/."} <= set(needs.files)
    assert (f"{INSIDE}/docs/x",) == needs.measured
    assert {f"{INSIDE}/docs", ROOT} == set(needs.resolved)


def test_another_file_under_the_same_name_makes_the_plan_stale() -> None:
    before = planned(nas(there(f"{ROOT}/docs/x", size_bytes=7)), "restore", SNAP, "docs/x", overwrite=True)
    after = planned(nas(there(f"{ROOT}/docs/x", size_bytes=8)), "restore", SNAP, "docs/x", overwrite=True)

    assert before.fingerprint != after.fingerprint
    assert any("what is at" in each for each in before.basis.differences(after.basis))


def test_a_copy_is_known_to_have_happened_by_what_is_there() -> None:
    """Half of it is neither: then somebody must look."""
    facts = nas()
    (step,) = planned(facts, "restore", SNAP, "docs/x").steps
    asked = replace(facts.files, asked=facts.files.asked | {f"{ROOT}/docs/x"})
    told = telling(step.settled_by, replace(facts, files=asked))
    half, whole = there(f"{ROOT}/docs/x", size_bytes=3), there(f"{ROOT}/docs/x")

    assert (f"{ROOT}/docs/x",) * 2 == needs_of(told).files
    assert [True, False] == [holds_now(each, nas(half)) for each in told]
    assert [True, True] == [holds_now(each, nas(whole)) for each in told]
    assert [False, False] == [holds_now(each, replace(facts, files=asked)) for each in told]
    assert [None, None] == [holds_now(each, facts) for each in told]


def test_a_folder_is_whole_when_all_that_is_in_it_is_there() -> None:
    facts = nas()
    (step,) = planned(facts, "restore", SNAP, "docs").steps
    place = f"{ROOT}/docs.from-a"
    files = replace(facts.files, asked=facts.files.asked | {place})
    told = telling(step.settled_by, replace(facts, files=files))
    copied = replace(files, found=(*files.found, folder(place)))

    def seen(extent: Extent) -> list[bool | None]:
        now = replace(copied, extents=((place, extent),))
        return [holds_now(each, replace(facts, files=now)) for each in told]

    assert (place,) == needs_of(told).measured
    assert [True, True] == seen(Extent(5000, 9999, 4))
    assert [True, False] == seen(Extent(4000, 9999, 4))
    assert [True, None] == seen(Extent())
