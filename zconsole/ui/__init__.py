"""The console on the screen: the only layer that knows textual."""

import os
from typing import Final

# A frame is drawn this part of a second after the one before it at the earliest, and a key that comes meanwhile
# waits: 8 ms in place of Textual's 17. Textual reads it once, when it is loaded.
FRAMES_PER_S: Final = 120
os.environ.setdefault("TEXTUAL_FPS", str(FRAMES_PER_S))
