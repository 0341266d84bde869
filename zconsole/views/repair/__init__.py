"""The guided repair of a device in words."""
