from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.phrases import asks_for_summary
from rag.models.tokens import estimate_tokens
from rag.steps.classify import classify
from rag.steps.whole import find_document, is_named, thin_out
from rag.values import Passage, PassageId, Question, Turn


def passage(source: str, section: str = "", text: str = "Text.") -> Passage:
    return Passage(PassageId(f"{source}-{text}"), source, section, text, source=source)


GUIDE, LEAVE = passage("team/travel-guide.md", "Travel guide > Trains"), passage("отпуск.md", "Отпуск")


@pytest.mark.parametrize(
    "text",
    [
        "Summarise the travel guide",
        "Can you summarize this document?",
        "Give me an overview of the handbook",
        "tl;dr of the release notes",
        "Сделай краткое резюме этого документа",
        "Перескажи документ",
        "이 문서를 요약해 주세요",
        "请总结这份文档",
        "請總結這份文檔",
        "Resume este documento",
        "¿Me haces un resumen del manual?",
        "Tolong rangkum dokumen ini",
        "Fass das Handbuch bitte zusammen",
        "Résume ce document",
    ],
)
def test_request_to_sum_up_is_recognised(text: str) -> None:
    assert asks_for_summary(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which Java does FxStore need?",
        "How many days of leave are there?",
        "Сколько дней отпуска?",
        "휴가는 며칠인가요?",
        "年假有几天？",
        "Berapa hari cuti?",
        "¿Cuántos días de vacaciones hay?",
        "Where do I find the summary?",
    ],
)
def test_other_questions_are_not_taken_for_one(text: str) -> None:
    assert not asks_for_summary(text)


@pytest.mark.parametrize(
    ("name", "message", "named"),
    [
        ("travel-guide", "Summarise the Travel Guide", True),
        ("travel-guide", "请总结travel-guide文档", True),
        ("travel-guide", "travel-guide를 요약해 주세요", True),
        ("Отпуск", "перескажи документ об отпуске", True),
        ("年假规定", "请总结年假规定", True),
        ("travel-guide", "Summarise the guide to travel", False),
        ("leave", "Summarise what we learn", False),
        ("", "Summarise it", False),
        ("…", "Summarise it", False),
    ],
)
def test_document_is_named_by_its_words_in_a_row(name: str, message: str, *, named: bool) -> None:
    assert is_named(name, message) is named


def found(text: str, carried: tuple[Passage, ...] = (), hits: tuple[Passage, ...] = (LEAVE, GUIDE)) -> str:
    history = (Turn("user", "Who books trips?"), Turn("assistant", "The desk.")) if carried else ()
    return find_document(text, classify(Question(text, history)), carried, hits)


def test_named_document_goes_before_the_one_behind_the_latest_answer() -> None:
    assert found("summarise the travel guide", (LEAVE,)) == GUIDE.source
    assert found("summarise this document", (LEAVE,)) == LEAVE.source


def test_without_a_name_only_a_single_document_is_meant() -> None:
    assert found("summarise the document") == ""
    assert found("summarise the document", hits=(GUIDE, GUIDE)) == GUIDE.source
    assert found("summarise the document", hits=()) == ""


@given(st.lists(st.integers(1, 400), max_size=30), st.integers(1, 3000))
def test_what_is_read_fits_the_limit_and_begins_with_the_document(sizes: list[int], limit: int) -> None:
    passages = [passage("a.md", text=f"{n} " + "x" * size) for n, size in enumerate(sizes)]
    read = thin_out(passages, limit)
    assert list(read) == [one for one in passages if one in read], "in order, none twice"
    assert read[:1] == tuple(passages[:1])
    taken = sum(estimate_tokens(one.text) for one in read)
    assert taken <= limit or len(read) <= 1
    if sum(estimate_tokens(one.text) for one in passages) <= limit:
        assert list(read) == passages
