"""`zconsole stream --json`: contents of send streams in files, and what they can restore."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.replication.restore_from_streams import Receive, Restoration
from zconsole.model.datasets.send_stream import SendStream, SentSnapshot, StreamFile
from zconsole.reports.json.json_line import SCHEMA, Document, guid


def stream_document(folder: str, files: Sequence[StreamFile], found: Restoration) -> Document:
    """Return the streams of one folder."""
    return {
        "schema": SCHEMA,
        "folder": folder,
        "files": [_file(each) for each in files],
        "receives": [_receive(each) for each in found.receives],
        "parents": list(found.parents),
        "missing": [
            {
                "guid": guid(link.guid),
                "name": link.name,
                "needed_by": [sent.name for sent in link.needed_by],
            }
            for link in found.missing
        ],
        "unrestorable": [
            {"file": one.file.name, "name": one.sent.name, "guid": guid(one.sent.guid), "reason": one.reason}
            for one in found.unrestorable
        ],
        "spare": [{"file": file.name, "offset": stream.offset} for file, stream in found.spare],
    }


def _file(file: StreamFile) -> Document:
    problem: Document | None = None
    if file.problem is not None:
        problem = {
            "kind": file.problem.fault.value,
            "offset": file.problem.offset,
            "reason": file.problem.reason,
        }
    return {
        "name": file.name,
        "size_bytes": file.size_bytes,
        "compression": file.compression or None,
        "problem": problem,
        "streams": [_stream(each) for each in file.streams],
    }


def _stream(stream: SendStream) -> Document:
    return {
        "offset": stream.offset,
        "length_bytes": stream.length_bytes,
        "name": stream.name,
        "is_package": stream.is_package,
        "is_recursive": stream.is_recursive,
        "snapshots": [_snapshot(each) for each in stream.snapshots],
    }


def _snapshot(sent: SentSnapshot) -> Document:
    return {
        "name": sent.name,
        "guid": guid(sent.guid),
        "from_guid": guid(sent.from_guid),
        "is_clone": sent.is_clone,
        "type": sent.kind,
        "creation": sent.created,
        "features": list(sent.features),
        "resumes_at": None if sent.resumes_at is None else list(sent.resumes_at),
        "offset": sent.offset,
        "length_bytes": sent.length_bytes,
        "is_checksum_good": sent.is_checksum_good,
    }


def _receive(receive: Receive) -> Document:
    return {
        "file": receive.file.name,
        "offset": receive.stream.offset,
        "target": receive.target,
        "pipeline": [list(argv) for argv in receive.pipeline],
        "brings": [{"name": sent.name, "guid": guid(sent.guid)} for sent in receive.brings],
    }
