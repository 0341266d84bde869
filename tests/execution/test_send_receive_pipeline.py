"""Streams from pool to pool and from host to host: whole, cut at every end, gone on with, given up."""

from __future__ import annotations

import asyncio
from itertools import islice

import pytest

from tests.doubles.replicating import MIB, NAS, SESSION, Goes, Replicating
from zconsole.actions.intent import Intent, intent
from zconsole.actions.plan import SUDO_SECRET
from zconsole.base.secret import Secret
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.execution.follow_command_output import last_lines
from zconsole.execution.send_receive_pipeline import can_stop
from zconsole.hosts.build_command_results import ended
from zconsole.hosts.host import Command
from zconsole.model.host.plan_facts import PrivilegeMode
from zconsole.model.run import Run, RunState
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Sending, Taking
from zconsole.practice.system.mounts_and_processes import stat
from zconsole.zfs.stream.send_receive_syncoid_argv import TOKEN


@pytest.fixture(params=["one host", "two hosts"])
def bench(request: pytest.FixtureRequest) -> Replicating:
    return Replicating(is_one=request.param == "one host")


@pytest.fixture
def two() -> Replicating:
    return Replicating()


def is_copied(bench: Replicating, name: str = "a") -> bool:
    return bench.get(f"tank/home@{name}", "guid") == bench.get(f"vault/home@{name}", "guid") != ""


def has_token(bench: Replicating) -> bool:
    return bench.get("vault/home", TOKEN) not in {"", "-"}


async def test_all_of_it_and_then_what_came_since(bench: Replicating) -> None:
    first = await bench.do()
    bench.fill(4)
    bench.type("zfs snapshot tank/home@b")
    then = await bench.do("receive", "vault/home", "tank/home@b")

    assert (RunState.DONE, RunState.DONE) == (first.state, then.state), (first.words, then.words)
    assert is_copied(bench, "a")
    assert is_copied(bench, "b")
    assert ("on", "no", "-") == tuple(bench.get("vault/home", key) for key in ("readonly", "mounted", TOKEN))
    changes = [line for line in bench.vault.changes if line.startswith("zfs")]
    assert ["zfs receive -s -u -o readonly=on vault/home", "zfs receive -s -u vault/home"] == changes


async def test_how_far_it_is_is_told_while_it_runs(bench: Replicating) -> None:
    plan = await bench.plan()
    run = await bench.run(plan)

    told = [each.steps[0].moved for each in bench.published if each.steps[0].moved is not None]
    total = plan.steps[0].sender.size_bytes  # type: ignore[union-attr]
    counts = [each.bytes for each in told]
    assert len(set(counts)) > 10
    assert counts == sorted(counts)
    assert {total} == {each.total_bytes for each in told}
    assert run.steps[0].moved is not None
    assert abs(run.steps[0].moved.bytes - (total or 0)) < 4096
    assert any(each.left_s is not None for each in told)
    fed = run.steps[0].fed_by
    assert fed is not None
    assert (NAS, not bench.is_one) == (fed.host, fed.is_elsewhere)


async def test_the_journal_says_what_fed_it(bench: Replicating) -> None:
    run = await bench.do()

    (entry,) = bench.journal.entries()
    assert (run.id, bench.target, "receive") == (entry.id, entry.host, entry.action)
    assert "zfs send -L -e -c tank/home@a" in entry.steps[0].why
    assert ("zfs", "receive", "-s", "-u", "-o", "readonly=on", "vault/home") == entry.steps[0].argv
    assert "done" == entry.steps[0].state


async def test_what_another_console_could_see_is_there_before_the_first_byte(two: Replicating) -> None:
    plan = await two.plan()
    seen: list[str] = []
    sent = two.journal.sent

    def watched(*arguments: object) -> None:
        seen.append(
            f"sent, and {two.get('vault', 'name')} has {len(two.vault_world.pools['vault'].datasets)}"
        )
        sent(*arguments)  # type: ignore[arg-type]

    two.journal.sent = watched  # type: ignore[method-assign]
    await two.run(plan)

    assert ["sent, and vault has 1"] == seen


# Faults. After each nothing is worse: what there was is there, and what came is kept to go on from.


