from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.steps.rewrite import is_new

TRIED = ("Who approves leave in Milan?", "and in Berlin?")


@pytest.mark.parametrize(
    ("query", "language", "tried"),
    [
        pytest.param("who approves leave in milan", "en", TRIED, id="case"),
        pytest.param("Milan: leave approves who", "en", TRIED, id="order"),
        pytest.param("Who is it that approves the leave in Milan?!", "en", TRIED, id="stop words"),
        pytest.param("BERLIN", "en", TRIED, id="shouted"),
        pytest.param("FXSTORE NEEDS JAVA", "en", ("FxStore needs Java",), id="a name in capitals"),
        pytest.param("кто в Милане утверждает отпуск", "ru", ("Кто утверждает отпуск в Милане?",), id="ru"),
        pytest.param("en Milán, ¿quién aprueba?", "es", ("¿Quién aprueba en Milán?",), id="es"),
        pytest.param("di Milan siapa menyetujui", "id", ("Siapa yang menyetujui di Milan?",), id="id"),
        pytest.param("승인 밀라노", "ko", ("밀라노 승인",), id="ko"),
        pytest.param("端口默认", "zh", ("默认的端口",), id="zh"),
        pytest.param("the and of", "en", TRIED, id="nothing but stop words"),
    ],
)
def test_query_in_another_order_case_or_with_stop_words_is_no_new_one(
    query: str, language: str, tried: tuple[str, ...]
) -> None:
    assert not is_new(query, tried, language)


@pytest.mark.parametrize(
    ("query", "language"),
    [
        ("holiday approval Milan", "en"),
        ("leave approves Berlin", "en"),
        ("утверждение отпуска", "ru"),
        ("假期审批", "zh"),
    ],
)
def test_query_with_another_word_is_a_new_one(query: str, language: str) -> None:
    assert is_new(query, TRIED, language)


@given(st.text(max_size=60), st.sampled_from(["en", "ru", "zh", "ko", ""]))
def test_no_query_is_new_after_itself(query: str, language: str) -> None:
    assert not is_new(query, (query,), language)
    assert not is_new(query.swapcase(), (query,), language) or query.casefold() != query.swapcase().casefold()
