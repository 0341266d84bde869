"""How long something else holds an event loop: `python -m tests.bench.beat FILE` measures one that idles."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

EVERY_S: Final = 0.005
SETTLE_S: Final = 1.0


async def beat(file: Path) -> None:
    """Keep in a file how late the latest of all beats came, in seconds; runs until cancelled."""
    loop = asyncio.get_running_loop()
    worst_s = 0.0
    await asyncio.sleep(SETTLE_S)
    while True:
        began = loop.time()
        await asyncio.sleep(EVERY_S)
        late_s = loop.time() - began - EVERY_S
        if late_s > worst_s:
            worst_s = late_s
            file.write_text(f"{worst_s:.6f}")  # noqa: ASYNC240 - a few times a run


if __name__ == "__main__":
    asyncio.run(beat(Path(sys.argv[1])))
