"""The composition root: what is there before the documents are read, and what waits for them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot import app
from bot.documents import corpus, library
from bot.settings.tree import Settings
from rag.errors import OperatorError

SECONDS = 30.0


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "java.md").write_text("# Java\n\nFxStore needs Java 17.\n", encoding="utf-8")
    return folder


@pytest.fixture
def settings(tmp_path: Path, documents: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    # Nobody listens there: a model is not needed, and must not be started.
    return Settings.load(
        data_dir=tmp_path / "data",
        corpus=(documents,),
        models={"default": "openai:x", "openai_base_url": "http://127.0.0.1:9/v1"},
    )


class Gate:
    """Holds the reading of documents until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened = asyncio.Event()
        self.is_through = asyncio.Event()
        monkeypatch.setattr(library, "update_in_thread", self._updated)

    async def _updated(self, *args: Any, **named: Any) -> object:
        await self.opened.wait()
        report = await corpus.update_in_thread(*args, **named)
        self.is_through.set()
        return report


async def test_earlier_documents_answer_while_new_ones_are_read(
    settings: Settings, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.running(settings, is_lasting=False):
        pass
    (documents / "port.md").write_text("# Port\n\nFxStore listens on port 8080.\n", encoding="utf-8")
    gate = Gate(monkeypatch)

    async with app.running(settings, is_lasting=False, waits_for_documents=False) as running:
        before = await running.knowledge.search(["Which port?"])
        gate.opened.set()
        await asyncio.wait_for(gate.is_through.wait(), SECONDS)
        after = await running.knowledge.search(["Which port?"])

    assert {hit.passage.source for hit in before.hits} == {"java.md"}
    assert {hit.passage.source for hit in after.hits} == {"java.md", "port.md"}


async def test_question_in_another_script_has_the_documents_embedded_for_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = ["Какая версия Java нужна серверу?"]
    gate = Gate(monkeypatch)
    gate.opened.set()
    async with app.running(settings) as running:
        gate.is_through.clear()
        await running.knowledge.search(["Which Java does the server need?"])
        assert (await running.knowledge.search(["Какая нужна версия?"])).hits == ()
        await asyncio.wait_for(gate.is_through.wait(), SECONDS)
        found = await running.knowledge.search(question)
        assert running.knowledge.stats().embedding == "multilingual"
        assert [hit.passage.source for hit in found.hits] == ["java.md"]
        assert found.hits[0].similarity > 0.5


async def test_command_that_answers_once_says_when_to_ask_again(settings: Settings) -> None:
    async def ask() -> tuple[list[str], str]:
        with capture_logs() as logs:
            async with app.running(settings, is_lasting=False) as running:
                await running.knowledge.search(["Какая нужна версия?"])
                return [entry["event"] for entry in logs], running.knowledge.stats().embedding

    told, embedding = await ask()
    assert embedding == "minilm"
    assert any("ask again" in one for one in told)
    assert await ask() == ([], "multilingual")


async def test_language_of_the_latin_script_is_believed_after_three_questions(settings: Settings) -> None:
    async with app.running(settings, is_lasting=False) as running:
        with capture_logs() as logs:
            for question in ("¿Qué Java necesita?", "¿Qué versión hace falta?", "Which Java?"):
                await running.knowledge.search([question])
            assert logs == []
            await running.knowledge.search(["¿Cuál es el puerto?"])
            assert len(logs) == 1


async def test_embedding_that_the_settings_name_stays(settings: Settings) -> None:
    settings = settings.model_copy(
        update={"knowledge": settings.knowledge.model_copy(update={"embedding": "minilm"})}
    )
    for _ in range(2):
        async with app.running(settings, is_lasting=False) as running:
            await running.knowledge.search(["Какая нужна версия?"])
            assert running.knowledge.stats().embedding == "minilm"


async def test_start_logs_which_files_were_not_read_and_why(settings: Settings, documents: Path) -> None:
    (documents / "plan.png").write_bytes(b"x")
    (documents / "scan.pdf").write_bytes(b"no pdf")
    with capture_logs() as logs:
        async with app.running(settings):
            pass
    told = {entry["event"]: entry for entry in logs if entry["log_level"] == "warning"}
    assert told["a file was not read"]["file"] == "scan.pdf"
    assert told["files were skipped"]["files"] == "plan.png"
    assert told["files were skipped"]["reason"] == "files of the type .png cannot be read"


async def test_command_that_answers_once_names_unread_files_only_when_they_are_news(
    settings: Settings, documents: Path
) -> None:
    async def told() -> list[object]:
        with capture_logs() as logs:
            async with app.running(settings, is_lasting=False):
                pass
        return [entry["files"] for entry in logs if "are not read" in entry["event"]]

    assert await told() == []
    (documents / "scan.pdf").write_bytes(b"no pdf")
    (documents / "plan.png").write_bytes(b"x")
    assert await told() == [2]
    assert await told() == []
    # Another fault of the same file is news.
    (documents / "scan.pdf").write_bytes(b"%PDF-1.4 cut off")
    assert await told() == [2]


async def test_first_start_waits_for_the_documents(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    gate.opened.set()

    async with app.running(settings, is_lasting=False, waits_for_documents=False) as running:
        assert gate.is_through.is_set()
        assert not running.knowledge.is_empty


async def test_stop_does_not_wait_for_documents_that_are_being_read(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.running(settings, is_lasting=False):
        pass
    gate = Gate(monkeypatch)

    async with asyncio.timeout(SECONDS), app.running(settings, is_lasting=False, waits_for_documents=False):
        pass

    assert not gate.is_through.is_set()


async def test_documents_that_cannot_be_read_any_more_leave_the_earlier_ones(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with app.running(settings, is_lasting=False):
        pass
    is_tried = asyncio.Event()

    async def fail(*_args: Any, **_named: Any) -> None:
        is_tried.set()
        raise OperatorError("the folder is gone: bring it back")

    monkeypatch.setattr(library, "update_in_thread", fail)

    async with app.running(settings, is_lasting=False, waits_for_documents=False) as running:
        await asyncio.wait_for(is_tried.wait(), SECONDS)
        assert (await running.knowledge.search(["Which Java?"])).hits

    assert "the folder is gone: bring it back" in capsys.readouterr().out