async def goes_on(bench: Replicating, run: Run) -> None:
    """Failed, told how to go on; and it does."""
    assert RunState.FAILED is run.state, run
    assert has_token(bench)
    assert "resume-receive vault/home" in run.words
    again = await bench.plan("receive")
    assert ["partial"] == [each.rule for each in again.refusals]

    rest = await bench.do("resume-receive")

    assert RunState.DONE is rest.state, rest.words
    assert is_copied(bench)
    assert not has_token(bench)
    moved = rest.steps[0].moved
    assert moved is not None
    assert moved.bytes < (bench.size_mib - 2) * MIB


async def test_menus_are_told_whether_one_was_cut(bench: Replicating) -> None:
    async def told() -> tuple[str, ...]:
        means = await bench.operator.means(bench.target, "vault/home", (TOKEN,))
        return tuple(
            value for name, key, value, _ in means.properties if (name, key) == ("vault/home", TOKEN)
        )

    await bench.vault.connect()
    assert () == await told()
    await bench.interrupted(await bench.plan(), [lambda: bench.operator.stop(bench.published[-1].id)])
    assert (bench.get("vault/home", TOKEN),) == await told()
    await bench.do("resume-receive")

    assert ("-",) == await told()
    assert () == (await bench.operator.means(bench.target, "vault/home")).properties


async def test_the_link_to_the_receiver_is_cut(two: Replicating) -> None:
    run = await two.interrupted(await two.plan(), [two.practice(two.vault).cut_link])

    assert any(each.state is RunState.SETTLING for each in two.published)
    assert "it did not happen" in run.words
    await goes_on(two, run)


async def test_the_link_to_the_sender_is_cut(two: Replicating) -> None:
    run = await two.interrupted(await two.plan(), [two.practice(two.nas).cut_link])

    assert f"{NAS}: zfs send" in run.words
    await goes_on(two, run)


async def test_both_links_are_cut(two: Replicating) -> None:
    cuts = [two.practice(two.nas).cut_link, two.practice(two.vault).cut_link]

    await goes_on(two, await two.interrupted(await two.plan(), cuts))


async def test_the_link_to_the_only_host_is_cut() -> None:
    one = Replicating(is_one=True)

    await goes_on(one, await one.interrupted(await one.plan(), [one.practice(one.nas).cut_link]))


async def test_the_sender_breaks_off(bench: Replicating) -> None:
    """Its disks give no more: the stream is not whole."""
    bench.nas_world.breaks_streams_after = 9 * MIB
    run = await bench.do()
    bench.nas_world.breaks_streams_after = None

    assert "incomplete stream" in run.words
    await goes_on(bench, run)


async def test_the_user_stops_it(bench: Replicating) -> None:
    plan = await bench.plan()
    run = await bench.interrupted(plan, [lambda: bench.operator.stop(bench.published[-1].id)])

    assert "it was stopped" in run.words
    await goes_on(bench, run)


async def test_a_run_that_is_over_or_unknown_is_not_stopped(bench: Replicating) -> None:
    run = await bench.do()

    bench.operator.stop(run.id)
    bench.operator.stop("nosuch")

    assert RunState.DONE is bench.published[-1].state


async def test_the_receiver_runs_out_of_space(bench: Replicating) -> None:
    plan = await bench.plan()
    room = int(bench.get("vault", "available"))
    kept = f"zfs create -o reservation={room - 10 * MIB} vault/kept"
    run = await bench.interrupted(plan, [lambda: bench.type(kept, world=bench.vault_world)], after=2 * MIB)

    assert "out of space" in run.words
    assert has_token(bench)
    bench.type("zfs destroy vault/kept", world=bench.vault_world)
    await goes_on(bench, run)


async def test_the_snapshot_is_destroyed_after_the_plan(bench: Replicating) -> None:
    plan = await bench.plan()
    bench.type("zfs destroy tank/home@a")

    run = await bench.run(plan)

    assert RunState.STALE is run.state
    assert [] == bench.vault.changes


async def test_the_snapshot_of_a_cut_receive_is_gone(two: Replicating) -> None:
    """It can be given up, with what that loses told; the target is as it was then."""
    await two.interrupted(await two.plan(), [two.practice(two.nas).cut_link])
    await two.nas.connect()
    two.type("zfs destroy tank/home@a")

    assert ["gone"] == [each.rule for each in (await two.plan("resume-receive")).refusals]
    run = await two.do("abort-receive")

    assert RunState.DONE is run.state
    assert "" == two.get("vault/home", "name")


