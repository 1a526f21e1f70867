from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from rag.errors import ModelUnavailableError
from rag.evidence.gathering import Gatherer
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.quoting import Choice, choose, preload
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Question

LEAVE = Passage(
    PassageId("leave"),
    "Leave",
    "Leave",
    "Every employee has 27 days of leave a year. Inês Falcão approves leave for the Porto office. "
    "A hotel is booked by the front desk after a request in writing, which must name the dates of the journey, "
    "the city, the purpose and the cost centre, and be handed in at least three working days before departure. "
    "Half days can be taken only on Fridays.",
    score=1.0,
)
PARKING = Passage(PassageId("parking"), "Parking", "Parking", "The yard is closed on Sundays.", score=0.4)


class Corpus:
    """An embedding made of hashes, and a corpus in which every word is rare."""

    def __init__(self) -> None:
        self.embedder = HashedEmbedder()
        self.embedded: list[str] = []
        self.is_away = False
        self.is_known = True

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        if self.is_away:
            raise ModelUnavailableError
        self.embedded += texts
        return np.asarray(self.embedder.embed_queries(texts))

    def knows(self, text: str) -> bool:
        return self.is_known

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        return dict.fromkeys(terms, 0.8)


@pytest.fixture(autouse=True)
def corpus() -> Corpus:
    preload()
    return Corpus()


async def _choose(corpus: Corpus, question: str, *passages: Passage, limit: int = 2) -> Choice:
    classification = classify(Question(question))
    return await choose(Gatherer(corpus), classification, passages or (LEAVE, PARKING), limit)


@pytest.mark.parametrize("is_away", [False, True], ids=["by meaning", "by words alone"])
async def test_sentence_that_answers_comes_first(corpus: Corpus, *, is_away: bool) -> None:
    corpus.is_away = is_away
    choice = await _choose(corpus, "Who approves leave for the Porto office?")
    assert "Inês Falcão approves leave for the Porto office." in choice.sentences[0].text


async def test_embedding_that_does_not_know_the_language_is_not_asked(corpus: Corpus) -> None:
    corpus.is_known = False
    choice = await _choose(corpus, "Who approves leave for the Porto office?")
    assert choice.sentences
    assert not corpus.embedded


async def test_landmarks_are_embedded_once_for_many_questions(corpus: Corpus) -> None:
    gatherer = Gatherer(corpus)
    for question in ("Who approves leave for the Porto office?", "When is the yard closed?"):
        corpus.embedded.clear()
        await choose(gatherer, classify(Question(question)), (LEAVE, PARKING))
    assert len(corpus.embedded) < 10  # the question, at most five sentences, and a landmark


async def test_quotation_stands_in_its_passage_word_for_word(corpus: Corpus) -> None:
    for one in (await _choose(corpus, "When is the yard closed?", limit=5)).sentences:
        assert one.text == one.passage.text[one.start : one.end]


async def test_nothing_is_quoted_twice(corpus: Corpus) -> None:
    found = (await _choose(corpus, "Who approves leave for the Porto office?", limit=5)).sentences
    spans = sorted((one.passage.id, one.start, one.end) for one in found)
    assert all(passage != other or end <= start for (passage, _, end), (other, start, _) in pairwise(spans))


async def test_scores_fall_and_stay_below_what_is_carried(corpus: Corpus) -> None:
    choice = await _choose(corpus, "Who approves leave for the Porto office?", limit=5)
    assert 0.0 <= choice.sentences[-1].score <= choice.sentences[0].score <= choice.carried <= 1.0


async def test_question_that_passages_speak_of_is_carried_and_another_is_not(corpus: Corpus) -> None:
    assert (await _choose(corpus, "Who approves leave for the Porto office?")).is_carried
    assert not (await _choose(corpus, "Which fuel does the ferry burn?")).is_carried


async def test_title_counts_as_said(corpus: Corpus) -> None:
    text = "It is possible on two days a week."
    told = replace(PARKING, document="Remote work", section="Porto", text=text)
    untold = replace(PARKING, text=text)
    question = "How many days of remote work are possible in Porto?"
    assert (await _choose(corpus, question, told)).carried > (await _choose(corpus, question, untold)).carried


async def test_passages_without_text_give_no_sentence(corpus: Corpus) -> None:
    assert await _choose(corpus, "Who?", replace(PARKING, text="\n\n")) == Choice()


async def test_page_of_code_is_cut(corpus: Corpus) -> None:
    code = "```\n" + "make it\n" * 500 + "```"
    (one,) = (await _choose(corpus, "How do I make it?", replace(PARKING, text=code))).sentences
    assert len(one.text) <= 600


@pytest.mark.parametrize(("gap", "is_joined"), [("\n", True), (" ", True), ("\n\n", False)])
async def test_neighbour_is_quoted_too_unless_another_paragraph_begins(
    corpus: Corpus, gap: str, *, is_joined: bool
) -> None:
    sentences = ("Members pay the monthly charge.", "Members pay the deposit.")
    passage = Passage(PassageId("pay"), "Pay", "Pay", gap.join(sentences), score=1.0)
    choice = await _choose(corpus, "What do members pay?", passage)
    expected = [gap.join(sentences)] if is_joined else list(sentences)
    assert sorted(one.text for one in choice.sentences) == sorted(expected)


async def test_items_of_one_list_are_quoted_together_though_lines_are_left_between_them(
    corpus: Corpus,
) -> None:
    items = "- Members pay the monthly charge.\n\n- Members pay the deposit."
    passage = Passage(PassageId("pay"), "Pay", "Pay", items, score=1.0)
    choice = await _choose(corpus, "What do members pay?", passage)
    assert [one.text for one in choice.sentences] == [items]
