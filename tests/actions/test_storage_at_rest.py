"""What is looked at right before a step that relies on a guest and its storage: one table of host states."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.plan_worlds import MIB, filesystem, host
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.model.datasets.snapshot_contents import FileLookup, FileState, FileType
from zconsole.model.guests.guest import GuestState
from zconsole.model.guests.stored_definition import StoredDefinition
from zconsole.model.host.plan_facts import PlanFacts

UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"
IMAGE = "/tank/web01/disk.qcow2"
SENT = "tank/web01@zconsole-move-3-off"
TAKEN = 1_700_000_000  # epoch seconds
REST = StorageAtRest(UUID, "web01", SENT, (IMAGE,), (("vda", IMAGE),))


def facts(
    *,
    state: GuestState | None = GuestState.SHUT_OFF,
    written: str = "0",
    path: str = IMAGE,
    modified: int | None = None,
) -> PlanFacts:
    """A host with the guest's image, which was modified then."""
    xml = f"<domain><devices><disk><source file='{path}'/><target dev='vda'/></disk></devices></domain>"
    file = FileState(IMAGE, FileType.FILE, 1, 2, MIB, (modified or 0) * 10**9 + 999)
    return host(
        [filesystem("tank/web01")],
        guest_states=() if state is None else ((UUID, state),),
        stored=(StoredDefinition(UUID, xml),),
        properties=(("tank/web01", f"written@{SENT}", written, "-"), (SENT, "creation", str(TAKEN), "-")),
        files=FileLookup(asked=frozenset({IMAGE}), found=() if modified is None else (file,)),
    )


@pytest.mark.parametrize(
    ("seen", "why"),
    [
        (facts(), ""),
        (facts(written="4096", modified=TAKEN), ""),  # somebody else's file, or the time of a last reading
        (facts(written="4096", modified=TAKEN + 1), "4.00 KiB was written to tank/web01 since"),
        (facts(written="4096"), "4.00 KiB was written to tank/web01 since"),
        (facts(written="-"), "could not be read"),
        (facts(state=GuestState.RUNNING), "web01 is running, and not shut off"),
        (facts(state=GuestState.PAUSED), "web01 is paused"),
        (facts(state=None), "whether web01 is shut off could not be read"),
        (facts(path="/tank/other"), f"vda of web01 is defined at /tank/other, not at {IMAGE}"),
        (replace(facts(), stored=()), "does not tell the stored definition of web01 any more"),
        (replace(facts(), stored=(StoredDefinition(UUID, ""),)), "does not tell the stored definition"),
        (replace(facts(), stored=(StoredDefinition(UUID, "<domain"),)), "cannot be read"),
    ],
)
def test_a_guest_is_at_rest_only_where_all_of_it_is_read_and_so(seen: PlanFacts, why: str) -> None:
    found = REST.why_not(seen)

    assert bool(why) is bool(found)
    assert why in found


def test_of_a_volume_every_byte_counts() -> None:
    assert "4.00 KiB was written" in replace(REST, images=()).why_not(facts(written="4096", modified=TAKEN))


def test_without_a_snapshot_only_the_guest_counts() -> None:
    rest = StorageAtRest(UUID, "web01")

    assert ((), "") == (rest.properties, rest.why_not(facts(written="4096", path="/tank/other")))
    assert "running" in rest.why_not(facts(state=GuestState.RUNNING))


def test_a_disk_that_a_step_defined_elsewhere_is_expected_there() -> None:
    assert "" == REST.with_disk("vda", "/vault/x").why_not(facts(path="/vault/x"))
    assert "not at /vault/x" in REST.with_disk("vda", "/vault/x").why_not(facts())
