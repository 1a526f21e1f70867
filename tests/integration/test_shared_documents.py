"""Added documents and the knowledge base of several machines, each with a data folder of its own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.documents.corpus import update
from bot.documents.fetching import Page
from bot.documents.library import Library
from bot.documents.pages import Pages
from bot.documents.shared import SharedDocuments, open_shared, uploads_folder
from bot.settings.tree import Settings
from bot.storage.database import open_database
from bot.terminal.backup import back_up, restore
from bot.terminal.move_data import move_data
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.fusion import Found
from rag.knowledge.matching import find_matches
from tests.support.knowledge import make_workshop
from tests.support.postgres import PostgresServer

SECONDS = 60.0
TEA = b"# Tea\n\nTea is served at four.\n"


@dataclass
class Machine:
    """A machine: its settings, what it shares, and its library."""

    settings: Settings
    shared: SharedDocuments
    library: Library

    @property
    def folder(self) -> Path:
        return uploads_folder(self.settings)

    def add(self, name: str, content: bytes) -> None:
        """Add a document as the channels do."""
        aside = self.library.uploads.aside(name, 1)
        self.library.uploads.put_aside(aside, content)
        self.library.uploads.keep(aside, name)

    def names(self) -> set[str]:
        return {path.name for path in self.folder.iterdir() if path.name != ".shared.json"}


@pytest.fixture
def embedder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> HashedEmbedder:
    workshop = make_workshop(tmp_path, monkeypatch)
    workshop.write(fxstore="# FxStore\n\nFxStore needs Java 17.\n")
    return workshop.embedder


@pytest.fixture
def make(tmp_path: Path, postgres: PostgresServer, embedder: HashedEmbedder) -> Callable[[str], Machine]:
    url = postgres.new_database()

    def made(name: str) -> Machine:
        (tmp_path / name).mkdir(exist_ok=True)
        settings = Settings.load(
            data_dir=tmp_path / name,
            corpus=(tmp_path / "corpus",),
            database_url=url,
            # Nobody listens there: no model is needed.
            models={"default": "openai:x", "openai_base_url": "http://127.0.0.1:9/v1"},
        )
        shared = open_shared(settings)
        assert shared is not None
        return Machine(settings, shared, Library(settings, settings.data_dir, shared=shared))

    return made


@pytest.fixture
def one(make: Callable[[str], Machine]) -> Machine:
    return make("one")


@pytest.fixture
def other(make: Callable[[str], Machine]) -> Machine:
    return make("other")


class TestFiles:
    def test_document_that_one_machine_adds_and_removes_is_added_and_removed_on_the_other(
        self, one: Machine, other: Machine
    ) -> None:
        one.add("tea.md", TEA)
        assert other.shared.refresh()
        assert (other.folder / "tea.md").read_bytes() == TEA
        assert not other.shared.refresh()
        other.library.uploads.delete("tea.md")
        assert one.shared.refresh()
        assert one.names() == other.names() == set()

    def test_replaced_document_is_replaced_on_the_other(self, one: Machine, other: Machine) -> None:
        one.add("tea.md", TEA)
        other.shared.refresh()
        other.add("tea.md", TEA.replace(b"four", b"five"))
        one.shared.refresh()
        assert b"five" in (one.folder / "tea.md").read_bytes()

    def test_given_answer_that_one_machine_replaces_comes_back_on_the_other(
        self, one: Machine, other: Machine
    ) -> None:
        question = "When is tea served?"
        first = one.library.corrections.put_text(question, "At four.", "Answers", 1, "2026-11-20", "kitchen")
        assert other.shared.refresh()
        assert other.library.corrections.questions() == {first: question}
        second = other.library.corrections.put_text(
            question, "At five.", "Answers", 2, "2026-11-21", "kitchen"
        )
        assert one.shared.refresh()
        assert "At five." in (one.folder / second).read_text("utf-8")
        assert one.library.corrections.undo(2) == question
        assert other.shared.refresh()
        assert "At four." in (other.folder / first).read_text("utf-8")
        other.library.corrections.remove(first)
        assert one.shared.refresh()
        assert one.library.corrections.questions() == {}
        assert not list(one.folder.rglob("*.md"))

    def test_file_that_one_machine_put_aside_becomes_a_document_on_the_other(
        self, one: Machine, other: Machine
    ) -> None:
        one.library.uploads.put_aside(one.library.uploads.aside("tea.md", 7), TEA)
        other.library.uploads.keep(other.library.uploads.aside("tea.md", 7), "tea.md")
        assert other.names() == {"tea.md"}
        one.shared.refresh()
        assert one.names() == {"tea.md"}

    def test_documents_from_before_the_fleet_are_shared_and_none_is_lost(
        self, one: Machine, other: Machine
    ) -> None:
        for machine, hour in ((one, b"four"), (other, b"five")):
            machine.folder.mkdir(parents=True)
            (machine.folder / "tea.md").write_bytes(TEA.replace(b"four", hour))
            (machine.folder / f"{hour.decode()}.md").write_bytes(TEA)
        one.shared.refresh()
        other.shared.refresh()
        one.shared.refresh()
        assert one.names() == {"tea.md", "four.md", "five.md"}
        assert (other.folder / "tea.md").read_bytes() == TEA
        assert (other.folder / ".replaced-tea.md").read_bytes() == TEA.replace(b"four", b"five")

    def test_lost_folder_comes_back_and_removes_nothing(self, one: Machine, other: Machine) -> None:
        one.add("tea.md", TEA)
        other.shared.refresh()
        (other.folder / "tea.md").unlink()
        other.shared.files.refresh()
        assert other.names() == {"tea.md"}
        one.shared.refresh()
        assert one.names() == {"tea.md"}

    def test_documents_survive_a_database_that_was_lost_and_made_anew(
        self, one: Machine, postgres: PostgresServer
    ) -> None:
        one.add("tea.md", TEA)
        url = type(one.settings.database_url)(postgres.new_database())
        shared = open_shared(one.settings.model_copy(update={"database_url": url}))
        assert shared is not None
        shared.refresh()
        assert (one.folder / "tea.md").read_bytes() == TEA
        with shared.origin.reading() as connection:
            assert connection.execute("SELECT name FROM uploads").fetchall() == [("tea.md",)]

    def test_change_that_was_not_shared_because_of_a_crash_is_shared_later(
        self, one: Machine, other: Machine
    ) -> None:
        one.add("tea.md", TEA)
        (one.folder / "tea.md").write_bytes(TEA.replace(b"four", b"half past five"))
        one.shared.files.refresh()
        other.shared.refresh()
        assert b"half past five" in (other.folder / "tea.md").read_bytes()

    def test_pages_that_two_machines_add_are_all_listed(self, one: Machine, other: Machine) -> None:
        class Site:
            def fetch(self, url: str, **_known: str) -> Page:
                return Page(url, "text/markdown", TEA)

        for machine, url in ((one, "http://a.test/one"), (other, "http://a.test/two")):
            Pages(machine.folder, Site(), 10, machine.shared.files.changing).add(url)  # type: ignore[arg-type]
        one.shared.refresh()
        for machine in (one, other):
            listed = json.loads((machine.folder / ".pages.json").read_text("utf-8"))
            assert {page["url"] for page in listed.values()} == {"http://a.test/one", "http://a.test/two"}


class TestCommands:
    def test_moving_the_data_of_one_machine_takes_documents_and_index_along(
        self, one: Machine, other: Machine, embedder: HashedEmbedder, capsys: pytest.CaptureFixture[str]
    ) -> None:
        async def make_file() -> None:
            async with open_database(one.settings.data_dir):
                pass

        asyncio.run(make_file())
        alone = one.settings.model_copy(update={"database_url": type(one.settings.database_url)("")})
        one.folder.mkdir()
        (one.folder / "tea.md").write_bytes(TEA)
        update(alone, alone.data_dir)
        url = one.settings.database_url.get_secret_value()
        assert move_data({"data_dir": one.settings.data_dir, "database_url": url}) == 0
        assert "every machine copies them" in capsys.readouterr().out
        embedder.texts.clear()
        other.shared.refresh()
        assert (other.folder / "tea.md").read_bytes() == TEA
        assert asyncio.run(other.library.measure_size()).passages == 2
        assert asyncio.run(other.library.sync("Ben")).unchanged == 2
        assert embedder.texts == []

    def test_backup_of_one_machine_holds_what_another_one_added_and_founds_a_new_fleet(
        self, one: Machine, other: Machine, tmp_path: Path, postgres: PostgresServer, embedder: HashedEmbedder
    ) -> None:
        one.add("tea.md", TEA)
        asyncio.run(one.library.sync("Ann"))
        url = one.settings.database_url.get_secret_value()
        archive = tmp_path / "backup.tar.gz"
        assert back_up({"data_dir": other.settings.data_dir, "database_url": url}, archive) == 0
        again = {"data_dir": tmp_path / "again", "database_url": postgres.new_database()}
        assert restore(again, archive, replaces=False) == 0
        settings = Settings.load(**again, corpus=(tmp_path / "corpus",))
        shared = open_shared(settings)
        assert shared is not None
        embedder.texts.clear()
        report = update(settings, settings.data_dir, shared=shared)
        assert (report.unchanged, report.added, report.removed, embedder.texts) == (2, 0, 0, [])


class TestKnowledge:
    async def test_document_added_on_one_machine_is_known_and_can_be_sent_by_the_other(
        self, one: Machine, other: Machine
    ) -> None:
        one.add("tea.md", TEA)
        await one.library.sync("Ann")
        other.shared.refresh()
        (entry,) = [entry for entry in await other.library.entries() if entry.is_added]
        assert (entry.name, entry.path) == ("tea.md", str(other.folder / "tea.md"))
        file = await other.library.source_file("tea.md")
        assert file is not None
        assert file.path.read_bytes() == TEA
        assert await other.library.contents() == await one.library.contents()

    async def test_either_machine_brings_the_documents_of_both_up_to_date(
        self, one: Machine, other: Machine, embedder: HashedEmbedder
    ) -> None:
        one.add("tea.md", TEA)
        await one.library.sync("Ann")
        embedder.texts.clear()
        other.add("port.md", b"# Port\n\nFxStore listens on port 8080.\n")
        report = await other.library.sync("Ben")
        assert (report.added, report.unchanged, report.removed) == (1, 2, 0)
        assert len(embedder.texts) == 1
        one.shared.refresh()
        assert await one.library.measure_size() == await other.library.measure_size()

    async def test_first_machine_of_a_fleet_shares_what_it_had_indexed_alone(
        self, one: Machine, other: Machine, embedder: HashedEmbedder
    ) -> None:
        alone = one.settings.model_copy(update={"database_url": type(one.settings.database_url)("")})
        update(alone, alone.data_dir)
        embedder.texts.clear()
        one.shared.refresh()
        other.shared.refresh()
        assert (await other.library.measure_size()).passages == 1
        assert (await other.library.sync("Ben")).unchanged == 1
        assert embedder.texts == []

    async def test_running_machine_swaps_to_the_generation_that_another_one_makes(
        self, one: Machine, other: Machine, monkeypatch: pytest.MonkeyPatch, embedder: HashedEmbedder
    ) -> None:
        monkeypatch.setattr(app, "_FOLLOW_SECONDS", 0.05)
        async with app.running(one.settings, waits_for_documents=False):
            embedder.texts.clear()
            async with app.running(other.settings, waits_for_documents=False) as running:
                assert not running.knowledge.is_empty
                assert embedder.texts == []
                one.add("tea.md", TEA)
                await one.library.sync("Ann")
                async with asyncio.timeout(SECONDS):
                    while running.knowledge.stats().documents < 2:  # noqa: ASYNC110 - nothing tells
                        await asyncio.sleep(0.01)
                found = await running.knowledge.search(["tea"])
                assert found.hits[0].passage.source == "tea.md"

    async def test_document_that_another_machine_has_just_added_is_listed(
        self, one: Machine, other: Machine
    ) -> None:
        await one.library.sync("Ann")
        assert len(await other.library.entries()) == 1
        one.add("tea.md", TEA)
        await one.library.sync("Ann")
        assert [entry.name for entry in await other.library.entries() if entry.is_added] == ["tea.md"]
        assert (await other.library.measure_size()).documents == 2

    async def test_documents_are_listed_from_the_copy_while_the_database_is_away(self, one: Machine) -> None:
        one.add("tea.md", TEA)
        await one.library.sync("Ann")
        away = one.settings.model_copy(
            update={"database_url": type(one.settings.database_url)("postgresql://me@127.0.0.1:1/none")}
        )
        library = Library(away, away.data_dir, shared=open_shared(away))
        assert [entry.name for entry in await library.entries() if entry.is_added] == ["tea.md"]

    async def test_search_that_began_before_a_new_generation_finishes_with_the_old_one(
        self, one: Machine, other: Machine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        await one.library.sync("Ann")
        async with app.running(other.settings, is_lasting=False) as running:
            name = "rag.knowledge.search.find_matches"

            def swap_first(*args: Any) -> list[Found]:
                monkeypatch.setattr(name, find_matches)
                one.add("java.md", b"# Java\n\nFxStore needs Java 21 now.\n")
                update(one.settings, one.settings.data_dir, shared=one.shared)
                other.shared.refresh()
                return find_matches(*args)

            monkeypatch.setattr(name, swap_first)
            before = await running.knowledge.search(["FxStore Java"])
            after = await running.knowledge.search(["FxStore Java"])
            assert {hit.passage.source for hit in before.hits} == {"fxstore.md"}
            assert {hit.passage.source for hit in after.hits} == {"fxstore.md", "java.md"}

    async def test_machine_without_the_folder_of_documents_answers_from_those_of_the_others(
        self, one: Machine, other: Machine, tmp_path: Path
    ) -> None:
        await one.library.sync("Ann")
        bare = other.settings.model_copy(update={"corpus": (tmp_path / "nowhere",)})
        async with app.running(bare, is_lasting=False, waits_for_documents=False) as running:
            assert (await running.knowledge.search(["Java"])).hits
            assert running.knowledge.stats().generation == 1

    async def test_machine_answers_from_its_copy_while_the_database_is_away(
        self, one: Machine, postgres: PostgresServer
    ) -> None:
        await one.library.sync("Ann")
        away = one.settings.model_copy(
            update={"database_url": type(one.settings.database_url)("postgresql://me@127.0.0.1:1/none")}
        )
        async with app.running(away, is_lasting=False) as running:
            assert (await running.knowledge.search(["Java"])).hits
