"""What holds for every plan on a pool, whatever its state and whatever the words."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.actions.pool.shelf import mirror, pools, tank
from tests.doubles.plan_worlds import host
from zconsole.actions.action_spec import ActionSpec
from zconsole.actions.intent import Intent, intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Risk
from zconsole.actions.pool import checkpoint, clear, export, import_pool, scrub, upgrade
from zconsole.actions.vdev import initialize_trim, offline, online
from zconsole.base.errors import UsageError
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.model.pools.pool import ImportablePool, Pool

FORCED = {("import", "force"), ("offline", "fault")}  # what asks for -f
MODULES = (initialize_trim, checkpoint, clear, export, import_pool, offline, online, scrub, upgrade)
SPECS: tuple[ActionSpec, ...] = tuple(known for module in MODULES for known in module.SPECS)


@st.composite
def intents(draw: st.DrawFn, pool: Pool) -> Intent:
    """Words that name what is there, and some that do not."""
    known = draw(st.sampled_from(SPECS))
    leaves = [each for each in pool.walk() if each.is_leaf]
    words = st.sampled_from(
        [*(str(each.guid) for each in leaves), *(each.name for each in pool.walk()), "sda"]
    )
    arguments = draw(st.lists(words, max_size=2)) if known.arguments else []
    options = {
        option.name: True if option.kind == "flag" else "vault2"
        for option in known.options
        if draw(st.booleans())
    }
    return intent(known.id, "vault" if known.id == "import" else "tank", *arguments, options=options)


@given(data=st.data(), pool=pools(), in_use=st.booleans(), suspended=st.booleans())
def test_no_plan_forces_guesses_or_takes_the_last_copy(
    data: st.DataObject, pool: Pool, *, in_use: bool, suspended: bool
) -> None:
    if suspended:
        pool = replace(pool, state="SUSPENDED")
    wanted = data.draw(intents(pool))
    facts = host(
        pools=(pool,),
        importable=(ImportablePool("vault", 42, "ONLINE", vdevs=pool.vdevs),),
        uses=(OutsideUse("tank", "process", "bash[1]"),) if in_use else (),
        properties=(("tank", "feature@longname", "disabled", "-"),),
        kernel_pools=frozenset(),
    )

    try:
        made = plan(wanted, facts)
    except UsageError:
        return

    guids = {str(each.guid): each for each in pool.walk()}
    (step,) = made.steps
    flags = {option for option, _ in wanted.options}
    assert "zpool" == step.argv[0]
    assert ("-f" in step.argv) == any((wanted.action, flag) in FORCED for flag in flags)
    if wanted.arguments and wanted.action != "clear":
        named = step.argv[step.argv.index("tank") + 1 :]
        assert named
        assert all(guids[word].is_leaf for word in named)
    assert (Risk.REFUSED is made.risk) == bool(made.refusals)
    assert made.is_refused == (made.confirm is None and made.risk is not Risk.ROUTINE)
    if made.is_refused:
        return
    assert step.settled_by
    assert wanted.action != "export" or not in_use
    assert not suspended or wanted.action in {"clear", "import"}
    if made.after is not None:
        worse = [change for change in made.redundancy if change.after is not None and change.after < 0]
        assert all(change.before is None or change.before < 0 for change in worse)


@given(pool=pools())
def test_the_same_in_gives_the_same_out(pool: Pool) -> None:
    facts = host(pools=(pool,))

    first, second = (plan(intent("scrub", "tank"), facts) for _ in range(2))

    assert first == second
    assert first.fingerprint == second.fingerprint


@pytest.mark.parametrize("known", [known for known in SPECS if known.id not in {"import", "export"}])
def test_a_pool_that_was_imported_read_only_takes_no_change(known: ActionSpec) -> None:
    words = ["mirror-0-b"] if any(not each.is_optional for each in known.arguments) else []
    facts = host(pools=(tank(mirror("ONLINE", "OFFLINE")),), read_only_pools=frozenset({"tank"}))

    made = plan(intent(known.id, "tank", *words), facts)

    assert "pool-read-only" in {refusal.rule for refusal in made.refusals}
