"""The model's file: joined from pieces or fetched, checked either way, never half or wrong."""

from __future__ import annotations

import hashlib
import json
import os
import random
import shutil
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rag.errors import OperatorError
from rag.models import download
from rag.models.weights import EMBEDDED, ModelFile, Weights
from tests.support.file_server import FileServer

CONTENT = random.Random(7).randbytes(300_000)
SHA256 = hashlib.sha256(CONTENT).hexdigest()


class Usage(NamedTuple):
    total: int
    used: int
    free: int


def model_file(packages: tuple[str, ...] = ()) -> ModelFile:
    return ModelFile(name="small.gguf", size=len(CONTENT), sha256=SHA256, packages=packages)


@pytest.fixture
def pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModelFile:
    """Three packages with the pieces of the file, in an order that sorting would get wrong."""
    site = tmp_path / "site"
    names = ("small_model_part9", "small_model_part10", "small_model_part11")
    for number, name in enumerate(names):
        folder = site / name / "data"
        folder.mkdir(parents=True)
        (site / name / "__init__.py").write_text("", "utf-8")
        (folder / f"part0{number}.bin").write_bytes(CONTENT[number * 100_000 : (number + 1) * 100_000])
    monkeypatch.syspath_prepend(str(site))
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    return model_file(names)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data" / "models"


def left_over(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"small.gguf.lock"}


