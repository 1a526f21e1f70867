"""Fusion: words and vectors become one ranking that follows the question's language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.fusion import Found, fuse, ranked
from rag.knowledge.matching import meaning_weight
from rag.values import PassageId

NAMES = st.text("abc", min_size=1, max_size=2).map(PassageId)


def scores(**values: float) -> dict[PassageId, float]:
    return {PassageId(name): value for name, value in values.items()}


def order(*found: Found) -> list[str]:
    return list(ranked(fuse(found)))


@pytest.mark.parametrize(
    ("embedding", "query", "trusted"),
    [
        pytest.param("minilm", "How do I take a day off?", True, id="english embedding, english"),
        pytest.param("minilm", "Как взять отгул?", False, id="english embedding, russian"),
        pytest.param("minilm", "怎么请假？", False, id="english embedding, chinese"),
        pytest.param("multilingual", "Как взять отгул?", True, id="multilingual, russian"),
        pytest.param("multilingual", "怎么请假？", True, id="multilingual, chinese"),
        pytest.param("openai:x", "휴가는 어떻게 내나요?", True, id="server, korean"),
        pytest.param("minilm", "8443?", True, id="no letters"),
    ],
)
def test_an_embedding_has_a_say_only_in_languages_it_knows(embedding: str, query: str, trusted: bool) -> None:
    assert (meaning_weight(embedding, query) > 0) is trusted


def test_an_english_embedding_has_little_say_in_other_languages_of_its_script() -> None:
    english = meaning_weight("minilm", "How do I take a day off?")
    assert 0 < meaning_weight("minilm", "¿Dónde está la oficina de la empresa?") < english / 2


def test_similarities_without_weight_do_not_change_the_order_of_the_words() -> None:
    words = scores(a=9, b=5, c=1)
    assert order(Found(words, scores(c=0.9, d=0.8, a=0.1), meaning=0.0))[:3] == ["a", "b", "c"]


def test_a_passage_both_searches_like_beats_one_that_only_one_of_them_likes() -> None:
    found = Found(scores(a=10, b=9.5), scores(c=0.9, b=0.85, d=0.1), meaning=0.4)
    assert order(found)[0] == "b"


def test_words_that_hold_little_of_the_question_lose_against_the_meaning() -> None:
    words, similarities = scores(a=2), scores(b=0.9, a=0.1)
    assert order(Found(words, similarities, meaning=0.4, reach=1.0))[0] == "a"
    assert order(Found(words, similarities, meaning=0.4, reach=0.05))[0] == "b"


def test_words_that_tell_nothing_lose_against_the_meaning() -> None:
    words, similarities = scores(a=2), scores(b=0.9, a=0.1)
    assert order(Found(words, similarities, meaning=0.4, telling=2.0))[0] == "a"
    assert order(Found(words, similarities, meaning=0.4, telling=20.0))[0] == "b"


def test_a_passage_no_nearer_than_an_ordinary_one_has_nothing_from_the_vectors() -> None:
    found = Found({}, scores(a=0.9, b=0.8, c=0.7, d=0.3), meaning=0.4, ordinary=0.7)
    assert fuse([found]) == pytest.approx(scores(a=0.4, b=0.2, c=0.0, d=0.0))


def test_the_first_query_weighs_most() -> None:
    one = Found(scores(a=5, b=1), {}, meaning=0.4)
    two = Found(scores(b=5, a=1), {}, meaning=0.4)
    assert order(one, two)[0] == "a"
    assert order(two, one)[0] == "b"


def test_a_later_query_adds_what_the_first_did_not_find() -> None:
    assert order(Found(scores(a=5), {}, 0.4), Found(scores(b=5), {}, 0.4)) == ["a", "b"]


def test_equal_scores_come_in_a_fixed_order() -> None:
    assert ranked(scores(b=1, a=1, c=2)) == ["c", "a", "b"]


def test_nothing_found_is_an_empty_ranking() -> None:
    assert fuse([Found({}, {}, 0.4)]) == {}
    assert fuse([]) == {}


@given(
    st.lists(
        st.builds(
            Found,
            words=st.dictionaries(NAMES, st.floats(0, 100)),
            similarities=st.dictionaries(NAMES, st.floats(-1, 1)),
            meaning=st.floats(0, 1),
            ordinary=st.floats(-1, 1),
            telling=st.floats(0, 50),
            reach=st.floats(0, 1),
        ),
        max_size=3,
    )
)
def test_every_found_passage_gets_a_score_between_0_and_1(found: list[Found]) -> None:
    fused = fuse(found)
    assert fused.keys() == {name for one in found for name in (*one.words, *one.similarities)}
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in fused.values())
