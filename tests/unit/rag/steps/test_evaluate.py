from __future__ import annotations

from dataclasses import replace

import pytest

from rag.knowledge.search import Hit, SearchResult
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.steps.classify import classify
from rag.steps.evaluate import evaluate, make_next_version, render_judge_prompt, select_shown_passages, settle
from rag.values import Citation, Draft, Evidence, Passage, PassageId, Verdict
from tests.support.loop import PASSAGES, QUESTION, MemoryCorpus, engine, scripted

ADEQUATE = Verdict("adequate", as_written("supported"), 0.9, "evidence")
READING = classify(QUESTION)


def run(corpus: MemoryCorpus | None = None) -> Run:
    return Run(QUESTION, engine(scripted(), corpus).tools)


def probe(*passages: Passage) -> SearchResult:
    return SearchResult(tuple(Hit(passage, 0.5, 1.0) for passage in passages))


def citing(text: str, cited: Passage, passages: tuple[Passage, ...] = PASSAGES) -> Candidate:
    """A text whose only citation, [1], is of a passage that need not be the first."""
    citation = Citation(1, cited.document, cited.section, cited.text, cited.id)
    return Candidate(Draft(text, passages), ADEQUATE, None, (citation,), is_covered=True)


async def test_section_without_a_text_is_told_to_reviewer_and_judge() -> None:
    text = "# Set-up\n\n# Use\n\nJava is a language."
    model = scripted(
        draft=text,
        judge={"answer_quality": "adequate", "confidence": 0.9},
        review={"status": "flag_to_judge", "issues": [{"type": "short_section", "severity": "complex"}]},
    )
    await engine(model, mode="careful").answer(replace(QUESTION, text="What is Java?"))
    shown = {request.purpose: request.messages[-1].text for request in model.requests}
    assert "nothing under “Set-up”" in shown["review"]
    assert "nothing under “Set-up”" in shown["judge"]


@pytest.mark.parametrize("passages", [PASSAGES, ()], ids=["written from passages", "fast path"])
def test_marker_of_a_verified_text_points_at_the_same_passage_for_who_reads_it_next(
    passages: tuple[Passage, ...],
) -> None:
    candidate = citing("It is a language [1].", PASSAGES[1], passages)
    shown = select_shown_passages(run(), candidate, probe(*PASSAGES))
    assert shown[0] == PASSAGES[1]
    assert set(shown) == set(PASSAGES)
    message = render_judge_prompt(run(), READING, candidate, probe(*PASSAGES)).message
    assert message.index("Java is a language.") < message.index("FxStore needs Java 17.")


@pytest.mark.parametrize(
    ("passages", "told"),
    [
        pytest.param(PASSAGES, "The writer of the draft has read these passages.", id="from documents"),
        pytest.param((), "The draft was written without documents", id="fast path"),
    ],
)
def test_judge_is_told_whether_the_writer_read_documents(passages: tuple[Passage, ...], told: str) -> None:
    candidate = citing("It is a language [1].", PASSAGES[1], passages)
    prompt = render_judge_prompt(run(), READING, candidate, probe(*PASSAGES))
    assert told in prompt.message
    said = [words in prompt.message for words in ("has read these passages", "written without documents")]
    assert sum(said) == 1, "and not the other"


@pytest.mark.parametrize(
    "criterion",
    ["leaves out a part", '"How do I" wants the steps', "a command, code or a setting", "versions, numbers"],
)
def test_judge_is_told_by_what_to_judge(criterion: str) -> None:
    assert criterion in render_judge_prompt(run(), READING, citing("x", PASSAGES[0]), None).instructions


def test_draft_that_the_documents_say_nothing_about_is_shown_with_none() -> None:
    candidate = Candidate(Draft("Paris."), ADEQUATE, None)
    assert select_shown_passages(run(), candidate, probe(*PASSAGES)) == ()


