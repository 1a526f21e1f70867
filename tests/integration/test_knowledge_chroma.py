"""Chroma is a cache: whatever happens to its folder, the right passages are found."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
import structlog.testing

from rag.errors import KnowledgeError
from rag.knowledge.chroma import FOLDER, ChromaIndex, ChromaVectors, condition
from rag.knowledge.embedder import Vectors
from rag.knowledge.vectors import VectorHit
from rag.values import PassageId
from tests.support.knowledge import Workshop, make_workshop

COUNT = 120
IDS = [PassageId(f"passage{number:03d}") for number in range(COUNT)]
MATRIX = np.random.default_rng(1).standard_normal((COUNT, 16)).astype(np.float32)
MATRIX /= np.linalg.norm(MATRIX, axis=1, keepdims=True)
STORED = dict(zip(IDS, MATRIX, strict=True))


def read(ids: Sequence[PassageId]) -> dict[PassageId, Vectors]:
    return {passage: STORED[passage] for passage in ids}


def never(ids: Sequence[PassageId]) -> dict[PassageId, Vectors]:
    """Read for the closing check only: nothing may be written anew."""
    assert len(ids) == 1, f"{len(ids)} vectors were written again"
    return read(ids)


def fill(folder: Path) -> Path:
    """Make a complete index; return the folder that Chroma keeps it in."""
    with closing(ChromaVectors(folder)) as index:
        assert index.update("one", IDS, read)
    (found,) = (folder / FOLDER).iterdir()
    return found


def assert_complete(index: ChromaIndex | None) -> None:
    assert index is not None
    for number in (0, 57, COUNT - 1):
        hits = index.nearest(MATRIX[number], 3)
        assert hits[0].id == IDS[number]
        assert hits[0].similarity == pytest.approx(1.0, abs=1e-4)
    assert len(index.nearest(MATRIX[0], COUNT * 2)) == COUNT


def test_similarities_are_cosines(tmp_path: Path) -> None:
    with closing(ChromaVectors(tmp_path)) as index:
        found = index.update("one", IDS[:10], read)
        assert found is not None
        hits = found.nearest(MATRIX[0], 10)
        assert [hit.similarity for hit in hits] == pytest.approx(
            sorted((MATRIX[:10] @ MATRIX[0]).tolist(), reverse=True), abs=1e-4
        )


def test_an_intact_index_is_used_again(tmp_path: Path) -> None:
    folder = fill(tmp_path)
    with closing(ChromaVectors(tmp_path)) as index:
        assert_complete(index.update("one", IDS, never))
    assert folder.is_dir()


def test_an_index_holds_what_it_was_built_of_and_replaces_the_one_before_it(tmp_path: Path) -> None:
    with closing(ChromaVectors(tmp_path)) as index:
        index.update("one", IDS[:60], read)
        assert (second := index.update("two", IDS[50:], read)) is not None
        assert {hit.id for hit in second.nearest(MATRIX[70], COUNT)} == set(IDS[50:])
        assert (third := index.update("three", [], read)) is not None
        assert third.nearest(MATRIX[0], 5) == []
        assert len(list((tmp_path / FOLDER).iterdir())) == 1


def test_an_index_that_is_replaced_while_it_is_asked_answers_rightly_or_not_at_all(tmp_path: Path) -> None:
    """Neither nothing nor passages of the next index may pass for the nearest ones."""
    seen: list[set[PassageId]] = []
    refused = threading.Event()

    def ask(index: ChromaIndex) -> None:
        try:
            while True:
                seen.append({hit.id for hit in index.nearest(MATRIX[0], 30)})
        except KnowledgeError:
            refused.set()

    with closing(ChromaVectors(tmp_path)) as index:
        for turn in range(3):
            part = IDS[turn * 30 : turn * 30 + 30]
            seen.clear()
            refused.clear()
            current = index.update(f"turn{turn}", part, read)
            assert current is not None
            asking = threading.Thread(target=ask, args=[current], daemon=True)
            asking.start()
            while not seen and asking.is_alive():
                time.sleep(0.001)
            index.update("next", IDS[90:], read)
            asking.join(30)
            assert refused.is_set()
            assert all(found == set(part) for found in seen)
            with pytest.raises(KnowledgeError, match="the index is closed"):
                current.nearest(MATRIX[0], 0)


def test_links_and_folders_that_cannot_be_deleted_stop_no_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = fill(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept.txt").touch()
    (tmp_path / FOLDER / "link").symlink_to(elsewhere)
    (tmp_path / FOLDER / "two-link").symlink_to(tmp_path / "nowhere")
    truncate_graph(folder)

    def fail(*args: object, **kwargs: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch, closing(ChromaVectors(tmp_path)) as index:
        patch.setattr(os, "rmdir", fail)
        assert_complete(index.update("one", IDS, read))
    assert folder.is_dir()
    assert (elsewhere / "kept.txt").exists()
    assert condition(tmp_path, "one") == "whole"  # the old folder hides nothing
    with closing(ChromaVectors(tmp_path)) as index:
        assert_complete(index.update("one", IDS, never))


def truncate_graph(folder: Path) -> None:
    for file in folder.rglob("*.bin"):
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def delete_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").unlink()


def spoil_database(folder: Path) -> None:
    file = folder / "chroma.sqlite3"
    file.write_bytes(b"\xff" * file.stat().st_size)  # the length still fits: only opening it shows


def delete_folder(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder)


def spoil_sizes(folder: Path) -> None:
    (folder / "sizes.json").write_text("[]")


def take_the_name(folder: Path) -> None:
    """Leave what a process leaves that is killed while it builds."""
    folder.rename(folder.with_name("building-1"))


@pytest.mark.parametrize(
    "damage",
    [truncate_graph, delete_database, spoil_database, delete_folder, spoil_sizes, take_the_name],
)
def test_a_damaged_index_is_built_anew_aside(tmp_path: Path, damage: object) -> None:
    folder = fill(tmp_path)
    assert callable(damage)
    damage(folder)
    with closing(ChromaVectors(tmp_path)) as index:
        assert_complete(index.update("one", IDS, read))
    assert not folder.exists()
    assert len([entry for entry in (tmp_path / FOLDER).iterdir() if entry.is_dir()]) == 1


def test_an_update_that_is_stopped_leaves_no_index(tmp_path: Path) -> None:
    with closing(ChromaVectors(tmp_path)) as index:
        assert not index.update("one", IDS, read, pause=lambda: True)
    assert condition(tmp_path, "one") == "absent"
    with closing(ChromaVectors(tmp_path)) as index:
        assert_complete(index.update("one", IDS, read))


def test_documents_that_change_during_an_update_leave_no_index(tmp_path: Path) -> None:
    with closing(ChromaVectors(tmp_path)) as index:
        assert not index.update("one", [*IDS, PassageId("gone")], lambda ids: read(list(set(ids) & set(IDS))))
    assert condition(tmp_path, "one") == "absent"


def test_a_second_owner_is_refused(tmp_path: Path) -> None:
    with (
        closing(ChromaVectors(tmp_path)),
        pytest.raises(KnowledgeError, match="in use by another process"),
    ):
        ChromaVectors(tmp_path)
    ChromaVectors(tmp_path).close()


_WRITING_CHILD = """
import sys
from pathlib import Path
import numpy as np
from rag.knowledge.chroma import ChromaVectors

