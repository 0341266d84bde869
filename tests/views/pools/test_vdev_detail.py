"""The details of a selected vdev: where it is, its state and errors; of a pool, what there is to report."""

from __future__ import annotations

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import slow_disk, trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools.pool_page import ROOT, ShownPool, subject
from zconsole.views.pools.vdev_detail import FILES_SHOWN, notes
from zconsole.views.pools.vdev_rows import VdevRow

BAD = leaf(1, "FAULTED", note="too many errors", write_errors=Count(486), slow_ios=Count(7))


def shown(state: HostState) -> ShownPool:
    """The pool on the screen."""
    found = subject(
        View((HostView(state, findings(state, NOW, Thresholds())),), NOW, 0.0), state.host, "tank"
    )
    assert found is not None
    return found


def of_vdev(state: HostState, name: str) -> list[str]:
    """What is said of a vdev."""
    about = shown(state)
    key = next(each.key for each in about.order if isinstance(each, VdevRow) and each.vdev.name == name)
    return [plain(each) for each in notes(about, key)]


def of_pool(state: HostState) -> list[str]:
    """What is said of the pool."""
    return [plain(each) for each in notes(shown(state), ROOT)]


def test_a_device_is_told_with_its_disk_and_where_it_is() -> None:
    head, *_ = of_vdev(trouble_at(group("mirror-0", leaf(0), leaf(1))), leaf(1).name)

    assert head.startswith(leaf(1).name)
    assert "3.64 TiB" in head
    assert "0:0:1:0" in head
    assert 1 == head.count("SER0001")


def test_a_device_in_trouble_is_told_with_its_errors() -> None:
    lines = of_vdev(trouble_at(group("mirror-0", leaf(0), BAD)), BAD.name)

    assert "FAULTED · too many errors · errors: 486 write · 7 slow I/Os" in lines
    assert 2 < len(lines)


def test_a_group_is_told_with_its_number_of_devices() -> None:
    head, condition, *_ = of_vdev(trouble_at(group("mirror-0", leaf(0), leaf(1))), "mirror-0")

    assert "mirror-0 · mirror of 2" == head
    assert "ONLINE" == condition


def test_a_slow_disk_is_told_with_its_ratio_and_the_keys() -> None:
    state = trouble_at(group("mirror-0", leaf(0), leaf(1)), slow=[slow_disk(1, "mirror-0")])

    words = "\n".join(of_vdev(state, leaf(1).name))

    assert "5.4x" in words
    assert "w why  R replace" in words
    assert "w why" not in "\n".join(of_vdev(state, leaf(0).name))


def test_of_a_sound_pool_nothing_is_reported() -> None:
    assert ["tank is ONLINE; nothing to report."] == of_pool(trouble_at(group("mirror-0", leaf(0), leaf(1))))


def test_of_a_pool_in_trouble_zfs_has_a_word_and_damaged_files_are_bounded() -> None:
    files = tuple(f"/tank/file{at}" for at in range(FILES_SHOWN + 5))
    lines = of_pool(
        trouble_at(
            group("mirror-0", leaf(0), BAD), status="One device faulted.", action="Replace it.",
            error_count=len(files), error_files=files,
        )
    )  # fmt: skip

    assert "ZFS says: One device faulted." in lines
    assert "and advises: Replace it." in lines
    assert FILES_SHOWN == sum(1 for each in lines if each.startswith("damaged: "))
    assert not any("nothing to report" in each for each in lines)


def test_without_a_selected_row_nothing_is_told() -> None:
    about = shown(trouble_at(group("mirror-0", leaf(0), leaf(1))))

    assert () == notes(about, None)
    assert () == notes(about, "no such row")
    assert () == notes(None, ROOT)
