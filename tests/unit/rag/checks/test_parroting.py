from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.checks import parroting
from rag.reasons import as_written
from rag.values import Verdict

ELSEWHERE = Verdict("off_topic", as_written("the draft is about something else"), 0.9, "evidence")
UNCARRIED = Verdict("hallucination", as_written("no passage supports what the draft claims"), 0.9, "evidence")
LANGUAGE = Verdict("unchecked", as_written("written in English instead of Russian"), 1.0, "rules")
JUDGED = Verdict("hallucination", as_written("the server needs Java 17"), 0.9, "judge")
WRONG_JAVA = Verdict("hallucination", as_written("the draft names Java 11"), 0.9, "judge")


def _is_found(text: str, *told: Verdict, known: str = "") -> bool:
    found = parroting.find(text, told, known)
    if found is None:
        return False
    assert (found.kind, found.severity, found.start, found.end) == ("leftover", "critical", 0, len(text))
    return True


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("The draft is about something else.", ELSEWHERE, id="word for word"),
        pytest.param("No passage supports what the draft claims. [1]", UNCARRIED, id="with a marker"),
        pytest.param("<defect>Written in English instead of Russian</defect>", LANGUAGE, id="with its tag"),
        pytest.param("It was written in English instead of Russian.", LANGUAGE, id="nearly"),
        pytest.param("The draft names Java 11, the passages do not.", WRONG_JAVA, id="what a judge said"),
        pytest.param("The previous answer was about something else.", ELSEWHERE, id="en"),
        pytest.param("Черновик о чём-то другом.", ELSEWHERE, id="ru"),
        pytest.param("В предыдущем ответе говорится о другом.", ELSEWHERE, id="ru-answer"),
        pytest.param("El borrador trata de otra cosa.", ELSEWHERE, id="es"),
        pytest.param("La respuesta anterior no está en los pasajes.", UNCARRIED, id="es-answer"),
        pytest.param("Draf ini membahas hal lain.", ELSEWHERE, id="id"),
        pytest.param("Jawaban sebelumnya membahas hal lain.", ELSEWHERE, id="id-answer"),
        pytest.param("초안은 다른 내용에 관한 것입니다.", ELSEWHERE, id="ko"),
        pytest.param("이전 답변은 질문과 관련이 없습니다.", ELSEWHERE, id="ko-answer"),
        pytest.param("草稿说的是别的事情。", ELSEWHERE, id="zh"),
        pytest.param("之前的回答与问题无关。草稿没有依据。", ELSEWHERE, id="zh-answer"),
    ],
)
def test_an_answer_that_only_says_what_was_wrong_before_is_found(text: str, told: Verdict) -> None:
    assert _is_found(text, told)
    assert not _is_found(text), "nobody told it anything"


def test_two_words_are_too_few_to_be_known_again() -> None:
    assert not _is_found("Small talk.", Verdict("unchecked", as_written("small talk"), 1.0, "evidence"))


@pytest.mark.parametrize(
    ("text", "known"),
    [
        pytest.param("The server needs Java 17.", "", id="the right answer, which the judge had named"),
        pytest.param("I do not know which port it uses.", "", id="a refusal"),
        pytest.param("The documents do not say it.", "", id="another refusal"),
        pytest.param("The draft was wrong. The server needs Java 17 [1].", "", id="an answer follows"),
        pytest.param("The draft is due on Monday.", "When is the draft due?", id="a draft was asked about"),
        pytest.param("The draft is signed.", "Черновик договора подписан.", id="a draft is documented"),
        pytest.param("No.", "", id="a word"),
    ],
)
def test_an_answer_is_not_taken_for_what_was_told(text: str, known: str) -> None:
    assert not _is_found(text, ELSEWHERE, UNCARRIED, LANGUAGE, JUDGED, known=known)


words = st.lists(
    st.sampled_from(["draft", "passage", "草稿", "черновик", "no", "42", "Java", "claims"]),
    min_size=3,
    max_size=9,
)
around = st.sampled_from(["{}", "{}.", "{} [1]", "<defect>{}</defect>", "\n{}!\n"])


@given(words.map(" ".join), around)
def test_a_reason_of_our_own_is_known_again_in_any_dress(reason: str, dress: str) -> None:
    told = Verdict("unchecked", as_written(reason), 1.0, "rules")
    assert _is_found(dress.format(reason), told, known=reason)
    assert not _is_found(dress.format(reason), JUDGED, known=reason), (
        "of a judge's words only those on drafts"
    )


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=40))
def test_nothing_is_found_where_nothing_was_told(text: str, reason: str, known: str) -> None:
    assert not _is_found(text, known=known)
    _is_found(text, Verdict("unchecked", as_written(reason), 1.0, "rules"), known=known)
