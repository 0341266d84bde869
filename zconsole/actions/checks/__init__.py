"""Checks shared by several actions: names, properties, devices, mount points, impact."""
