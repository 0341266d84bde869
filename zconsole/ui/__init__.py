"""The console on the screen: the only layer that knows textual."""
