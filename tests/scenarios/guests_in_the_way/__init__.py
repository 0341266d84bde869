"""Every action on storage under guests and containers: running, paused, off."""
