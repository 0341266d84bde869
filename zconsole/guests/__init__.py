"""Which libvirt guest lives on which dataset or zvol."""
