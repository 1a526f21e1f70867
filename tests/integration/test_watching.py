"""A running program reads what changes in its folders, without being told."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.documents import library
from bot.documents import watching as watching_module
from bot.documents.corpus import corpus_paths, update_in_thread
from bot.settings.tree import Settings
from rag.errors import KnowledgeError, OperatorError
from rag.knowledge.embeddings.hashed import HashedEmbedder
from tests.support.bot_process import environment, started
from tests.support.command_line import knows
from tests.support.programs import SECONDS
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

OFFICE = "# Office\n\nThe office opens at 8:30.\n"
RACK = "# Bikes\n\nBikes are locked in rack 77.\n"


class Bot:
    """A program that watches its folder."""

    def __init__(self, running: app.App, corpus: Path) -> None:
        self.library = running.library
        self.corpus = corpus
        self._knowledge = running.knowledge

    def write(self, name: str, text: str) -> None:
        path = self.corpus / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

    async def texts(self) -> set[str]:
        """What a question about the documents would find."""
        hits = (await self._knowledge.search(["office bikes rack opens locked room chairs"])).hits
        return {hit.passage.text for hit in hits}

    async def knows(self, *words: str, not_: str = "\0") -> None:
        """Wait until the documents say something, and something else no longer."""

        async def is_known() -> bool:
            text = " ".join(await self.texts())
            return all(word in text for word in words) and not_ not in text

        await eventually(is_known)

    async def shows(self, condition: Callable[[library.Library], object]) -> None:
        """Wait until something is true of the library."""

        async def is_true() -> object:
            return condition(self.library)

        await eventually(is_true)


async def eventually(condition: Callable[[], Awaitable[object]]) -> None:
    async with asyncio.timeout(SECONDS):
        while not await condition():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.02)


@asynccontextmanager
async def watching(settings: Settings, corpus: Path) -> AsyncIterator[Bot]:
    async with app.running(settings) as running:
        task = asyncio.create_task(running.watch())
        bot = Bot(running, corpus)
        await bot.shows(lambda known: known.state)
        try:
            yield bot
        finally:
            assert not task.done(), task
            task.cancel()
            await asyncio.wait({task})


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "office.md").write_text(OFFICE, "utf-8")
    return folder


@pytest.fixture
def settings(tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.chdir(tmp_path)
    for module in ("rag.knowledge.sync", "rag.knowledge.search"):
        monkeypatch.setattr(f"{module}.open_embedder", lambda *_args: HashedEmbedder())
    return Settings.load(
        data_dir=tmp_path / "data",
        corpus=(corpus,),
        knowledge={"watch_seconds": 0.5},
        models={"default": "openai:x", "openai_base_url": "http://127.0.0.1:9/v1"},
    )


@pytest.fixture
async def bot(settings: Settings, corpus: Path) -> AsyncIterator[Bot]:
    async with watching(settings, corpus) as running:
        yield running


async def test_changed_added_renamed_and_removed_files_are_read(bot: Bot) -> None:
    bot.write("office.md", OFFICE.replace("8:30", "9:45"))
    bot.write("deep/new.md", RACK)
    await bot.knows("9:45", "rack 77", not_="8:30")
    (bot.corpus / "deep").rename(bot.corpus / "bikes")
    await bot.knows("rack 77")
    (bot.corpus / "bikes/new.md").unlink()
    await bot.knows("9:45", not_="rack 77")
    (bot.corpus / "office.md").unlink()
    await bot.knows(not_="office")


async def test_renamed_file_is_cited_by_its_new_name(bot: Bot) -> None:
    (bot.corpus / "office.md").rename(bot.corpus / "hours.md")

    async def has_moved() -> bool:
        return [entry.name for entry in await bot.library.entries()] == ["hours.md"]

    await eventually(has_moved)


async def test_folder_that_is_swapped_is_read_and_so_is_what_changes_in_the_new_one(
    bot: Bot, tmp_path: Path
) -> None:
    fresh = tmp_path / "fresh"
    shutil.copytree(bot.corpus, fresh)
    (fresh / "office.md").write_text(OFFICE.replace("8:30", "9:45"), "utf-8")
    bot.corpus.rename(tmp_path / "before")
    fresh.rename(bot.corpus)
    await bot.knows("9:45", not_="8:30")
    bot.write("new.md", RACK)
    await bot.knows("9:45", "rack 77")


async def test_hundreds_of_files_are_read_together(settings: Settings, corpus: Path) -> None:
    calm = settings.model_copy(
        update={"knowledge": settings.knowledge.model_copy(update={"watch_seconds": 2.0})}
    )
    async with watching(calm, corpus) as bot:
        before = (await bot.library.measure_size()).generation
        for number in range(300):
            bot.write(f"rooms/{number}.md", f"Room {number} has {number} chairs.\n")

        async def are_read() -> bool:
            return (await bot.library.measure_size()).documents == 301

        await eventually(are_read)
        assert (await bot.library.measure_size()).generation - before <= 2


async def test_changes_that_nobody_reports_are_found(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    is_asked = threading.Event()

    def refuse(*_paths: str, **_named: object) -> None:
        is_asked.set()
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr("watchfiles.watch", refuse)
    bot.write("office.md", OFFICE.replace("8:30", "9:45"))
    await bot.knows("9:45")
    await bot.shows(lambda _library: is_asked.is_set())
    bot.write("new.md", RACK)
    await bot.knows("rack 77")


async def test_file_that_is_being_written_is_read_when_it_is_complete(bot: Bot) -> None:
    seen: set[str] = set()
    with (bot.corpus / "office.md").open("w", encoding="utf-8") as file:
        file.write("# Office\n")
        for number in range(30):
            file.write(f"\nRoom {number} has {number} chairs.\n")
            file.flush()
            seen |= await bot.texts()
            await asyncio.sleep(0.1)
        file.write("\nThe office opens at 9:45.\n")
    await bot.knows("9:45", not_="8:30")
    assert not [text for text in seen if "chairs" in text]


async def test_file_that_changes_while_it_is_read_keeps_its_earlier_text_until_it_rests(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag.knowledge.reading import DocumentReader

    whole = DocumentReader.read
    late = iter(["\nThe office closes at 18:00.\n"])

    def read(self: DocumentReader, source: Any) -> Any:
        content = whole(self, source)
        if (more := next(late, "")) and source.path.name == "office.md":
            with source.path.open("a", encoding="utf-8") as file:
                file.write(more)
        return content

    monkeypatch.setattr(DocumentReader, "read", read)
    bot.write("office.md", OFFICE.replace("8:30", "9:45"))
    report = await bot.library.sync("Ann")
    assert [failure.reason.code for failure in report.failed] == ["file-being-written"]
    assert "8:30" in " ".join(await bot.texts())
    await bot.knows("9:45", "18:00", not_="8:30")


async def test_reading_that_fails_is_said_and_tried_again(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = update_in_thread

    async def fail(*_args: object, **_named: object) -> None:
        raise OperatorError("the disk is full")

    monkeypatch.setattr(library, "update_in_thread", fail)
    bot.write("office.md", OFFICE.replace("8:30", "9:45"))
    await bot.shows(lambda known: "the disk is full" in str(known.trouble))
    monkeypatch.setattr(library, "update_in_thread", whole)
    await bot.knows("9:45")
    await bot.shows(lambda known: known.trouble is None)


async def test_knowledge_base_that_cannot_be_asked_for_its_folders_does_not_end_the_watch(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_settings: Settings) -> tuple[Path, ...]:
        raise KnowledgeError("the database is locked")

    monkeypatch.setattr(watching_module, "corpus_paths", fail)
    bot.write("office.md", OFFICE.replace("8:30", "9:45"))
    await bot.shows(lambda known: "locked" in str(known.trouble))
    monkeypatch.setattr(watching_module, "corpus_paths", corpus_paths)
    await bot.knows("9:45")


async def test_folder_that_is_gone_for_a_while_keeps_its_text(bot: Bot, tmp_path: Path) -> None:
    bot.corpus.rename(tmp_path / "away")
    await bot.shows(lambda known: "does not exist" in str(known.trouble))
    assert "8:30" in " ".join(await bot.texts())
    (tmp_path / "away").rename(bot.corpus)
    await bot.shows(lambda known: known.trouble is None)
    bot.write("new.md", RACK)
    await bot.knows("rack 77", "8:30")


async def test_empty_folder_where_a_drive_was_is_not_taken_for_deleted_files(
    settings: Settings, corpus: Path, tmp_path: Path
) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as other:
        devices = {Path(place).stat().st_dev for place in (other, corpus)}  # noqa: ASYNC240 - before anything runs
        if len(devices) == 1:
            pytest.skip("there is no second device")
        link = tmp_path / "mounted"
        link.symlink_to(corpus)
        mounted = settings.model_copy(update={"corpus": (link,)})
        async with watching(mounted, corpus) as bot:
            bot.write("new.md", RACK)
            await bot.knows("rack 77")
            (tmp_path / "empty").symlink_to(other)
            (tmp_path / "empty").replace(link)
            await bot.shows(lambda known: known.trouble and known.trouble.code == "corpus-unmounted")
            await bot.knows("8:30", "rack 77")


def test_bot_answers_from_the_file_as_it_is_now_and_says_when_it_was_read(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    (corpus / "scan.pdf").write_bytes(b"no pdf at all")
    (corpus / "node_modules").mkdir()
    (corpus / "node_modules/readme.md").write_text("The office opens at noon.\n")
    with FakeOpenAI(knows("I do not know.", "The office opens at 9:45 [1].")) as model:
        variables = environment(telegram, model, THINKTWICE_ADMINS=str(ann.id))
        variables["THINKTWICE_KNOWLEDGE__WATCH_SECONDS"] = "1"
        with started(tmp_path, corpus, variables) as bot:
            (corpus / "office.md").write_text(OFFICE.replace("8:30", "9:45"), "utf-8")
            (corpus / "new.md").write_text(RACK, "utf-8")
            bot.until(lambda: "changed documents were read" in bot.log)
            ann.says(chat, "When does the office open?")
            bot.until(lambda: any("9:45" in text for text in chat.texts))
            passages = str([request.body for request in model.requests])
            assert "9:45" in passages
            assert "8:30" not in passages
            assert "noon" not in passages
            for command in ("/documents", "/health"):
                ann.says(chat, command)
                bot.until(lambda: "last read 20" in chat.texts[-1])
                assert "scan.pdf" in chat.texts[-1] or "failed files: 1" in chat.texts[-1]
            ann.says(chat, "/reindex")
            bot.until(lambda: any("Not read: node_modules/ (1)" in text for text in chat.texts))
            assert bot.ended() == 0
