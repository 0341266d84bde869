"""What a destruction loses, in the words of a plan."""

from __future__ import annotations

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import GIB, filesystem, host, images, pool, volume
from zconsole.actions.checks.destroy_impact import add_losses, add_reserved_space
from zconsole.actions.plan import Dependent, Risk
from zconsole.analysis.dependencies.affected_objects import Closure, build_graph

HUNG = build_graph(images())
CLONED = Closure(("tank/images@gold",), clones=("tank/vm1",), elsewhere=("tank/vm1",))


def test_a_clone_that_is_alive_makes_it_catastrophic_and_is_named() -> None:
    made = draft(Risk.DESTRUCTIVE)
    made.destroys = ["tank/images@gold", "tank/vm1"]

    add_losses(made, HUNG, CLONED, host(images()))

    assert Risk.CATASTROPHIC is made.risk
    assert [Dependent("clone", "tank/vm1", "of tank/images@gold")] == made.dependents
    assert ["tank/vm1"] == made.live
    assert ["ZFS's own dry run leaves the clones out; this list has them"] == made.notes


def test_what_is_hidden_by_a_receive_or_stands_on_itself_is_refused() -> None:
    made = draft()

    add_losses(made, HUNG, Closure(("tank/vm1",), unlisted=("tank/%recv",), cycle="tank/vm1"), host(images()))

    assert ["receiving", "cycle"] == rules(made)
    assert made.frees_bytes is None


def test_with_a_checkpoint_nothing_comes_free_and_the_pool_can_go_back() -> None:
    made = draft()
    facts = host(images(), pools=(pool(checkpoint_created=1),))

    add_losses(made, HUNG, Closure(("tank/home@daily-1",)), facts)

    assert ["no space is freed before the checkpoint of tank is discarded"] == made.notes
    assert (made.undo or "").startswith("zpool import --rewind-to-checkpoint tank")


def test_what_was_only_kept_free_is_told() -> None:
    reserved, bare = draft(), draft()
    graph = build_graph((filesystem("tank"), volume("tank/v", used_by_refreservation_bytes=GIB)))

    add_reserved_space(reserved, graph, "tank/v")
    add_reserved_space(bare, graph, "tank")

    assert ["its refreservation of 1.00 GiB, which is not written, comes free besides"] == reserved.notes
    assert [] == bare.notes
