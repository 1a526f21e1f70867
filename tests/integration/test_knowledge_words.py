"""BM25 in SQLite: it finds terms in any script and no query can break it."""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rag.knowledge import words
from rag.knowledge.words import Vocabulary, WordHit
from rag.language.words import content_terms, query_terms, terms
from rag.values import PassageId

TEXTS = (
    "FxStore needs Java 17 and a certificate",
    "The certificate is renewed every ninety days",
    "Отпуск согласуют за две недели до начала",
    "年假需要提前两周申请",
    "휴가는 2주 전에 신청합니다",
)


def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(
        """
        CREATE TABLE passages (number INTEGER PRIMARY KEY, id TEXT);
        CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = 'ascii');
        CREATE VIRTUAL TABLE word_counts USING fts5vocab (words, 'row');
        """
    )
    for number, text in enumerate(TEXTS):
        add(connection, number, text)
    return connection


def add(connection: sqlite3.Connection, number: int, text: str) -> None:
    connection.execute("INSERT INTO passages VALUES (?, ?)", (number, str(number)))
    connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, " ".join(terms(text))))


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    opened = database()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param("which Java does FxStore need?", "0", id="english"),
        pytest.param("certificates renewed", "1", id="other word forms"),
        pytest.param("когда согласовать отпуска", "2", id="russian"),
        pytest.param("申请年假", "3", id="chinese"),
        pytest.param("휴가 신청", "4", id="korean"),
    ],
)
def test_best_passage_for_words_in_any_script(
    connection: sqlite3.Connection, question: str, expected: str
) -> None:
    hits = words.search(connection, query_terms(question), 5)
    assert hits[0].id == expected
    assert hits[0].score > 0
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_limit_is_kept(connection: sqlite3.Connection) -> None:
    assert len(words.search(connection, query_terms("certificate"), 1)) == 1


def test_words_that_stand_together_in_the_question_weigh_more_together() -> None:
    connection = database()
    add(connection, 10, "Lewis wrote to Robert in the year after the war was over and the peace was signed")
    add(connection, 11, "Robert Lewis wrote in the year after the war was over and the peace was signed to")
    question = "what did Robert Lewis write?"
    bonuses = Vocabulary.read(connection).bonuses(content_terms(question))
    hits = words.search(connection, query_terms(question), 2, bonuses)
    assert [hit.id for hit in hits] == ["11", "10"]
    assert hits[0].score > 1.2 * hits[1].score
    alone = words.search(connection, query_terms(question), 2)
    assert alone[0].score == pytest.approx(alone[1].score, rel=0.05)
    connection.close()


def test_no_terms_find_nothing(connection: sqlite3.Connection) -> None:
    assert words.search(connection, [], 5) == []


@given(st.lists(st.text(), max_size=8))
@example(['"', "a OR b", "NEAR(a b)", "terms:java", "a*", "^a", "-", "\0", "'; DROP TABLE passages; --"])
def test_no_term_is_read_as_query_syntax(hostile: list[str]) -> None:
    connection = database()
    try:
        words.search(connection, hostile, 5, bonuses=dict.fromkeys(itertools.pairwise(hostile), 1.0))
        assert connection.execute("SELECT count(*) FROM passages").fetchone() == (len(TEXTS),)
    finally:
        connection.close()


@given(st.text(min_size=1, max_size=40))
def test_every_term_of_a_text_finds_the_text(text: str) -> None:
    found = terms(text)
    connection = database()
    try:
        connection.execute("INSERT INTO passages VALUES (99, 'new')")
        connection.execute("INSERT INTO words (rowid, terms) VALUES (99, ?)", (" ".join(found),))
        for term in set(found):
            assert "new" in {hit.id for hit in words.search(connection, [term], 9)}
    finally:
        connection.close()


def test_rarity_runs_from_everywhere_to_nowhere() -> None:
    vocabulary = Vocabulary(passages=4000, counts={"the": 4000, "cat": 2000, "fxstore": 1})
    rarity = vocabulary.rarity(["the", "cat", "fxstore", "absent"])
    assert rarity["the"] < 0.01
    assert rarity["absent"] == 1.0
    assert 0 < rarity["cat"] < rarity["fxstore"] < 1


def test_words_of_the_only_passage_are_not_common_words() -> None:
    assert Vocabulary(passages=1, counts={"fxstore": 1}).rarity(["fxstore"])["fxstore"] > 0.5


def test_everything_is_rare_in_an_empty_corpus() -> None:
    assert Vocabulary(0, {}).rarity(["a"]) == {"a": 1.0}


def test_vocabulary_counts_passages_not_occurrences(connection: sqlite3.Connection) -> None:
    vocabulary = Vocabulary.read(connection)
    assert vocabulary.passages == len(TEXTS)
    assert vocabulary.counts["certif"] == 2


@pytest.mark.parametrize(
    ("held", "weights", "share"),
    [
        pytest.param("java certif and", {"java": 0.5, "certif": 0.25, "cloud": 0.25}, 0.75, id="most"),
        pytest.param("certif", {"java": 0.5, "certif": 0.5}, 0.5, id="half"),
        pytest.param("javascript", {"java": 1.0}, 0.0, id="none"),
        pytest.param("java", {}, 0.0, id="nothing asked"),
    ],
)
def test_share_of_a_question_that_a_passage_holds(held: str, weights: dict[str, float], share: float) -> None:
    assert WordHit(PassageId("a"), 1.0, held).share(weights) == share


def test_pairs_of_rare_words_are_worth_more_and_common_ones_nothing() -> None:
    vocabulary = Vocabulary(passages=100, counts={"the": 100, "year": 40, "robert": 2, "lewi": 1})
    bonuses = vocabulary.bonuses(["robert", "lewi", "year", "the"])
    assert bonuses["robert", "lewi"] > bonuses["lewi", "year"] > bonuses["year", "the"] > 0
    assert vocabulary.bonuses(["the", "the"]) == {("the", "the"): 0.0}
    assert vocabulary.bonuses(["one"]) == {}


@pytest.mark.parametrize(
    ("terms", "rare_words"),
    [
        pytest.param(["wireguard"], 1, id="one word may say it all"),
        pytest.param(
            ["wireguard", "the", "nowhere"], 1, id="words of every passage and of none do not count"
        ),
        pytest.param(["wireguard", "port", "vpn"], 3, id="three words"),
        pytest.param(["wireguard", "port", "vpn", "office", "login", "year"], 4, id="no more than four"),
        pytest.param(["the"], 1, id="nothing but common words"),
        pytest.param([], 1, id="nothing"),
    ],
)
def test_words_decide_by_themselves_when_as_telling_as_a_few_rare_ones(
    terms: list[str], rare_words: int
) -> None:
    counts = {"the": 100, "year": 40, "wireguard": 1, "port": 5, "vpn": 2, "office": 9, "login": 3}
    vocabulary = Vocabulary(passages=100, counts=counts)
    # A term of one passage out of a hundred has log(99.5 / 1.5).
    assert vocabulary.telling_score(terms) == pytest.approx(rare_words * math.log(99.5 / 1.5))


def test_empty_corpus_has_no_telling_words() -> None:
    assert Vocabulary(passages=0, counts={}).telling_score(["java"]) == 0.0


def test_stems_of_the_wrong_language_have_no_weight() -> None:
    vocabulary = Vocabulary(passages=4, counts={"corr": 1})
    assert vocabulary.weights(["corriendo", "corr", "corriend"], []).keys() == {"corr"}
    assert vocabulary.weights(["corr", "absent"], ["absent"])["absent"] == 1.0
