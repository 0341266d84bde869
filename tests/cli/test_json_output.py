"""`--json` is one document whatever happens, `--jsonl` one a line at once."""

from __future__ import annotations

import json

import pytest

from zconsole.cli.json_output import json_output
from zconsole.cli.options import JsonForm

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_several_are_a_list_in_one_document(count: int, capsys: Capture) -> None:
    with json_output(JsonForm.DOCUMENT, "pools", is_one=False) as put:
        for number in range(count):
            put({"number": number})

    expected = {"schema": 1, "pools": [{"number": number} for number in range(count)]}
    assert expected == json.loads(capsys.readouterr().out)


def test_the_only_one_is_in_no_list_and_without_an_answer_there_is_nothing(capsys: Capture) -> None:
    with json_output(JsonForm.DOCUMENT, "pools", is_one=True) as put:
        put({"number": 1})
    assert '{"number": 1}\n' == capsys.readouterr().out

    with json_output(JsonForm.DOCUMENT, "pools", is_one=True):
        pass
    assert "" == capsys.readouterr().out


def test_lines_are_printed_at_once(capsys: Capture) -> None:
    with json_output(JsonForm.LINES, "pools", is_one=False) as put:
        put({"number": 1})
        assert '{"number": 1}\n' == capsys.readouterr().out
        put({"number": 2})

    assert '{"number": 2}\n' == capsys.readouterr().out


def test_a_list_is_whole_also_after_an_error(capsys: Capture) -> None:
    def interrupted() -> None:
        with json_output(JsonForm.DOCUMENT, "pools", is_one=False) as put:
            put({"number": 1})
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

    assert {"schema": 1, "pools": [{"number": 1}]} == json.loads(capsys.readouterr().out)


def test_text_has_nothing_beside_it(capsys: Capture) -> None:
    with json_output(None, "pools", is_one=False):
        pass

    assert "" == capsys.readouterr().out
