"""Who follows the guided repair through an exercise ends with a redundant pool, and takes no risk."""

from __future__ import annotations

import pytest

from tests.practice.exercises.learner import Learner
from zconsole.base.user_config_file import Config
from zconsole.cli.commands.changes.repair import RepairRequest, _ask
from zconsole.cli.open_and_ask_named_hosts import NamedHost
from zconsole.model.exercise import RackBay, RemarkKind
from zconsole.model.repair import Repair, RepairOffer, RepairStepKind, RepairTrouble

MOST_STEPS = 30
FITS = {"ZC17K2M4", "ZC17K2P9", "ZA20C9XV"}


class Follower(Learner):
    """Somebody who does what the most urgent repair says, and asks it again after each act."""

    async def repairs(self) -> tuple[Repair, ...]:
        """What `zconsole repair` says now."""
        return (await _ask(NamedHost(self.host, self.clock), RepairRequest(), Config())).found

    async def follow(self, repair: Repair) -> None:
        """Do the step that is due."""
        step = repair.current
        assert step is not None
        gone = self.wrongly_pulled(repair)
        if gone is not None:
            await self.insert(*gone)
            return await self.until_idle()
        match step.kind:
            case RepairStepKind.TRIAGE:
                await self.change("B")
                await self.until_idle()
                await self.carry_out(self.offered(repair, "clear"))
            case RepairStepKind.IDENTIFY | RepairStepKind.TAKE_OUT:
                await self.take_out_or_put_beside(repair)
            case RepairStepKind.NEW_DISK:
                await self.insert_new()
            case RepairStepKind.REPLACE if step.offers:
                await self.carry_out(step.offers[0])
            case RepairStepKind.REPLACE | RepairStepKind.RESILVER:
                await self.until_idle()
            case RepairStepKind.AFTER_CARE:
                for offer in step.offers:
                    await self.carry_out(offer)
                await self.until_idle()
        return None

    def wrongly_pulled(self, repair: Repair) -> tuple[str, int] | None:
        """The serial and the bay that an alarm asks to fill again."""
        if "Put back" not in repair.alarm:
            return None
        on_table = {disk.serial for disk in self.state().on_table}
        serial = next(serial for serial in on_table if f"Put back {serial}" in repair.alarm)
        return serial, 4

    async def take_out_or_put_beside(self, repair: Repair) -> None:
        """Pull a failed disk with its LED on; beside one that still serves put the new one first."""
        if repair.trouble is not RepairTrouble.FAILED:
            return await self.insert_new()
        bay = next(bay for bay in self.state().bays if _serial(bay) == repair.device.serial)
        return await self.pull(bay.number)

    async def insert_new(self) -> None:
        """Insert a disk that fits into the first empty bay."""
        empty = next(bay.number for bay in self.state().bays if bay.disk is None)
        await self.insert(next(disk.serial for disk in self.state().on_table if disk.serial in FITS), empty)

    def offered(self, repair: Repair, action: str) -> RepairOffer:
        """The offer of an action, in any step."""
        return next(offer for step in repair.steps for offer in step.offers if offer.action == action)

    async def carry_out(self, offer: RepairOffer) -> None:
        """Run the command of an offer."""
        await self.do(" ".join(("zpool", offer.action, offer.target, *offer.arguments)))


def _serial(bay: RackBay) -> str:
    return bay.disk.serial if bay.disk is not None else ""


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "name",
    ["failed-disk", "slow-disk", "wrong-disk-pulled", "second-failure", "new-disk-too-small", "cable"],
)
async def test_who_follows_the_repair_does_nothing_risky(name: str) -> None:
    learner = await Follower.begin(name)
    if name == "slow-disk":  # which only a console that watches finds
        await learner.insert_new()
        await learner.do("zpool replace tank {4} ZC17K2M4")

    for _ in range(MOST_STEPS):
        found = await learner.repairs()
        await learner.host.connect()
        if not found:
            break
        await learner.follow(found[0])

    assert () == await learner.repairs()
    assert [] == learner.said(RemarkKind.RISKY)
    assert [] == [words for words in learner.said(RemarkKind.LEFT) if "still in bay" not in words]