async def test_the_target_changed_after_the_plan(bench: Replicating) -> None:
    await bench.do()
    bench.type("zfs snapshot tank/home@b")
    plan = await bench.plan("receive", "vault/home", "tank/home@b")
    bench.fill(1, "vault/home", bench.vault_world)

    run = await bench.run(plan)

    assert RunState.STALE is run.state
    assert any("written to vault/home" in each for each in run.differences)


async def test_the_console_is_killed(bench: Replicating) -> None:
    """The next one finds in the journal what it was doing, and on the host that it is not done."""
    plan = await bench.plan()
    running = asyncio.create_task(bench.run(plan))
    await bench.flowing(running, 6 * MIB)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert ["sent"] == [each.steps[0].state for each in bench.journal.entries()]

    bench.vault_world.connection += 1  # its sshd is gone with it
    await bench.another().recover(bench.target, patience_s=75.0)

    (entry,) = bench.journal.entries()
    assert (RunState.FAILED, "failed") == (entry.state, entry.steps[0].state)
    assert has_token(bench)
    rest = await bench.do("resume-receive")
    assert RunState.DONE is rest.state


async def test_an_end_that_nobody_saw_is_settled_by_the_snapshot(two: Replicating) -> None:
    """All had come when the link went: it is done there."""
    two.vault.loses_ends = True

    run = await two.do()

    assert RunState.DONE is run.state, run
    assert "it happened" in run.steps[0].settled
    assert is_copied(two)


async def test_while_it_flows_others_may_act_on_the_host(bench: Replicating) -> None:
    plan = await bench.plan()
    running = asyncio.create_task(bench.run(plan))
    await bench.flowing(running, 2 * MIB)

    other = await bench.operator.prepare(bench.target, _snapshot_of("vault"))
    run = await bench.operator.execute(bench.target, other, "")

    assert RunState.DONE is run.state
    assert not running.done()
    assert RunState.DONE is (await running).state


async def test_it_is_not_taken_for_one_left_behind(bench: Replicating) -> None:
    plan = await bench.plan()
    running = asyncio.create_task(bench.run(plan))
    await bench.flowing(running, 2 * MIB)

    await bench.operator.recover(bench.target)

    assert RunState.DONE is (await running).state
    (entry,) = bench.journal.entries()
    assert RunState.DONE is entry.state


async def test_two_consoles_at_once_cannot_both_receive(bench: Replicating) -> None:
    other = bench.another()
    plans = await bench.plan(), await bench.plan(operator=other)

    runs = await asyncio.gather(bench.run(plans[0]), bench.run(plans[1], other))

    states = sorted(run.state.value for run in runs)
    assert "done" in states
    assert ["done", "done"] != states
    assert is_copied(bench)


# Who may


async def test_a_host_that_is_read_only_receives_nothing() -> None:
    config = Config(hosts=(HostConfig("vault1", address="vault1", is_read_only=True),))
    bench = Replicating(config=config)

    plan = await bench.plan()

    assert ["read-only"] == [each.rule for each in plan.refusals]
    assert RunState.REFUSED is (await bench.run(plan)).state


async def test_a_sender_that_is_read_only_may_send() -> None:
    """Nothing of it is changed."""
    config = Config(hosts=(HostConfig(NAS, address=NAS, is_production=True),))
    bench = Replicating(config=config)

    assert RunState.DONE is (await bench.do()).state


async def test_protected_names_keep_a_first_receive_from_being_given_up(two: Replicating) -> None:
    await two.interrupted(await two.plan(), [two.practice(two.nas).cut_link])
    two.policies.config = Config(protected=("vault/*",))

    plan = await two.plan("abort-receive")

    assert ["protected"] == [each.rule for each in plan.refusals]


async def test_a_host_that_is_none_of_ours_is_said_so(two: Replicating) -> None:
    plan = await two.plan("receive", **{"from": "nas9"})

    assert ["unread"] == [each.rule for each in plan.refusals]
    assert "nas9 is none of our hosts here" in plan.refusals[0].reason


