"""`ledctl` lights locate LEDs."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import mirrors, run


def test_a_led_is_lit_and_put_out() -> None:
    world = mirrors()

    assert 0 == run(world, "ledctl --listed-only locate=/dev/sda").status
    run(world, "ledctl --listed-only locate=/dev/sdb")
    run(world, "ledctl --listed-only locate_off=/dev/sda")

    assert {"LAB0001"} == world.lit


def test_without_the_option_all_others_go_out() -> None:
    world = mirrors()
    run(world, "ledctl locate=/dev/sda")

    run(world, "ledctl locate=/dev/sdc")

    assert {"LAB0002"} == world.lit


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("ledctl blink=/dev/sda", 18, "Invalid pattern name: blink\n"),
        ("ledctl locate=/dev/nosuch", 20, "/dev/nosuch: device not supported\n"),
    ],
)
def test_what_it_cannot_do_is_refused(line: str, status: int, said: str) -> None:
    reply = run(mirrors(), line)

    assert (status, said) == (reply.status, reply.stderr)


def test_only_root_may() -> None:
    world = mirrors()
    world.user_id = 1000

    assert 9 == run(world, "ledctl locate=/dev/sda").status
    assert run(world, "ledctl --version").stdout.startswith(
        "Intel(R) Enclosure LED Control Application 1.0.0\n"
    )
