"""The old disk after its replacement: its label, what it holds, where it goes."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import mine, ran, trouble_at
from tests.doubles.shelves import blank, leaf, link, serial, used
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.pools.pool import Scan
from zconsole.model.repair import RepairStep

SOUND = group("mirror-0", leaf(0), leaf(1))
ENDED = Scan("resilver", "finished", start=int(NOW) - 7200, end=int(NOW) - 600, errors=0)


def after(state: HostState, *entries: Entry) -> RepairStep:
    (repair,) = repairs(state, entries, NOW)
    assert repair.current is not None
    return repair.current


def replaced(number: int) -> Entry:
    run = ran("replace", leaf(number).name, leaf(1).name, minutes_ago=100)
    return replace(run, target=serial(number), steps=(StepEntry(("zpool", "replace", "tank")),))


def encrypted(state: HostState, *modes: str | None) -> HostState:
    found = tuple(Dataset(f"tank/{at}", "filesystem", at, encryption=mode) for at, mode in enumerate(modes))
    (of,) = state.pools
    return replace(state, pools=(replace(of, datasets=Reading(found, 0.0)),))


def cleared(step: RepairStep) -> list[str]:
    return [each.target for each in step.offers if each.action == "labelclear"]


def test_an_old_disk_with_the_label_of_the_pool_is_offered_for_clearing() -> None:
    step = after(trouble_at(SOUND, scan=ENDED, disks=[mine(7)]))

    assert [link(7)] == cleared(step)
    assert any(f"{serial(7)} still has the label of tank, and its data" in each for each in step.found)


def test_a_label_of_another_pool_is_none_of_its_business() -> None:
    assert [] == cleared(after(trouble_at(SOUND, scan=ENDED, disks=[used(7, "bulk")])))


def test_an_old_disk_that_was_pulled_keeps_its_label_and_that_is_said() -> None:
    step = after(trouble_at(SOUND, scan=ENDED), replaced(7))

    assert [] == cleared(step)
    assert any(f"{serial(7)} is not in the host, and still has its ZFS label" in each for each in step.found)


def test_an_old_disk_without_a_label_still_has_its_data() -> None:
    step = after(trouble_at(SOUND, scan=ENDED, disks=[blank(7)]), replaced(7))

    assert [] == cleared(step)
    assert any("has no ZFS label any more, but still its data" in each for each in step.found)


def test_how_to_dispose_of_it_depends_on_the_encryption_of_all_datasets() -> None:
    state = trouble_at(SOUND, scan=ENDED, disks=[mine(7)])

    assert "is encrypted is not known" in " ".join(after(state).found)
    assert "is not encrypted" in " ".join(after(encrypted(state, "aes-256-gcm", "off")).found)
    assert "every dataset of tank is encrypted" in " ".join(after(encrypted(state, "aes-256-gcm")).found)


def test_without_an_old_disk_nothing_is_said_of_one() -> None:
    assert not any("old disk" in each for each in after(trouble_at(SOUND, scan=ENDED)).found)
