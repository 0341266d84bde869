"""State and counters of all guests as `virsh domstats` prints them."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import PAUSED_BY_IO_ERROR, GuestDiskCounters, GuestState
from zconsole.system.libvirt.domain_stats import parse_domain_stats

OFF = (CAPTURES / "libvirt" / "9.0" / "domstats_off.txt").read_text()
PAUSED = """\
Domain: 'db 02'
  state.state=3
  state.reason=5
  block.count=2
  block.0.name=vda
  block.0.path=/tank/vms/db02.qcow2
  block.0.backingIndex=1
  block.0.rd.reqs=10
  block.0.rd.bytes=512
  block.0.rd.times=1000
  block.0.wr.reqs=20
  block.0.wr.bytes=4096
  block.0.wr.times=3000
  block.0.fl.reqs=2
  block.0.fl.times=9
  block.0.allocation=65536
  block.0.capacity=268435456
  block.0.physical=131072
  block.1.name=sda

"""


TOO_MANY = "Domain: 'a'\n  block.count=99999999999999999999\n"


def test_real_guests_that_are_off_have_sizes() -> None:
    db, web = sorted(parse_domain_stats(OFF), key=lambda guest: guest.name)

    assert ("db02", GuestState.SHUT_OFF) == (db.name, db.state)
    assert ("web01", GuestState.SHUT_OFF, False) == (web.name, web.state, web.state.is_active)
    assert ["vda", "vdb", "sda"] == [disk.target for disk in web.disks]
    assert (1 << 30, None) == (web.disks[0].capacity_bytes, web.disks[0].reads)


def test_a_guest_paused_by_an_error_has_its_reason_and_counters() -> None:
    (found,) = parse_domain_stats(PAUSED)

    assert ("db 02", GuestState.PAUSED, PAUSED_BY_IO_ERROR) == (found.name, found.state, found.reason)
    assert found.state.is_active
    assert (
        GuestDiskCounters(
            "vda", "/tank/vms/db02.qcow2", 1, 65536, 268435456, 131072, 10, 512, 1000, 20, 4096, 3000, 2, 9
        ),
        GuestDiskCounters("sda"),
    ) == found.disks


def test_a_state_that_no_libvirt_of_today_has_is_unknown() -> None:
    (found,) = parse_domain_stats("Domain: 'a'\n  state.state=99\n")

    assert (GuestState.UNKNOWN, ()) == (found.state, found.disks)


@pytest.mark.parametrize(
    "text", ["error: failed\n", "  state.state=1\n", "Domain: 'a'\nstate=1\n", PAUSED[:-20], TOO_MANY]
)
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_domain_stats(text)
