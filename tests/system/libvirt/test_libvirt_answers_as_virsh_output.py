"""What is kept of libvirt-python's answers reads as virsh's do."""

from __future__ import annotations

from typing import Any

from zconsole.system.libvirt.disk_errors import parse_disk_errors
from zconsole.system.libvirt.domain_stats import parse_domain_stats
from zconsole.system.libvirt.libvirt_answers_as_virsh_output import (
    print_disk_errors,
    print_domain_stats,
    print_uuids,
)
from zconsole.system.libvirt.libvirt_python_lines import parse_statuses
from zconsole.system.libvirt.list_guests import parse_uuids

UUID = "e0f20368-b0cf-4f90-bc00-65f12a552c4b"
ANSWER: list[tuple[str, dict[str, Any]]] = [
    ("web01", {"state.state": 3, "state.reason": 5, "block.count": 1, "block.0.name": "vda"}),
    ("db's", {"state.state": 5}),
]


def test_states_are_the_same() -> None:
    text = print_domain_stats(ANSWER).decode()

    assert parse_statuses([[name, values] for name, values in ANSWER]) == parse_domain_stats(text)


def test_uuids_and_errors_are_the_same() -> None:
    assert (UUID,) == parse_uuids(print_uuids([UUID]).decode())
    assert {"vda": "no space"} == parse_disk_errors(print_disk_errors({"vda": "no space"}).decode())
    assert {} == parse_disk_errors(print_disk_errors({}).decode())