def test_all_cited_passages_are_shown() -> None:
    many = tuple(Passage(PassageId(f"q{n}"), f"{n}.md", "", f"Fact {n}.") for n in range(5))
    cited = tuple(Citation(n, "d", "", "q", passage.id) for n, passage in enumerate(many, 1))
    candidate = Candidate(Draft("All.", many), ADEQUATE, None, cited, is_covered=True)
    assert select_shown_passages(run(), candidate, None) == many


def test_version_of_a_text_from_documents_counts_its_markers_as_that_text_does() -> None:
    version = make_next_version(citing("It is a language [1].", PASSAGES[1]), "A language [1].")
    assert version.passages[0] == PASSAGES[1]
    assert version.text == "A language [1]."


def test_markers_that_code_put_in_are_not_taken_for_the_words_of_a_version() -> None:
    version = make_next_version(citing("It is a language [1].", PASSAGES[1], ()), "A language [1].")
    assert (version.text, version.passages) == ("A language.", ())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("It is a language.", "A language.", id="a model that was shown passages adds one"),
        pytest.param("Use `a` [1].", "A language [1].", id="brackets of the text's own stay"),
    ],
)
def test_version_without_passages_of_its_own_has_no_new_markers(before: str, after: str) -> None:
    candidate = Candidate(Draft(before), ADEQUATE, None, is_covered=True)
    assert make_next_version(candidate, "A language [1].").text == after


async def test_version_is_cited_as_the_text_before_it() -> None:
    candidate = citing("FxStore needs Java 17 [1].", PASSAGES[0])
    version = make_next_version(candidate, "FxStore needs Java 17 to run [1].")
    found = (await evaluate(run(), READING, version, probe(*PASSAGES))).value
    assert [citation.passage for citation in found.citations] == [PASSAGES[0].id]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        pytest.param("It needs Java 17. Then you have to install the", True, id="a sentence is cut"),
        pytest.param("Install", False, id="nothing to go on from"),
        pytest.param("Она нужна. " * 30 + "Потом надо будет", False, id="another fault as well"),
    ],
)
async def test_text_that_was_only_cut_can_be_written_on(text: str, cut: bool) -> None:
    draft = Draft(text, finish_reason="length")
    found = (await evaluate(run(), READING, draft, None)).value
    assert found.is_defective
    assert bool(found.cut) == cut


async def test_text_is_written_on_from_what_the_model_wrote_and_not_from_its_repair() -> None:
    text = "Run this:\n\n```\nmake\nmake inst"
    found = (await evaluate(run(), READING, Draft(text), None)).value
    assert found.cut == text
    assert found.draft.text.endswith("```"), "what would be sent in its place is whole"


@pytest.mark.parametrize(("said_before", "expected"), [(0.9, "adequate"), (0.2, "needs_docs")])
def test_draft_that_repeats_the_conversation_needs_no_passage(said_before: float, expected: str) -> None:
    signals = {"follow_up": 1.0, "declining": 0.0, "covered": 0.9, "lacking": 0.0}
    found = Evidence(0.9, 0.9, said_before, signals=signals)
    verdict = Verdict("adequate", as_written("it is so"), 0.95, "evidence")
    candidate = Candidate(Draft("Ottensen."), verdict, found, is_covered=True)
    assert settle(run(), candidate, is_judged=False).verdict.quality == expected


@pytest.mark.parametrize(
    ("passage", "is_defective"),
    [
        pytest.param("The screen 재고 shows what is in stock and is opened from the menu.", False, id="term"),
        pytest.param("메뉴에서 재고 화면을 열면 재고를 볼 수 있습니다.", True, id="left untranslated"),
    ],
)
async def test_foreign_word_is_a_fault_unless_a_passage_in_the_language_has_it(
    passage: str, is_defective: bool
) -> None:
    shown = (replace(PASSAGES[0], text=passage),)
    found = (await evaluate(run(), READING, Draft("Open the screen 재고 from the menu.", shown), None)).value
    assert found.is_defective == is_defective
