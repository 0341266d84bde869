"""What a killed build leaves is removed, and nothing of this machine with it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.lab import images
from tests.lab.images import LabError, remove_tree

pytestmark = pytest.mark.lab


@pytest.fixture
def bound(tmp_path: Path) -> tuple[Path, Path]:
    """The tree of a killed build, and what of this machine is still bound in it."""
    outside, root = tmp_path / "machine's dev", tmp_path / "root"
    outside.mkdir()
    (outside / "null").write_text("the machine's own")
    (root / "dev").mkdir(parents=True)
    subprocess.run(["mount", "--bind", outside, root / "dev"], check=True)
    return root, outside / "null"


def test_what_is_bound_in_the_tree_is_unmounted_first(bound: tuple[Path, Path]) -> None:
    root, kept = bound

    remove_tree(root)

    assert not root.exists()
    assert "the machine's own" == kept.read_text()


def test_nothing_is_removed_while_it_stays_mounted(
    bound: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    root, kept = bound
    with monkeypatch.context() as patch:
        patch.setattr(images.subprocess, "run", lambda *_, **__: None)
        with pytest.raises(LabError, match="dev is still mounted"):
            remove_tree(root)

    assert "the machine's own" == kept.read_text()
    remove_tree(root)