async def test_another_machine_that_answers_as_the_sender_sends_nothing(two: Replicating) -> None:
    plan = await two.plan()
    two.nas_world.machine_id = "0" * 32

    run = await two.run(plan)

    assert RunState.STALE is run.state
    assert any("machine-id of nas1" in each for each in run.differences)


async def test_a_sender_sends_by_sudo_with_its_own_password(two: Replicating) -> None:
    """The password goes to sudo's stdin on that host and nowhere else."""
    two.nas_world.user_id = 1000
    ann = ended(Command(("id",)), 0, b"uid=1000(ann) gid=1000(ann) groups=1000(ann)\n", b"")
    two.nas.answers["id"] = ann
    two.nas.answers["sudo -n -l -l"] = ended(Command(("sudo",)), 0, b"    Options: authenticate\n", b"")
    plan = await two.plan()
    assert (f"{SUDO_SECRET} on {NAS}",) == plan.secrets
    sender = plan.steps[0].sender
    assert sender is not None
    assert PrivilegeMode.SUDO_PASSWORD is sender.privilege_mode

    run = await two.run(plan, secrets={f"{SUDO_SECRET} on {NAS}": Secret("tr0ub4dor")})

    sent = [each for each in two.nas.commands if "-S" in each.argv]
    assert [("sudo", "-k", "-S", "-p", "", "zfs", "send", "-L", "-e", "-c", "tank/home@a")] == [
        each.argv for each in sent
    ]
    assert b"tr0ub4dor\n" == sent[0].stdin
    assert RunState.FAILED is run.state  # the practice host has no sudo
    assert "tr0ub4dor" not in f"{run}{two.journal.entries()}"
    assert "" == two.get("vault/home", "name")


async def test_a_sender_that_sends_nothing_starts_no_receive(two: Replicating) -> None:
    plan = await two.plan()
    two.nas_world.breaks_streams_after = 10

    run = await two.run(plan)

    assert RunState.FAILED is run.state
    assert "nothing was sent" in run.words
    assert [] == [each for each in two.vault.changes if "receive" in each]


def _snapshot_of(name: str) -> Intent:
    return intent("snapshot", f"{name}@now")


# Syncoid, where it is installed


async def test_syncoid_brings_every_snapshot_and_its_words_are_told() -> None:
    one = Replicating(is_one=True)
    one.fill(1)
    one.type("zfs snapshot tank/home@b")

    first = await one.do("syncoid", "vault/home", "tank/home")
    one.type("zfs snapshot tank/home@c")
    then = await one.do("syncoid", "vault/home", "tank/home")

    assert (RunState.DONE, RunState.DONE) == (first.state, then.state), (first.words, then.words)
    assert all(is_copied(one, name) for name in ("a", "b", "c"))
    assert "INFO: Sending oldest full snapshot tank/home@a" in first.steps[0].said
    assert "Sending incremental tank/home@b" in then.steps[0].said
    assert "on" == one.get("vault/home", "readonly")


async def test_what_syncoid_counts_is_told_and_not_shown_as_its_words() -> None:
    one = Replicating(is_one=True)
    one.fill(1)
    one.type("zfs snapshot tank/home@b")

    run = await one.do("syncoid", "vault/home", "tank/home")

    moved = run.steps[0].moved
    assert moved is not None
    assert MIB < moved.bytes
    assert [] == [line for line in run.steps[0].said.splitlines() if line.strip().isdigit()]


async def test_where_syncoid_is_not_installed_the_plan_says_so() -> None:
    one = Replicating(is_one=True)
    one.practice(one.nas).faults.missing.add("syncoid")

    plan = await one.plan("syncoid", "vault/home", "tank/home")

    assert ["no-syncoid"] == [each.rule for each in plan.refusals]


async def test_syncoid_that_fails_says_why() -> None:
    one = Replicating(is_one=True)
    plan = await one.plan("syncoid", "vault/home", "tank/home")
    one.nas_world.breaks_streams_after = MIB

    run = await one.run(plan)

    assert RunState.FAILED is run.state
    assert "incomplete stream" in run.words
    assert "zconsole plan resume-receive vault/home resumes it" in run.words
    one.nas_world.breaks_streams_after = None
    assert RunState.DONE is (await one.do("resume-receive")).state


