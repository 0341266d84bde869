"""What is said of each group without advice: clean, not on this host, or not judged and why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host, wholly_read
from zconsole.model.host.host_state import NO_LIBVIRT, HostState, Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.views.findings.advice import AdviceGroup
from zconsole.views.findings.not_judged.judged_groups import group_in_words, group_on_hosts

READ = replace(wholly_read(host()), inventory=Reading(Inventory(), 0.0), guests=Reading((), 0.0))
CLEAN = {
    AdviceGroup.STRUCTURE: "nothing to advise on 1 pool",
    AdviceGroup.SETTINGS: "nothing to advise on 1 pool",
    AdviceGroup.CARE: "nothing to advise on 1 pool",
    AdviceGroup.GUESTS: "nothing to advise on 0 guests",
    AdviceGroup.HOST: "nothing to advise",
}


def unsettled(problem: str = "") -> HostState:
    (only,) = READ.pools
    return replace(READ, pools=(replace(only, settings=Reading(problem=problem)),))


@pytest.mark.parametrize("group", AdviceGroup)
def test_a_group_that_was_judged_and_is_clean_says_so(group: AdviceGroup) -> None:
    assert (CLEAN[group], "ok") == group_in_words(group, READ)


@pytest.mark.parametrize(
    ("group", "state", "words"),
    [
        (AdviceGroup.STRUCTURE, replace(READ, inventory=Reading()), "the disks are not read"),
        (
            AdviceGroup.STRUCTURE,
            replace(READ, pools_problem="zpool: not found"),
            "the list of pools is not read (zpool: not found)",
        ),
        (AdviceGroup.SETTINGS, unsettled(), "the settings of tank are not read"),
        (AdviceGroup.CARE, unsettled(), "the settings of tank are not read"),
        (
            AdviceGroup.SETTINGS,
            replace(READ, pools=(replace(READ.pools[0], kstat_state="SUSPENDED"),)),
            "tank is suspended",
        ),
        (
            AdviceGroup.GUESTS,
            replace(READ, guests=Reading(problem="libvirt does not answer within 5 s")),
            "not all guests are read (libvirt does not answer within 5 s)",
        ),
        (
            AdviceGroup.GUESTS,
            replace(READ, guests=Reading((), 0.0, "qemu:///session: refused")),
            "not all guests are read (qemu:///session: refused)",
        ),
        (
            AdviceGroup.HOST,
            replace(READ, settings=Reading(problem="sh: not found")),
            "the settings of the host are not read (sh: not found)",
        ),
    ],
)
def test_what_could_not_be_judged_says_why(group: AdviceGroup, state: HostState, words: str) -> None:
    told, style = group_in_words(group, state)

    assert f"not judged, because {words}" == told
    assert "warn" == style


def test_a_host_without_libvirt_has_no_guests_to_judge() -> None:
    state = replace(READ, guests=Reading(problem=NO_LIBVIRT))

    assert ("no libvirt on this host", "dim") == group_in_words(AdviceGroup.GUESTS, state)


def test_of_several_hosts_those_are_named_that_were_not_judged() -> None:
    unread = replace(READ, host="nas2", settings=Reading())

    assert ("nothing to advise on 2 hosts", "ok") == group_on_hosts(AdviceGroup.HOST, [READ, READ])
    assert (
        "not judged, because the settings of the host are not read on nas2", "warn",
    ) == group_on_hosts(AdviceGroup.HOST, [READ, unread])  # fmt: skip
