"""Disks of guests: told on the pool that takes their writes, each guest by itself."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW
from tests.analysis.findings.guest_disk_cases import of_guests, on_disk, without_sync
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState
from zconsole.views.findings.by_id.what_to_do import what_to_do


def judged(state: HostState) -> tuple[Finding, ...]:
    return findings(state, NOW, Thresholds())


def test_a_finding_is_on_the_pool_and_names_guest_disks_and_places() -> None:
    (found,) = judged(on_disk(on_volume("tank/v", cache="unsafe")))

    assert "tank web01" == found.subject
    assert ("tank", "web01", ("vda",), ("tank/v",)) == tuple(
        found.evidence[each] for each in ("pool", "guest", "disks", "places")
    )
    assert what_to_do(found).startswith("virsh edit web01: set the cache")


def test_disks_of_one_guest_are_one_finding_and_two_guests_are_two() -> None:
    disks = on_files("tank/vm", cache="unsafe"), on_files("tank/b", target="vdb", cache="unsafe")

    found = judged(of_guests(guest_on("a", *disks), guest_on("b", on_files("tank/c", cache="unsafe"))))

    assert [("tank a", ("vda", "vdb")), ("tank b", ("vda",))] == [
        (each.subject, each.evidence["disks"]) for each in found
    ]


def test_two_guests_of_one_name_are_told_apart_by_their_libvirt() -> None:
    def with_uri(uri: str) -> Guest:
        made = guest_on("a", on_files("tank/vm", cache="unsafe"))
        return replace(made, definition=replace(made.definition, uri=uri, uuid=uri))

    found = judged(of_guests(with_uri("qemu:///system"), with_uri("qemu:///session")))
    subjects = [each.subject for each in found if each.id == "guest-cache-unsafe"]

    assert ["tank a of qemu:///system", "tank a of qemu:///session"] == subjects


def test_guests_are_told_where_sync_is_disabled_and_only_there() -> None:
    (above,), (beside,) = judged(without_sync("tank/vm/a")), judged(without_sync("tank/home"))

    assert (("web01",), ()) == (above.evidence["guests"], beside.evidence["guests"])
