"""The last hour of each host, in little memory."""
