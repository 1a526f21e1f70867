"""What `rag` offers to other programs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rag
from rag import Question
from rag.errors import ModelUnavailableError
from rag.verifier.scripted import ScriptedVerifier
from tests.conftest import REPOSITORY
from tests.support.loop import QUESTION, MemoryCorpus, engine, scripted


def test_every_public_name_is_there() -> None:
    for name in rag.__all__:
        assert getattr(rag, name) is not None
    assert set(rag.__all__) <= set(dir(rag))


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Chroma'"):
        _ = rag.Chroma


def test_import_loads_nothing_heavy() -> None:
    code = "import rag, sys; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "rag" in loaded
    assert not {"numpy", "pydantic", "pydantic_ai", "chromadb", "rag.engine", "rag.values"} & set(loaded)


@pytest.mark.parametrize("package", ["rag", "bot"])
def test_package_says_that_it_is_typed(package: str) -> None:
    assert (REPOSITORY / package / "py.typed").exists()


async def test_question_may_be_a_text() -> None:
    draft = "Hello! What would you like to know?"
    product = engine(scripted(draft=draft))
    by_text = await product.answer("Hello!")
    by_question = await product.answer(Question("Hello!"))
    assert by_text.text == by_question.text == draft
    events = [event async for event in product.stream("Hello!")]
    assert isinstance(events[-1], rag.events.Answered)


async def test_text_that_is_no_question_is_covered_by_nothing() -> None:
    corpus = MemoryCorpus()
    product = engine(scripted(), corpus)
    for text in ("", "\x00", "Thanks!", "x" * (product.question_characters + 1)):
        assert not await product.covers(text)
    assert corpus.searches == 0


@pytest.mark.parametrize(
    ("verifier", "expected"),
    [
        (ScriptedVerifier({"Java": "Java 17"}), True),
        (ScriptedVerifier(), False),
        (ScriptedVerifier(error=ModelUnavailableError("away")), False),
    ],
    ids=["answers", "does not", "failed"],
)
async def test_verifier_says_whether_the_documents_cover_a_question(
    verifier: ScriptedVerifier, *, expected: bool
) -> None:
    assert await engine(scripted(), verifier=verifier).covers(QUESTION.text) is expected


async def test_engine_of_single_parts_has_no_documents_to_read() -> None:
    with pytest.raises(TypeError, match=r"AnswerEngine\.open"):
        await engine(scripted()).sync()
