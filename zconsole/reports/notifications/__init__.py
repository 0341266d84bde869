"""Alerts as messages: in words, as JSON, as the documents of webhooks."""
