"""Every screen's facts as text and JSON, for scripts and screen readers."""
