"""What `thinktwice doctor` finds in a data folder with real databases and a real Chroma index."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.doctor import report
from bot.doctor.checks import CHECKS, Finding, examine
from bot.settings.tree import Settings
from rag.knowledge.chroma import FOLDER, ChromaVectors
from rag.models.weights import Weights
from tests.support.knowledge import Workshop, make_workshop
from tests.support.postgres import PostgresServer
from tests.support.servers import Fail, FakeOpenAI, Say
from tests.telegram.server import FakeTelegram


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = make_workshop(tmp_path, monkeypatch)
    made.write(leave="# Leave\n\nEverybody has 28 days of leave a year.")
    made.sync()
    return made


def finding(part: str, workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> Finding:
    """What one check finds; the others are left out."""
    monkeypatch.setattr("bot.doctor.checks.CHECKS", {part: CHECKS[part]})
    (found,) = examine(Settings.load(data_dir=workshop.data, corpus=(workshop.corpus,)))
    assert found.part == part
    return found


def fill_chroma(workshop: Workshop) -> None:
    base = workshop.open(use_chroma=True)
    assert base.wait_for_chroma(60)
    base.close()


def truncate(workshop: Workshop) -> None:
    file = next((workshop.data / FOLDER).rglob("chroma.sqlite3"))
    file.write_bytes(file.read_bytes()[:100])


def rebuild(workshop: Workshop) -> None:
    workshop.sync(rebuild=True)


def delete(workshop: Workshop) -> None:
    for file in sorted((workshop.data / FOLDER).rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    (workshop.data / FOLDER).rmdir()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param(lambda workshop: None, "whole and fits", id="whole"),
        pytest.param(truncate, "damaged; it is rebuilt by itself", id="damaged"),
        pytest.param(rebuild, "another embedding; it is rebuilt by itself", id="outdated"),
        pytest.param(delete, "not built yet", id="absent"),
    ],
)
def test_state_of_the_chroma_index_is_told_and_is_no_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, change: Callable[[Workshop], None], says: str
) -> None:
    fill_chroma(workshop)
    change(workshop)
    found = finding("Chroma", workshop, monkeypatch)
    assert found.is_sound
    assert says in found.detail


def test_chroma_index_of_another_process_is_no_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(ChromaVectors(workshop.data)):
        found = finding("Chroma", workshop, monkeypatch)
    assert found.is_sound
    assert "in use by another process" in found.detail


def test_chroma_folder_that_cannot_be_used_is_a_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.data / FOLDER).write_text("taken")
    found = finding("Chroma", workshop, monkeypatch)
    assert not found.is_sound
    assert str(workshop.data / FOLDER) in found.detail
    assert "check that it is a folder" in found.detail


def test_chroma_that_does_not_load_is_a_fault(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    found = finding("Chroma", workshop, monkeypatch)
    assert not found.is_sound
    assert "cannot be imported" in found.detail
    assert found.remedy


def test_documents_of_a_loader_that_was_set_count_as_readable(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.corpus / "leave.md").rename(workshop.corpus / "leave.png")
    found = finding("corpus", workshop, monkeypatch)
    assert not found.is_sound
    assert "1 skipped (leave.png): files of the type .png cannot be read" in found.detail
    monkeypatch.setenv(
        "THINKTWICE_KNOWLEDGE__LANGCHAIN_LOADERS",
        '{".png": "langchain_community.document_loaders:UnstructuredImageLoader"}',
    )
    found = finding("corpus", workshop, monkeypatch)
    assert found.is_sound
    assert found.detail.startswith("1 files in")


def make_conversations(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check makes the database of the conversations, as the first conversation would."""
    found = finding("database", workshop, monkeypatch)
    assert found.is_sound
    assert found.detail == "readable and whole"


def overwrite(path: Path) -> None:
    path.write_bytes(b"this is no database" * 500)


def spoil_pages(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))


