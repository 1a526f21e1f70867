"""``thinktwice backup`` while the bot works, and ``thinktwice restore``."""

from __future__ import annotations

import errno
import io
import json
import os
import signal
import sqlite3
import sys
import tarfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import backups
from bot.clock import utcnow
from bot.service.keys import PeerId
from bot.storage import data_folder
from bot.storage.tables import logins
from rag.errors import ThinkTwiceError
from tests.support import programs
from tests.support.bot_process import environment, refused, started
from tests.support.disks import mounted
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram


def make_folder(folder: Path, rows: int = 3) -> Path:
    """Make a data folder with two databases, an added document, and what a backup leaves out."""
    folder.mkdir()
    for name in ("thinktwice.sqlite3", "jobs.sqlite3"):
        with closing(sqlite3.connect(folder / name)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE t (n INTEGER)")
            connection.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(rows)])
            connection.commit()
    for place in ("documents", "chroma", "models", "logs"):
        (folder / place).mkdir()
        (folder / place / "a.md").write_text(place)
    return folder


def rows_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM t").fetchone()[0])


def names_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def run(*words: str, variables: dict[str, str] | None = None) -> tuple[int, str, str]:
    done = programs.run(*words, variables=variables or programs.environment())
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


def test_running_bot_is_backed_up_and_the_restored_one_remembers(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    variables = environment(telegram, model, THINKTWICE_ADMINS=str(ann.id), THINKTWICE_CONSOLE__ENABLED="0")
    data, archive = tmp_path / "data", tmp_path / "b.tar.gz"
    with started(tmp_path, corpus, variables) as bot:
        ann.says(chat, "Which Java does FxStore need?")
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        ann.sends_file(chat, "added.md", b"# Backups\n\nBackups run at night.\n", caption="/add")
        bot.until(lambda: (data / "documents" / "added.md").exists())
        code, said, _ = run("backup", str(archive), "--data-dir", str(data))
        assert (code, "databases 2, added files 1" in said) == (0, True), said
        # The bot has gone on meanwhile, and still does.
        ann.says(chat, "/health")
        bot.until(lambda: any("✔ database" in text for text in chat.texts))
        assert bot.ended() == 0
    assert archive.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob(".backup-*"))
    (data / "thinktwice.sqlite3").unlink()
    (tmp_path / "new").mkdir()
    code, said, _ = run("restore", str(archive), "--data-dir", str(tmp_path / "new" / "data"))
    assert (code, "is as it was at" in said) == (0, True), said
    before = len(chat.texts)
    with started(tmp_path / "new", corpus, variables) as bot:
        ann.says(chat, "/why")
        bot.until(lambda: any("Java" in text or "documents" in text for text in chat.texts[before:]))
        ann.says(chat, "/documents")
        bot.until(lambda: any("added.md" in text for text in chat.texts[before:]))
        assert bot.ended() == 0


def test_databases_are_as_they_were_at_one_moment(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "data", rows=0)
    stop = threading.Event()

    def write() -> None:
        # Always first here and then there: at any moment the second has as many rows as the first, or one less.
        with (
            closing(sqlite3.connect(folder / "thinktwice.sqlite3", timeout=30)) as first,
            closing(sqlite3.connect(folder / "jobs.sqlite3", timeout=30)) as second,
        ):
            while not stop.is_set():
                for connection in (first, second):
                    connection.execute("INSERT INTO t VALUES (1)")
                    connection.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(10):
            backups.back_up(folder, tmp_path / "b.tar.gz")
            restored = tmp_path / f"restored{number}"
            backups.restore(tmp_path / "b.tar.gz", restored)
            ahead = rows_of(restored / "thinktwice.sqlite3") - rows_of(restored / "jobs.sqlite3")
            assert ahead in {0, 1}
    finally:
        stop.set()
        writer.join()
    assert rows_of(folder / "thinktwice.sqlite3")


def test_folder_comes_back_without_what_can_be_built_again(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "data")
    backups.back_up(folder, tmp_path / "b.tar.gz")
    backups.restore(tmp_path / "b.tar.gz", tmp_path / "restored")
    kept = names_in(tmp_path / "restored") - {"run.lock", "databases-made"}
    assert kept == {"thinktwice.sqlite3", "jobs.sqlite3", "documents/a.md"}
    assert rows_of(tmp_path / "restored" / "jobs.sqlite3") == 3


