"""One libvirtd for all tests of the folder, without guests when a test begins."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.libvirtd.sandbox import Sandbox, missing, sandbox


@pytest.fixture(scope="session")
def libvirtd() -> Iterator[Sandbox]:
    """A real libvirtd in namespaces of its own."""
    leave = pytest.fail if os.environ.get("CI") else pytest.skip
    if os.geteuid() != 0:
        leave("namespaces of mounts need root")
    if lacks := missing():
        leave(f"not installed: {', '.join(lacks)} (docs/testing.md)")
    with sandbox() as made:
        yield made


@pytest.fixture
def virt(libvirtd: Sandbox) -> Iterator[Sandbox]:
    """The libvirtd without guests."""
    yield libvirtd
    libvirtd.reset()
