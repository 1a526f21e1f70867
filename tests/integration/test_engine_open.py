"""An engine over a folder of documents, as another program opens it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag import AnswerEngine, Settings, errors
from rag.knowledge.sync import Progress
from rag.models.roles import RoleModels
from rag.settings import Knowledge, Models, SelfCorrection
from tests.support.servers import FakeOpenAI, Say


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def told(server: FakeOpenAI) -> Settings:
    return Settings(
        models=Models(openai_base_url=server.base_url),
        self_correction=SelfCorrection(mode="quick", answer_from="writer"),
        knowledge=Knowledge(embedding="minilm"),
    )


async def test_engine_reads_its_corpus_answers_and_notices_what_changes(tmp_path: Path) -> None:
    corpus = write(
        tmp_path / "handbook", java="# Java\n\nFxStore needs Java 17.", leave="# Leave\n\n30 days."
    )
    seen: list[Progress] = []
    with FakeOpenAI([Say("FxStore needs Java 17.")]) as server:
        opening = AnswerEngine.open(
            str(tmp_path / "data"),
            corpus=str(corpus),
            model="openai:m",
            settings=told(server),
            on_progress=seen.append,
        )
        async with opening as engine:
            answer = await engine.answer("Which Java does FxStore need?")
            assert "Java 17" in answer.text
            assert {request.body["model"] for request in server.requests} == {"m"}
            assert await engine.covers("Which Java does FxStore need?")
            assert not await engine.covers("Thanks!")
            write(corpus, wine="# Wine\n\nThe cellar holds 40 bottles.")
            report = await engine.sync()
            assert (report.added, report.unchanged) == (1, 2)
            assert (await engine.sync(rebuild=True)).chunks == report.chunks
    assert seen, "the first indexing told how far it was"


async def test_engine_without_a_corpus_answers_from_what_was_indexed_before(tmp_path: Path) -> None:
    corpus = write(tmp_path / "handbook", java="# Java\n\nFxStore needs Java 17.")
    with FakeOpenAI([Say("FxStore needs Java 17.")]) as server:
        async with AnswerEngine.open(
            tmp_path / "data", corpus=[corpus], model="openai:m", settings=told(server)
        ):
            pass
        async with AnswerEngine.open(tmp_path / "data", model="openai:m", settings=told(server)) as engine:
            assert await engine.covers("Which Java does FxStore need?")
            assert (await engine.sync()).unchanged == 1


async def test_corpus_that_is_not_there_is_named_and_nothing_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[RoleModels] = []

    async def close(models: RoleModels) -> None:
        closed.append(models)

    monkeypatch.setattr(RoleModels, "aclose", close)
    with pytest.raises(errors.InputError, match="nowhere does not exist"):
        async with AnswerEngine.open(tmp_path / "data", corpus=tmp_path / "nowhere", model="ollama:m"):
            pass
    assert len(closed) == 1
