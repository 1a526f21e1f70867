from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.documents import Document, Section
from rag.knowledge.loaders.json_files import load_rows

GOOD = {"id": "a1", "title": "Leave", "text": "Two weeks."}


def load(
    *lines: str | bytes, prefix: str = "", limit: int = 1000
) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    content = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    read = load_rows(content, prefix, limit)
    return read.documents, tuple(map(str, read.notes))


def test_row_is_a_document_with_its_title_as_heading() -> None:
    documents, notes = load(json.dumps(GOOD))
    assert documents == (Document("a1", "Leave", (Section("Leave", "Two weeks."),)),)
    assert notes == ()


def test_prefix_is_put_before_the_id() -> None:
    assert [document.key for document in load(json.dumps(GOOD), prefix="faq.jsonl#")[0]] == ["faq.jsonl#a1"]


def test_row_without_a_title_is_named_after_its_id() -> None:
    (document,), _ = load('{"id": 7, "title": null, "text": "x"}')
    assert document == Document("7", "7", (Section("", "x"),))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param('{"id": "x", "text": ', "the row is not valid JSON", id="cut off"),
        pytest.param("[" * 100_000, "the row is not valid JSON", id="endless nesting"),
        pytest.param(
            '{"id": "x", "text": ' + "1" * 10_000 + "}", "the row is not valid JSON", id="endless number"
        ),
        pytest.param(b'{"id": "x", "text": "\xff"}', "the row is not UTF-8", id="encoding"),
        pytest.param('["x"]', 'the row is not an object like {"id": …, "title": …, "text": …}', id="list"),
        pytest.param('{"text": "x"}', 'the row has no "id"', id="no id"),
        pytest.param('{"id": true, "text": "x"}', 'the row has no "id"', id="id of another type"),
        pytest.param('{"id": " ", "text": "x"}', 'the row has no "id"', id="blank id"),
        pytest.param('{"id": "x"}', 'the row has no "text"', id="no text"),
        pytest.param('{"id": "x", "text": " \\n"}', 'the row has no "text"', id="blank text"),
        pytest.param('{"id": "x", "text": ["y"]}', 'the row has no "text"', id="text of another type"),
        pytest.param(
            '{"id": "x", "title": 5, "text": "y"}', 'the "title" of the row is not a text', id="title"
        ),
        pytest.param('{"id": "a1", "text": "y"}', "the id 'a1' is already used above", id="id used twice"),
        pytest.param(
            json.dumps({"id": "x", "text": "y" * 1001}),
            "the text is longer than 1,000 characters: split the row",
            id="too long",
        ),
    ],
)
def test_bad_row_is_told_with_its_line_and_the_others_load(line: str | bytes, reason: str) -> None:
    documents, notes = load(json.dumps(GOOD), "", line, '{"id": "b", "text": "z"}')
    assert [document.key for document in documents] == ["a1", "b"]
    assert notes == (f"line 3: {reason}",)


def test_file_of_another_kind_does_not_fail_a_million_times() -> None:
    documents, notes = load(*["no json"] * 250)
    assert documents == ()
    assert len(notes) == 101
    assert notes[-1] == "150 more lines cannot be read"


def test_line_separator_of_unicode_inside_a_row_does_not_end_it() -> None:
    (document,), notes = load('{"id": "x", "text": "one\u2028two"}')
    assert (document.sections[0].text, notes) == ("one\ntwo", ())


def test_mark_at_the_beginning_and_windows_line_ends_are_no_part_of_a_row() -> None:
    read = load_rows(b"\xef\xbb\xbf" + json.dumps(GOOD).encode() + b"\r\n", "", 1000)
    assert (len(read.documents), read.notes) == (1, ())


@given(st.lists(st.fixed_dictionaries({"id": st.text(), "title": st.text(), "text": st.text()}), max_size=5))
def test_every_row_is_a_document_or_a_note(rows: list[dict[str, str]]) -> None:
    documents, notes = load(*[json.dumps(row) for row in rows])
    assert len(documents) + len(notes) == len(rows)
    assert len({document.key for document in documents}) == len(documents)


@given(st.binary())
def test_any_bytes_can_be_read(content: bytes) -> None:
    load_rows(content, "", 1000)
