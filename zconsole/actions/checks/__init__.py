"""What several actions check: names, properties, devices, mountpoints, impact."""
