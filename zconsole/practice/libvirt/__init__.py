"""libvirt of the practice host: guests, `virsh`, `qemu-img`."""
