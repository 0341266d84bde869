"""What is made from the code is current."""

from __future__ import annotations

import pytest

from tests import generated


def test_what_is_made_from_the_code_is_current() -> None:
    stale = [
        path.name for path, text in generated.files().items() if text != path.read_text(encoding="utf-8")
    ]
    assert [] == stale, "python -m tests.generated --write"


def test_a_table_replaces_the_old_one_and_nothing_else() -> None:
    page = f"Before\n{generated.BEGIN.format('keys')}| old |\n{generated.END}\nAfter\n"
    assert page.replace("old", "new") == generated.with_table(page, "keys", "| new |\n")


@pytest.mark.parametrize("text", ["", "<!-- the table is generated from the keys -->\n| no end |\n"])
def test_a_page_without_a_place_for_its_table_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no place for the table of the keys"):
        generated.with_table(text, "keys", "| new |\n")
