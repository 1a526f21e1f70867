from __future__ import annotations

import codecs
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import DocumentError
from rag.knowledge.loaders.content import TextLimit
from rag.knowledge.loaders.text import decode, load_text

RUSSIAN = "Отпуск оформляется за две недели. Заявление подаётся руководителю отдела."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        pytest.param(RUSSIAN, "utf-8", id="utf-8"),
        pytest.param(RUSSIAN, "utf-8-sig", id="utf-8 with mark"),
        pytest.param(RUSSIAN, "utf-16", id="utf-16 with mark"),
        pytest.param(RUSSIAN, "utf-16-le", id="utf-16 little-endian without mark"),
        pytest.param(RUSSIAN, "utf-16-be", id="utf-16 big-endian without mark"),
        pytest.param(RUSSIAN, "utf-32", id="utf-32"),
        pytest.param(RUSSIAN, "cp1251", id="russian windows"),
        pytest.param("Привет, мир", "cp1251", id="a few words of russian windows"),
        pytest.param("Příliš žluťoučký kůň úpěl ďábelské ódy", "cp1250", id="czech"),
    ],
)
def test_text_of_a_common_encoding_is_read(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0\0\0\1\0\x08\6\0\0\0" * 20, id="picture"),
        pytest.param(b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0>\0\1\0\0\0" * 20, id="program"),
        pytest.param(bytes(range(256)) * 10, id="every byte"),
        pytest.param(b"PK\3\4\x14\0\0\0\x08\0" + bytes(100), id="archive"),
        pytest.param(codecs.BOM_UTF16_LE + b"\1\0" * 100, id="marked nonsense"),
        pytest.param(b"abc\1\2\3\4\5\6\7\x08" * 30, id="control characters that are valid UTF-8"),
    ],
)
def test_binary_file_is_not_text(content: bytes) -> None:
    with pytest.raises(
        DocumentError, match=r"^the file is not text: remove it, or save it as text in UTF-8$"
    ):
        decode(content)


def test_file_that_breaks_its_own_mark_says_so() -> None:
    with pytest.raises(
        DocumentError, match=r"^the file is marked as UTF-8 but is damaged: save it again as UTF-8$"
    ):
        decode(codecs.BOM_UTF8 + "привет".encode("cp1251"))


def test_text_is_one_section_without_a_heading() -> None:
    (section,) = load_text("\r\nOne.\r\n\r\nTwo.\r\n").sections
    assert (section.heading, section.text) == ("", "One.\n\nTwo.")


def test_document_holds_only_what_a_reader_sees() -> None:
    (section,) = load_text("a\u200bb\U000e0041c").sections
    assert section.text == "abc"


@given(st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" ")))
def test_any_printable_text_survives_utf8(text: str) -> None:
    assert decode(text.encode()) == (text, ())


@given(st.binary())
def test_any_bytes_are_text_or_a_clear_failure(content: bytes) -> None:
    with suppress(DocumentError):
        decode(content)[0].encode("utf-8")


def test_limit_counts_over_calls() -> None:
    limit = TextLimit(10)
    limit.count("12345")
    limit.count("67890")
    with pytest.raises(DocumentError, match=r"longer than max_text_chars allows \(10 characters\)"):
        limit.count("x")
