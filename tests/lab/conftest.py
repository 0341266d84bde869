"""Guests for tests: one per OpenZFS series and test run, booted when the first test asks for it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.lab import guests
from tests.lab.acting import Acting, acting_on
from tests.lab.guests import Guest
from tests.lab.images import CACHE, SERIES
from tests.lab.repairing import SLOW_SCAN
from tests.lab.shelf import Shelf
from tests.lab.trees import pool_on_a_file
from tests.ui.terminal.tty import ROOT

ALWAYS = ("2.4", "2.1")  # the newest, and the last without JSON
DISKS = 16
LIBVIRT_SERIES = "2.4"  # the one that is built with libvirt too
PLATFORM = (
    "--only-binary",
    ":all:",
    "--platform",
    "manylinux_2_28_x86_64",
    "--platform",
    "manylinux2014_x86_64",
)


def series_to_test() -> list[str]:
    """The series named in ZFSLAB_SERIES, or else the newest, the oldest, and what else is built here.

    ZFSLAB_GUEST names one that runs already: `python -m tests.lab up 2.4 nas --disks 16 --size 4G`.
    """
    if running := os.environ.get("ZFSLAB_GUEST"):
        return [guests.find(running).series]
    if chosen := os.environ.get("ZFSLAB_SERIES"):
        return chosen.split(",")
    others = [name for name, series in SERIES.items() if name not in ALWAYS and series.is_built]
    return [*ALWAYS, *others]


@pytest.fixture(scope="session", params=series_to_test())
def guest(request: pytest.FixtureRequest) -> Iterator[Guest]:
    """A running guest with 16 empty disks and no pools; tests of one series share it, one after another.

    With `-n2` each of the two workers has a guest of its own, and the series come one after the other.
    """
    if name := os.environ.get("ZFSLAB_GUEST"):
        yield guests.find(name)
        return
    end_orphans()
    series: str = request.param
    running = guests.start(series, f"test-{series}-{os.getpid()}", disks=DISKS, size="4G")
    yield running
    running.down()


@pytest.fixture(scope="module")
def libvirt_host() -> Iterator[Guest]:
    """A lab guest of 2.4 with libvirt."""
    if name := os.environ.get("ZFSLAB_GUEST"):
        running = guests.find(name)
        if not running.libvirt:
            pytest.skip(f"{name} has no libvirt: it is booted with --libvirt")
        yield running
        return
    if LIBVIRT_SERIES not in series_to_test():
        pytest.skip(f"only {LIBVIRT_SERIES} is built with libvirt")
    end_orphans()
    running = guests.start(LIBVIRT_SERIES, f"test-libvirt-{os.getpid()}", disks=4, size="4G", libvirt=True)
    yield running
    running.down()


@pytest.fixture
def bare_guest(guest: Guest) -> Guest:
    """The guest with every pool destroyed."""
    guest.wipe()
    return guest


@pytest.fixture
def shelf(guest: Guest) -> Iterator[Shelf]:
    """The guest's shelf, without pools; all disks are back in their bays afterwards."""
    guest.wipe()
    shelf = Shelf(guest)
    yield shelf
    guest.ssh(f"echo 0 > {SLOW_SCAN}")
    shelf.restore()


@pytest.fixture
def ssh_alias(guest: Guest) -> str:
    """A name that the user's own ~/.ssh/config resolves to the guest."""
    folder = Path(os.environ["HOME"]) / ".ssh"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "config").write_text(guests.ssh_config(guest, "nas", known_hosts=guest.known_hosts))
    return "nas"


@pytest.fixture
def tank(bare_guest: Guest) -> Iterator[Guest]:
    """A guest with one small pool; a module that wants another one has a fixture of that name."""
    pool_on_a_file(bare_guest)
    yield bare_guest
    bare_guest.wipe()


@pytest.fixture
async def nas(tank: Guest, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on the guest with that pool."""
    async with acting_on(tank, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


@pytest.fixture(scope="session")
def installed(guest: Guest, tmp_path_factory: pytest.TempPathFactory) -> Guest:
    """The guest with zconsole and what it needs unpacked from wheels, for its own Python."""
    wheels = tmp_path_factory.mktemp("wheels")
    version = guest.ssh("python3 -c 'import sys; print(*sys.version_info[:2], sep=\".\")'").strip()
    pip = [sys.executable, "-m", "pip", "-q"]
    subprocess.run([*pip, "wheel", "--no-deps", "-w", str(wheels), str(ROOT)], check=True)
    wheel = next(wheels.glob("zconsole-*.whl"))
    subprocess.run(
        [
            *pip, "download", *PLATFORM, "--python-version", version,
            "-c", str(ROOT / "requirements.lock"), "-d", str(wheels), str(wheel),
        ],
        check=True,
    )  # fmt: skip
    guest.copy_in(wheels, "/opt/wheels")
    guest.ssh(
        "cd /opt/wheels && for w in *.whl; do python3 -m zipfile -e $w /opt/zconsole; done", timeout_s=600
    )
    return guest


def end_orphans() -> None:
    """End the guests of test runs that are gone."""
    for folder in (CACHE / "vm").glob("test-*-*"):
        owner = folder.name.rpartition("-")[2]
        if not Path("/proc", owner).exists():
            Guest(folder.name, "", 0, 0, "").down()
