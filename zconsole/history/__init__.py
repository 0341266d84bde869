"""The last hour of each host, in bounded memory."""
