"""A run as JSON is as it is documented."""

from __future__ import annotations

import json

from tests.reports.schema import RUN, mismatch
from tests.views.changes.test_run import DONE, FED
from zconsole.reports.json.json_line import as_line
from zconsole.reports.json.run import run_document


def test_the_document_is_as_it_is_documented() -> None:
    assert "" == mismatch(json.loads(as_line(run_document(FED))), RUN)
    assert "" == mismatch(json.loads(as_line(run_document(DONE))), RUN)


def test_a_stream_tells_what_feeds_it_and_how_much_came() -> None:
    document = json.loads(as_line(run_document(FED)))

    assert {"host": "nas1", "argv": ["zfs", "send", "tank/a b@c"]} == document["steps"][0]["fed_by"]
    assert 3 << 30 == document["steps"][0]["sent_bytes"]
