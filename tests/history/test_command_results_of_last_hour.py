"""What a host answered, kept for a while: each answer once, large ones now and then, nothing for ever."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.doubles.scripted_host import ScriptedHost, ScriptedStream, failed
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed, HostError, HostUnreachable, LinkLost
from zconsole.history.command_results_of_last_hour import (
    FIRST_KEYS,
    LARGE_EVERY_S,
    MAX_ANSWER_BYTES,
    MAX_STREAM_BYTES,
    MOST_KEYS,
    Memory,
    RememberedHost,
)
from zconsole.hosts.host import Command, Effect
from zconsole.system.diskstats import DISKSTATS

KEEP_S = 600.0
NOISE = bytes(range(256)) * 40  # that deflates to little
STATUS = Command(("zpool", "status"))


def noise(seed: int, size: int) -> bytes:
    """Bytes that do not deflate."""
    value, made = seed + 1, bytearray()
    while len(made) < size:
        value = value * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        made += value.to_bytes(8, "little")
    return bytes(made[:size])


def remembered(max_bytes: int = 1 << 20) -> tuple[RememberedHost, ScriptedHost, ManualClock]:
    clock, inner = ManualClock(1_800_000_000), ScriptedHost()
    return RememberedHost(inner, Memory(clock, keep_s=KEEP_S, max_bytes=max_bytes)), inner, clock


def said(host: RememberedHost, kind: str) -> list[tuple[float, bytes]]:
    """When something of a kind was answered, and what."""
    found: list[tuple[float, bytes]] = []
    for answer in host.memory.answers():
        if answer.fields["kind"] == kind:
            data = b"".join(host.memory.blob(name) or b"" for _, name in answer.blobs)
            found.append((answer.at, data))
    return found


async def test_an_answer_that_says_the_same_adds_nothing() -> None:
    host, inner, clock = remembered()
    for second in range(10):
        inner.answers["zpool status"] = b"ONLINE" if second < 5 else b"DEGRADED"
        await host.run(STATUS)
        clock.advance(1)

    assert [(0.0, b"ONLINE"), (5.0, b"DEGRADED")] == said(host, "run")


async def test_failures_refusals_and_lost_links_are_kept_as_they_are_passed_on() -> None:
    host, inner, _ = remembered()
    inner.connect_errors = [HostUnreachable("nobody there", hint="wait")]
    inner.answers = {"zpool status": failed("zpool status", 1, b"no"), "zpool list": LinkLost("gone")}
    inner.files["/proc/x"] = PermissionError("/proc/x")

    with pytest.raises(HostUnreachable):
        await host.connect()
    await host.connect()
    refused = await host.run(STATUS)
    with pytest.raises(LinkLost):
        await host.run(Command(("zpool", "list")))
    for path, error in (("/proc/x", PermissionError), ("/proc/y", FileNotFoundError)):
        with pytest.raises(error):
            await host.read(path)

    fields = [answer.fields for answer in host.memory.answers()]
    errors = [each["error"]["type"] if isinstance(each["error"], dict) else None for each in fields]
    assert 1 == refused.status
    assert ["HostUnreachable", None, None, "LinkLost", "PermissionError", "FileNotFoundError"] == errors
    assert ("failed", 1) == (fields[2]["outcome"], fields[2]["status"])


async def test_what_changes_something_is_not_kept_nor_what_it_was_given() -> None:
    host, inner, _ = remembered()
    inner.answers["zfs load-key"] = b""

    await host.run(Command(("zfs", "load-key", "tank"), Effect.CHANGE, stdin=b"secret"))

    assert () == host.memory.answers()


async def test_how_busy_disks_are_is_kept_elsewhere() -> None:
    host, inner, _ = remembered()
    inner.files[DISKSTATS] = NOISE

    assert NOISE == await host.read(DISKSTATS)

    assert () == host.memory.answers()


async def test_what_was_no_longer_true_an_hour_ago_is_let_go() -> None:
    """But what still held then is kept, however long ago it was said."""
    host, inner, clock = remembered()
    for second in range(0, 2000, 10):
        inner.answers["zpool status"] = b"%d" % (second // 1500)
        inner.files["/proc/x"] = b"%d" % second
        await host.run(STATUS)
        await host.read("/proc/x")
        clock.advance(10)

    reads = [at for at, _ in said(host, "read")]
    assert [(0.0, b"0"), (1500.0, b"1")] == said(host, "run")
    assert (2000 - KEEP_S - 20, 1990) == (min(reads), max(reads))


async def test_of_large_answers_one_in_a_while_is_kept_and_the_last() -> None:
    host, inner, clock = remembered(max_bytes=1 << 24)
    for second in range(61):
        inner.answers["zpool status"] = noise(second, 10_000)
        await host.run(STATUS)
        clock.advance(1)

    kept = [at for at, _ in said(host, "run")]

    assert [0, *(LARGE_EVERY_S * number for number in (1, 2, 3)), 60] == kept
    assert noise(60, 10_000) == said(host, "run")[-1][1]


async def test_the_oldest_goes_when_there_is_too_much_but_never_the_last_word() -> None:
    host, inner, clock = remembered(max_bytes=100_000)
    inner.answers["zpool list"] = b"the first"
    await host.run(Command(("zpool", "list")))
    for second in range(200):
        inner.files["/proc/x"] = noise(second, 3000)
        await host.read("/proc/x")
        clock.advance(1)

    assert host.memory.size_bytes <= 100_000
    assert 30 <= len(said(host, "read")) < 40
    assert [(0.0, b"the first")] == said(host, "run")


async def test_an_answer_that_is_too_large_is_not_kept() -> None:
    host, inner, _ = remembered()
    inner.answers["zfs list"] = b"x" * (MAX_ANSWER_BYTES + 1)

    assert (await host.run(Command(("zfs", "list")))).is_done

    assert () == host.memory.answers()


async def test_questions_that_were_asked_once_do_not_add_up_for_ever() -> None:
    host, inner, _ = remembered()
    inner.answers["ask"] = b"yes"
    for number in range(MOST_KEYS + 50):
        await host.run(Command(("ask", str(number))))

    asked = [answer.fields["argv"] for answer in host.memory.answers()]

    assert MOST_KEYS == len(asked)
    assert [["ask", str(number)] for number in range(FIRST_KEYS)] == asked[:FIRST_KEYS]
    assert ["ask", str(MOST_KEYS + 49)] == asked[-1]


async def heard(
    host: RememberedHost, argv: Sequence[str], chunks: Sequence[bytes | Exception]
) -> list[bytes]:
    inner = host.inner
    assert isinstance(inner, ScriptedHost)
    stream = inner.streams[argv[0]] = ScriptedStream()
    for chunk in chunks:
        stream.feed(chunk)
    found: list[bytes] = []
    async with host.stream(Command(tuple(argv))) as pieces:
        while len(found) < len(chunks):
            found.append(await anext(pieces))
    return found


async def test_a_stream_is_kept_with_its_end() -> None:
    host, _, clock = remembered()
    clock.advance(5)

    with pytest.raises(CommandFailed):
        await heard(host, ("events", "-f"), [b"one", b"two", CommandFailed("it ended", said="no more")])

    (stream,) = host.memory.streams()
    assert (("events", "-f"), 5.0, 5.0) == (stream.argv, stream.began_at, stream.ended_at)
    assert [b"one", b"two"] == [host.memory.unpack(chunk) for _, chunk in stream.chunks]
    assert stream.error is not None
    assert "no more" == stream.error["said"]


async def test_samples_are_passed_on_and_kept_elsewhere() -> None:
    host, _, _ = remembered()

    passed_on = await heard(host, ("zpool", "iostat", "1"), [b"one", b"two"])

    (stream,) = host.memory.streams()
    assert [b"one", b"two"] == passed_on
    assert ([], None) == (stream.chunks, stream.error)


async def test_a_talkative_stream_is_kept_up_to_a_limit() -> None:
    host, _, _ = remembered()
    chunk = noise(1, MAX_STREAM_BYTES // 3)

    assert [chunk] * 5 == await heard(host, ("events",), [chunk] * 5)

    (stream,) = host.memory.streams()
    assert 2 == len(stream.chunks)
    assert host.memory.size_bytes <= MAX_STREAM_BYTES


async def test_streams_that_ended_long_ago_are_let_go() -> None:
    host, _, clock = remembered()
    for _ in range(5):
        await heard(host, ("events",), [b"x"])
        clock.advance(KEEP_S / 2)

    assert 3 == len(host.memory.streams())


class Keyed(ScriptedHost):
    """A host with a key, on this machine."""

    host_key = "SHA256:abc"
    is_here = True

    async def accept_key(self, fingerprint: str) -> None:
        self.commands.append(fingerprint)


async def test_keys_and_the_place_are_those_of_the_host() -> None:
    memory = Memory(ManualClock(), keep_s=1, max_bytes=1)
    keyed, plain = RememberedHost(Keyed(), memory), RememberedHost(ScriptedHost(), memory)

    await keyed.accept_key("SHA256:abc")

    assert ("SHA256:abc", True) == (keyed.host_key, keyed.is_here)
    assert (None, False) == (plain.host_key, plain.is_here)
    with pytest.raises(HostError, match="has no key"):
        await plain.accept_key("x")
    await plain.close()
    assert not plain.is_lingering(STATUS)
    assert "nas1" == plain.label


async def test_a_command_that_stands_for_several_is_kept_by_each_of_them() -> None:
    host, inner, _ = remembered()
    inner.answers["virsh"] = b"both"

    await host.run(Command(("virsh", "a; b"), is_several=True))
    host.keep_answer(Command(("virsh", "a")), b"one")

    assert [["virsh", "a"]] == [each.fields["argv"] for each in host.memory.answers()]
