"""The knowledge base's file: snapshots, migrations, and one sentence for each thing that goes wrong."""

from __future__ import annotations

import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rag.errors import KnowledgeError
from rag.knowledge import store as stores
from rag.knowledge.store import FILE_NAME, Store


def set_generation(store: Store, generation: int) -> None:
    with store.writing() as connection:
        connection.execute("UPDATE state SET generation = ?", (generation,))


def test_a_new_store_has_generation_0(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "data")
    assert store.state().generation == 0
    store.close()


def test_a_reader_sees_one_state_while_another_is_written(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.reading() as connection:
        assert stores.read_state(connection).generation == 0
        set_generation(store, 1)
        assert stores.read_state(connection).generation == 0
    assert store.state().generation == 1
    store.close()


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def write_and_fail() -> None:
        with store.writing() as connection:
            connection.execute("UPDATE state SET generation = 7")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_and_fail()
    assert store.state().generation == 0
    store.close()


def test_a_locked_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "_BUSY_SECONDS", 0.01)
    store = Store(tmp_path)
    other = sqlite3.connect(tmp_path / FILE_NAME)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(KnowledgeError, match="is locked by another program: wait"):
        set_generation(store, 1)
    other.close()
    set_generation(store, 1)
    store.close()


@pytest.mark.parametrize("content", [b"not a database" * 500, b"SQLite format 3\0" + b"\xff" * 9000])
def test_a_damaged_database_says_what_to_delete(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(KnowledgeError, match=r"is damaged: delete it .* `AnswerEngine\.sync\(\)`"):
        Store(tmp_path)


def test_a_full_disk_says_so_and_the_old_state_stays(tmp_path: Path) -> None:
    store = Store(tmp_path)
    set_generation(store, 1)
    with store.reading() as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(KnowledgeError, match="free some disk space"), store.writing() as connection:
        connection.executemany(
            "INSERT INTO vectors (content, fingerprint, vector) VALUES (?, '', ?)",
            ((str(number), bytes(5000)) for number in range(100)),
        )
    assert store.state().generation == 1
    store.close()


def test_a_file_of_the_first_version_is_brought_up_to_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(stores, "_MIGRATIONS", stores._MIGRATIONS[:1])
        Store(tmp_path).close()
    with closing(Store(tmp_path)) as store, store.reading() as connection:
        assert connection.execute("SELECT lead, lead_heading FROM passages").fetchall() == []


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    Store(tmp_path).close()
    connection = sqlite3.connect(tmp_path / FILE_NAME)
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    with pytest.raises(KnowledgeError, match="newer version"):
        Store(tmp_path)


def test_a_data_folder_that_is_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(KnowledgeError, match=r"the data folder .* cannot be used"):
        Store(tmp_path / "data")


def test_connections_are_closed_with_the_store(tmp_path: Path) -> None:
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(20):
        store = Store(tmp_path)
        with store.reading(), store.reading():
            pass
        store.close()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2 < limit
