"""One burst of reads on the practice host: a disk that answers, one that is gone, no privilege."""

from __future__ import annotations

import pytest

from tests.practice.exercises.learner import Learner
from zconsole.base.errors import HostError
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.activity_light import let_blink


async def test_a_disk_that_answers_is_read() -> None:
    learner = await Learner.begin("failed-disk")
    asker = Asker(learner.host)

    await let_blink(asker, Privilege(asker), "/dev/sdc", 0)


async def test_a_disk_that_is_gone_is_told() -> None:
    learner = await Learner.begin("failed-disk")
    await learner.pull(2)
    asker = Asker(learner.host)

    with pytest.raises(HostError):
        await let_blink(asker, Privilege(asker), "/dev/disk/by-id/nothing", 0)


async def test_without_privilege_it_says_so() -> None:
    learner = await Learner.begin("failed-disk")
    learner.host.world.user_id = 1000
    asker = Asker(learner.host)

    with pytest.raises(HostError):
        await let_blink(asker, Privilege(asker), "/dev/sdc", 0)
