"""Tests of what the planner says."""
