"""Carrying out plans: facts, checks, steps, locks and outcomes."""
