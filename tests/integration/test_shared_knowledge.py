"""Several machines share one knowledge base on a server, and each searches a copy of its own."""

from __future__ import annotations

import asyncio
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.service.errors import StorageError
from bot.storage import shared_knowledge, shared_tables
from bot.storage.shared_knowledge import SharedKnowledge
from rag.errors import KnowledgeBusyError
from rag.knowledge.catalog import absolute_path, stored_path
from rag.knowledge.copying import copy
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.store import Store
from rag.settings import Knowledge
from tests.support.knowledge import Workshop, make_workshop
from tests.support.postgres import PostgresServer

JAVA = "# Set-up\n\nFxStore needs Java 17."
HOLIDAY = "# Holidays\n\nVacation is requested two weeks ahead."


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture
def origin(url: str) -> SharedKnowledge:
    return SharedKnowledge(url)


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, origin: SharedKnowledge) -> Workshop:
    """The machine that has the documents."""
    made = make_workshop(tmp_path, monkeypatch)
    made.origin = origin
    return made


@pytest.fixture
def other(tmp_path: Path, one: Workshop) -> Workshop:
    """A machine that has the same settings, and nothing else."""
    return replace(one, data=tmp_path / "other")


async def sources(base: KnowledgeBase, query: str) -> list[str]:
    return [hit.passage.source for hit in (await base.search([query])).hits if hit.word_score]


async def test_new_machine_searches_by_words_and_meaning_without_embedding_a_passage(
    one: Workshop, other: Workshop
) -> None:
    one.write(setup=JAVA, holidays=HOLIDAY)
    one.sync()
    one.embedder.texts.clear()
    with closing(other.open(use_chroma=True)) as base, closing(one.open()) as first:
        assert base.wait_for_chroma(60)
        assert await sources(base, "Java") == ["setup.md"]
        found = await base.search(["two weeks"])
        assert found == await first.search(["two weeks"])
        assert found.hits[0].similarity > 0.0
        assert base.stats() == first.stats()
    assert set(one.embedder.texts) == {"Java", "two weeks"}


async def test_running_machine_sees_a_new_generation_after_copying_only_what_changed(
    one: Workshop, other: Workshop
) -> None:
    one.write(setup=JAVA, holidays=HOLIDAY)
    one.sync()
    with closing(other.open()) as base, closing(Store(other.data)) as store:
        one.write(setup=JAVA.replace("17", "21"))
        one.sync()
        (one.corpus / "holidays.md").unlink()
        one.sync()
        assert await sources(base, "17") == ["setup.md"]
        assert one.origin is not None
        assert copy(one.origin, store)
        assert await sources(base, "21") == ["setup.md"]
        assert await sources(base, "vacation") == await sources(base, "17") == []
        assert base.stats().generation == 3
        assert not copy(one.origin, store)


def test_machine_with_a_knowledge_base_of_its_own_gets_that_of_the_others(
    one: Workshop, other: Workshop, tmp_path: Path
) -> None:
    alone = replace(other, origin=None, corpus=tmp_path / "own")
    alone.write(setup=JAVA.replace("17", "8"), more=HOLIDAY)
    alone.sync()
    one.write(setup=JAVA)
    one.sync()
    with closing(other.open()) as base:
        (passage,) = asyncio.run(base.document("setup.md"))
        assert "17" in passage.text
        assert base.stats().documents == 1


async def test_rebuild_and_another_passage_size_reach_the_other_machine(
    one: Workshop, other: Workshop
) -> None:
    one.write(setup="# Set-up\n\n" + "\n\n".join(f"Step {n}. {JAVA[10:]} " * 8 for n in range(20)))
    one.sync()
    with closing(other.open()) as base:
        before = base.stats().chunks
    one.settings = other.settings = Knowledge(chunk_tokens=40)
    chunks = one.sync(rebuild=True).chunks
    with closing(other.open()) as base:
        assert base.stats().chunks == chunks > before


def test_two_syncs_at_once_do_not_disturb_each_other(one: Workshop, other: Workshop) -> None:
    one.write(setup=JAVA, holidays=HOLIDAY)
    is_reading, may_go_on = threading.Event(), threading.Event()

    def wait(_progress: object) -> None:
        is_reading.set()
        assert may_go_on.wait(60)

    first = threading.Thread(target=lambda: one.sync(on_progress=wait))
    first.start()
    assert is_reading.wait(60)
    try:
        with pytest.raises(KnowledgeBusyError, match="is indexing into postgresql://"):
            other.sync()
    finally:
        may_go_on.set()
        first.join()
    assert other.sync().unchanged == 2
    with closing(other.open()) as base:
        assert base.stats().generation == 1


def test_machine_that_slept_in_a_sync_changes_nothing_after_others_took_over(
    one: Workshop, other: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.write(setup=JAVA)
    monkeypatch.setattr(shared_knowledge, "_TURN_SECONDS", 0)
    monkeypatch.setattr(shared_knowledge, "_HEARTBEAT_SECONDS", 1000.0)

    def sleep_for_long(_progress: object) -> None:
        other.sync()
        other.write(setup=JAVA.replace("17", "21"))
        other.sync()

    with pytest.raises(KnowledgeBusyError):
        one.sync(on_progress=sleep_for_long)
    with closing(one.open()) as base:
        (passage,) = asyncio.run(base.document("setup.md"))
        assert "21" in passage.text
        assert base.stats().generation == 2


def test_text_that_the_server_cannot_hold_is_stored_without_it(origin: SharedKnowledge) -> None:
    with origin.alone() as writing, writing() as connection:
        connection.execute("UPDATE state SET roots = :roots", {"roots": "a\0b"})
    with origin.reading() as connection:
        assert connection.execute("SELECT roots FROM state").fetchone() == ("a\ufffdb",)


def test_several_machines_make_the_tables_once(url: str) -> None:
    failed: list[BaseException] = []

    def open_once() -> None:
        try:
            SharedKnowledge(url).version()
        except BaseException as error:  # noqa: BLE001 - handed to the test
            failed.append(error)

    threads = [threading.Thread(target=open_once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_tables_of_a_newer_version_are_refused(url: str, origin: SharedKnowledge) -> None:
    with origin.connect() as connection:
        connection.execute(sa.text("INSERT INTO version (number) VALUES (999)"))
        connection.commit()
    with pytest.raises(StorageError, match="newer version"):
        SharedKnowledge(url).version()


def test_tables_have_the_columns_of_the_file(origin: SharedKnowledge, tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store, store.reading() as connection:
        for table in ("state", "files", "documents", "passages", "vectors"):
            in_file = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            with origin.connect() as server:
                found = sa.inspect(server).get_columns(table, schema=shared_tables.SCHEMA)
            assert {column["name"] for column in found} == in_file


@pytest.mark.parametrize(
    ("path", "stored"),
    [
        ("/data/documents/a.md", "documents/a.md"),
        ("/docs/a.md", "/docs/a.md"),
        ("/data2/a.md", "/data2/a.md"),
    ],
)
def test_path_in_the_data_folder_is_stored_without_the_folder(path: str, stored: str) -> None:
    assert stored_path(path, Path("/data")) == stored
    assert absolute_path(stored, Path("/data")) == path