@pytest.mark.parametrize("damage", [overwrite, spoil_pages])
@pytest.mark.parametrize(
    ("name", "remedy"),
    [("thinktwice.sqlite3", "from a backup, or move it away"), ("knowledge.sqlite3", "`thinktwice index`")],
)
def test_damaged_database_is_named_with_its_remedy(
    workshop: Workshop,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    remedy: str,
    damage: Callable[[Path], None],
) -> None:
    make_conversations(workshop, monkeypatch)
    damage(workshop.data / name)
    found = finding("database", workshop, monkeypatch)
    assert not found.is_sound
    assert f"{workshop.data / name} is damaged (" in found.detail
    assert remedy in found.remedy


def test_data_folder_with_marks_of_an_address_in_its_name_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a?b#c%20d"
    folder.mkdir()
    overwrite(folder / "knowledge.sqlite3")
    workshop = Workshop(tmp_path, folder, make_workshop(tmp_path, monkeypatch).embedder)
    found = finding("database", workshop, monkeypatch)
    assert "is damaged" in found.detail


def test_data_folder_that_is_a_file_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").touch()
    monkeypatch.setattr("bot.doctor.checks.CHECKS", {"data folder": CHECKS["data folder"]})
    (found,) = examine(Settings.load(data_dir=tmp_path / "data"))
    assert not found.is_sound
    assert f"{tmp_path / 'data'} is a file: correct THINKTWICE_DATA_DIR" in found.detail


def test_database_that_cannot_be_opened_is_not_called_damaged(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.data / "thinktwice.sqlite3").mkdir()
    found = finding("database", workshop, monkeypatch)
    assert not found.is_sound
    assert "damaged" not in found.detail
    assert "check" in found.detail + found.remedy


def test_database_server_that_is_set_is_asked_instead_of_the_file(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, postgres: PostgresServer
) -> None:
    monkeypatch.setenv("THINKTWICE_DATABASE_URL", postgres.new_database())
    found = finding("database", workshop, monkeypatch)
    assert found.is_sound
    assert found.detail.startswith("postgresql")
    assert not (workshop.data / "thinktwice.sqlite3").exists()


@pytest.mark.parametrize(
    ("address", "detail", "remedy"),
    [
        ("postgresql://user:hush-hush@127.0.0.1:1/name", "cannot be reached", "THINKTWICE_DATABASE_URL"),
        ("mysql://user:hush-hush@127.0.0.1/name", "is not the address of a PostgreSQL", "postgresql://"),
    ],
    ids=["nobody answers", "another kind"],
)
def test_database_server_that_cannot_be_used_is_a_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, address: str, detail: str, remedy: str
) -> None:
    monkeypatch.setenv("THINKTWICE_DATABASE_URL", address)
    found = finding("database", workshop, monkeypatch)
    assert not found.is_sound
    assert detail in found.detail
    assert remedy in found.detail
    assert "hush-hush" not in found.detail + found.remedy


def test_bot_that_telegram_knows_is_named(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert finding("Telegram", workshop, monkeypatch).detail == "no token is set, so there is no bot"
    with FakeTelegram() as telegram:
        monkeypatch.setenv("THINKTWICE_TELEGRAM__API_URL", telegram.url)
        monkeypatch.setenv("THINKTWICE_TELEGRAM__TOKEN", telegram.token)
        found = finding("Telegram", workshop, monkeypatch)
    assert (found.is_sound, found.detail) == (True, "@thinktwice_bot, updates by polling")


@pytest.mark.parametrize(
    ("variables", "detail"),
    [
        ({"TOKEN": "no token"}, "is no token of a bot"),
        ({"TOKEN": "1:wrong"}, "Telegram does not know this token"),
        ({"MODE": "webhook"}, "Telegram sends to https:// addresses only"),
        ({"API_URL": "http://127.0.0.1:1"}, "Telegram cannot be reached"),
    ],
    ids=["no token", "wrong token", "webhook without an address", "nobody answers"],
)
def test_bot_that_cannot_run_is_a_fault(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], detail: str
) -> None:
    with FakeTelegram() as telegram:
        for name, value in ({"API_URL": telegram.url, "TOKEN": telegram.token} | variables).items():
            monkeypatch.setenv(f"THINKTWICE_TELEGRAM__{name}", value)
        found = finding("Telegram", workshop, monkeypatch)
    assert not found.is_sound
    assert detail in found.detail
    assert re.search("[:;] .*(get|set|copy|check)", found.detail), "what to do"


