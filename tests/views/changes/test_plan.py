"""A plan as a document: the order in which it is read, what is cut and where the rest is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import planned, tank
from tests.doubles.plan_worlds import host, images
from tests.ui import plans
from zconsole.actions.intent import Intent, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Dependent, Plan, RefusalReason, Rehearsal, Risk, Step
from zconsole.base.escape_control_characters import visible
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.views.changes.plan import PlanForm, document, headline, title
from zconsole.views.layout.styled_text import plain


def lines(of: Plan, form: PlanForm = PlanForm.SHORT) -> list[str]:
    """The text of the document."""
    return [plain(each).rstrip() for each in document(of, form)]


def labels(of: Plan, form: PlanForm = PlanForm.SHORT) -> list[str]:
    """The labels in their order."""
    return [each for text in lines(of, form) if (each := text[:10].strip())]


@pytest.mark.parametrize("form", PlanForm)
def test_a_routine_plan(form: PlanForm) -> None:
    made = planned(tank(), "scrub")

    assert "storage1: scrub tank [ROUTINE]" == plain(headline(made))
    assert [
        "LOST      nothing",
        "RUNS      zpool scrub tank",
        "UNDO      zpool scrub -s tank (on storage1)",
    ] == lines(made, form)


@pytest.mark.parametrize("risk", plans.ALL)
def test_the_risk_is_a_word_in_the_title_and_in_the_headline(risk: str) -> None:
    made = plans.ALL[risk]()

    assert made.risk.value.upper() in plain(title(made, 80)[0])
    assert plain(headline(made)).endswith(f" [{made.risk.value.upper()}]")


@pytest.mark.parametrize("risk", plans.ALL)
@pytest.mark.parametrize("form", PlanForm)
def test_no_part_of_a_document_is_told_by_its_colour_alone(risk: str, form: PlanForm) -> None:
    """Each paragraph that is drawn in the colour of something bad stands under a word that says so."""
    label = ""
    for each in document(plans.ALL[risk](), form):
        label = each[0].text.strip() or label
        if "bad" in {span.style for span in each[1:]} and label not in {"BEFORE", "AFTER"}:
            assert label in {"REFUSED", "LOST", "DESTROYS", "ALL LOST", "UNDO", "SURVIVES"}


def test_a_rollback_that_takes_written_data_is_not_said_to_lose_nothing() -> None:
    shown = lines(plan(intent("rollback", "tank/home@daily-2"), host(images())))

    assert (
        "LOST      all that was written to tank/home since @daily-2: 1.00 MiB, as far as ZFS has" in shown[0]
    )
    assert not any(each.startswith("LOST      nothing") for each in shown)


def test_counts_commands_and_undo_stand_before_lists_of_names() -> None:
    made = replace(plan(intent("destroy", "tank"), host(images())), warnings=("look twice",))
    shown = lines(made)

    assert "LOST      13 objects, 7 of them in use or with data of their own" == shown[0]
    assert shown[1].startswith("FREES     ")
    assert "          and 7 more, 1 of them live: --full has all" in shown
    told = [each for each in labels(made) if each != "SURVIVES"]
    assert ["LOST", "FREES", "RUNS", "UNDO", "WARNING", "DESTROYS"] == list(dict.fromkeys(told))[:6]


def test_in_full_all_names_stand_in_their_place_with_the_live_ones_first() -> None:
    shown = lines(plan(intent("destroy", "tank"), host(images())), PlanForm.FULL)
    live = [at for at, text in enumerate(shown) if "(live" in text]

    assert "DESTROYS  tank (live)" in shown
    assert 7 == len(live)
    assert max(live) < shown.index("          tank/home@daily-1")


def test_a_dialog_has_what_it_cuts_at_its_end() -> None:
    made = plans.destroy_many()
    shown = lines(made, PlanForm.DIALOG)

    assert "          and 43 more, 3 of them live: all are at the end" in shown
    first = shown.index("ALL LOST  tank/clone0 (live, of tank/vm@00)")
    assert list(made.lost) == [text[10:].split(" ")[0] for text in shown[first : first + len(made.lost)]]
    assert 1 == sum("tank/vm@39 guid=" in text for text in shown)
    assert any(text.startswith("RUNS ALL  zfs program tank - ") for text in shown)
    assert "          stdin: return 1" == shown[-1]


def test_a_long_command_is_whole_however_long_it_is() -> None:
    names = [f"tank/home@daily-{number}" for number in range(1000)]
    made = replace(planned(tank(), "scrub"), steps=(Step(("zfs", "destroy", *names), "destroy them"),))

    (cut,) = (text for text in lines(made) if text.startswith("RUNS "))
    assert cut.endswith(" more words: --full has all")
    for form, label in ((PlanForm.FULL, "RUNS"), (PlanForm.DIALOG, "RUNS ALL")):
        assert f"{label:<10}zfs destroy {' '.join(names)}" in lines(made, form)


def test_a_refused_plan_says_why_first_and_neither_loses_nor_undoes_nor_runs() -> None:
    made = plan(intent("destroy", "tank"), host(images(), uses=(OutsideUse("tank/vm1", "guest", "web1"),)))

    assert lines(made)[0].startswith("REFUSED   ")
    assert lines(made)[0].endswith(" (in-use)")
    assert "WOULD RUN zpool destroy tank" in lines(made)
    for form in PlanForm:
        assert not {"LOST", "UNDO", "FREES", "RUNS", "VARIES"} & set(labels(made, form))


def test_a_single_loss_is_counted_as_one() -> None:
    made = replace(planned(tank(), "scrub"), destroys=("tank/scratch",), live=("tank/scratch",))

    shown = lines(made)

    assert "LOST      1 object, in use or with data of its own" == shown[0]
    assert "DESTROYS  tank/scratch (live)" in shown


def test_refusals_that_are_opened_alike_say_so_once() -> None:
    made = replace(
        planned(tank(), "scrub"),
        refusals=tuple(
            RefusalReason("rule", why, instead)
            for why, instead in (("a", "wait"), ("b", "wait"), ("c", "go"), ("d", "wait"))
        ),
    )

    assert [
        "REFUSED   a (rule)",
        "REFUSED   b (rule)",
        "          instead: wait",
        "REFUSED   c (rule)",
        "          instead: go",
        "REFUSED   d (rule)",
        "          instead: wait",
    ] == lines(made)[:7]


def test_a_name_that_a_host_has_for_itself_is_told_where_it_is_another() -> None:
    made = replace(planned(tank(), "scrub"), identity=MachineIdentity("nas", "storage1.example.net"))

    assert "nas (storage1.example.net): scrub tank [ROUTINE]" == plain(headline(made))


def test_a_step_that_is_fed_is_a_pipe_with_the_host_that_sends() -> None:
    shown = lines(plans.receive())

    sent = "zfs send -L -e -c -i tank/home@b tank/home@c (on nas1)"
    assert f"RUNS      {sent} | zfs receive -s -u vault/home" in shown
    assert any(text.startswith("DRY RUN   zfs send -nvP") and text.endswith(" (on nas1)") for text in shown)


def test_each_command_has_a_label_of_its_own_and_says_what_it_is_for() -> None:
    assert [
        "RUNS      zfs unmount tank/vm",
        "          unmount it",
    ] == [text for text in lines(plans.destroy_many()) if "unmount" in text]
    assert 2 == labels(plans.destroy_many()).count("RUNS")


def test_a_channel_program_is_counted_and_in_full_its_text_is_shown() -> None:
    argv = ("zfs", "program", "tank", "-", "tank/home@daily-1")
    step = Step(argv, "check all, and destroy, in one txg", stdin="local args = ...\nreturn 1\n")
    made = replace(planned(tank(), "scrub"), steps=(step,))

    assert "          stdin: a channel program of 2 lines: --full has all" in lines(made)
    assert not [text for text in lines(made) if "local args" in text]
    full = lines(made, PlanForm.FULL)
    assert "          stdin: a channel program of 2 lines: at the end" in full
    assert ["          stdin: local args = ...", "          stdin: return 1"] == full[-2:]


@pytest.mark.parametrize(("guid", "is_told"), [("-1153353748359023671", True), ("42", False)])
def test_a_guid_that_lua_has_as_negative_is_explained(guid: str, is_told: bool) -> None:
    """`zfs get guid` prints it unsigned."""
    argv = ("zfs", "program", "tank", "-", "tank/home@a", f"guid={guid},createtxg=7")
    made = replace(
        planned(tank(), "scrub"), steps=(Step(argv, "check all, and destroy, in one txg", "it changed"),)
    )

    assert is_told == any("less 2^64" in text for text in lines(made))


@pytest.mark.parametrize("form", [PlanForm.DIALOG, PlanForm.FULL])
def test_a_channel_program_is_the_last_paragraph_with_what_it_does(form: PlanForm) -> None:
    argv = ("zfs", "program", "tank", "-", "tank/home@daily-1")
    step = Step(argv, "check all, and destroy, in one txg", stdin="return 1\n")
    dry_run = Rehearsal(("zfs", "destroy", "-nvp", "tank@a"), "would destroy tank@a\n", 0)

    one = lines(replace(planned(tank(), "scrub"), steps=(step,), rehearsals=(dry_run,)), form)
    both = lines(replace(planned(tank(), "scrub"), steps=(step, step)), form)

    assert one[-2].startswith(
        "PROGRAM   the channel program on stdin of the command: check all, and destroy, in"
    )
    assert "changes nothing unless all are those that were reviewed" in one[-2]
    assert 2 == labels(replace(planned(tank(), "scrub"), steps=(step, step)), PlanForm.FULL).count("RUNS")
    assert both[-2].startswith("PROGRAM   the channel program on stdin of step 1, 2: check all")
    assert 1 == sum(text == "          stdin: return 1" for text in both)


def test_bytes_of_a_dry_run_have_a_size_beside_them() -> None:
    said = "destroy\ttank@a\nreclaim\t111934964336\nreclaim\t12\n"
    dry_run = Rehearsal(("zfs", "destroy", "-nvp", "tank@a"), said, 0)

    shown = lines(replace(planned(tank(), "scrub"), rehearsals=(dry_run,)))

    assert "          reclaim 111934964336  104 GiB" in shown
    assert "          reclaim 12" in shown


def test_a_short_stdin_is_shown_in_its_place() -> None:
    step = Step(("zfs", "receive", "tank/b"), "receive it", stdin="{}\n")

    assert "          stdin: {}" == lines(replace(planned(tank(), "scrub"), steps=(step,)))[3]


def test_a_dry_run_is_in_columns_and_its_end_is_cut() -> None:
    said = "destroy\ttank@a\n\n" + "".join(f"line {number}\n" for number in range(20))
    made = replace(
        planned(tank(), "scrub"), rehearsals=(Rehearsal(("zfs", "destroy", "-nvp", "tank@a"), said, 0),)
    )

    shown = lines(made)
    assert "DRY RUN   zfs destroy -nvp tank@a" in shown
    assert "          destroy tank@a" in shown
    assert "          and 9 more lines: --full has all" == shown[-1]
    assert "          line 19" == lines(made, PlanForm.FULL)[-1]
    assert "          line 19" == lines(made, PlanForm.DIALOG)[-1]


def test_an_alternative_has_a_key_in_the_dialog_and_a_command_in_print() -> None:
    made = plans.receive_refused()

    assert "NEXT      F6 roll vault/home back first" in lines(made, PlanForm.DIALOG)
    shown = lines(made)
    at = shown.index("NEXT      zconsole plan rollback vault/home@b")
    assert "          roll vault/home back first" == shown[at + 1]


def test_the_way_out_of_a_refusal_has_a_key_and_is_no_flag_in_prose() -> None:
    made = plan(intent("destroy", "tank/vm1"), host(images()))

    assert made.is_refused
    assert not [each for each in made.refusals if "--" in each.instead]
    (way,) = (text for text in lines(made, PlanForm.DIALOG) if "with-clones" in text)
    assert way.startswith("NEXT      F")
    assert "--" not in way
    again = next(wanted for words, wanted in made.alternatives if "with-clones" in words)
    assert intent("destroy", "tank/vm1", options={"with-clones": True}) == again


@given(name=st.text())
def test_nothing_in_it_is_obeyed_by_a_terminal(name: str) -> None:
    made = Plan(
        Intent("scrub", name), name, name, MachineIdentity(name, name), Risk.DESTRUCTIVE, 0.0,
        steps=(Step((name,), name, name),), destroys=(name,), live=(name,), undo=name,
        dependents=(Dependent("guest", name, name),), alternatives=((name, Intent("scrub", name, (name,))),),
        notes=(name,), warnings=(name,), rehearsals=(Rehearsal((name,), name, 0),),
    )  # fmt: skip

    for each in (made, replace(made, refusals=(RefusalReason(name, name, name),))):
        for form in PlanForm:
            assert all(visible(text) == text for text in map(plain, (headline(each), *document(each, form))))


def test_downtime_comes_first_and_what_stays_before_the_commands() -> None:
    """On a terminal of 24 lines the first page has what the decision rests on."""
    made = replace(
        planned(tank(), "scrub"),
        downtime=("about 10s", "web01 writes 1 MiB/s now"),
        space=("it needs 1 GiB", "2 GiB are left then"),
        stays=("the old place is kept",),
    )

    assert ["DOWNTIME", "LOST", "SPACE", "STAYS", "RUNS", "UNDO"] == labels(made)
    assert ["DOWNTIME  about 10s", "          web01 writes 1 MiB/s now"] == lines(made)[:2]


def with_many_commands() -> Plan:
    """Plan of five unmounts with what puts them back, and two programs."""
    names = [f"tank/home/u{number}" for number in range(5)]
    unmounts = [Step(("zfs", "unmount", name), f"unmount {name}") for name in names]
    mounts = tuple(("zfs", "mount", name) for name in names)
    programs = [
        Step(
            ("zfs", "program", "tank", "-", f"{name}@a"),
            "check and destroy",
            stdin="return 1\n",
            put_back=back,
        )
        for name, back in zip(names[:2], (mounts, ()), strict=True)
    ]
    other = Step(("zfs", "set", "readonly=on", "tank/home"), "no writes")
    return replace(planned(tank(), "scrub"), steps=(*unmounts, other, programs[1], programs[1], programs[0]))


def test_of_commands_that_differ_in_their_object_the_first_is_shown_and_the_others_counted() -> None:
    shown = lines(with_many_commands())
    commands = shown[: next(at for at, text in enumerate(shown) if text.startswith("UNDO"))]

    assert [
        "RUNS      zfs unmount tank/home/u0",
        "          unmount tank/home/u0",
        "          and 4 more commands like it: --full has all",
        "RUNS      zfs set readonly=on tank/home",
        "          no writes",
        "RUNS      zfs program tank - tank/home/u1@a",
        "          check and destroy",
        "          stdin: a channel program of 1 line: --full has all",
        "          and 1 more command like it: --full has all",
        "RUNS      zfs program tank - tank/home/u0@a",
        "          check and destroy",
        "          stdin: a channel program of 1 line: --full has all",
        "          if what follows is not done: zfs mount tank/home/u0",
        "          and 4 more like it: --full has all",
    ] == commands[-14:]


@pytest.mark.parametrize("form", [PlanForm.DIALOG, PlanForm.FULL])
def test_each_command_is_shown_before_it_is_confirmed(form: PlanForm) -> None:
    made = with_many_commands()
    shown = lines(made, form)

    for argv in (argv for step in made.steps for argv in (step.argv, *step.put_back)):
        assert any(text.endswith(" ".join(argv)) for text in shown)
