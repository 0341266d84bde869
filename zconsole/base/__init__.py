"""Code that every layer needs: errors, units, time, secrets, configuration."""
