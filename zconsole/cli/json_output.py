"""Documents of a subcommand on standard output: as one JSON document, or one a line as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from zconsole.cli.options import JsonForm

if TYPE_CHECKING:
    from zconsole.reports.json.json_line import Json


@contextmanager
def json_output(form: JsonForm | None, *, is_one: bool) -> Iterator[Callable[[Json], None]]:
    """A function that prints a document. `is_one`: there is at most one, which is printed as it is.

    Several are an array with one of them a line, whole also after an error, or lines of their own. Without
    a form, nothing is printed beside what the function prints.
    """
    from zconsole.reports.json.json_line import as_line

    is_array = form is JsonForm.DOCUMENT and not is_one
    count = 0

    def put(document: Json) -> None:
        nonlocal count
        begin = ("[" if count == 0 else ",\n") if is_array else ""
        print(f"{begin}{as_line(document)}", end="" if is_array else "\n", flush=True)
        count += 1

    try:
        yield put
    finally:
        if is_array:
            print("]" if count else "[]", flush=True)