def test_pieces_are_joined_in_their_order_with_progress(pieces: ModelFile, folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = Weights(folder, pieces).pull(progress=lambda done, size: seen.append((done, size)))
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert left_over(folder) == {"small.gguf", "small.gguf.verified.json"}


def test_joined_file_is_not_joined_or_read_again(pieces: ModelFile, folder: Path) -> None:
    weights = Weights(folder, pieces)
    before = weights.pull().stat().st_mtime_ns
    seen: list[int] = []
    assert Weights(folder, pieces).pull(progress=lambda done, size: seen.append(done)) == weights.path
    assert Weights(folder, pieces).verified_path(lambda done, size: seen.append(done)) == weights.path
    assert weights.path.stat().st_mtime_ns == before
    assert seen == []


def test_wrong_piece_is_refused_and_nothing_is_left(pieces: ModelFile, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "site" / "small_model_part10" / "data" / "part01.bin").write_bytes(b"x" * 100_000)
    with pytest.raises(OperatorError, match="its hash differs"):
        Weights(folder, pieces).pull()
    assert left_over(folder) == set()


def test_missing_piece_means_no_pieces(pieces: ModelFile, folder: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "site" / "small_model_part10")
    weights = Weights(folder, pieces)
    assert weights.pieces() == ()
    with pytest.raises(OperatorError, match=r"no source for the embedded model: set models\.embedded_url"):
        weights.pull()


def test_absent_model_says_how_to_get_it(pieces: ModelFile, folder: Path) -> None:
    for file in (pieces, model_file()):
        weights = Weights(folder, file)
        assert "not there yet: get it with `RoleModels.pull()`" in str(weights.problem())
        with pytest.raises(OperatorError, match=r"RoleModels\.pull\(\)"):
            weights.verified_path()


def test_changed_file_is_found_out_and_removed(pieces: ModelFile, folder: Path) -> None:
    weights = Weights(folder, pieces)
    path = weights.pull()
    path.write_bytes(b"x" + CONTENT[1:])
    os.utime(path, ns=(1, 1))
    assert not weights.is_verified()
    with pytest.raises(OperatorError, match="does not have the hash of the publisher's file"):
        weights.verified_path()
    assert not path.exists()


def test_file_of_another_size_is_refused_without_reading_it(pieces: ModelFile, folder: Path) -> None:
    weights = Weights(folder, pieces)
    path = weights.pull()
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(OperatorError, match="299,999 bytes instead of 300,000"):
        weights.verified_path()
    assert weights.pull().read_bytes() == CONTENT


@pytest.mark.parametrize(
    "record",
    [
        pytest.param("not json", id="garbage"),
        pytest.param("[]", id="a list"),
        pytest.param('{"path": 1}', id="fields are missing"),
        pytest.param("", id="empty"),
    ],
)
def test_damaged_record_only_costs_another_reading(pieces: ModelFile, folder: Path, record: str) -> None:
    weights = Weights(folder, pieces)
    weights.pull()
    (folder / "small.gguf.verified.json").write_text(record, "utf-8")
    assert not weights.is_verified()
    assert weights.verified_path().read_bytes() == CONTENT
    assert weights.is_verified()


def test_record_of_another_file_does_not_count(pieces: ModelFile, folder: Path) -> None:
    weights = Weights(folder, pieces)
    weights.pull()
    record = folder / "small.gguf.verified.json"
    record.write_text(json.dumps(json.loads(record.read_text("utf-8")) | {"sha256": "0" * 64}), "utf-8")
    assert not weights.is_verified()


def test_file_of_the_operator_is_checked_and_never_removed(folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(CONTENT)
    weights = Weights(folder, model_file(), given=own)
    assert weights.verified_path() == weights.pull() == own
    own.write_bytes(b"x" + CONTENT[1:])
    os.utime(own, ns=(1, 1))
    with pytest.raises(OperatorError, match=r"correct models\.embedded_path"):
        weights.verified_path()
    assert own.exists()
    own.unlink()
    assert "there is no model file" in str(weights.problem())


def test_full_disk_is_seen_before_anything_is_written(
    pieces: ModelFile, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Usage(10**9, 10**9 - 1000, 1000))
    with pytest.raises(OperatorError, match=r"disk space .* 0 GB are free"):
        Weights(folder, pieces).pull()
    assert left_over(folder) == set()


def test_disk_that_fills_up_while_joining_is_one_sentence(
    pieces: ModelFile, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OperatorError, match=r"cannot be written .*No space left on device.*free some space"):
        Weights(folder, pieces).pull()
    assert left_over(folder) == set()


def test_folder_that_cannot_be_made_is_one_sentence(pieces: ModelFile, tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", "utf-8")
    with pytest.raises(OperatorError, match="cannot be written"):
        Weights(tmp_path / "data" / "models", pieces).pull()


def test_second_process_waits_and_finds_the_file_of_the_first(pieces: ModelFile, folder: Path) -> None:
    results: list[Path] = []
    reports: list[int] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(
                Weights(folder, pieces).pull(progress=lambda done, size: reports.append(done))
            )
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [folder / "small.gguf"] * 4
    assert reports.count(len(CONTENT)) == 1


def test_file_is_fetched_where_there_are_no_packages(folder: Path) -> None:
    seen: list[tuple[int, int]] = []
    with FileServer(CONTENT) as server:
        path = Weights(folder, model_file()).pull(server.url, lambda done, size: seen.append((done, size)))
    assert path.read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert left_over(folder) == {"small.gguf", "small.gguf.verified.json"}


def test_packages_are_preferred_to_the_address(pieces: ModelFile, folder: Path) -> None:
    with FileServer(CONTENT) as server:
        Weights(folder, pieces).pull(server.url)
    assert server.requests == []


class Fetch:
    """A download with recorded pauses instead of waiting."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.partial = folder / "small.gguf.part"
        self.pauses: list[float] = []

    def __call__(self, url: str) -> bytes:
        return download.fetch(url, self.partial, len(CONTENT), sleep=self.pauses.append).read_bytes()


def ranges(server: FileServer) -> list[str | None]:
    return [request.headers.get("range") for request in server.requests]


def test_broken_download_goes_on_where_it_stopped(folder: Path) -> None:
    with FileServer(CONTENT, cuts=[100_000, 50_000]) as server:
        assert Fetch(folder)(server.url) == CONTENT
    assert ranges(server)[0] is None
    starts = [int(str(value).removeprefix("bytes=").removesuffix("-")) for value in ranges(server)[1:]]
    assert 0 < starts[0] < starts[1] < len(CONTENT)
    assert server.requests[1].headers["if-range"] == '"one"'


def test_later_run_goes_on_where_an_earlier_one_was_killed(folder: Path) -> None:
    fetch = Fetch(folder)
    fetch.partial.write_bytes(CONTENT[:120_000])
    with FileServer(CONTENT) as server:
        assert fetch(server.url) == CONTENT
    assert ranges(server) == ["bytes=120000-"]


def test_new_version_on_the_server_is_fetched_from_its_start(folder: Path) -> None:
    fetch = Fetch(folder)
    fetch.partial.write_bytes(b"old" * 40_000)
    fetch.partial.with_name("small.gguf.part.etag").write_text('"older"', "utf-8")
    with FileServer(CONTENT, etag='"newer"') as server:
        assert fetch(server.url) == CONTENT
    assert ranges(server) == ["bytes=120000-"]


def test_server_without_ranges_sends_the_file_again(folder: Path) -> None:
    with FileServer(CONTENT, ranges=False, cuts=[200_000]) as server:
        assert Fetch(folder)(server.url) == CONTENT
    assert len(server.requests) == 2


def test_weak_tag_is_not_used_to_go_on(folder: Path) -> None:
    with FileServer(CONTENT, etag='W/"one"', cuts=[100_000]) as server:
        assert Fetch(folder)(server.url) == CONTENT
    assert "if-range" not in server.requests[1].headers


def test_part_that_is_too_long_is_thrown_away(folder: Path) -> None:
    fetch = Fetch(folder)
    fetch.partial.write_bytes(CONTENT + b"more")
    with FileServer(CONTENT) as server:
        assert fetch(server.url) == CONTENT
    assert ranges(server) == [None]


def test_download_that_never_gets_on_is_given_up_but_kept(folder: Path) -> None:
    fetch = Fetch(folder)
    fetch.partial.write_bytes(CONTENT[:120_000])
    with (
        FileServer(CONTENT, cuts=[0] * 50) as server,
        pytest.raises(OperatorError, match=r"broke off at 120000 of 300000 bytes.*it goes on from there"),
    ):
        fetch(server.url)
    assert 2 <= len(server.requests) <= 10
    assert fetch.partial.read_bytes() == CONTENT[:120_000]
    assert fetch.pauses == sorted(fetch.pauses)


def test_server_that_fails_for_a_moment_is_asked_again(folder: Path) -> None:
    with FileServer(CONTENT, status=503) as server, pytest.raises(OperatorError, match="broke off at 0"):
        Fetch(folder)(server.url)
    assert len(server.requests) >= 2


@pytest.mark.parametrize(
    ("content", "behaviour", "message"),
    [
        pytest.param(CONTENT, {"status": 404}, "answered with status 404", id="not found"),
        pytest.param(CONTENT, {"status": 403}, "answered with status 403", id="forbidden"),
        pytest.param(CONTENT + b"x", {}, "another file", id="longer"),
        pytest.param(CONTENT[:-1], {}, "another file", id="shorter"),
        pytest.param(CONTENT, {"redirect": "http://198.51.100.1/x"}, "only https", id="leads to plain http"),
    ],
)
def test_wrong_address_is_one_sentence(
    content: bytes, behaviour: dict[str, Any], message: str, folder: Path
) -> None:
    with FileServer(content, **behaviour) as server, pytest.raises(OperatorError, match=message):
        Fetch(folder)(server.url)


def test_redirect_is_followed(folder: Path) -> None:
    with FileServer(CONTENT) as target, FileServer(b"", redirect=target.url) as server:
        assert Fetch(folder)(server.url) == CONTENT


@pytest.mark.parametrize(
    "url", ["http://198.51.100.1/model.gguf", "ftp://127.0.0.1/model.gguf", "/etc/passwd"]
)
def test_address_that_is_not_https_is_refused(url: str, folder: Path) -> None:
    with pytest.raises(OperatorError, match="only https addresses"):
        Fetch(folder)(url)


def test_fetched_file_with_a_wrong_hash_is_removed(folder: Path) -> None:
    with FileServer(b"y" * len(CONTENT)) as server, pytest.raises(OperatorError, match="its hash differs"):
        Weights(folder, model_file()).pull(server.url)
    assert left_over(folder) == set()


def test_embedded_model_is_the_publishers_file() -> None:
    assert EMBEDDED.size == 1_117_320_768
    assert EMBEDDED.sha256 == "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    assert len(EMBEDDED.packages) == len(set(EMBEDDED.packages)) == 22
