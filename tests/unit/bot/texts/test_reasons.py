"""The engine's reasons are said in the language of the reader."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.texts import TEXTS
from bot.texts.reasons import said
from rag.errors import DocumentError
from rag.knowledge.loaders.content import TextLimit
from rag.knowledge.loaders.docx import load_docx
from rag.knowledge.loaders.pdf import load_pdf
from rag.knowledge.loaders.rows import load_rows
from rag.knowledge.loaders.text import decode
from rag.models.endpoint import Endpoint
from rag.models.failures import empty_reply, failure_of, wrong_form
from rag.steps.standalone import objection_to

LIMIT = 1000
EMBEDDED = Endpoint("embedded", "qwen", "http://127.0.0.1:1/v1", "embedded")
SERVER = Endpoint("openai:x", "x", "http://127.0.0.1:1/v1", "compatible")


def _package(declared: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", declared)
    return packed.getvalue()


@pytest.mark.parametrize(
    "read",
    [
        pytest.param(lambda: load_pdf(b"no pdf", TextLimit(LIMIT)), id="no PDF"),
        pytest.param(lambda: load_pdf(b"%PDF-1.7 cut", TextLimit(LIMIT)), id="PDF without an end"),
        pytest.param(lambda: load_pdf(b"%PDF-1.7 broken %%EOF", TextLimit(LIMIT)), id="damaged PDF"),
        pytest.param(
            lambda: load_docx(b"\xd0\xcf\x11\xe0", TextLimit(LIMIT), LIMIT), id="encrypted Word file"
        ),
        pytest.param(lambda: load_docx(b"no zip", TextLimit(LIMIT), LIMIT), id="damaged Word file"),
        pytest.param(lambda: load_docx(_package(b"x" * 9), TextLimit(LIMIT), 5), id="Word file too large"),
        pytest.param(lambda: decode(bytes(range(32)) * 9), id="no text"),
        pytest.param(lambda: decode(b"\xff\xfe\x00"), id="damaged text"),
        pytest.param(lambda: TextLimit(5).count("too long"), id="text too long"),
    ],
)
def test_reason_of_a_document_that_cannot_be_read_is_known(read: Callable[[], object]) -> None:
    with pytest.raises(DocumentError) as caught:
        read()
    _assert_known(str(caught.value))


def test_reason_of_each_malformed_row_is_known() -> None:
    rows = (
        b'{"id": 1, "text": "Tea."}',
        b"\xff",
        b"no",
        b"[]",
        b'{"text": "Tea."}',
        b'{"id": 2}',
        b'{"id": 3, "text": "Tea.", "title": 3}',
        b'{"id": 4, "text": "Tea at four, coffee at five."}',
        b'{"id": 1, "text": "Tea."}',
    )
    _, notes = load_rows(b"\n".join(rows), "", 20)
    assert len(notes) == len(rows) - 1
    for note in notes:
        _assert_known(note)
    _, notes = load_rows(b"no\n" * 1200, "", 20)
    _assert_known(notes[-1])


@pytest.mark.parametrize("endpoint", [EMBEDDED, SERVER], ids=["embedded", "server"])
def test_reason_of_a_model_that_fails_is_known(endpoint: Endpoint) -> None:
    _assert_known(str(failure_of(TimeoutError(), endpoint).error))
    _assert_known(str(empty_reply(endpoint, "stop")))
    _assert_known(str(empty_reply(endpoint, "length")))
    _assert_known(str(wrong_form(endpoint, "verdict", 2)))


@pytest.mark.parametrize(
    "reason",
    [
        "the passages say the opposite: may not",
        "a bare yes or no can be compared with nothing",
        "small talk, and the text is clean",
        "a second reading of [2] says “Java 21”",
        "a second reading of [2] does not confirm it",
        "a reading of the passage found “Java 17” in this sentence",
        "this sentence leaves no doubt",
        "no reading confirms that this sentence answers",
        "no sentence of the passages carries the question",
        "the second reading failed: cannot be reached: is it running?",
    ],
)
def test_reason_of_a_verdict_is_known(reason: str) -> None:
    _assert_known(reason)


@pytest.mark.parametrize(
    ("question", "message", "said_before"),
    [
        pytest.param("", "and the second?", "Open, map, close.", id="none"),
        pytest.param("Каково второе состояние?", "and the second?", "Open, map, close.", id="language"),
        pytest.param("What is the second state in Jira?", "and the second?", "The state is open.", id="word"),
        pytest.param("and the second?", "and the second?", "Open, map, close.", id="same"),
    ],
)
def test_reason_against_a_question_that_is_to_stand_alone_is_known(
    question: str, message: str, said_before: str
) -> None:
    _assert_known(objection_to(question, message, f"{said_before} {message}", "en"))


def _assert_known(reason: str) -> None:
    """It keeps its words in English, and none of another language is like them."""
    assert said(reason, "en") == reason
    for language in set(TEXTS.languages) - {"en"}:
        assert said(reason, language) != reason, language


@pytest.mark.parametrize(
    ("reason", "russian"),
    [
        pytest.param(
            "line 7: the row is not valid JSON", "строка 7: строка — не правильный JSON", id="inside"
        ),
        pytest.param(
            "page 3 is damaged and was left out: export the PDF again; nobody knows this",
            "страница 3 повреждена и пропущена: экспортируйте PDF заново; nobody knows this",
            id="several",
        ),
        pytest.param(
            "openai:x at http://127.0.0.1:1/v1 cannot be reached: is it running?",
            "openai:x по адресу http://127.0.0.1:1/v1: связи нет; запущена ли она?",
            id="model on a server",
        ),
        pytest.param(
            "openai:x at http://127.0.0.1:1/v1 takes no more requests for now (429); it asks to wait 2.5 s: "
            "try again later",
            "openai:x по адресу http://127.0.0.1:1/v1: запросов пока больше не принимает (429), просит подождать "
            "2,5 с; попробуйте позже",
            id="semicolon inside",
        ),
    ],
)
def test_values_of_a_reason_are_said_as_the_language_does(reason: str, russian: str) -> None:
    assert said(reason, "ru") == russian


@given(st.text(max_size=60), st.sampled_from(TEXTS.languages))
def test_unknown_reason_stays_as_it_is(reason: str, language: str) -> None:
    assert said(f"~{reason}", language) == f"~{reason}"
