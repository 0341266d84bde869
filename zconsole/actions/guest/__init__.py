"""Actions on guests of libvirt."""
