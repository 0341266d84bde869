"""Commands on the stored definition of a guest."""

from __future__ import annotations

from zconsole.hosts.host import Effect
from zconsole.system.libvirt.stored_definition import (
    PERSISTENT,
    UPDATE_DISK,
    WITH_SAVED_MEMORY,
    WITH_SNAPSHOTS,
    dump_stored_xml,
    update_disk,
)

UUID = "7f3b1c0a-52d3-4c25-9a53-0d2f4f4b7a10"


def test_what_is_read_needs_no_root_and_changes_nothing() -> None:
    for each in (dump_stored_xml(UUID), PERSISTENT, WITH_SAVED_MEMORY, WITH_SNAPSHOTS):
        assert ("virsh", "-r") == each.argv[:2]
        assert Effect.READ is each.effect


def test_what_the_next_start_uses_is_asked_for() -> None:
    assert ("dumpxml", "--inactive", UUID) == dump_stored_xml(UUID).argv[-3:]


def test_the_script_gets_what_varies_as_arguments_and_changes_a_guest_that_is_off() -> None:
    assert ("sh", "-c", UPDATE_DISK, "zconsole", "qemu:///system", UUID) == update_disk(UUID)
    assert UPDATE_DISK.endswith("--current")
