"""libvirt and qemu-img: commands and parsers."""
