"""What every layer needs: errors, units, time, secrets, configuration."""
