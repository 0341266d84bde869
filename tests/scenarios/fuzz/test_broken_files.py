"""Whatever a file has become, it is read as what it is, or refused in a sentence, and in time."""

from __future__ import annotations

from pathlib import Path
from time import process_time
from typing import Final

import pytest

from tests.scenarios.fuzz.file_kinds import KINDS, Kind
from zconsole.base.errors import ZConsoleError

pytestmark = pytest.mark.usefixtures("only_own_time")

SLOWEST_S: Final = 2.0  # of the processor, for one file; most take a thousandth
FILES: Final = 5000  # of each kind
FEW: Final = 120
FEW_DATABASES: Final = 40  # each is copied with the files that SQLite puts beside it
SHOWN: Final = 8000  # characters of a sentence


@pytest.mark.timeout(3600)  # with --long; each file has its own bound
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_any_file_is_read_or_refused_in_a_sentence_and_in_time(
    kind: Kind, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """5,000 of each kind with --long; a failure names its seed."""
    path = kind.make(tmp_path)
    few = FEW_DATABASES if path.suffix == ".sqlite" else FEW
    sound = path.read_bytes()
    kind.read(path)

    for seed in range(FILES if request.config.getoption("--long") else few):
        _replace(path, kind.damage(sound, seed))
        began, words = process_time(), ""
        try:
            kind.read(path)
        except ZConsoleError as refused:
            words = str(refused)
        except Exception as error:
            raise AssertionError(f"{kind.name} broken by seed {seed}: {error!r}") from error
        assert SLOWEST_S > process_time() - began, seed
        assert SHOWN > len(words), seed


def _replace(path: Path, content: bytes) -> None:
    """Another file of that name, without what SQLite may have put beside the one before."""
    if path.suffix == ".sqlite":
        for each in path.parent.glob(f"{path.name}-*"):
            each.unlink()
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(content)
    part.replace(path)
