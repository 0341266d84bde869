"""Throw-away virtual storage hosts that run a real OpenZFS, and the tests that need one."""
