"""What can be restored from streams in files, in which order, and for want of what not."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from zconsole.analysis.replication.restore_from_streams import Restoration, restoration
from zconsole.model.datasets.send_stream import (
    SendStream,
    SentSnapshot,
    StreamFault,
    StreamFile,
    StreamProblem,
)


def sent(name: str, guid: int, base: int | None = None, **more: object) -> SentSnapshot:
    return SentSnapshot(name, guid, base, length_bytes=1000, created=1000 + guid, **more)  # type: ignore[arg-type]


def file(name: str, *snapshots: SentSnapshot, **more: object) -> StreamFile:
    is_package = len(snapshots) > 1
    stream = SendStream(0, snapshots[-1].name, snapshots, 5000, is_package=is_package)
    return StreamFile(name, 5000, streams=(stream,), **more)  # type: ignore[arg-type]


def order(found: Restoration) -> list[str]:
    return [receive.file.name for receive in found.receives]


CHAIN = (
    file("c", sent("tank/home@c", 3, 2)),
    file("a", sent("tank/home@a", 1)),
    file("b", sent("tank/home@b", 2, 1)),
)


def test_a_chain_is_received_from_its_full_stream_on() -> None:
    for files in permutations(CHAIN):
        found = restoration(files)

        assert ["a", "b", "c"] == order(found)
        assert {"home"} == {receive.target for receive in found.receives}
        assert ((), (), ()) == (found.missing, found.unrestorable, found.spare)
        assert (("zfs", "receive", "-u", "TARGET/home"),) == found.receives[0].pipeline


def test_a_missing_link_is_named_with_all_that_it_keeps_from_being_restored() -> None:
    found = restoration([CHAIN[0], CHAIN[1], file("d", sent("tank/home@d", 4, 3))])

    assert ["a"] == order(found)
    ((link,), reasons) = found.missing, {one.sent.name: one.reason for one in found.unrestorable}
    assert (2, None, ["tank/home@c"]) == (link.guid, link.name, [each.name for each in link.needed_by])
    assert "it builds on guid 2, which no file has" == reasons["tank/home@c"]
    assert "it builds on tank/home@c (guid 3), which cannot be restored" == reasons["tank/home@d"]


def test_a_missing_link_has_its_name_where_a_package_tells_it() -> None:
    stream = SendStream(0, "tank/x@y", (), 900, is_package=True, names=((2, "tank/home@b"),))
    found = restoration([CHAIN[0], StreamFile("list", 900, streams=(stream,))])

    assert ["tank/home@b"] == [link.name for link in found.missing]


def test_of_a_cut_file_what_is_whole_is_used() -> None:
    cut = SentSnapshot("tank/home@c", 3, 2, length_bytes=None)
    broken = file("bc", sent("tank/home@b", 2, 1), cut, problem=StreamProblem(StreamFault.TRUNCATED, 9, "x"))
    found = restoration([CHAIN[1], broken, file("d", sent("tank/home@d", 4, 3))])

    assert ["a", "bc"] == order(found)
    assert ["tank/home@b"] == [each.name for each in found.receives[1].brings]
    assert () == found.missing  # it is there, and broken
    assert {"the file is truncated", "it builds on tank/home@c (guid 3), which cannot be restored"} == {
        one.reason for one in found.unrestorable
    }


def test_a_second_full_stream_is_not_needed_where_the_chain_brings_it() -> None:
    found = restoration([*CHAIN, file("full-c", sent("tank/home@c", 3))])

    assert ["a", "b", "c"] == order(found)
    assert ["full-c"] == [kept.name for kept, _ in found.spare]


def test_two_full_streams_of_one_dataset_are_restored_side_by_side() -> None:
    found = restoration([CHAIN[1], file("z", sent("tank/home@z", 9)), file("y", sent("tank/home@zz", 10, 9))])

    assert {("a", "home"), ("z", "home-2"), ("y", "home-2")} == {
        (receive.file.name, receive.target) for receive in found.receives
    }


def test_a_clone_gets_its_own_name_and_comes_after_its_origin() -> None:
    twin = file("twin", sent("tank/vm/twin@t", 7, 1, is_clone=True))
    found = restoration([twin, CHAIN[1], file("more", sent("tank/vm/twin@u", 8, 7))])

    assert [("a", "home"), ("twin", "vm/twin"), ("more", "vm/twin")] == [
        (receive.file.name, receive.target) for receive in found.receives
    ]
    assert ("vm",) == found.parents


def test_parents_are_restored_before_their_children() -> None:
    files = [
        file("low", sent("tank/a/b@s", 1)),
        file("high", sent("tank/a@s", 5)),
        file("top", sent("tank@s", 9)),
    ]
    found = restoration(files)

    assert ["top", "high", "low"] == order(found)
    assert ["tank", "a", "a/b"] == [receive.target for receive in found.receives]
    assert () == found.parents


def test_a_tree_keeps_its_shape() -> None:
    snapshots = (sent("tank/a@s", 1), sent("tank/a/b@s", 2), sent("tank/a/b@t", 4, 2), sent("tank/a@t", 3, 1))
    stream = SendStream(0, "tank/a@t", snapshots, 9000, is_package=True, is_recursive=True)
    later = SendStream(
        0, "tank/a@u", (sent("tank/a@u", 5, 3), sent("tank/a/b@u", 6, 4)), 900, is_package=True
    )
    last = file("b", sent("tank/a/b@v", 7, 6))
    found = restoration(
        [StreamFile("later", 900, streams=(later,)), StreamFile("tree", 9000, streams=(stream,)), last]
    )

    assert [("tree", "a"), ("later", "a"), ("b", "a/b")] == [
        (receive.file.name, receive.target) for receive in found.receives
    ]
    assert () == found.unrestorable


def test_raw_goes_only_on_raw() -> None:
    found = restoration([CHAIN[1], file("raw", sent("tank/home@b", 2, 1, features=("raw",)))])

    assert ["it is raw, and tank/home@a, its base, was not sent raw"] == [
        one.reason for one in found.unrestorable
    ]
    assert ((), ()) == (found.missing, found.spare)
    both = [file(x, sent(f"t@{x}", n, n - 1 or None, features=("raw",))) for n, x in ((1, "a"), (2, "b"))]
    assert ["a", "b"] == order(restoration(both))


def test_what_goes_on_with_a_cut_receive_is_not_promised() -> None:
    found = restoration([file("rest", sent("tank/home@a", 1, resumes_at=(7, 131072)))])

    assert [] == order(found)
    assert "interrupted at object 7, offset 131072" in found.unrestorable[0].reason


def test_how_a_file_is_read_is_part_of_its_command() -> None:
    stream = SendStream(4096, "tank@s", (sent("tank@s", 1, features=("dedup",)),), 900)
    (receive,) = restoration([StreamFile("x.xz", 900, "xz", streams=(stream,))]).receives

    assert (
        ("xz", "-dc"),
        ("tail", "-c", "+4097"),
        ("zstream", "redup"),
        ("zfs", "receive", "-u", "TARGET/tank"),
    ) == receive.pipeline


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9), st.booleans()), max_size=12), st.randoms())
def test_nothing_is_received_before_what_it_builds_on(
    links: list[tuple[int, int, bool]], random: object
) -> None:
    """Whatever is there: each receive finds its base, nothing is brought twice, nothing is forgotten."""
    files = [
        file(str(at), SentSnapshot(f"t/{guid}@s", guid, base or None, length_bytes=None if is_cut else 5))
        for at, (guid, base, is_cut) in enumerate(links)
    ]
    found = restoration(files)
    have: set[int] = set()
    for receive in found.receives:
        for one in receive.brings:
            assert one.from_guid is None or one.from_guid in have
            assert one.guid not in have
            have.add(one.guid)

    assert {guid for guid, _, _ in links} - have == {one.sent.guid for one in found.unrestorable}
    assert not {link.guid for link in found.missing} & {guid for guid, _, _ in links}
