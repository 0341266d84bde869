"""Commands on the stored definition of a guest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from zconsole.hosts.host import Effect
from zconsole.model.guests.domain_needs import DomainNeeds
from zconsole.system.libvirt.domain_needs_of_its_host import compare_cpu
from zconsole.system.libvirt.stored_definition import (
    PERSISTENT,
    UPDATE_DISK,
    WITH_SAVED_MEMORY,
    WITH_SNAPSHOTS,
    define,
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


def run(argv: tuple[str, ...], folder: Path) -> str:
    """What is called instead of virsh, and with which words, when a shell is given this."""
    said = folder / "said"
    said.unlink(missing_ok=True)
    (folder / "virsh").write_text(f'#!/bin/sh\necho "$*: $(/bin/cat)" >{said}\n')
    (folder / "virsh").chmod(0o755)
    path = {"PATH": f"{folder}:/usr/bin:/bin"}
    subprocess.run(argv, input=b"<disk/>", env=path, capture_output=True, check=False)
    return said.read_text() if said.exists() else ""


def test_virsh_reads_the_definition_through_a_pipe(tmp_path: Path) -> None:
    disk = f"-q -c qemu:///system update-device {UUID} /dev/stdin --current: <disk/>\n"
    assert disk == run(update_disk(UUID), tmp_path)
    assert "-q -c qemu:///system define /dev/stdin: <disk/>\n" == run(define(), tmp_path)


@pytest.mark.parametrize(
    "argv",
    [define(), update_disk(UUID), compare_cpu(DomainNeeds("kvm", "/usr/bin/kvm", "x86_64", "q35")).argv],
    ids=["define", "update_disk", "compare_cpu"],
)
def test_no_part_of_a_script_does_anything(argv: tuple[str, ...], tmp_path: Path) -> None:
    """Sudo compares words joined by blanks: it lets a shell take the beginning of the script alone, too."""
    shell, flag, script, *rest = argv
    words = [*script.split(" "), *rest]
    whole = len(script.split(" "))

    for at in (at for at in range(1, len(words) + 1) if at != whole):
        other = (shell, flag, " ".join(words[:at]), *words[at:])
        assert " ".join(argv) == " ".join(other)
        assert "" == run(other, tmp_path), other
