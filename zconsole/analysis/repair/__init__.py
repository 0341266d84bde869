"""Repair of a device: what is wrong, which part is to blame, what speaks against a change now."""
