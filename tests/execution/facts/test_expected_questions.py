"""Questions that a plan of datasets will probably ask, from what the screens have listed."""

from __future__ import annotations

from zconsole.actions.intent import intent
from zconsole.execution.facts.expected_questions import expected_questions
from zconsole.execution.facts.recently_read_host import KnownHost
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.connected_machine_and_user import User
from zconsole.model.host.host_state import PoolState, Reading
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import SUSPENDED, Pool

LISTED = (
    Dataset("tank", "filesystem"),
    Dataset("tank/a", "filesystem"),
    Dataset("tank/a@1", "snapshot"),
    Dataset("tank/a@2", "snapshot"),
    Dataset("tank/b", "filesystem"),
    Dataset("tank/b/c", "filesystem"),
    Dataset("tank/b@1", "snapshot"),
    Dataset("tank/clone", "filesystem", origin="tank/b@1"),
)


def asked(
    *words: str,
    state: str = "ONLINE",
    user: int = 0,
    listed: tuple[Dataset, ...] | None = LISTED,
    **options: bool,
) -> list[str]:
    known = KnownHost(
        MachineIdentity("host"), User("ann", user), ZfsVersion("zfs-2.4.0"), ("tank",), (Pool("tank", state),)
    )
    pool = PoolState("tank", datasets=Reading(listed, 1.0))
    found = expected_questions(intent(*words, options=options), known, pool)
    assert {"tank"} == {each.pool for each in found} or not found
    return [" ".join(each.command.argv) for each in found]


def listing(questions: list[str]) -> str:
    (found,) = (each for each in questions if "-o name,guid,createtxg" in each)
    return found.partition(" -- ")[2]


def test_a_snapshot_its_neighbours_those_that_may_be_copies_and_the_dry_run() -> None:
    found = asked("destroy", "tank/a@1")

    assert "tank/a tank tank/b tank/b/c tank/clone" == listing(found)
    assert 1 == sum(each.endswith("-- tank/a@1") for each in found)
    assert "zfs destroy -nvp tank/a@1" == found[-1]


def test_a_file_system_with_all_that_stands_on_it() -> None:
    found = asked("destroy", "tank/b")

    assert found[0].endswith("-d 1 -- tank/b tank/b/c tank/clone")
    assert "tank tank/a" == listing(found)
    assert "zfs destroy -nvp tank/b" == found[-1]


def test_a_dry_run_is_expected_as_the_plan_will_ask_for_it_or_not_at_all() -> None:
    assert "zfs destroy -nvp tank/a@1,2" == asked("destroy", "tank/a@1", "tank/a@2")[-1]
    for words in (("destroy", "tank/a@1%2"), ("rollback", "tank/a@1")):
        assert not any("-nvp" in each for each in asked(*words)), words
    assert not any("-nvp" in each for each in asked("destroy", "tank/b", recursive=True))
    assert not any("-nvp" in each for each in asked("destroy", "tank/a@1", user=1000)), "sudo may be needed"


def test_a_pool_that_hangs_or_was_not_listed_is_asked_nothing() -> None:
    assert [] == asked("destroy", "tank/a@1", state=SUSPENDED)
    assert [] == asked("destroy", "tank/a@1", listed=None)


def test_a_pool_with_many_snapshots_is_not_looked_through_at_once() -> None:
    many = tuple(Dataset(f"tank/b@{number}", "snapshot") for number in range(30_000))

    assert "tank/a" == listing(asked("destroy", "tank/a@1", listed=(*LISTED[:6], *many)))