def half_of_it_came(bench: Replicating) -> None:
    """What a syncoid that is killed midway leaves behind."""
    sending = answer(bench.nas_world, ["zfs", "send", "tank/home@a"])
    taking = answer(bench.vault_world, ["zfs", "receive", "-s", "-u", "vault/home"])
    assert isinstance(sending, Sending)
    assert isinstance(taking, Taking)
    for chunk in islice(sending.chunks, 40):
        taking.feed(chunk)
    taking.end()


async def test_syncoid_is_stopped_and_what_has_come_is_gone_on_with() -> None:
    """It and all that it started are killed; what is there then the host tells."""
    one = Replicating(is_one=True)
    plan = await one.plan("syncoid", "vault/home", "tank/home")
    one.nas.goes_on = Goes(lambda: half_of_it_came(one))

    running = asyncio.create_task(one.run(plan))
    await one.nas.goes_on.began.wait()
    assert one.published[-1].steps[0].can_stop
    one.operator.stop(one.published[-1].id)
    run = await running

    assert RunState.FAILED is run.state
    assert run.words.startswith("it was stopped; it did not happen")
    assert "zconsole plan resume-receive vault/home resumes it, " in run.words
    assert "zconsole plan abort-receive vault/home discards it" in run.words
    one.nas.goes_on = None
    assert RunState.DONE is (await one.do("resume-receive")).state


async def test_syncoid_that_had_brought_all_when_it_was_stopped_is_done() -> None:
    one = Replicating(is_one=True)
    plan = await one.plan("syncoid", "vault/home", "tank/home")
    one.nas.goes_on = Goes(lambda: one.type("syncoid --no-sync-snap --no-rollback tank/home vault/home"))

    running = asyncio.create_task(one.run(plan))
    await one.nas.goes_on.began.wait()
    one.operator.stop(one.published[-1].id)

    assert RunState.DONE is (await running).state
    assert is_copied(one)


async def test_what_became_root_by_sudo_is_out_of_reach() -> None:
    """A signal of this user does not end it."""
    one = Replicating(is_one=True)
    (step,) = (await one.plan("syncoid", "vault/home", "tank/home")).steps
    (fed,) = (await one.plan()).steps
    (scrub,) = (await one.plan("scrub", "vault")).steps

    assert can_stop(step, Command(step.argv))
    assert not can_stop(step, Command(("sudo", "-n", *step.argv)))
    assert can_stop(fed, Command(("sudo", "-n", *fed.argv)))
    assert not can_stop(scrub, Command(scrub.argv))


async def test_what_does_not_die_is_said_to_go_on() -> None:
    one = Replicating(is_one=True)
    plan = await one.plan("syncoid", "vault/home", "tank/home")
    one.nas.goes_on = Goes(lambda: None, can_be_killed=False)
    words = "".join(f"/proc/{SESSION}/cmdline:{word}\0" for word in ("perl", *plan.steps[0].argv))
    listed = f"/proc/{SESSION}/stat:{stat(SESSION, 'perl')}\0{words}"
    one.nas.answers["sh -c exec grep"] = ended(Command(()), 0, listed.encode(), b"")

    running = asyncio.create_task(one.run(plan))
    await one.nas.goes_on.began.wait()
    one.operator.stop(one.published[-1].id)
    run = await running

    assert RunState.UNKNOWN is run.state
    assert run.words.startswith("it was stopped on request; ")
    assert "still running there, as process 5151" in run.words


async def test_a_link_that_is_cut_under_syncoid_is_settled_by_the_snapshot() -> None:
    one = Replicating(is_one=True)
    one.vault.loses_ends = True

    run = await one.do("syncoid", "vault/home", "tank/home")

    assert RunState.DONE is run.state, run.words
    assert "it happened" in run.steps[0].settled


def test_the_last_lines_are_those_that_are_seen() -> None:
    """A bar that goes back to the beginning of its line shows its newest state."""
    bar = b" 1.00MiB 0:00:01 [1.0MiB/s] [>  ]  4%\r 9.00MiB 0:00:02 [8.0MiB/s] [==>]  40%\r"

    assert ["INFO: Sending", "1.00MiB 0:00:01 [1.0MiB/s] [>  ]  4%"] == last_lines(
        b"INFO: Sending\n", bar
    ).splitlines()[:2]
    assert "40%" in last_lines(b"INFO: Sending\n", bar)
