"""Tests mirror zconsole/."""
