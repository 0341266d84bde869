"""Chains of images as `qemu-img info` prints them."""

from __future__ import annotations

import pytest

from tests.conftest import CAPTURES
from zconsole.base.errors import ParseError
from zconsole.model.guests.guest import Image
from zconsole.system.libvirt.qemu_img import image_chain, parse_image_chain

HERE = CAPTURES / "libvirt" / "9.0"


def test_a_real_chain_has_the_uppermost_image_first() -> None:
    assert (
        Image("/tank/vms/web01.qcow2", "qcow2", 1 << 30, 200704, 65536, backing="/tank/vms/base.qcow2"),
        Image("/tank/vms/base.qcow2", "qcow2", 1 << 30, 200704, 65536),
    ) == parse_image_chain((HERE / "qemu-img_chain.json").read_text())


def test_snapshots_within_an_image_have_names() -> None:
    (found,) = parse_image_chain((HERE / "qemu-img_snapshot.json").read_text())

    assert ("before",) == found.internal_snapshots


def printed(filename: str, data: str) -> str:
    return f'[{{"filename": "{filename}", "format": "x", "format-specific": {{"data": {data}}}}}]'


@pytest.mark.parametrize(
    ("expected", "data"),
    [
        (["/tank/a", "/other/ext.raw"], '{"data-file": "/other/ext.raw", "data-file-raw": true}'),
        (["/tank/a", "/tank/ext.raw"], '{"data-file": "ext.raw"}'),
        (["/tank/a", "/tank/a-flat.vmdk"], '{"extents": [{"filename": "/tank/a-flat.vmdk"}]}'),
        (["/tank/a"], '{"extents": [{"filename": "/tank/a"}], "corrupt": false}'),
    ],
)
def test_data_in_files_of_their_own_follow_the_image(expected: list[str], data: str) -> None:
    """As `qemu-img info` of QEMU 7.2 prints those of qcow2 and VMDK."""
    assert expected == [each.path for each in parse_image_chain(printed("/tank/a", data))]


def test_a_raw_image_has_no_clusters() -> None:
    (found,) = parse_image_chain((HERE / "qemu-img_raw.json").read_text())

    assert ("raw", None) == (found.format, found.cluster_bytes)


@pytest.mark.parametrize("text", ["", "{}", "[1]", '[{"filename": 1}]', '[{"format": "raw"}]'])
def test_anything_else_is_an_error(text: str) -> None:
    with pytest.raises(ParseError):
        parse_image_chain(text)


def test_an_image_is_read_beside_a_guest_that_holds_its_lock() -> None:
    assert "-U" in image_chain("/tank/a", "qcow2").argv
    assert ("--", "/tank/a") == image_chain("/tank/a", "qcow2").argv[-2:]