index = ChromaVectors(Path(sys.argv[1]))
vectors = np.eye(16, dtype=np.float32)
number = 0
while True:
    number += 1
    ids = [f"{number}-{row}" for row in range(16)]
    index.update(str(number), ids, lambda ids: {i: vectors[int(i.split("-")[1])] for i in ids})
    Path(sys.argv[2]).touch()
"""


def test_a_process_killed_while_it_writes_leaves_nothing_that_harms(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", _WRITING_CHILD, str(tmp_path), str(tmp_path / "marker")],
        cwd=Path(__file__).parents[2],
    )
    deadline = time.monotonic() + 60
    while not (tmp_path / "marker").exists():
        assert child.poll() is None, "the child ended early"
        assert time.monotonic() < deadline, "the child did not get going"
        time.sleep(0.01)
    with pytest.raises(KnowledgeError, match="in use by another process"):
        ChromaVectors(tmp_path)
    child.send_signal(signal.SIGKILL)
    child.wait()
    with closing(ChromaVectors(tmp_path)) as index:
        assert_complete(index.update("one", IDS, read))


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = make_workshop(tmp_path, monkeypatch)
    made.write(**{f"page{number}": f"# Page {number}\n\nTopic{number} matters." for number in range(30)})
    made.sync()
    return made


async def found(workshop: Workshop, query: str, *, is_chroma_ready: bool) -> list[tuple[str, float]]:
    base = workshop.open(use_chroma=True)
    try:
        assert base.wait_for_chroma(60) is is_chroma_ready
        hits = (await base.search([query], limit=5)).hits
        return [(hit.passage.source, hit.passage.score) for hit in hits]
    finally:
        base.close()


async def test_chroma_and_exact_search_find_the_same(workshop: Workshop) -> None:
    by_chroma = await found(workshop, "topic7", is_chroma_ready=True)
    base = workshop.open()
    exact = [(hit.passage.source, hit.passage.score) for hit in (await base.search(["topic7"], limit=5)).hits]
    base.close()
    assert by_chroma[0][0] == exact[0][0] == "page7.md"
    assert dict(by_chroma) == pytest.approx(dict(exact), abs=1e-4)


async def test_chroma_follows_a_new_generation(workshop: Workshop) -> None:
    base = workshop.open(use_chroma=True)
    assert base.wait_for_chroma(60)
    workshop.write(page99="# Page 99\n\nTopic99 matters.")
    (workshop.corpus / "page7.md").unlink()
    workshop.sync()
    assert (await base.search(["topic99"])).hits[0].passage.source == "page99.md"
    assert base.wait_for_chroma(60)
    assert (await base.search(["topic99"])).hits[0].passage.source == "page99.md"
    assert "page7.md" not in {hit.passage.source for hit in (await base.search(["topic7"])).hits}
    base.close()


async def test_exact_search_serves_while_another_process_owns_chroma(workshop: Workshop) -> None:
    with closing(ChromaVectors(workshop.data)):
        hits = await found(workshop, "topic7", is_chroma_ready=False)
    assert hits[0][0] == "page7.md"


async def test_exact_search_serves_when_chroma_fails(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> bool:
        raise KnowledgeError("Chroma failed")

    monkeypatch.setattr(ChromaVectors, "update", fail)
    assert (await found(workshop, "topic7", is_chroma_ready=False))[0][0] == "page7.md"


def put_a_file_in_its_place(data: Path) -> None:
    (data / FOLDER).write_text("taken")


def put_a_folder_in_place_of_its_lock(data: Path) -> None:
    (data / f"{FOLDER}.lock").mkdir()


blocked = pytest.mark.parametrize("block", [put_a_file_in_its_place, put_a_folder_in_place_of_its_lock])


@blocked
def test_a_blocked_folder_is_one_sentence(tmp_path: Path, block: Callable[[Path], None]) -> None:
    block(tmp_path)
    with pytest.raises(KnowledgeError, match=r"chroma cannot be used \(.+\): check"):
        ChromaVectors(tmp_path).update("one", IDS, read)


@blocked
async def test_exact_search_serves_when_the_folder_is_blocked(
    workshop: Workshop, block: Callable[[Path], None]
) -> None:
    block(workshop.data)
    assert (await found(workshop, "topic7", is_chroma_ready=False))[0][0] == "page7.md"


@pytest.mark.parametrize("place", ["mkdir", "iterdir", "rglob", "write_text"])
def test_a_failing_disk_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    fill(tmp_path)

    def fail(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, place, fail)
    with pytest.raises(KnowledgeError, match="Input/output error"):
        ChromaVectors(tmp_path).update("two", IDS[:10], read)


def test_a_library_that_does_not_load_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    with (
        closing(ChromaVectors(tmp_path)) as index,
        pytest.raises(KnowledgeError, match="Chroma cannot be imported"),
    ):
        index.update("one", IDS, read)


async def test_an_error_nobody_thought_of_is_logged_and_the_next_generation_tries_again(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: object) -> bool:
        raise RuntimeError("nobody thought of this")

    with monkeypatch.context() as patch, structlog.testing.capture_logs() as lines:
        patch.setattr(ChromaVectors, "update", fail)
        base = workshop.open(use_chroma=True)
        assert not base.wait_for_chroma(60)
    assert [(line["log_level"], line["reason"]) for line in lines] == [
        ("error", "RuntimeError('nobody thought of this')")
    ]
    workshop.write(page99="# Page 99\n\nTopic99 matters.")
    workshop.sync()
    await base.search(["topic99"])
    assert base.wait_for_chroma(60)
    base.close()


@pytest.mark.parametrize(
    ("damage", "name", "expected"),
    [
        pytest.param(None, "one", "whole", id="whole"),
        pytest.param(None, "two", "outdated", id="of other documents"),
        pytest.param(truncate_graph, "one", "damaged", id="truncated"),
        pytest.param(delete_folder, "one", "absent", id="folder gone"),
        pytest.param(spoil_sizes, "one", "damaged", id="other sizes"),
        pytest.param(take_the_name, "one", "absent", id="killed while it wrote"),
    ],
)
def test_condition_is_told_without_changing_anything(
    tmp_path: Path, damage: Callable[[Path], None] | None, name: str, expected: str
) -> None:
    assert condition(tmp_path, name) == "absent"
    folder = fill(tmp_path)
    if damage is not None:
        damage(folder)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert condition(tmp_path, name) == expected
    after = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    del before[tmp_path / f"{FOLDER}.lock"], after[tmp_path / f"{FOLDER}.lock"]
    assert after == before
    ChromaVectors(tmp_path).close()  # the lock is free again


def test_condition_tells_that_another_process_owns_the_index(tmp_path: Path) -> None:
    with closing(ChromaVectors(tmp_path)):
        assert condition(tmp_path, "one") == "in use"


async def test_exact_search_serves_when_a_query_of_chroma_fails(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = workshop.open(use_chroma=True)
    assert base.wait_for_chroma(60)

    def fail(*args: object) -> list[object]:
        raise KnowledgeError("Chroma failed")

    monkeypatch.setattr(ChromaIndex, "nearest", fail)
    assert (await base.search(["topic7"])).hits[0].passage.source == "page7.md"
    base.close()


async def test_passages_that_only_chroma_knows_are_left_out(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = workshop.open(use_chroma=True)
    assert base.wait_for_chroma(60)
    unknown = [VectorHit(PassageId("unknown"), 1.0)]
    monkeypatch.setattr(ChromaIndex, "nearest", lambda *_: unknown)
    hits = (await base.search(["topic7"])).hits
    assert hits[0].passage.source == "page7.md"
    assert "unknown" not in {hit.passage.id for hit in hits}
    base.close()


async def test_a_rebuild_makes_a_new_chroma_folder(workshop: Workshop) -> None:
    await found(workshop, "topic7", is_chroma_ready=True)
    before = set((workshop.data / FOLDER).iterdir())
    workshop.sync(rebuild=True)
    assert (await found(workshop, "topic7", is_chroma_ready=True))[0][0] == "page7.md"
    folders = {entry for entry in (workshop.data / FOLDER).iterdir() if entry.is_dir()}
    assert len(folders) == 1
    assert not folders & before


def test_closing_does_not_wait_for_a_long_update(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.knowledge.chroma._BATCH", 1)
    monkeypatch.setattr("rag.knowledge.upkeep._PAUSE_SECONDS", 3600)
    workshop.open(use_chroma=True).close()
