"""Syncing: only what changed is read and embedded, and nothing goes wrong half-way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.storage.shared_knowledge import SharedKnowledge
from rag.errors import InputError, KnowledgeError
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.knowledge.sync import Progress, SyncReport
from rag.settings import Knowledge
from tests.support.knowledge import Workshop, make_workshop

JAVA = "# Set-up\n\nFxStore needs Java 17."
HOLIDAY = "# Holidays\n\nVacation is requested two weeks ahead."
PAY = "# Pay\n\nSalaries are paid on the last Friday."


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: str) -> Workshop:
    """A workshop whose knowledge base is kept in a SQLite file, and one that keeps it on a server."""
    made = make_workshop(tmp_path, monkeypatch)
    made.origin = SharedKnowledge(server) if server else None
    return made


def counts(report: SyncReport) -> dict[str, int]:
    names = ("added", "changed", "removed", "unchanged")
    return {name: value for name in names if (value := getattr(report, name))}


def age(path: Path) -> None:
    """Date a file back: one that was only just written is not trusted to be the same by its time."""
    os.utime(path, (1_600_000_000, 1_600_000_000))


async def found(workshop: Workshop, query: str) -> list[str]:
    base = workshop.open()
    try:
        return [hit.passage.source for hit in (await base.search([query])).hits if hit.word_score]
    finally:
        base.close()


async def test_new_documents_are_found(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    report = workshop.sync()
    assert counts(report) == {"added": 2}
    assert report.chunks == 2
    assert report.failed == ()
    assert await found(workshop, "Java") == ["setup.md"]


async def test_only_changed_documents_are_embedded(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    workshop.embedder.texts.clear()
    workshop.write(setup=JAVA.replace("17", "21"))
    assert counts(workshop.sync()) == {"changed": 1, "unchanged": 1}
    assert workshop.embedder.texts == ["Set-up\nFxStore needs Java 21."]
    assert await found(workshop, "21") == ["setup.md"]
    assert await found(workshop, "17") == []


def test_a_sync_without_changes_writes_and_embeds_nothing(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    workshop.embedder.texts.clear()
    assert counts(workshop.sync()) == {"unchanged": 1}
    assert workshop.embedder.texts == []
    base = workshop.open()
    assert base.stats().generation == 1
    base.close()


def test_an_unchanged_file_is_not_even_opened(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop.write(setup=JAVA)
    age(workshop.corpus / "setup.md")
    workshop.sync()

    def fail(path: Path) -> str:
        raise AssertionError(f"{path} was opened")

    monkeypatch.setattr("rag.knowledge.planning._sha256", fail)
    assert counts(workshop.sync()) == {"unchanged": 1}


async def test_a_change_within_the_same_tick_and_of_the_same_length_is_seen(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    times = (workshop.corpus / "setup.md").stat()
    workshop.sync()
    workshop.write(setup=JAVA.replace("17", "21"))
    os.utime(workshop.corpus / "setup.md", ns=(times.st_atime_ns, times.st_mtime_ns))
    assert counts(workshop.sync()) == {"changed": 1}


def test_a_touched_file_is_unchanged(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    age(workshop.corpus / "setup.md")
    workshop.embedder.texts.clear()
    assert counts(workshop.sync()) == {"unchanged": 1}
    assert workshop.embedder.texts == []


async def test_removed_files_vanish(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    (workshop.corpus / "setup.md").unlink()
    assert counts(workshop.sync()) == {"removed": 1, "unchanged": 1}
    assert await found(workshop, "Java") == []


def test_a_renamed_file_is_not_embedded_again(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    workshop.embedder.texts.clear()
    (workshop.corpus / "setup.md").rename(workshop.corpus / "install.md")
    assert counts(workshop.sync()) == {"added": 1, "removed": 1}
    assert workshop.embedder.texts == []


def test_rows_of_a_jsonl_file_are_documents_of_their_own(workshop: Workshop) -> None:
    workshop.corpus.mkdir()
    rows = workshop.corpus / "corpus.jsonl"
    rows.write_text('{"id": "a", "title": "A", "text": "one"}\n{"id": "b", "title": "B", "text": "two"}\n')
    assert counts(workshop.sync()) == {"added": 2}
    rows.write_text('{"id": "a", "title": "A", "text": "one"}\n{"id": "c", "title": "C", "text": "three"}\n')
    assert counts(workshop.sync()) == {"added": 1, "removed": 1, "unchanged": 1}


def test_a_bad_row_is_reported_with_every_sync(workshop: Workshop) -> None:
    workshop.corpus.mkdir()
    rows = workshop.corpus / "corpus.jsonl"
    rows.write_text('{"id": "a", "title": "A", "text": "one"}\nnonsense\n')
    age(rows)
    first, second = workshop.sync(), workshop.sync()
    assert counts(first) == {"added": 1}
    assert first.failed == second.failed
    assert [failure.path for failure in first.failed] == ["corpus.jsonl"]


def test_a_document_id_that_two_files_use_is_reported(tmp_path: Path, workshop: Workshop) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.jsonl").write_text('{"id": "a", "title": "A", "text": "text"}\n')
    paths = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    report = workshop.sync(paths)
    assert counts(report) == {"added": 1}
    assert [failure.path for failure in report.failed] == ["two.jsonl"]
    assert "already in one.jsonl" in str(report.failed[0].reason)


async def test_a_bad_file_does_not_stop_the_others(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    (workshop.corpus / "empty.md").write_text("")
    report = workshop.sync()
    assert counts(report) == {"added": 1}
    assert [failure.path for failure in report.failed] == ["empty.md"]
    assert await found(workshop, "Java") == ["setup.md"]


@pytest.mark.parametrize("rest", ["", " \n\t\n", "\ufeff\n"])
@pytest.mark.parametrize("ending", ["md", "txt", "rst", "adoc", "csv"])
async def test_text_of_a_file_that_was_emptied_is_gone(workshop: Workshop, rest: str, ending: str) -> None:
    file = workshop.corpus / f"setup.{ending}"
    file.parent.mkdir(exist_ok=True)
    file.write_text("Name,Version\nJava,17\n")
    workshop.sync()
    assert await found(workshop, "Java") == [file.name]
    file.write_text(rest, "utf-8")
    report = workshop.sync()
    assert [failure.path for failure in report.failed] == [file.name]
    assert await found(workshop, "Java") == []


async def test_text_of_a_file_that_cannot_be_read_now_stays_and_comes_back(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    (workshop.corpus / "setup.md").write_bytes(b"\0\1\2" * 1000)
    report = workshop.sync()
    assert [failure.path for failure in report.failed] == ["setup.md"]
    assert await found(workshop, "Java") == ["setup.md"]
    workshop.write(setup=JAVA.replace("17", "21"))
    report = workshop.sync()
    assert report.failed == ()
    assert await found(workshop, "21") == ["setup.md"]


async def test_an_emptied_file_takes_its_text_with_it(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    workshop.write(setup="")
    report = workshop.sync()
    assert counts(report) == {"removed": 1, "unchanged": 1}
    assert await found(workshop, "Java") == []


async def test_documents_in_a_folder_that_cannot_be_opened_now_stay(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    workshop.write(setup=JAVA)
    (workshop.corpus / "team").mkdir()
    (workshop.corpus / "team" / "pay.md").write_text(PAY)
    workshop.sync()
    scandir = os.scandir

    def guarded(path: str) -> object:
        if str(path).endswith("team"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", guarded)  # the tests may run as root, whom no mode bits stop
    report = workshop.sync()
    assert counts(report) == {"unchanged": 2}
    assert [failure.path for failure in report.failed] == ["team"]


def test_a_path_that_does_not_exist_changes_nothing(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    with pytest.raises(InputError, match="does not exist"):
        workshop.sync([workshop.corpus / "nowhere"])
    assert counts(workshop.sync()) == {"unchanged": 1}


def test_the_corpus_is_remembered(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    workshop.write(holidays=HOLIDAY)
    assert counts(workshop.sync([])) == {"added": 1, "unchanged": 1}


def test_without_any_corpus_the_user_is_told_to_name_one(workshop: Workshop) -> None:
    with pytest.raises(InputError, match="name a folder"):
        workshop.sync([])


def test_an_empty_corpus_is_an_empty_knowledge_base(workshop: Workshop) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    (workshop.corpus / "setup.md").unlink()
    report = workshop.sync()
    assert counts(report) == {"removed": 1}
    assert report.chunks == 0
    base = workshop.open()
    assert base.is_empty
    base.close()


def test_another_passage_size_cuts_everything_anew(workshop: Workshop) -> None:
    workshop.write(setup="# Set-up\n\n" + "\n\n".join(f"Step {n}. {JAVA[10:]} " * 8 for n in range(20)))
    before = workshop.sync().chunks
    workshop.settings = Knowledge(chunk_tokens=40)
    report = workshop.sync()
    assert counts(report) == {"unchanged": 1}
    assert report.chunks > before


def test_another_embedding_embeds_everything_anew_and_drops_the_old_vectors(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    workshop.embedder = HashedEmbedder("hashed-2", dimension=32)
    assert counts(workshop.sync()) == {"unchanged": 2}
    assert len(workshop.embedder.texts) == 2
    base = workshop.open()
    with base._store.reading() as connection:
        assert connection.execute("SELECT DISTINCT fingerprint FROM vectors").fetchall() == [("hashed-2",)]
    base.close()


def test_a_rebuild_reads_and_embeds_everything_again(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    workshop.embedder.texts.clear()
    assert counts(workshop.sync(rebuild=True)) == {"unchanged": 2}
    assert len(workshop.embedder.texts) == 2


def test_vectors_of_texts_that_are_gone_are_deleted(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    workshop.sync()
    (workshop.corpus / "setup.md").unlink()
    workshop.sync()
    base = workshop.open()
    with base._store.reading() as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (1,)
    base.close()


def test_progress_runs_through_the_phases(workshop: Workshop) -> None:
    workshop.write(setup=JAVA, holidays=HOLIDAY)
    seen: list[Progress] = []
    workshop.sync(on_progress=seen.append)
    assert list(dict.fromkeys(progress.phase for progress in seen)) == ["reading", "embedding", "writing"]
    assert all(progress.done <= progress.total == 2 for progress in seen)
    assert [progress.done for progress in seen if progress.phase == "reading"] == [1, 2]


_SLOW_CHILD = """
import sys, time
from pathlib import Path
from bot.storage import shared_knowledge
from rag.knowledge import sync as syncs
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.settings import Knowledge, Models

