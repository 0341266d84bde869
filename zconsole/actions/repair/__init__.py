"""Repair of a pool's device step by step, with the changes that each step offers."""
