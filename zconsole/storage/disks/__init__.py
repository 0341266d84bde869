"""Files that keep what is known of disks: health, places, what was seen before they left."""
