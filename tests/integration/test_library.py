"""Documents that people added: in every corpus, safely named, indexed beside running questions."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from pathlib import Path

import pytest
from filelock import FileLock

from bot.doctor.checks import examine
from bot.documents.corpus import corpus_paths, knowledge_folder, update
from bot.documents.library import IndexingError, Library
from bot.documents.shared import uploads_folder
from bot.documents.uploads import Uploads
from bot.settings.tree import Settings
from rag.errors import KnowledgeBusyError
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import Progress
from tests.support.knowledge import make_workshop


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    workshop = make_workshop(tmp_path, monkeypatch)
    workshop.write(fxstore="# FxStore\n\nFxStore needs Java 17.\n")
    return Settings.load(data_dir=workshop.data, corpus=(workshop.corpus,))


def add(settings: Settings, name: str, text: str) -> Path:
    folder = uploads_folder(settings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, "utf-8")
    return folder


def held(settings: Settings, folder: Path) -> set[str]:
    with closing(KnowledgeBase.open(folder, settings.knowledge, settings.models, use_chroma=False)) as base:
        found = asyncio.run(base.search(["tea Java port"]))
    return {hit.passage.document for hit in found.hits}


class TestCorpus:
    def test_added_document_is_found_after_the_next_update(self, settings: Settings) -> None:
        add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        update(settings, settings.data_dir)

        assert held(settings, settings.data_dir) == {"FxStore", "Tea"}

    def test_added_documents_make_no_other_corpus_of_the_indexed_one(self, settings: Settings) -> None:
        add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        update(settings, settings.data_dir)

        assert knowledge_folder(settings) == settings.data_dir

    def test_program_that_names_no_corpus_goes_on_with_the_indexed_one_and_what_was_added(
        self, settings: Settings
    ) -> None:
        update(settings, settings.data_dir)
        folder = add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        unnamed = Settings.load(data_dir=settings.data_dir)

        assert corpus_paths(unnamed) == (settings.corpus[0].resolve(), folder)
        update(unnamed, unnamed.data_dir)
        update(unnamed, unnamed.data_dir)
        assert corpus_paths(unnamed) == (settings.corpus[0].resolve(), folder)
        assert held(unnamed, unnamed.data_dir) == {"FxStore", "Tea"}

    def test_folder_that_is_gone_is_no_fault(self, settings: Settings) -> None:
        folder = add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        update(settings, settings.data_dir)
        (folder / "tea.md").unlink()
        folder.rmdir()
        update(Settings.load(data_dir=settings.data_dir), settings.data_dir)

        assert held(settings, settings.data_dir) == {"FxStore"}

    def test_corpus_of_one_question_holds_what_was_added_too(
        self, settings: Settings, tmp_path: Path
    ) -> None:
        add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        update(settings, settings.data_dir)
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "port.md").write_text("# Port\n\nThe port is 8443.\n", "utf-8")
        other = Settings.load(data_dir=settings.data_dir, corpus=(tmp_path / "other",))
        folder = knowledge_folder(other)
        update(other, folder)

        assert folder != settings.data_dir
        assert held(other, folder) == {"Port", "Tea"}
        assert held(settings, settings.data_dir) == {"FxStore", "Tea"}

    def test_doctor_counts_what_was_added(self, settings: Settings) -> None:
        folder = add(settings, "tea.md", "# Tea\n\nTea is served at four.\n")
        (finding,) = [finding for finding in examine(settings) if finding.part == "corpus"]

        assert finding.detail.startswith("2 files in ")
        assert str(folder) in finding.detail

    def test_operators_document_keeps_its_name_beside_an_added_one(self, settings: Settings) -> None:
        add(settings, "fxstore.md", "# Another\n\nTea is served at four.\n")
        update(settings, settings.data_dir)
        entries = asyncio.run(Library(settings, settings.data_dir).entries())

        assert {(entry.name, entry.title, entry.is_added) for entry in entries} == {
            ("fxstore.md", "FxStore", False),
            ("documents/fxstore.md", "Another", True),
        }


class TestLibrary:
    async def test_files_that_no_work_will_keep_are_swept_after_an_hour(self, settings: Settings) -> None:
        library = Library(settings, settings.data_dir)
        left, awaited, fresh = (library.uploads.aside("a.md", number) for number in (1, 2, 3))
        for path in (left, awaited, fresh):
            library.uploads.put_aside(path, b"# A")
        for path in (left, awaited):
            os.utime(path, (0, 0))

        async def is_at_work(number: int) -> bool:
            return number == 2

        await library.sweep(is_at_work)
        assert [path.exists() for path in (left, awaited, fresh)] == [False, True, True]

    async def test_files_with_faults_come_first_with_their_reason(self, settings: Settings) -> None:
        library = Library(settings, settings.data_dir)
        add(settings, "zebra.md", "# Zebra\n\nStripes.\n")
        add(settings, "scan.pdf", "no pdf at all")
        await library.sync("Ann")
        first, *others = await library.entries()

        assert first.name == "scan.pdf"
        assert first.notes
        assert [(entry.name, entry.title, entry.passages) for entry in others] == [
            ("fxstore.md", "FxStore", 1),
            ("zebra.md", "Zebra", 1),
        ]
        assert (await library.measure_size()).documents == 2

    async def test_second_sync_is_refused_with_who_began_the_first_and_when(self, settings: Settings) -> None:
        library = Library(settings, settings.data_dir)
        began = asyncio.Event()
        loop = asyncio.get_running_loop()

        def on_progress(_progress: Progress) -> None:
            loop.call_soon_threadsafe(began.set)
            asyncio.run_coroutine_threadsafe(refused.wait(), loop).result()

        refused = asyncio.Event()
        first = asyncio.create_task(library.sync("Ann", on_progress=on_progress))
        await asyncio.wait_for(began.wait(), 10)
        with pytest.raises(IndexingError) as caught:
            await library.sync("Bob")
        waiting = asyncio.create_task(library.sync("Bob", waits=True))
        refused.set()

        assert caught.value.indexing.who == "Ann"
        assert (await first).added == 1
        assert (await waiting).unchanged == 1

    async def test_sync_of_another_process_is_refused_or_waited_for(self, settings: Settings) -> None:
        library = Library(settings, settings.data_dir, patience=5.0)
        settings.data_dir.mkdir(parents=True)
        lock = FileLock(settings.data_dir / "knowledge.lock")
        with lock, pytest.raises(KnowledgeBusyError):
            await library.sync("Ann")
        lock.acquire()
        waiting = asyncio.create_task(library.sync("Ann", waits=True))
        await asyncio.sleep(0)
        lock.release()

        assert (await waiting).added == 1


class TestUploads:
    def test_file_appears_only_as_a_whole_and_keeping_it_again_changes_nothing(self, tmp_path: Path) -> None:
        uploads = Uploads(tmp_path / "documents")
        aside = uploads.aside("tea.md", 7)
        uploads.put_aside(aside, b"tea")
        assert uploads.names() == ()
        for _ in range(2):
            uploads.keep(aside, "tea.md")
        assert uploads.names() == ("tea.md",)
        assert (tmp_path / "documents" / "tea.md").read_bytes() == b"tea"
        for _ in range(2):
            uploads.delete("tea.md")
        assert uploads.names() == ()

    def test_name_is_found_whatever_its_capitals_and_the_form_of_its_accents(self, tmp_path: Path) -> None:
        uploads = Uploads(tmp_path)
        (tmp_path / "Café.md").touch()
        assert uploads.find("CAFE\u0301.MD") == "Café.md"
        assert uploads.find("tea.md") is None

    def test_deleting_never_leaves_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "secret.md").touch()
        (tmp_path / "documents").mkdir()
        Uploads(tmp_path / "documents").delete("../secret.md")
        assert (tmp_path / "secret.md").exists()