class Slow(HashedEmbedder):
    def embed_passages(self, texts):
        vectors = super().embed_passages(texts)
        if len(self.texts) > 2:
            Path(sys.argv[3]).touch()
            time.sleep(60)
        return vectors

syncs.open_embedder = lambda name, models: Slow()
syncs._BATCH = 1
shared_knowledge._TURN_SECONDS, shared_knowledge._HEARTBEAT_SECONDS = 2, 0.5
origin = shared_knowledge.SharedKnowledge(sys.argv[4]) if sys.argv[4] else None
syncs.sync(Path(sys.argv[1]), [Path(sys.argv[2])], Knowledge(), Models(), origin=origin)
"""


def start_slow_sync(workshop: Workshop, server: str, marker: Path) -> subprocess.Popen[bytes]:
    """Start a sync in another process and wait until it hangs in its third text."""
    folders = [str(workshop.data), str(workshop.corpus)]
    command = [sys.executable, "-c", _SLOW_CHILD, *folders, str(marker), server]
    child = subprocess.Popen(command, cwd=Path(__file__).parents[2])
    deadline = time.monotonic() + 60
    while not marker.exists():
        assert child.poll() is None, "the child ended early"
        assert time.monotonic() < deadline, "the child did not get going"
        time.sleep(0.01)
    return child


async def test_a_killed_sync_leaves_the_old_generation_and_the_next_one_goes_on(
    tmp_path: Path, workshop: Workshop, server: str
) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    workshop.write(setup=JAVA.replace("17", "21"), holidays=HOLIDAY, pay=PAY, more="# More\n\nText.")
    child = start_slow_sync(workshop, server, tmp_path / "marker")
    child.send_signal(signal.SIGKILL)
    child.wait()

    assert await found(workshop, "17") == ["setup.md"]
    assert await found(workshop, "vacation") == []

    workshop.embedder.texts.clear()
    assert counts(workshop.sync()) == {"added": 3, "changed": 1}
    assert len(workshop.embedder.texts) == 2  # of four: two were committed before the kill
    assert await found(workshop, "vacation") == ["holidays.md"]


async def test_questions_are_answered_and_a_second_sync_is_refused_while_one_runs(
    tmp_path: Path, workshop: Workshop, server: str
) -> None:
    workshop.write(setup=JAVA)
    workshop.sync()
    workshop.write(holidays=HOLIDAY, pay=PAY, more="# More\n\nText.")
    child = start_slow_sync(workshop, server, tmp_path / "marker")
    try:
        assert await found(workshop, "Java") == ["setup.md"]
        with pytest.raises(KnowledgeError, match="another process is indexing"):
            workshop.sync()
    finally:
        child.kill()
        child.wait()
