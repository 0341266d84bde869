"""Replies of programs, and the JSON of the ZFS commands."""

from __future__ import annotations

import json

from tests.practice.laboratory import captured
from zconsole.practice.program_reply import Refusal, Reply, for_each, json_head, json_text


def test_a_refusal_does_not_stop_what_follows() -> None:
    def act(number: int) -> str | None:
        if number == 2:
            raise Refusal("not 2\n")
        return f"{number}\n" if number < 4 else None

    assert Reply("1\n3\n", "not 2\n", 1) == for_each([1, 2, 3, 4], act)
    assert Reply("1\n") == for_each([1], act)


def test_the_head_of_a_document_is_that_of_a_real_one() -> None:
    real = json.loads(captured("zpool_list.json"))

    assert real["output_version"] == json_head("zpool list")["output_version"]


def test_a_document_is_one_ascii_line_as_in_the_capture() -> None:
    document = json.loads(captured("zpool_status.json"))

    assert captured("zpool_status.json").rstrip("\n") + "\n" == json_text(document)


def test_what_is_beyond_the_basic_plane_is_dropped() -> None:
    assert '{"a":"caf\\u00e9  b"}\n' == json_text({"a": "caf\u00e9 \U0001f4a9 b"})
