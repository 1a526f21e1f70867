"""Questions that may be answered from some documents only, with the real index, words and Chroma."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from rag.settings import SelfCorrection
from rag.values import DocumentSet, Question, Turn
from tests.support.knowledge import Workshop, make_workshop

TEAM, SECRET = DocumentSet(("team",)), DocumentSet(("secret/*",))


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = make_workshop(tmp_path, monkeypatch)
    for folder in ("team", "secret", "other"):
        (made.corpus / folder).mkdir(parents=True)
    made.write(
        **{
            "team/java": "# Java\n\nFxStore needs Java 17.\n",
            "secret/java": "# Java\n\nFxStore needs Java 21 from May, which nobody knows yet.\n",
            **{f"other/page{n}": f"# Page {n}\n\nFxStore and Java on page {n}.\n" for n in range(60)},
        }
    )
    (made.corpus / "other" / "rows.jsonl").write_text(
        '{"id": "secret/x", "text": "Java in a row."}\n', "utf-8"
    )
    made.sync()
    return made


@pytest.fixture(params=[False, True], ids=["exact", "chroma"])
def base(workshop: Workshop, request: pytest.FixtureRequest) -> Iterator[KnowledgeBase]:
    opened = workshop.open(use_chroma=request.param)
    if request.param:
        assert opened.wait_for_chroma(60)
    yield opened
    opened.close()


def sources(passages: object) -> set[str]:
    return {passage.source for passage in passages}  # type: ignore[attr-defined]


async def test_search_finds_passages_of_the_set_only(base: KnowledgeBase) -> None:
    for documents, expected in ((TEAM, {"team/java.md"}), (SECRET, {"secret/java.md"})):
        result = await base.within(documents).search(["Which Java does FxStore need?"])
        assert sources(hit.passage for hit in result.hits) == expected
        found = await base.within(documents).retrieve(["Which Java does FxStore need?"])
        assert sources(found) == expected


async def test_large_set_is_searched_as_well(base: KnowledgeBase) -> None:
    result = await base.within(DocumentSet(("other", "team"))).search(["FxStore and Java"], 30)
    found = sources(hit.passage for hit in result.hits)
    assert len(result.hits) == 30
    assert "secret/java.md" not in found


async def test_set_of_nothing_finds_nothing(base: KnowledgeBase) -> None:
    for documents in (DocumentSet(()), DocumentSet(("nowhere",))):
        assert not (await base.within(documents).search(["Java"])).hits
        assert await base.within(documents).retrieve(["Java"]) == ()


async def test_passages_of_an_earlier_turn_are_not_carried_into_another_set(base: KnowledgeBase) -> None:
    earlier = await base.within(SECRET).retrieve(["Java from May"])
    found = await base.within(TEAM).retrieve(["Which Java?"], carried=earlier)
    assert sources(found) == {"team/java.md"}


async def test_name_that_a_row_gives_itself_brings_it_into_no_set(base: KnowledgeBase) -> None:
    assert not (await base.within(DocumentSet(("secret/x",))).search(["Java in a row"])).hits


async def test_set_follows_the_documents_of_a_new_generation(workshop: Workshop, base: KnowledgeBase) -> None:
    await base.within(TEAM).search(["Java"])
    workshop.write(**{"team/kotlin": "# Kotlin\n\nThe cash desk needs Kotlin 2.\n"})
    workshop.sync()
    result = await base.within(TEAM).search(["Kotlin of the cash desk"])
    assert "team/kotlin.md" in sources(hit.passage for hit in result.hits)


@pytest.mark.parametrize("mode", ["quick", "balanced", "careful"])
@pytest.mark.parametrize("quote_only", [False, True])
async def test_no_model_and_no_reader_sees_another_document(
    base: KnowledgeBase, mode: str, quote_only: bool
) -> None:
    shown: list[str] = []

    async def listen(request: ChatRequest) -> str:
        shown.append(f"{request.instructions}\n{request.messages}")
        return "I do not know. [1]"

    engine = AnswerEngine(ScriptedModel(listen), base, self_correction=SelfCorrection(mode=mode))
    history = (
        Turn("user", "Which Java from May?"),
        Turn("assistant", "21.", passages=await base.within(SECRET).retrieve(["Java from May"])),
    )
    for text in ("Which Java does FxStore need from May?", "and from May?"):
        question = Question(text, history, mode=mode, documents=TEAM, quote_only=quote_only)  # type: ignore[arg-type]
        answer = await engine.answer(question)
        assert sources(answer.passages) <= {"team/java.md"}
        assert {citation.source for citation in answer.citations} <= {"team/java.md"}
        assert "nobody knows yet" not in answer.text
        assert "nobody knows yet" not in repr(answer.trace)
    assert not any("nobody knows yet" in text for text in shown)
    # The same engine answers the next one from everything: nothing of the filter stays behind.
    assert "secret/java.md" in sources(
        (await engine.answer(Question("Which Java does FxStore need from May?", quote_only=True))).passages
    )


async def test_reading_that_one_set_made_is_not_told_in_another(base: KnowledgeBase) -> None:
    async def read(request: ChatRequest) -> str:
        if request.purpose != "read":
            return "I do not know."
        return "Java 21 from May" if "nobody knows yet" in repr(request.messages) else "NOT STATED"

    settings = SelfCorrection(answer_from="reader")
    engine = AnswerEngine(ScriptedModel(read), base, self_correction=settings)
    asked = "Which Java does FxStore need from May?"
    assert "21" in (await engine.answer(Question(asked, documents=SECRET))).text
    other = await engine.answer(Question(asked, documents=TEAM))
    assert "21" not in other.text
    assert sources(other.passages) <= {"team/java.md"}


async def test_covered_questions_are_those_that_the_set_covers(base: KnowledgeBase) -> None:
    engine = AnswerEngine(ScriptedModel("x"), base)
    text = "Which Java does FxStore need from May, which nobody knows yet?"
    assert not await engine.covers(text, DocumentSet(("other/rows.jsonl",)))
    assert await engine.covers(text, SECRET) == await engine.covers(text)


@pytest.mark.parametrize(
    ("pattern", "file", "holds"),
    [
        ("team", "team/java.md", True),
        ("team/", "Team/sub/java.md", True),
        ("team", "teams/java.md", False),
        ("team/java.md", "team/java.md", True),
        ("*.pdf", "team/plan.PDF", True),
        ("team/*", "team/sub/a.md", True),
        ("plan-202?.md", "plan-2026.md", True),
        ("[a].md", "[a].md", True),
        ("*[a]*", "x[a]y", True),
        ("*[a]*", "xay", False),
        ("", "a.md", False),
        ("/", "a.md", False),
    ],
)
def test_pattern_is_a_folder_a_file_or_has_wildcards(pattern: str, file: str, holds: bool) -> None:
    assert DocumentSet((pattern,)).holds(file) is holds


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_pattern_is_compared_with_any_name(pattern: str, file: str) -> None:
    assert DocumentSet((pattern,)).holds(file) in {True, False}
