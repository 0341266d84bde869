"""Media of disks, where nobody says what they are: told by their reads and their latencies."""
