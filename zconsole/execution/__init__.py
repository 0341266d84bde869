"""Execution of plans: facts, checks, steps, locks and outcomes."""
