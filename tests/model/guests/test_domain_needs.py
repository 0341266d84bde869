"""What is not known of another host is not taken for an answer."""

from __future__ import annotations

from zconsole.model.guests.domain_needs import LibvirtHost


def test_a_libvirt_that_was_not_asked_has_told_nothing() -> None:
    assert (None, None, None) == (
        LibvirtHost().networks, LibvirtHost().capabilities_problem, LibvirtHost().cpu_problem,
    )  # fmt: skip
