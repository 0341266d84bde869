"""Settings of alerts: what the console does for a call, and where `zconsole watch` sends messages."""
