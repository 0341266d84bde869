"""Documents of a subcommand on standard output: as one JSON document, or one a line as they come."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from zconsole.base.errors import ZConsoleError
from zconsole.cli.options import JsonForm

if TYPE_CHECKING:
    from zconsole.reports.json.json_line import Json

_PRINTED: Final = [0]  # documents of this run on standard output, whole or begun


class JsonOutput:
    """Prints documents. `is_one`: there is at most one, which is printed as it is.

    Several are a list in a document around them, with the name `several`.
    """

    def __init__(self, form: JsonForm | None, several: str = "", *, is_one: bool) -> None:
        self._form = form
        self._several = several
        self._is_array = form is JsonForm.DOCUMENT and not is_one
        self._is_one = form is JsonForm.DOCUMENT and is_one
        self._count = 0

    def __call__(self, document: Json) -> None:
        """Print a document."""
        from zconsole.reports.json.json_line import as_line

        begin = (self._begin() if self._count == 0 else ",\n") if self._is_array else ""
        print(f"{begin}{as_line(document)}", end="" if self._is_array else "\n", flush=True)
        self._count += 1
        _PRINTED[0] += 1

    def failed(self, error: ZConsoleError, host: str | None = None) -> None:
        """Print why a host or a pool has no document, in the place of it."""
        if self._form is not None and not (self._is_one and self._count):
            from zconsole.reports.json.unread import unread_document

            self(unread_document(error, host))

    def end(self) -> None:
        """Complete the list."""
        if self._is_array:
            print("]}" if self._count else f"{self._begin()}]}}", flush=True)
            _PRINTED[0] += 1

    def _begin(self) -> str:
        from zconsole.reports.json.json_line import SCHEMA

        return f'{{"schema": {SCHEMA}, "{self._several}": ['


@contextmanager
def json_output(form: JsonForm | None, several: str, *, is_one: bool) -> Iterator[JsonOutput]:
    """What prints documents. Several are a list named so with one of them a line, or lines of their own.

    The list is whole also after an error. Without a form, nothing is printed beside what the caller prints.
    """
    put = JsonOutput(form, several, is_one=is_one)
    try:
        yield put
    except ZConsoleError as error:
        put.failed(error)
        raise
    finally:
        put.end()


def print_document(document: Json) -> None:
    """Print the only document of a subcommand."""
    JsonOutput(JsonForm.DOCUMENT, is_one=True)(document)


def print_if_none(error: ZConsoleError) -> None:
    """Print why a subcommand has no document, unless it has printed one."""
    if not _PRINTED[0]:
        JsonOutput(JsonForm.DOCUMENT, is_one=True).failed(error)


def begin_documents() -> None:
    """Count the documents of a run from its beginning."""
    _PRINTED[0] = 0
