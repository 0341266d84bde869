"""Terminal user interface: the only layer that imports Textual."""

import os
from typing import Final

# A key right behind a frame waits until the next frame may be drawn: 8 ms in place of Textual's 17.
# Textual reads it once, when it is loaded.
FRAMES_PER_S: Final = 120
os.environ.setdefault("TEXTUAL_FPS", str(FRAMES_PER_S))
