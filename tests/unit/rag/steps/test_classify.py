from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest

from rag.language.words import terms
from rag.steps.classify import classify, select_thread
from rag.values import Question, Turn
from tests.support.loop import MemoryCorpus

ASKED = (Turn("user", "How do I set up a webhook?"), Turn("assistant", "Set THINKTWICE_TELEGRAM__MODE."))


def test_greeting_is_small_talk() -> None:
    assert classify(Question("hello there!")).intent == "small_talk"


def test_question_without_history_stands_alone() -> None:
    classification = classify(Question("Which Java does FxStore need?"))
    assert classification.intent == "question"
    assert classification.queries == ("Which Java does FxStore need?",)


@pytest.mark.parametrize("text", ["and in one word?", "а подробнее?", "더 설명해줘", "explain more"])
def test_first_follow_up_is_searched_together_with_the_question_it_leans_on(text: str) -> None:
    classification = classify(Question(text, ASKED))
    assert classification.intent == "follow_up"
    assert classification.standalone == f"How do I set up a webhook? {text}"
    assert text in classification.queries


def test_second_follow_up_still_finds_the_question_that_stands_alone() -> None:
    history = (*ASKED, Turn("user", "and on Windows?"), Turn("assistant", "The same."))
    classification = classify(Question("why?", history))
    assert classification.standalone == "How do I set up a webhook? and on Windows? why?"


def test_thanks_between_two_questions_are_not_what_a_follow_up_leans_on() -> None:
    history = (*ASKED, Turn("user", "thanks!"), Turn("assistant", "You are welcome."))
    assert classify(Question("and on Windows?", history)).standalone.startswith("How do I set up a webhook?")


def test_follow_up_words_without_a_history_are_a_question() -> None:
    assert classify(Question("why?")).intent == "question"


def test_question_with_its_own_subject_is_searched_as_it_is_first() -> None:
    classification = classify(Question("Which Java does FxStore need?", ASKED))
    assert classification.intent == "question"
    assert classification.standalone == "Which Java does FxStore need?"


class Documents(MemoryCorpus):
    """Documents with a few words."""

    def __init__(self, main_language: str, words: str) -> None:
        super().__init__()
        self.main_language = main_language
        self._terms = terms(words, main_language)

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        return {term: 0.5 if term in self._terms else 1.0 for term in terms}


SPANISH = Documents("es", "Los empleados tienen un descuento, y sus familiares también. El wifi es gratis.")


def test_message_without_a_language_has_that_of_the_documents_with_its_words() -> None:
    russian = Question("wifi?", history=(Turn("user", "Сколько стоит вай-фай?"),))
    assert classify(russian, SPANISH).language == "ru"
    assert classify(Question("wifi?"), SPANISH).language == "es"
    assert classify(Question("parking?"), SPANISH).language == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("hi", "en"),
        ("ok", "en"),
        ("sick leave pay", "en"),
        ("Office hours?", "en"),
        ("What does the wifi cost?", "en"),
        ("вайфай?", "ru"),
        ("404", "en"),
    ],
)
def test_documents_do_not_decide_the_language_of_words_that_they_lack(text: str, language: str) -> None:
    assert classify(Question(text), SPANISH).language == language


@pytest.mark.parametrize(
    ("text", "earlier", "spoken", "language"),
    [
        pytest.param("unde depun cererea?", [], "ro", "ro", id="the program of the writer tips the scales"),
        pytest.param("FxStore?", [], "tr", "tr", id="a name has the language of the program"),
        pytest.param("FxStore?", ["hur byter jag lösenord?"], "en", "sv", id="the chat comes first"),
        pytest.param("gateway timeout", ["jak wrócić?", "ok"], "", "pl", id="terms are everybody's"),
        pytest.param("iade süresi kaç gün?", ["Как дела?"], "ru", "tr", id="a question in another language"),
        pytest.param("docker compose logs", ["Как дела?"], "", "ru", id="a command"),
        pytest.param("sick leave pay", [], "", "en", id="nothing known"),
        pytest.param("wifi?", [], "xx", "en", id="a program with a language that nobody knows"),
        pytest.param("а сроки?", ["Как дела?"], "uk", "uk", id="letters that two languages share"),
        pytest.param("какие сроки оплаты?", [], "uk", "ru", id="words that only one of them has"),
    ],
)
def test_language_is_judged_with_what_is_known(
    text: str, earlier: list[str], spoken: str, language: str
) -> None:
    history = tuple(Turn("user", said) for said in earlier)
    assert classify(Question(text, history, spoken=spoken)).language == language


def test_documents_in_other_letters_do_not_decide_the_language_of_latin_words() -> None:
    assert classify(Question("wifi?"), Documents("ru", "wifi бесплатно для всех")).language == "en"


def test_given_language_wins() -> None:
    assert classify(Question("Как настроить вебхук?", language="en")).language == "en"


def test_thread_of_a_follow_up_begins_with_the_question_it_leans_on() -> None:
    older = (Turn("user", "Which Java does FxStore need?"), Turn("assistant", "Java 17."))
    latest = (*ASKED, Turn("user", "and on Windows?"), Turn("assistant", "The same."))
    assert select_thread((*older, *latest)) == latest
    assert select_thread(()) == ()
