"""What several disks in trouble have in common: a controller, a shelf, a cable, or memory."""
