"""Tests of the `zpool` commands of the practice host that change pools."""