def test_data_that_is_there_is_replaced_only_when_told_and_never_lost(tmp_path: Path) -> None:
    backups.back_up(make_folder(tmp_path / "data"), tmp_path / "b.tar.gz")
    other = make_folder(tmp_path / "other", rows=8)
    code, _, complaint = run("restore", str(tmp_path / "b.tar.gz"), "--data-dir", str(other))
    assert (code, "holds data already: name another folder" in complaint) == (3, True), complaint
    assert rows_of(other / "jobs.sqlite3") == 8
    code, _, _ = run("restore", str(tmp_path / "b.tar.gz"), "--data-dir", str(other), "--replace")
    assert (code, rows_of(other / "jobs.sqlite3")) == (0, 3)
    (aside,) = other.glob("before-restore-*")
    assert rows_of(aside / "jobs.sqlite3") == 8
    assert (aside / "chroma" / "a.md").exists()
    assert (other / "models" / "a.md").exists()


_CHANGES = frozenset({"open", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "sqlite3.connect"})


def struck(archive: str, folder: str, number: str, fault: str = "killed", work: str = "restore") -> int:
    """Restore or back up; at one change of the disk kill this process, or let the disk be full from there.

    A fork server calls this.
    """
    left = int(number)

    def strike(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if event in _CHANGES and (event != "open" or "w" in str(arguments[1]) or arguments[1] is None):
            left -= 1
            if not left and fault == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if left <= 0 and event not in {"os.remove", "os.rmdir"}:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    sys.addaudithook(strike)
    try:
        if work == "restore":
            backups.restore(Path(archive), Path(folder), replaces=True)
        else:
            backups.back_up(Path(folder), Path(archive))
    except ThinkTwiceError as exc:
        sys.stdout.write(str(exc))
        return 3
    return 0


def test_restores_at_the_same_moment_of_the_clock_keep_apart_what_they_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = utcnow()
    monkeypatch.setattr(data_folder, "utcnow", lambda: moment)
    backups.back_up(make_folder(tmp_path / "old"), tmp_path / "b.tar.gz")
    folder = make_folder(tmp_path / "data", rows=8)
    for _ in range(2):
        backups.restore(tmp_path / "b.tar.gz", folder, replaces=True)
    asides = folder.glob("before-restore-*/thinktwice.sqlite3")
    assert sorted(map(rows_of, [folder / "thinktwice.sqlite3", *asides])) == [3, 3, 8]


def test_restore_that_is_killed_anywhere_leaves_the_old_data_or_the_new(tmp_path: Path) -> None:
    archive = tmp_path / "b.tar.gz"
    backups.back_up(make_folder(tmp_path / "data"), archive)
    found = []
    for number in range(1, 200):
        folder = make_folder(tmp_path / f"killed{number}", rows=8)
        words = str(archive), str(folder), str(number)
        code = programs.run(
            *words, variables=programs.environment(), call=f"{__name__}:{struck.__name__}"
        ).returncode
        data_folder.check_folder(folder)
        rows = {rows_of(folder / name) for name in ("thinktwice.sqlite3", "jobs.sqlite3")}
        assert rows in ({8}, {3}), f"mixed after change {number}"
        assert (folder / "documents" / "a.md").exists()
        asides = list(folder.glob("before-restore-*"))
        assert [rows_of(aside / "jobs.sqlite3") for aside in asides] == ([8] if rows == {3} else [])
        found.append(rows.pop())
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert found == sorted(found, reverse=True)
    assert (found.count(8) > 9, found.count(3) > 9) == (True, True), found
    # A restore after one that was killed leaves none of its leavings.
    backups.restore(archive, tmp_path / "killed9", replaces=True)
    assert not [path.name for path in (tmp_path / "killed9").glob(".*")]


def test_backup_that_is_killed_anywhere_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    folder, archives = make_folder(tmp_path / "data"), tmp_path / "backups"
    archives.mkdir()
    archive = archives
    for number in range(1, 100):
        archive = archives / f"{number}.tar.gz"
        code = programs.run(
            *(str(archive), str(folder), str(number), "killed", "back up"),
            variables=programs.environment(),
            call=f"{__name__}:{struck.__name__}",
        ).returncode
        assert {rows_of(path) for path in folder.glob("*.sqlite3")} == {3}
        if archive.exists():
            backups.restore(archive, tmp_path / f"restored{number}")
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert number > 9
    assert archive.exists()
    left = list(archives.glob(".*"))
    assert left
    for path in left:
        os.utime(path, (0, 0))
    backups.back_up(folder, archives / "last.tar.gz")
    assert list(archives.glob(".*")) == []


def test_restore_that_finds_the_disk_full_anywhere_says_so_and_loses_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "b.tar.gz"
    backups.back_up(make_folder(tmp_path / "data"), archive)
    said = []
    for number in range(1, 200):
        folder = make_folder(tmp_path / f"full{number}", rows=8)
        done = programs.run(
            *(str(archive), str(folder), str(number), "full"),
            variables=programs.environment(),
            call=f"{__name__}:{struck.__name__}",
        )
        data_folder.check_folder(folder)
        # What lies in a hidden folder is deleted by the next restore.
        found = {rows_of(path) for place in ("", "before*/") for path in folder.glob(f"{place}*.sqlite3")}
        assert found in ({8}, {8, 3}), f"lost after change {number}"
        assert (folder / "documents" / "a.md").exists()
        if done.returncode == 0:
            break
        assert done.returncode == 3, done.stderr
        assert "(No space left on device)" in done.stdout
        assert "; nothing " in done.stdout
        said.append(done.stdout)
    assert len(said) > 18


def test_restore_onto_a_disk_that_is_too_small_says_so_and_loses_nothing(tmp_path: Path) -> None:
    backups.back_up(make_folder(tmp_path / "data", rows=20_000), tmp_path / "b.tar.gz")
    codes = []
    for kilobytes in (100, 200, 300, 400, 500, 600, 700, 2000):
        disk = tmp_path / f"disk{kilobytes}"
        disk.mkdir()
        with mounted(disk, f"-t tmpfs -o size={kilobytes}k tmpfs"):
            folder = make_folder(disk / "data", rows=8)
            code, _, complaint = run(
                "restore", str(tmp_path / "b.tar.gz"), "--data-dir", str(folder), "--replace"
            )
            codes.append(code)
            assert code == 0 or ("; nothing " in complaint and complaint.count("\n") == 1), complaint
            found = {rows_of(path) for place in ("", "before*/") for path in folder.glob(f"{place}*.sqlite3")}
            assert found == ({8, 20_000} if code == 0 else {8}), kilobytes
    assert codes == sorted(codes, reverse=True)
    assert (codes[0], codes[-1]) == (3, 0)


def test_start_of_a_folder_that_lost_its_database_is_refused(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    variables = environment(telegram, None, THINKTWICE_CONSOLE__ENABLED="0")
    data = tmp_path / "data"
    with started(tmp_path, corpus, variables):
        pass
    kept = tmp_path / "kept"
    name = "thinktwice.sqlite3"
    for spoil in (Path.unlink, lambda path: path.write_bytes(b"")):
        (data / name).rename(kept)
        wal = [path.rename(tmp_path / path.name) for path in data.glob(f"{name}-*")]
        (data / name).touch()
        spoil(data / name)
        code, sentence = refused(tmp_path, corpus, variables)
        assert (code, f"not whole, {name} is missing or empty: restore" in sentence) == (3, True), sentence
        for words in (["stats"], ["ask", "Why?"], ["index"]):
            assert run(*words, "--data-dir", str(data))[0] == 3
        kept.replace(data / name)
        for path in wal:
            path.rename(data / path.name)
    (data / name).unlink()
    (data / "databases-made").unlink()
    with started(tmp_path, corpus, variables):
        pass


def test_restore_does_not_revive_sessions_and_tokens(tmp_path: Path, corpus: Path) -> None:
    folder = make_folder(tmp_path / "data")
    engine = sqlalchemy.create_engine(f"sqlite:///{folder / 'thinktwice.sqlite3'}")
    with engine.begin() as connection:
        logins.create(connection)
        row = {"hash": "revoked since", "kind": "token", "user_id": PeerId("telegram:1"), "name": "an agent"}
        connection.execute(logins.insert().values(row | {"created_at": utcnow()}))
    engine.dispose()
    backups.back_up(folder, tmp_path / "b.tar.gz")
    backups.restore(tmp_path / "b.tar.gz", tmp_path / "new")
    with closing(sqlite3.connect(tmp_path / "new" / "thinktwice.sqlite3")) as connection:
        assert connection.execute(f"SELECT count(*) FROM {logins.name}").fetchone() == (0,)


def test_folder_that_a_bot_works_in_is_not_restored(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    backups.back_up(make_folder(tmp_path / "old"), tmp_path / "b.tar.gz")
    with started(tmp_path, corpus, environment(telegram, model, THINKTWICE_CONSOLE__ENABLED="0")):
        words = ["restore", str(tmp_path / "b.tar.gz"), "--data-dir", str(tmp_path / "data"), "--replace"]
        code, _, complaint = run(*words)
        assert (code, "another `thinktwice run` uses the data folder" in complaint) == (3, True), complaint


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["backup", "b.tar.gz", "--data-dir", "nowhere"], "there is nothing to back up"),
        (["backup", "no/such/folder/b.tar.gz", "--data-dir", "data"], "cannot be written (No such file"),
        (["restore", "absent.tar.gz", "--data-dir", "new"], "there is no file"),
        (["restore", "data", "--data-dir", "new"], "cannot be unpacked (Is a directory"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    make_folder(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    words = [
        str(tmp_path / word) if "." in word or word in {"data", "new", "nowhere"} else word for word in words
    ]
    code, said, complaint = run(*words)
    assert (code in {2, 3}, said, sentence in complaint) == (True, "", True), complaint
    assert complaint.count("\n") == 1


def packed(*files: tuple[str, bytes], manifest: object = None, link: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        if manifest is not None:
            files = (("backup.json", json.dumps(manifest).encode()), *files)
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            if link and name != "backup.json":
                entry.size, entry.type, entry.linkname = 0, tarfile.SYMTYPE, link
            archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def listing(*names: str, form: int = 1) -> dict[str, object]:
    files = [{"path": name, "bytes": 3, "sha256": "0" * 64} for name in names]
    return {"format": form, "made_at": "2026-11-23T06:00:00+00:00", "version": "1", "files": files}


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is no backup"),
        (b"no archive at all", "is no backup"),
        (packed(("a.txt", b"abc")), "is no backup"),
        (packed(("backup.json", b"{")), "its list cannot be read"),
        (packed(manifest={"format": 1}), "its list cannot be read"),
        (packed(manifest=listing(form=2)), "made by a newer version"),
        (packed(manifest=listing("documents/../../a")), "names the path"),
        (packed(manifest=listing("/etc/passwd")), "names the path"),
        (packed(manifest=listing("models/a.gguf")), "names the path"),
        (packed(("a.sqlite3", b"abc"), manifest=listing("a.sqlite3")), "is not what was backed up"),
        (packed(("b.sqlite3", b"abc"), manifest=listing("a.sqlite3")), "does not match 'b.sqlite3'"),
        (packed(("a.sqlite3", b"abcd"), manifest=listing("a.sqlite3")), "does not match 'a.sqlite3'"),
        (
            packed(("documents/a", b"abc"), manifest=listing("documents/a"), link="/etc/passwd"),
            "does not match",
        ),
        (packed(manifest=listing("a.sqlite3")), "a.sqlite3 is missing"),
    ],
    # An archive holds the time at which it was packed, so its bytes are no name for a test.
    ids=[
        "empty", "text", "no list", "broken list", "list without version", "newer version",
        "path that climbs", "absolute path", "path of a model", "other content", "other file", "other size",
        "link", "file missing",
    ],
)  # fmt: skip
def test_archive_that_is_no_backup_changes_nothing(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "b.tar.gz").write_bytes(content)
    folder = make_folder(tmp_path / "data")
    before = names_in(folder)
    with pytest.raises(backups.BackupError, match=sentence):
        backups.restore(tmp_path / "b.tar.gz", folder, replaces=True)
    assert names_in(folder) - {"run.lock"} == before


@contextmanager
def one_backup(folder: Path) -> Iterator[bytes]:
    backups.back_up(make_folder(folder / "data"), folder / "b.tar.gz")
    yield (folder / "b.tar.gz").read_bytes()


def test_backup_that_is_cut_or_changed_anywhere_is_refused_or_whole(tmp_path: Path) -> None:
    with one_backup(tmp_path) as whole:

        @settings(max_examples=60, deadline=None)
        @given(st.integers(0, len(whole) - 1), st.integers(0, 255), st.booleans())
        def damaged(at: int, byte: int, is_cut: bool) -> None:
            content = whole[:at] if is_cut else whole[:at] + bytes([byte]) + whole[at + 1 :]
            (tmp_path / "damaged.tar.gz").write_bytes(content)
            target = tmp_path / "restored"
            try:
                backups.restore(tmp_path / "damaged.tar.gz", target, replaces=True)
            except ThinkTwiceError:
                return
            assert rows_of(target / "jobs.sqlite3") == rows_of(target / "thinktwice.sqlite3") == 3
            assert (target / "documents" / "a.md").read_text() == "documents"

        damaged()
