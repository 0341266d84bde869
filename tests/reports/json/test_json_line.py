"""JSON as it is printed."""

from __future__ import annotations

import pytest

from zconsole.reports.json.json_line import as_line, guid, rounded


def test_a_document_is_one_line_of_ascii() -> None:
    line = as_line({"name": "caf\u00e9\n\x1b[2J", "unknown": None})

    assert line.isascii()
    assert "\n" not in line
    assert "\x1b" not in line
    assert '"unknown": null' in line


def test_what_json_has_no_number_for_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        as_line({"ratio": float("nan")})


def test_a_guid_is_text_and_a_ratio_is_short() -> None:
    assert "18446744073709551615" == guid(2**64 - 1)
    assert guid(None) is None
    assert 0.33 == rounded(1 / 3)
    assert 0.3333 == rounded(1 / 3, 4)
    assert rounded(None) is None
