from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.documents.uploads import LONGEST_NAME, Uploads, safe_name

ENDINGS = (".md", ".pdf", ".txt")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        pytest.param("guide.md", "guide.md", id="plain"),
        pytest.param("../../etc/passwd.txt", "passwd.txt", id="path"),
        pytest.param("..\\..\\boot.txt", "boot.txt", id="path of Windows"),
        pytest.param("/etc/passwd", "", id="no ending"),
        pytest.param(".hidden.md", "hidden.md", id="hidden"),
        pytest.param("~$open.md", "open.md", id="lock file of an office"),
        pytest.param(".md", "", id="only an ending"),
        pytest.param("a:b|c?.pdf", "a_b_c_.pdf", id="signs that some systems refuse"),
        pytest.param("Отпуск 2026.PDF", "Отпуск 2026.PDF", id="Cyrillic, capital ending"),
        pytest.param("휴가.md", "휴가.md", id="Korean"),
        pytest.param("invoice\u202efdp.exe", "", id="turned round"),
        pytest.param("new\nline.md", "new line.md", id="line end"),
        pytest.param("tool.exe", "", id="a kind that nobody reads"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_name_is_made_safe_or_refused(sent: str, kept: str) -> None:
    assert safe_name(sent, ENDINGS) == kept


@given(st.text(max_size=400), st.sampled_from(ENDINGS))
def test_any_name_stays_in_its_folder_and_fits_a_file_system(stem: str, ending: str) -> None:
    name = safe_name(stem + ending, ENDINGS)
    if name:
        assert "/" not in name
        assert "\\" not in name
        assert "\0" not in name
        assert not name.startswith((".", "~$"))
        assert len(name.encode()) <= LONGEST_NAME
        assert name.endswith(ending)
        assert safe_name(name, ENDINGS) == name


def test_what_was_put_aside_is_found_whoever_did_it(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    for name in (".partial-7-a.md", ".partial-page-b.html", "kept.md"):
        (tmp_path / name).write_text("x")
    assert {path.name: number for path, number in uploads.put_aside_before(time.time() + 1).items()} == {
        ".partial-7-a.md": 7,
        ".partial-page-b.html": 0,
    }
