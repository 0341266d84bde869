"""Metrics for Prometheus, and the alert rules and the Grafana dashboard that use them."""
