"""Snapshots: schedules, retention, space that they free."""
