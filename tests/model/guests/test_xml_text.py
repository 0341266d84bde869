"""Text in XML, as parsers of XML read it."""

from __future__ import annotations

from xml.etree.ElementTree import fromstring

import pytest

from zconsole.model.guests.xml_text import escaped, quoted

TEXTS = ("plain", "a & b", "<b>", "]]>", "'one' \"two\"", "line\nbreak\r\ttab", "&amp;", "\u20ac")


@pytest.mark.parametrize("text", TEXTS)
def test_an_attribute_is_read_as_it_was_given(text: str) -> None:
    assert text == fromstring(f"<a b={quoted(text)}/>").get("b")  # noqa: S314 - our own


@pytest.mark.parametrize("text", [each for each in TEXTS if "\r" not in each])
def test_the_text_of_an_element_is_read_as_it_was_given(text: str) -> None:
    assert text == fromstring(f"<a>{escaped(text)}</a>").text  # noqa: S314 - our own