def test_voice_server_is_asked_for_its_models(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    assert finding("voice messages", workshop, monkeypatch).is_sound
    with FakeOpenAI([Say("unused")], models=("whisper-1",), key="sk-right") as server:
        monkeypatch.setenv("THINKTWICE_VOICE__BASE_URL", server.base_url)
        monkeypatch.setenv("THINKTWICE_VOICE__API_KEY", "sk-right")
        assert finding("voice messages", workshop, monkeypatch).is_sound
        # A server without a list may well turn voice messages into text.
        server.listing = Fail(404)
        assert finding("voice messages", workshop, monkeypatch).is_sound
        server.listing = None
        assert server.recordings == []
        assert server.requests == []

        monkeypatch.setenv("THINKTWICE_VOICE__MODEL", "whisper-9")
        found = finding("voice messages", workshop, monkeypatch)
        assert (found.is_sound, "whisper-1" in found.remedy) == (False, True)
        monkeypatch.setenv("THINKTWICE_VOICE__API_KEY", "sk-wrong")
        found = finding("voice messages", workshop, monkeypatch)
        assert not found.is_sound
        assert "sk-wrong" not in found.detail
        assert "and the key" in found.detail
    found = finding("voice messages", workshop, monkeypatch)
    assert not found.is_sound
    assert re.search("check|start", found.detail), found.detail


def test_files_that_cannot_be_read_are_named_with_their_reason(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workshop.corpus / "scan.pdf").write_bytes(b"no pdf")
    workshop.sync()
    found = finding("knowledge base", workshop, monkeypatch)
    assert found.is_sound
    assert "not read: scan.pdf: " in found.detail


def test_knowledge_base_that_the_first_question_fills_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = make_workshop(tmp_path, monkeypatch)
    found = finding("knowledge base", fresh, monkeypatch)
    assert (found.is_sound, found.is_pending) == (False, True)
    assert "thinktwice index" in found.remedy


@pytest.mark.parametrize(
    ("has_packages", "given"),
    [
        pytest.param(True, False, id="installed"),
        pytest.param(False, False, id="not installed"),
        pytest.param(True, True, id="a file that was named and is not there"),
    ],
)
def test_embedded_model_is_no_fault_only_when_the_first_question_makes_its_file(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, has_packages: bool, given: bool
) -> None:
    monkeypatch.setattr(Weights, "pieces", lambda _: (Path("part1.bin"),) if has_packages else ())
    if given:
        monkeypatch.setenv("THINKTWICE_MODELS__EMBEDDED_PATH", str(workshop.data / "none.gguf"))
    found = finding("model", workshop, monkeypatch)
    assert not found.is_sound
    assert found.is_pending == (has_packages and not given)


@pytest.mark.parametrize(
    ("findings", "code", "mark"),
    [
        pytest.param([Finding("model", True, "it answers")], 0, "✔", id="sound"),
        pytest.param([Finding("model", False, "not yet", is_pending=True)], 0, "○", id="not yet"),
        pytest.param([Finding("model", False, "broken", "mend it")], 1, "✘", id="fault"),
    ],
)
def test_only_a_fault_fails_the_command(
    findings: list[Finding],
    code: int,
    mark: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("bot.doctor.report.examine", lambda _: findings)
    assert report.doctor({"data_dir": tmp_path}, as_json=False) == code
    assert capsys.readouterr().out.startswith(f"{mark} model: ")
