"""What a text may be called once the verifier has read the passages: the loop with a scripted verifier."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelUnavailableError
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Models
from rag.values import Answer, Passage, PassageId, Place, Question, Turn
from rag.verifier import Carried, Claim, Found, Verifier
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")

QUESTION = Question("Which Java does Service Pier need?")
SENTENCE = "Service Pier needs Java 17 and PostgreSQL 15."
PIER = Passage(
    PassageId("p1"), "pier.md", "Set-up", f"{SENTENCE} It may not run on Windows.", source="pier.md"
)
DESK = Passage(PassageId("p2"), "desk.md", "Desk", "The desk is open from nine to five.", source="desk.md")
RIGHT, WRONG = "Service Pier needs Java 17.", "Service Pier needs Java 15."
IGNORANT = "I do not know."
REFUSED = "The documents do not say it."


class Credulous(ScriptedVerifier):
    """Believes every claim."""

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        return Carried((0.99,) * len(claims))


def knowing(covers: float = 0.95) -> ScriptedVerifier:
    return ScriptedVerifier({"Which Java": "Java 17"}, covers)


async def ask(
    verifier: Verifier,
    *passages: Passage,
    question: Question = QUESTION,
    settings: dict[str, Any] | None = None,
    **replies: Reply | Sequence[Reply],
) -> tuple[Answer, ScriptedModel]:
    model = scripted(**replies)
    corpus = MemoryCorpus(passages or (PIER, DESK))
    return await engine(model, corpus, verifier=verifier, **settings or {}).answer(question), model


async def test_draft_that_says_what_a_passage_says_is_verified_and_cited_without_another_call() -> None:
    answer, model = await ask(knowing(), draft=RIGHT)
    assert (answer.label, answer.text) == ("verified", "Service Pier needs Java 17 [1].")
    assert [(one.document, one.quote) for one in answer.citations] == [("pier.md", SENTENCE)]
    assert (answer.verdict.source, purposes(model)) == ("reading", ["draft"])


@pytest.mark.parametrize(
    ("covers", "label"), [(0.95, "verified"), (0.6, "unverified")], ids=["surely", "perhaps"]
)
@pytest.mark.parametrize(
    "written",
    [["Service Pier needs Java 15 [1]."] * 2, [REFUSED, "Service Pier needs Java 15 [1]."]],
    ids=["invented twice", "after a refusal"],
)
async def test_invented_text_never_goes_out_while_a_passage_covers_the_question(
    written: Sequence[str], covers: float, label: str
) -> None:
    answer, _ = await ask(knowing(covers), draft=WRONG, regenerate=written)
    assert "Java 15" not in answer.text
    assert f"“{SENTENCE.replace('Java 17', '**Java 17**')}" in answer.text
    assert answer.label == label


async def test_writer_is_shown_its_own_words_and_what_was_read() -> None:
    _, model = await ask(knowing(), draft=IGNORANT, regenerate="Service Pier needs Java 15 [1].")
    again = [request for request in model.requests if request.purpose == "regenerate"][1].messages[-1].text
    assert "Service Pier needs Java 15" in again
    assert "Java 17" in again.split("<defect>")[-1]


async def test_sentence_beside_the_answer_that_no_passage_carries_is_named_and_not_verified() -> None:
    beside = "The desk is open until eight."
    answer, _ = await ask(knowing(), draft=f"{RIGHT} {beside}")
    assert answer.label == "partly"
    assert f"“{beside}”" in answer.text
    assert "eight [" not in answer.text


async def test_sentence_beside_the_answer_that_its_passage_has_is_verified_with_it() -> None:
    answer, _ = await ask(knowing(), draft=f"{RIGHT} Service Pier needs PostgreSQL 15.")
    assert (answer.label, answer.text) == (
        "verified",
        "Service Pier needs Java 17 [1]. Service Pier needs PostgreSQL 15 [1].",
    )


def after_java(text: str, **given: Any) -> Question:
    """Return a follow-up to the question which Java is needed."""
    return Question(text, (Turn("user", QUESTION.text), Turn("assistant", f"{RIGHT[:-1]} [1].")), **given)


@pytest.mark.parametrize(
    ("follow_up", "label"),
    [
        pytest.param("And which setting changes that?", "unverified", id="the earlier answer again"),
        pytest.param("Why?", "unverified", id="nothing of its own"),
        pytest.param("And with PostgreSQL?", "verified", id="its sentence speaks of it"),
        pytest.param("And may it run on Windows?", "verified", id="an answer of its own"),
    ],
)
async def test_answer_to_the_question_before_does_not_answer_a_follow_up(follow_up: str, label: str) -> None:
    verifier = ScriptedVerifier({"on Windows": "may not run on Windows", "Which Java": "Java 17"})
    answer, _ = await ask(verifier, question=after_java(follow_up, quote_only=True))
    assert answer.label == label
    assert SENTENCE in answer.text.replace("**", "") or label == "verified"


@pytest.mark.parametrize("written", [f"{RIGHT[:-1]} [1].", f"{SENTENCE[:-1]} [1]."], ids=["worded", "quoted"])
async def test_written_text_that_repeats_the_answer_before_is_not_verified_for_a_follow_up(
    written: str,
) -> None:
    follow_up = after_java("And which setting changes that?")
    answer, model = await ask(
        knowing(), question=follow_up, draft=IGNORANT, standalone="-", regenerate=written
    )
    assert "regenerate" in purposes(model)
    assert answer.label == "unverified"


async def test_verifier_that_fails_leaves_the_answer_as_it_was_and_unverified() -> None:
    verifier = ScriptedVerifier(error=ModelUnavailableError("the verifier is away"))
    answer, _ = await ask(verifier, draft=RIGHT, regenerate="Service Pier needs Java 17 [1].")
    assert (answer.label, answer.text) == ("unverified", "Service Pier needs Java 17 [1].")
    assert answer.failure is None


@pytest.mark.parametrize(
    ("question", "said"),
    [
        pytest.param("Which Java does Service Pier need?", "Service Pier needs Java 11.", id="a figure"),
        pytest.param("Which Java does Service Pier need?", "Anna Berg needs Java 17.", id="a name"),
        pytest.param("On what may Service Pier run?", "Service Pier may run on Windows.", id="a negation"),
    ],
)
async def test_what_a_passage_lacks_or_denies_is_vetoed_whatever_the_verifier_says(
    question: str, said: str
) -> None:
    verifier = Credulous({"Which Java": "Java 17", "On what": "Windows"})
    answer, _ = await ask(
        verifier, question=Question(question), draft=said, regenerate=f"{said.removesuffix('.')} [1]."
    )
    assert said.removesuffix(".") not in answer.text
    assert answer.citations, "the passage is quoted instead"


@pytest.mark.parametrize(("covers", "label"), [(0.15, "general"), (0.3, "unverified"), (0.6, "unverified")])
@pytest.mark.usefixtures("verdict_of")
async def test_common_knowledge_is_an_answer_only_where_no_passage_covers_the_question(
    covers: float, label: str
) -> None:
    answer, model = await ask(knowing(covers), draft="It needs a version of Java.", regenerate=REFUSED)
    assert answer.label == label
    assert (purposes(model) == ["draft"]) is (label == "general")


@pytest.mark.usefixtures("verdict_of")
async def test_general_knowledge_stands_below_what_comes_closest_in_the_documents() -> None:
    general = "It needs a version of Java."
    answer, _ = await ask(knowing(0.3), draft=general, regenerate=REFUSED)
    assert answer.label == "unverified"
    assert answer.text.startswith("Closest in the documents:")
    assert answer.text.endswith(f"In general, not from the documents: {general}")
    assert [one.document for one in answer.citations] == ["pier.md"]


async def test_mode_quick_quotes_the_documents_without_a_model_call() -> None:
    answer, model = await ask(knowing(), settings={"mode": "quick", "answer_from": "auto"})
    assert (answer.label, model.requests) == ("verified", [])
    assert SENTENCE in answer.text.replace("**", "")


@pytest.mark.parametrize("answer_from", ["reader", "writer"])
async def test_two_passages_that_answer_differently_verify_neither_and_both_are_shown(
    answer_from: str,
) -> None:
    old = replace(PIER, id=PassageId("old"), document="old.md", text="Service Pier needs Java 8.")

    class Both(Credulous):
        def _place(self, question: str, passage: Passage) -> Place:
            start = passage.text.index("Java")
            return Place(passage.id, start, start + len("Java 17"), 0.95)

    answer, _ = await ask(Both(), PIER, old, draft=RIGHT, settings={"answer_from": answer_from})
    assert answer.label == "unverified"
    assert [one.document for one in answer.citations] == ["pier.md", "old.md"]


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        pytest.param("a.md Valid from 15 October 2025.", "b.md Valid from 1 March 2025.", id="two days of one year"),
        pytest.param("a.md Gültig ab 2. Mai 2024.", "b.md Gültig ab 30. April 2024.", id="in German"),
        pytest.param("java-2026.md It replaces that of 2023.", "java-2023.md Replaced in 2027.", id="years of names"),
        pytest.param("java.md For all.", "archive/java.md For all.", id="an archive"),
        pytest.param("java_v11.md For all.", "java_v9.md For all.", id="versions"),
    ],
)  # fmt: skip
async def test_what_looks_newer_is_shown_first_below_its_date(newer: str, older: str) -> None:
    class Both(Credulous):
        def _place(self, question: str, passage: Passage) -> Place:
            start = passage.text.index("Java")
            return Place(passage.id, start, start + len("Java 17"), 0.95 if passage.id == "old" else 0.7)

    passages = [
        Passage(PassageId(name), key, "", f"{dated}\n\nService Pier needs Java {version}.", source=key)
        for name, version, (key, _, dated) in (("old", 11, older.partition(" ")), ("new", 17, newer.partition(" ")))
    ]  # fmt: skip
    answer, _ = await ask(Both(), *passages, settings={"mode": "quick", "answer_from": "auto"})
    assert [one.passage for one in answer.citations] == ["new", "old"]
    assert answer.label == "unverified"
    assert "Java 11" in answer.text
    if any(map(str.isdigit, newer.partition(" ")[2])):
        assert newer.partition(" ")[2] in answer.text


@pytest.mark.parametrize("verifier", ["bundled", "chat", "systemone:small"])
async def test_reading_that_costs_a_call_is_recorded(verifier: str) -> None:
    light: dict[str, bool] = {}

    async def run_step(name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False) -> Any:
        light[name] = is_light
        return await work()

    product = engine(
        scripted(draft=RIGHT),
        MemoryCorpus((PIER, DESK)),
        verifier=knowing(),
        model_settings=Models(verifier=verifier),
    )
    await product.answer(QUESTION, run_step=run_step)
    assert light["cover"] is (verifier == "bundled")


async def test_small_talk_is_not_read() -> None:
    verifier = knowing()
    answer, _ = await ask(verifier, question=Question("thanks!"), draft="You are welcome!")
    assert (answer.label, verifier.asked, verifier.claims) == ("general", [], [])


async def test_answer_from_a_file_that_has_changed_since_it_was_read_is_not_called_verified() -> None:
    corpus = MemoryCorpus((PIER, DESK))
    asked = engine(scripted(draft=RIGHT), corpus, verifier=knowing())
    corpus.changed = frozenset({"desk.md"})
    assert (await asked.answer(QUESTION)).label == "verified"
    corpus.changed = frozenset({"pier.md"})
    answer = await asked.answer(QUESTION)
    assert answer.label == "unverified"
    assert answer.text.endswith("Changed since it was read: pier.md. Please ask again in a minute.")


def days(name: str, text: str, section: str = "Tools", source: str = "returns.md") -> Passage:
    return Passage(PassageId(name), name, section, text, source=source)


SIX = "A tool may be returned within 6 days."
RETURNED = "Within how many days may a tool be returned by members?"


class Doubting(ScriptedVerifier):
    """Finds the figure of another passage as well, and is not sure of it."""

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        found = await super().find(question, passages)
        texts = {passage.id: passage.text for passage in passages}
        return Found(tuple(self._doubt(place, texts[place.passage]) for place in found.places))

    def _doubt(self, place: Place, text: str) -> Place:
        start = text.find("6 days")
        return place if start < 0 else replace(place, start=start, end=start + 6, covers=0.6)


@pytest.mark.parametrize(
    ("other", "section", "label"),
    [
        pytest.param(days("a", "Refunds are paid within 6 days."), "Tools", "verified", id="another-matter"),
        pytest.param(days("a", SIX, source="2026.md"), "Tools", "unverified", id="a-version"),
        pytest.param(days("a", SIX, "Guests"), "Members", "verified", id="a-section-that-it-does-not-name"),
        pytest.param(
            days("a", SIX, "Members > Guests"), "Members", "unverified", id="sections-that-it-names"
        ),
    ],
)
@pytest.mark.parametrize("asked", [RETURNED, "How long may members keep what they borrow?"])
async def test_other_figure_disputes_an_answer_if_it_is_about_the_same(
    asked: str, other: Passage, section: str, label: str
) -> None:
    ours = days("b", "A tool may be returned within 45 days.", section)
    verifier = Doubting({asked: "45 days"})
    text = "A tool may be returned within 45 days [1]."
    answer, _ = await ask(
        verifier,
        ours,
        other,
        question=Question(asked),
        draft=IGNORANT,
        regenerate=text,
    )
    assert answer.label == label


TOLD = (
    Turn("user", "How many days of leave do we get?"),
    Turn("assistant", "27 days a year.", passages=(DESK,)),
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was the first thing I asked?", "You asked how many days of leave you get."),
        ("Give me a recap of what we talked about.", "You asked about leave, and got 27 days a year."),
        ("Summarise our conversation", "You asked how many days of leave you get: 27 days a year."),
    ],
)
async def test_conversation_answers_questions_about_itself(question: str, text: str) -> None:
    answer, model = await ask(knowing(), question=Question(question, TOLD), draft=text)
    assert (answer.label, answer.text, purposes(model)) == ("conversation", text, ["draft"])


@pytest.mark.parametrize(
    "text", ["You asked about 31 days of leave.", "You asked about Mars.", "You get leave a year."]
)
async def test_conversation_tells_nothing_that_was_not_said(text: str) -> None:
    verifier = ScriptedVerifier({"get": "27 days"})
    answer, _ = await ask(verifier, question=Question("What do I get?", TOLD), draft=text)
    assert answer.label != "conversation"
