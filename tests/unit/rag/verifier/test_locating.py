from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.words import content_terms
from rag.verifier.locating import locate, stands_in

TEXT = """FxStore needs Java 17 since 2017. Everybody has 18 days of paid leave a year, and 2 months' notice
is needed. Max_retries is 3.1, not 3.11.

| Plan | Price |
| --- | --- |
| Basic | £500 |

Отпуск составляет 28 дней. 每年有十五天年假。휴가는 25일입니다."""


@pytest.mark.parametrize(
    ("said", "place"),
    [
        pytest.param("Java 17", "Java 17", id="as written"),
        pytest.param("needed.  Max_retries", "needed. Max_retries", id="other white space"),
        pytest.param("notice is needed", "notice\nis needed", id="over a line break"),
        pytest.param("fxstore", "FxStore", id="other case"),
        pytest.param("18 paid leave days", "18 days of paid leave", id="other order and ending"),
        pytest.param("two months", "2 months", id="a number in words"),
        pytest.param("17", "17", id="a number"),
        pytest.param("3.1", "3.1", id="a version that another one begins with"),
        pytest.param("500 pounds", "£500", id="a cell of a table"),
        pytest.param("28 дня отпуска", "Отпуск составляет 28 дней", id="Russian, inflected"),
        pytest.param("十五天", "十五天", id="Chinese, within a run"),
        pytest.param("15天", "十五天", id="Chinese, in figures"),
        pytest.param("25일", "25일", id="Korean, before an ending"),
    ],
)
def test_words_are_found_where_they_stand(said: str, place: str) -> None:
    found = locate(said, TEXT)
    assert found is not None
    assert TEXT[slice(*found)] == place


@pytest.mark.parametrize(
    "said",
    [
        pytest.param("17 days", id="another number beside the same word"),
        pytest.param("18 days of sick leave for contractors", id="too many other words"),
        pytest.param("20", id="a number within another one"),
        pytest.param("3.2", id="another version"),
        pytest.param("yes", id="a yes that is not there"),
        pytest.param("the", id="a function word"),
        pytest.param("", id="nothing"),
        pytest.param(" \n", id="blank"),
        pytest.param("…", id="a sign"),
    ],
)
def test_words_that_stand_nowhere_have_no_place(said: str) -> None:
    assert locate(said, TEXT) is None


def test_shortest_place_wins_over_one_that_holds_the_same_words() -> None:
    text = "In June the fee for members of the club, paid in advance, is due. The fee in June is £5."
    found = locate("June fee", text)
    assert found is not None
    assert text[slice(*found)] == "fee in June"


@given(st.text(max_size=60), st.text(max_size=300))
def test_place_is_a_part_of_the_text_whatever_is_said(said: str, text: str) -> None:
    found = locate(said, text)
    assert found is None or 0 <= found[0] < found[1] <= len(text)


words = st.lists(st.text(st.sampled_from("abcdeщжя年한ß17."), min_size=1, max_size=6), min_size=1, max_size=8)


@given(words, st.data())
def test_whole_words_of_a_text_are_always_found_in_it(written: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(written) - 1))
    said = " ".join(written[first : data.draw(st.integers(first + 1, len(written)))])
    text = "\n".join(written)
    found = locate(said, text)
    if found is None:
        assert not content_terms(said)
    else:
        assert content_terms(text[slice(*found)]) == content_terms(said)


@given(st.integers(100, 10_000), st.integers(100, 10_000))
def test_number_is_found_only_as_itself(said: int, written: int) -> None:
    found = locate(f"{said} units", f"The limit of {written} units a day holds for everybody.")
    assert (found is not None) == (said == written)


@pytest.mark.parametrize(
    ("said", "text", "question", "expected"),
    [
        pytest.param(
            "18 days of paid leave", "You get 18 days off.", "How much paid leave?", True, id="right"
        ),
        pytest.param(
            "18 days of paid leave", "You get 20 days off.", "How much paid leave?", False, id="value"
        ),
        pytest.param("17 May 2023", "It was in May 2023.", "When was it?", True, id="less precise"),
        pytest.param("May 2023", "It was on 17 May 2023.", "When was it?", True, id="more precise"),
        pytest.param("2 months", "Нужно 2 месяца.", "How long?", True, id="another language, same value"),
        pytest.param("sealed envelopes", "Use sealed envelopes.", "What to use?", True, id="words"),
        pytest.param("sealed envelopes", "Use open boxes.", "What to use?", False, id="other words"),
        pytest.param("sealed envelopes", "Используйте коробки.", "What to use?", False, id="not comparable"),
        pytest.param(
            "paid leave", "You have paid leave.", "Do I have paid leave?", True, id="only the question's"
        ),
        pytest.param("the", "the", "", False, id="no content"),
    ],
)
def test_claim_says_what_was_read(said: str, text: str, question: str, expected: bool) -> None:
    assert stands_in(said, "en", text, question) is expected


@given(st.text(max_size=60), st.text(max_size=200), st.text(max_size=60))
def test_any_texts_can_be_compared(said: str, text: str, question: str) -> None:
    assert stands_in(said, "", text, question) in {True, False}
