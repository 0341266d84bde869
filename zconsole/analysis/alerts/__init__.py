"""Alerts: which states and events of a host a person is told of, and when."""
