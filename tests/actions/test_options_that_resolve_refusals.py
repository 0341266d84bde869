"""Ways out of refused plans: the command that is printed is the whole one, and is not refused again."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.actions.pool.test_practice import BEGAN, Acting
from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Draft, PlanAgain
from zconsole.actions.action_usage_and_plan_command import plan_command
from zconsole.actions.intent import Intent, intent
from zconsole.actions.options_that_resolve_refusals import (
    POSSIBLE_AFTER,
    STILL_REFUSED,
    ways_out,
    with_all_options,
)
from zconsole.actions.plan import Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.cli.commands.changes.plan import PlanRequest
from zconsole.cli.parse_command_line import parse
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal

DESTROY = intent("destroy", "tank/a")
OBSTACLES: dict[str, list[PlanAgain]] = {
    "children": [PlanAgain("recursive", "destroy what is in it")],
    "clones": [PlanAgain("with-clones", "destroy its clones")],
    "in-use": [
        PlanAgain("shut-down-guests", "shut web01 down", is_in_words=True),
        PlanAgain("start-guests-after", "start it again", is_in_words=True, is_for_later=True),
    ],
}


def refused_by(*rules: str, hidden: str = "", wanted: Intent = DESTROY) -> Draft:
    """A draft with these obstacles, unless the option is given; the hidden one shows with --recursive."""
    draft = Draft("", "tank/a", Risk.ROUTINE)
    shown = (*rules, *([hidden] if hidden and wanted.flag("recursive") else []))
    for rule in shown:
        offers = OBSTACLES.get(rule, [])
        if not any(wanted.flag(each.option) for each in offers if not each.is_for_later):
            draft.refuse(rule, f"{rule} are in the way")
            draft.again += offers
    return draft


def ways(*rules: str, hidden: str = "") -> list[tuple[str, str]]:
    found = ways_out(
        DESTROY,
        refused_by(*rules, hidden=hidden),
        lambda made: refused_by(*rules, hidden=hidden, wanted=made),
    )
    return [(words, " ".join(name for name, _ in made.options)) for words, made in found]


def test_one_obstacle_is_resolved_by_its_option() -> None:
    assert [("plan again with recursive: destroy what is in it", "recursive")] == ways("children")


def test_all_obstacles_are_resolved_by_one_command() -> None:
    assert [
        ("plan again with recursive: destroy what is in it; shut web01 down, and start it again",
         "recursive shut-down-guests start-guests-after"),
    ] == ways("children", "in-use")  # fmt: skip


def test_what_an_option_uncovers_is_resolved_too() -> None:
    assert ["recursive with-clones"] == [options for _, options in ways("children", hidden="clones")]


def test_an_obstacle_without_an_option_is_told_with_what_each_option_resolves() -> None:
    found = ways("children", "clones", hidden="held")

    assert ["recursive", "with-clones"] == [options for _, options in found]
    assert all(
        words.endswith(f"{STILL_REFUSED} with all of these: held are in the way") for words, _ in found
    )


@pytest.mark.parametrize(
    ("instead", "command", "told"),
    [
        (
            "stop it first: incus stop web; docker stop 7c1f",
            (),
            f"{POSSIBLE_AFTER} after: stop it first: incus stop web; docker stop 7c1f",
        ),
        ("incus stop first, first", (), f"{POSSIBLE_AFTER} after: incus stop first"),
        (
            "free space first",
            ("zconsole", "reclaim", "tank"),
            f"{POSSIBLE_AFTER} after: free space: zconsole reclaim tank",
        ),
        ("", ("zconsole", "guests"), f"{POSSIBLE_AFTER} after: zconsole guests"),
        ("", (), f"{STILL_REFUSED}: tank is in use: container web runs on tank/ct/web"),
    ],
)
def test_what_is_still_refused_has_its_remedy(instead: str, command: tuple[str, ...], told: str) -> None:
    def planned(_wanted: Intent) -> Draft:
        made = Draft("", "", Risk.ROUTINE)
        made.refuse("in-use", "tank is in use: container web runs on tank/ct/web", instead, command=command)
        return made

    ((words, _),) = ways_out(DESTROY, refused_by("children"), planned)

    assert words.endswith(f"; {told}")


def test_all_that_is_to_be_done_first_is_said_once_each() -> None:
    """Not one container of four: who stops that one would be refused for the next."""

    def planned(_wanted: Intent) -> Draft:
        made = Draft("", "", Risk.ROUTINE)
        for name in ("a", "b", "b", "c", "d", "e", "f"):
            made.refuse("in-use", f"container {name} runs on {name}", f"incus stop {name}, first")
        return made

    ((words, _),) = ways_out(DESTROY, refused_by("children"), planned)

    stopped = "incus stop a; incus stop b; incus stop c; incus stop d; incus stop e; and 1 more"
    assert words.endswith(f"{POSSIBLE_AFTER} after: {stopped}")


def test_an_option_that_resolves_nothing_is_left_out() -> None:
    """Clones are destroyed with all that is in the dataset."""

    def planned(wanted: Intent) -> Draft:
        return Draft("", "", Risk.ROUTINE) if wanted.flag("with-clones") else refused_by("children", "clones")

    found = ways_out(DESTROY, refused_by("children", "clones"), planned)

    assert [(("with-clones", True),)] == [each.options for _, each in found]


def test_the_options_of_other_actions_are_none_of_its_own() -> None:
    mixed = (("", intent("destroy", "tank/a", options={"recursive": True})),
             ("", intent("rename", "tank/a", "tank/b", options={"parents": True})))  # fmt: skip

    assert (("recursive", True),) == with_all_options(DESTROY, mixed).options


WORLD = ("snapshot", "child", "clone", "guest on child", "guest on clone", "transient", "second guest", "off")
ASKED = (
    ("destroy", "tank/vm"),
    ("destroy", "tank/vm/web01"),
    ("destroy", "tank/vm/web01@a"),
    ("rename", "tank/vm/web01", "tank/vm/web02"),
    ("rename", "tank/vm/web01", "tank/new/below/web01"),
    ("rename", "tank/vm", "tank/new/vm"),
    ("rollback", "tank/vm/web01@a"),
    ("set", "tank/vm/web01", "volsize=32M"),
    ("set", "tank/vm", "readonly=on"),
    ("export", "tank"),
    ("create", "tank/new/below/this"),
    ("clone", "tank/vm/web01@a", "tank/new/below/this"),
)


def host_with(parts: set[str]) -> PracticeHost:
    """A volume with a guest, and these parts beside it."""
    host = PracticeHost("nas", ManualClock(BEGAN), world=create_world("mirror 0 1"))
    world = host.world
    world.lacking -= {"virsh", "qemu-img"}

    def zfs(*argv: str) -> None:
        assert 0 == answer(world, ("zfs", *argv)).status, argv

    def guest(name: str, volume: str, **values: object) -> None:
        world.guests.append(PracticeGuest(name, [PracticeGuestDisk("vda", f"{ZVOL}{volume}")], **values))  # type: ignore[arg-type]

    zfs("create", "tank/vm")
    zfs("create", "-V", "64M", "tank/vm/web01")
    state = SHUT_OFF if "off" in parts else RUNNING
    guest("web01", "tank/vm/web01", state=state, is_persistent="transient" not in parts or state == SHUT_OFF)
    if "second guest" in parts:
        zfs("create", "-V", "64M", "tank/vm/db01")
        guest("db01", "tank/vm/db01")
    if "child" in parts or "guest on child" in parts:
        zfs("create", "tank/vm/below")
        zfs("create", "-V", "64M", "tank/vm/below/mail01")
    if "guest on child" in parts:
        guest("mail01", "tank/vm/below/mail01")
    zfs("snapshot", "tank/vm/web01@a")
    if "snapshot" in parts:
        zfs("snapshot", "tank/vm/web01@b")
    if "clone" in parts or "guest on clone" in parts:
        zfs("clone", f"tank/vm/web01@{'b' if 'snapshot' in parts else 'a'}", "tank/test01")
    if "guest on clone" in parts:
        guest("test01", "tank/test01")
    return host


async def _planned_as_printed(acting: Acting, words: tuple[str, ...]) -> tuple[Plan, str, Plan | None]:
    """A plan, and the plan of its first way out by the same action, from the printed command."""
    made = await acting.plan(*words)
    if not made.is_refused or not made.alternatives:
        return made, "", None
    same = [each for each in made.alternatives if each[1].action == made.intent.action]
    if not same:
        return made, made.alternatives[0][0], None
    said, wanted = same[0]
    asked = parse(shlex.split(plan_command(wanted))[1:])
    assert isinstance(asked, PlanRequest)
    return made, said, await acting.operator.prepare("nas", asked.intent)


@contextmanager
def acting_on(parts: set[str]) -> Iterator[Acting]:
    with TemporaryDirectory() as folder:
        host = host_with(parts)
        journal = Journal(Path(folder) / "journal.sqlite")
        clock = ManualClock(BEGAN)
        operator = Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal)
        yield Acting(host, operator)


def looked_at(parts: set[str], words: tuple[str, ...]) -> tuple[Plan, str, Plan | None]:
    with acting_on(parts) as acting:
        return asyncio.run(_planned_as_printed(acting, words))


@settings(max_examples=40)
@given(parts=st.sets(st.sampled_from(WORLD)), words=st.sampled_from(ASKED))
def test_what_is_printed_as_the_next_command_is_not_refused_again(
    parts: set[str], words: tuple[str, ...]
) -> None:
    made, said, then = looked_at(parts, words)

    if then is not None and STILL_REFUSED not in said and POSSIBLE_AFTER not in said:
        assert () == then.refusals, (made.refusals, said)


async def _with_alternatives(acting: Acting, words: tuple[str, ...], flags: frozenset[str]) -> None:
    try:
        made = await acting.plan(*words, **{each.replace("-", "_"): True for each in flags})
    except UsageError:  # an option that this kind of object has not
        return
    for said, wanted in () if made.is_refused else made.alternatives:
        then = await acting.operator.prepare("nas", wanted)
        assert () == then.refusals, (words, said)
        assert then.risk.rank <= made.risk.rank, (words, said)


@settings(max_examples=40)
@given(
    parts=st.sets(st.sampled_from(WORLD)),
    words=st.sampled_from(ASKED),
    flags=st.frozensets(st.sampled_from(["recursive", "with-clones", "shut-down-guests"])),
)
def test_what_is_offered_instead_is_not_refused_and_no_riskier(
    parts: set[str], words: tuple[str, ...], flags: frozenset[str]
) -> None:
    known = {option.name for option in spec(words[0]).options}
    with acting_on(parts) as acting:
        asyncio.run(_with_alternatives(acting, words, flags & known))


@pytest.mark.parametrize(
    ("options", "parts", "words"),
    [
        ("recursive shut-down-guests", set(), ("destroy", "tank/vm/web01")),
        ("shut-down-guests with-clones", {"guest on clone"}, ("destroy", "tank/vm")),
        ("recursive shut-down-guests", {"guest on child", "second guest"}, ("destroy", "tank/vm")),
        ("parents shut-down-guests start-guests-after", set(), ("rename", "tank/vm", "tank/new/vm")),
        ("shut-down-guests", {"transient"}, ("set", "tank/vm", "readonly=on")),
        ("recursive shut-down-guests start-guests-after", {"snapshot"}, ("rollback", "tank/vm/web01@a")),
        ("parents", {"off"}, ("create", "tank/new/below/this")),
    ],
)  # fmt: skip
def test_the_command_has_the_options_for_all_obstacles(
    options: str, parts: set[str], words: tuple[str, ...]
) -> None:
    made, said, then = looked_at(parts, words)

    assert made.is_refused
    assert then is not None, said
    assert options == " ".join(name for name, _ in then.intent.options)
    assert () == then.refusals


@pytest.mark.parametrize(
    ("first", "parts", "words"),
    [
        ("destroy", set(), ("destroy", "tank/vm/web01")),
        ("promote", {"guest on clone"}, ("destroy", "tank/vm")),
        ("clone", {"snapshot"}, ("rollback", "tank/vm/web01@a")),
    ],
)  # fmt: skip
def test_what_destroys_more_than_was_asked_for_is_offered_last(
    first: str, parts: set[str], words: tuple[str, ...]
) -> None:
    made, _, _ = looked_at(parts, words)

    assert first == made.alternatives[0][1].action
    assert made.intent.action == made.alternatives[-1][1].action


def test_the_guests_of_clones_are_named_before_they_are_destroyed() -> None:
    made, said, _ = looked_at({"guest on clone"}, ("destroy", "tank/vm"))

    assert "tank/test01 (of test01)" in said
    assert any("tank/test01 (of test01)" in each.reason for each in made.refusals)
