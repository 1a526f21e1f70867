"""Pages that are only a picture: read by Tesseract where it is installed and wanted, named otherwise."""

from __future__ import annotations

import io
import os
import time
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from rag.knowledge.loaders.content import Content
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import discover
from rag.settings import Knowledge

READS = """#!/bin/sh
[ "$*" = "stdin stdout -l eng+deu" ] || exit 3
head -c 2 | grep -q P5 || exit 4
printf 'The boat-\\nhouse key hangs in\\nlocker 12.\\n\\nAsk the warden.\\n\\f'
"""


def scan(folder: Path, kinds: str = "tp") -> Path:
    """A PDF with a page of text for each "t" and a page that is only a picture for each "p"."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(300, 400))
    for kind in kinds:
        if kind == "t":
            canvas.drawString(30, 300, "Gate 3 is opened by the night guard.")
        else:
            canvas.drawInlineImage(Image.new("RGB", (60, 80), "grey"), 0, 0, 300, 400)
        canvas.showPage()
    canvas.save()
    path = folder / "scan.pdf"
    path.write_bytes(file.getvalue())
    return path


def read(path: Path, **settings: object) -> Content:
    with DocumentReader(Knowledge.model_validate(settings)) as reader:
        return reader.read(discover([path]).sources[0])


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program called tesseract, the first on the path."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "bin" / "tesseract"


def written(program: Path, script: str) -> None:
    program.write_text(script)
    program.chmod(0o755)


def sections(content: Content) -> list[tuple[str, str]]:
    return [(section.heading, section.text) for section in content.documents[0].sections]


def test_picture_is_read_where_the_program_is_installed_and_wanted(tmp_path: Path, program: Path) -> None:
    written(program, READS)
    content = read(scan(tmp_path), ocr_languages="eng+deu")
    text = "The boathouse key hangs in locker 12.\n\nAsk the warden."
    assert sections(content) == [("page 1", "Gate 3 is opened by the night guard."), ("page 2", text)]
    assert content.notes == ()
    assert sections(read(scan(tmp_path, "p"), ocr_languages="eng+deu")) == [("page 1", text)]


@pytest.mark.parametrize(
    ("script", "languages"),
    [
        pytest.param(READS, "", id="not wanted"),
        pytest.param(READS, "fra", id="a language that fails"),
        pytest.param("#!/bin/sh\ncat > /dev/null", "eng", id="nothing found"),
        pytest.param("no program", "eng", id="no program"),
        pytest.param(None, "eng", id="missing"),
    ],
)
def test_picture_that_is_not_read_is_named(
    tmp_path: Path, program: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, languages: str
) -> None:
    if script is None:
        monkeypatch.setenv("PATH", str(program.parent))
    else:
        written(program, script)
    content = read(scan(tmp_path), ocr_languages=languages)
    assert sections(content) == [("page 1", "Gate 3 is opened by the night guard.")]
    assert [(note.code, note.values) for note in content.notes] == [("pdf-page-picture", {"page": "2"})]


def test_program_that_takes_too_long_ends_and_costs_no_page_of_text(tmp_path: Path, program: Path) -> None:
    written(program, f"#!/bin/sh\necho $$ > {(mark := tmp_path / 'pid')}\nexec sleep 300")
    content = read(scan(tmp_path, "tpp"), ocr_languages="eng", loader_seconds=16)
    assert sections(content)[0][0] == "page 1"
    assert [note.values for note in content.notes] == [{"page": "2–3"}]
    deadline = time.monotonic() + 10
    while Path(f"/proc/{mark.read_text().strip()}").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not Path(f"/proc/{mark.read_text().strip()}").exists()


def test_languages_are_names_of_tesseract_and_no_options() -> None:
    for languages in ("--psm", "eng deu", "../x", "eng+", "eng\n"):
        with pytest.raises(ValueError, match="ocr_languages"):
            Knowledge(ocr_languages=languages)
