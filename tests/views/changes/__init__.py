"""Tests of what is said of plans, runs and journal entries."""
