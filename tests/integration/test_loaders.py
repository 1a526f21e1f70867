"""Documents go through the real child process, with its limits."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import Source, discover
from rag.settings import Knowledge

HTML = "<title>Guide</title><h1>Set-up</h1><p>Java 17 is needed.</p>"


def source(path: Path) -> Source:
    (found,) = discover([path], langchain_endings=[".csv", ".slow", ".big", ".dead", ".loud"]).sources
    return found


def word() -> bytes:
    document = docx.Document()
    document.add_heading("Set-up", 1)
    document.add_paragraph("Java 17 is needed.")
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def sheet() -> bytes:
    workbook = openpyxl.Workbook()
    assert workbook.active is not None
    workbook.active.title = "Set-up"
    workbook.active["A1"] = "Java 17 is needed."
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def slides() -> bytes:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Set-up"
    slide.placeholders[1].text = "Java 17 is needed."
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


PDF_PAGE = b"BT /F 12 Tf 50 700 Td (Java 17 is needed.) Tj ET"
PDF = (
    b"%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
    b"2 0 obj\n<< /Type /Pages /Kids [4 0 R] /Count 1 >>\nendobj\n"
    b"3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n"
    b"4 0 obj\n<< /Type /Page /Parent 2 0 R /Contents 5 0 R "
    b"/Resources << /Font << /F 3 0 R >> >> >>\nendobj\n"
    b"5 0 obj\n<< /Length %d >>\nstream\n%s\nendstream\nendobj\n"
    b"trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n0\n%%%%EOF\n"
) % (len(PDF_PAGE), PDF_PAGE)

# Loaders as a hostile document would make them behave; the settings name them, the child runs them.
HOSTILE = """
import os, resource, socket, sys, time

class Page:
    def __init__(self, text):
        self.page_content, self.metadata = text, {}

class Slow:
    def __init__(self, path): pass
    def lazy_load(self):
        while True: time.sleep(0.01)

class Busy(Slow):
    def lazy_load(self):
        while True: pass

class Big(Slow):
    def lazy_load(self):
        kept = []
        while True: kept.append(bytearray(1_000_000))

class Endless(Slow):
    def lazy_load(self):
        while True: yield Page("x" * 1000)

class Dead(Slow):
    def lazy_load(self): os.kill(os.getpid(), 11)

class Loud(Slow):
    def lazy_load(self):
        print("a parser that prints"); os.write(1, b"into the pipe"); sys.stdin.read()
        yield Page("quiet")

class Deep(Slow):
    def lazy_load(self): return self.lazy_load()

class Broken(Slow):
    def lazy_load(self): raise ZeroDivisionError

class Spy(Slow):
    def lazy_load(self):
        yield Page(" ".join(sorted(os.environ)) + f" cpu={resource.getrlimit(resource.RLIMIT_CPU)[0]}")

class Forger(Slow):
    reply = b"[]\\n"
    def lazy_load(self):
        for descriptor in range(3, 20):
            try: os.write(descriptor, self.reply)
            except OSError: pass
        while True: time.sleep(0.01)

class Flooder(Forger):
    reply = b"x" * 3_000_000

class Where(Slow):
    def lazy_load(self): yield Page(str(os.getpid()))
"""


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file for the loaders of the module `hostile`, which only the child can import."""
    (tmp_path / "module").mkdir()
    (tmp_path / "module" / "hostile.py").write_text(HOSTILE)
    start = subprocess.Popen

    def popen(arguments: list[str], **options: object) -> subprocess.Popen[bytes]:
        environment = options["env"]
        assert isinstance(environment, dict)
        environment["PYTHONPATH"] += os.pathsep + str(tmp_path / "module")
        return start(arguments, **options)  # type: ignore[call-overload, no-any-return]  # passed on as they came

    monkeypatch.setattr(subprocess, "Popen", popen)
    (tmp_path / "file.csv").write_text("x")
    return tmp_path / "file.csv"


def settings(loader: str, seconds: float = 30, memory: int = 256, characters: int = 100_000) -> Knowledge:
    limits = Knowledge(loader_seconds=seconds, loader_memory_mb=memory, max_text_chars=characters)
    return with_loader(f"hostile:{loader}", limits)


def with_loader(name: str, knowledge: Knowledge | None = None) -> Knowledge:
    """Settings with a loader that no settings file may name."""
    return (knowledge or Knowledge()).model_copy(update={"langchain_loaders": {".csv": name}})


@pytest.mark.parametrize(
    ("name", "content", "title", "heading"),
    [
        pytest.param("a.md", b"# Set-up\nJava 17 is needed.", "Set-up", "Set-up", id="markdown"),
        pytest.param("vacation_policy.txt", b"Java 17 is needed.", "vacation policy", "", id="text"),
        pytest.param("a.html", HTML.encode(), "Guide", "Set-up", id="html"),
        pytest.param("a.pdf", PDF, "a", "page 1", id="pdf"),
        pytest.param("a.docx", word(), "Set-up", "Set-up", id="docx"),
        pytest.param("a.xlsx", sheet(), "a", "Set-up", id="xlsx"),
        pytest.param("a.pptx", slides(), "Set-up", "slide 1: Set-up", id="pptx"),
        pytest.param("apps.tsv", b"Java 17 is needed.\n", "apps", "", id="csv"),
        pytest.param("a.rst", b"Set-up\n======\n\nJava 17 is needed.", "Set-up", "Set-up", id="rst"),
        pytest.param("a.adoc", b"= Set-up\n\nJava 17 is needed.", "Set-up", "Set-up", id="asciidoc"),
    ],
)
def test_every_format_is_read(tmp_path: Path, name: str, content: bytes, title: str, heading: str) -> None:
    (tmp_path / name).write_bytes(content)
    with DocumentReader(Knowledge()) as reader:
        (document,) = reader.read(source(tmp_path / name)).documents
    assert (document.key, document.title) == (name, title)
    assert [(section.heading, section.text) for section in document.sections] == [
        (heading, "Java 17 is needed.")
    ]


def test_rows_are_documents_and_bad_rows_are_failures_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text('{"id": "a", "title": "A", "text": "x"}\nno\n{"id": "b", "title": "B", "text": "y"}\n')
    with DocumentReader(Knowledge()) as reader:
        reading = reader.read(source(path))
    assert [document.key for document in reading.documents] == ["a", "b"]
    assert list(map(str, reading.notes)) == ["line 2: the row is not valid JSON"]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        pytest.param("a.md", b"", r"^the file is empty$", id="empty"),
        pytest.param("a.md", b" \n ", r"^the document has no text$", id="blank"),
        pytest.param("a.html", b"<script>x</script>", r"^the document has no text$", id="page of scripts"),
        pytest.param(
            "a.txt", b"x" * 2001, r"^the file has 2,001 bytes, more than max_file_bytes allows", id="size"
        ),
        pytest.param("a.md", b"x" * 1001, r"^the text is longer than max_text_chars allows", id="text"),
        pytest.param(
            "a.html", b"x" * 1001, r"^the text is longer than max_text_chars allows", id="html text"
        ),
        pytest.param("a.txt", bytes(200), r"^the file is not text", id="binary"),
        pytest.param("a.pdf", PDF[:-50], r"^the PDF is cut off", id="pdf"),
        pytest.param("a.docx", b"PK", r"^the Word file is damaged", id="docx"),
    ],
)
def test_bad_document_is_one_clear_sentence(tmp_path: Path, name: str, content: bytes, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    limits = Knowledge(max_file_bytes=2000, max_text_chars=1000)
    with DocumentReader(limits) as reader, pytest.raises(DocumentError, match=reason):
        reader.read(source(tmp_path / name))


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_file_that_vanished_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    found = source(tmp_path / name)
    (tmp_path / name).unlink()
    with DocumentReader(Knowledge()) as reader, pytest.raises(DocumentError, match="No such file"):
        reader.read(found)


@pytest.mark.parametrize(
    ("loader", "limits", "reason"),
    [
        pytest.param("Slow", {"seconds": 4}, r"takes longer than loader_seconds allows \(4\)", id="sleeps"),
        pytest.param("Busy", {"seconds": 4}, r"takes longer than loader_seconds allows \(4\)", id="computes"),
        pytest.param("Big", {}, r"takes more memory than loader_memory_mb allows \(256\)", id="memory"),
        pytest.param("Endless", {}, r"longer than max_text_chars allows", id="endless text"),
        pytest.param("Dead", {}, r"^the parser crashed on it", id="crash"),
        pytest.param("Deep", {}, r"nested too deeply", id="recursion"),
        pytest.param("Broken", {}, r"cannot be read \(ZeroDivisionError\)", id="any exception"),
        pytest.param("Missing", {}, r"^there is no loader hostile:Missing: langchain_loaders", id="no class"),
        pytest.param("Forger", {}, r"^the parser crashed on it", id="forged reply"),
        pytest.param("Flooder", {"characters": 1000}, r"^the parser crashed on it", id="flood"),
    ],
)  # fmt: skip
def test_document_that_breaks_its_limits_is_stopped_and_the_next_one_is_read(
    tmp_path: Path, hostile: Path, loader: str, limits: dict[str, int], reason: str
) -> None:
    (tmp_path / "good.html").write_text(HTML)
    with DocumentReader(settings(loader, **limits)) as reader:
        with pytest.raises(DocumentError, match=reason):
            reader.read(source(hostile))
        assert text(reader.read(source(tmp_path / "good.html"))) == "Java 17 is needed."


def text(reading: Content) -> str:
    return " ".join(section.text for document in reading.documents for section in document.sections)


def test_parser_that_prints_does_not_disturb_the_replies(hostile: Path) -> None:
    with DocumentReader(settings("Loud")) as reader:
        assert [text(reader.read(source(hostile))) for _ in range(2)] == ["quiet", "quiet"]


def test_child_gets_no_keys_and_no_proxies(hostile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "THINKTWICE_MODEL", "HTTPS_PROXY", "TELEGRAM_TOKEN", "HOME"):
        monkeypatch.setenv(name, "secret")
    with DocumentReader(settings("Spy")) as reader:
        seen = set(text(reader.read(source(hostile))).split())
    assert {name for name in seen if "=" not in name} <= {
        "PATH", "PYTHONPATH", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "LC_CTYPE",
        "LD_LIBRARY_PATH", "TMPDIR", "TZ",
    }  # fmt: skip
    assert any(word.startswith("cpu=3") for word in seen)


def test_child_serves_many_documents_and_ends_with_the_reader(hostile: Path) -> None:
    with DocumentReader(settings("Where")) as reader:
        processes = {text(reader.read(source(hostile))) for _ in range(3)}
        assert len(processes) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(int(processes.pop()), 0)


def test_child_is_replaced_after_many_documents_and_after_a_death(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.knowledge.reading._DOCUMENTS", 2)
    with DocumentReader(settings("Where")) as reader:
        first, second, third = [int(text(reader.read(source(hostile)))) for _ in range(3)]
        assert first == second != third
        os.kill(third, signal.SIGKILL)
        deadline = time.monotonic() + 10
        while is_running(third) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert int(text(reader.read(source(hostile)))) != third


def test_child_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(HTML)
    code = (
        "import sys, time\nfrom pathlib import Path\nfrom rag.knowledge.reading import DocumentReader\n"
        "from rag.knowledge.sources import discover\nfrom rag.settings import Knowledge\n"
        "reader = DocumentReader(Knowledge())\nreader.read(discover([Path(sys.argv[1])]).sources[0])\n"
        "print(reader._process.pid, flush=True)\ntime.sleep(100)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    assert parent.stdout
    child = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 10
    while is_running(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(child)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_csv_is_read_by_the_loader_the_settings_name(tmp_path: Path) -> None:
    path = tmp_path / "apps.csv"
    path.write_text("app,needs\nFxStore,Java 17\nКасса,Java 21\n", encoding="utf-8")
    loaders = {".CSV": "langchain_community.document_loaders:CSVLoader"}
    with warnings.catch_warnings(), DocumentReader(Knowledge(langchain_loaders=loaders)) as reader:
        warnings.simplefilter("error")
        (document,) = reader.read(source(path)).documents
    assert document.title == "apps"
    assert [section.text for section in document.sections] == [
        "app: FxStore\nneeds: Java 17\n\napp: Касса\nneeds: Java 21"
    ]


@pytest.mark.parametrize(
    ("loader", "reason"),
    [
        ("langchain_nowhere:CSVLoader", r"is not installed: install thinktwice\[langchain\]"),
        ("langchain_community.document_loaders:NoSuchLoader", r'langchain_loaders wants "module:Class"'),
        ("CSVLoader", r"langchain_loaders"),
    ],
)
def test_loader_that_is_not_there_says_what_to_do(tmp_path: Path, loader: str, reason: str) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with (
        DocumentReader(with_loader(loader)) as reader,
        pytest.raises(DocumentError, match=reason),
    ):
        reader.read(source(tmp_path / "a.csv"))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("a.md", "# " + "`" * 4_000, id="backticks in a heading"),
        pytest.param("a.md", "x\n\n" + "<!--" * 100_000, id="comments that are never closed"),
        pytest.param("a.html", "<style>" + "(" * 200_000 + "</style><p>x", id="brackets of a style sheet"),
        pytest.param("a.html", "<style>" + "p{" * 20_000 + "</style><p>x", id="rules in rules"),
        pytest.param("a.md", "a" + " " * 400_000 + "b", id="spaces"),
        pytest.param("a.md", "".join("`" * n + "a" for n in range(1, 600)), id="code that is never closed"),
        pytest.param("a.md", "![" * 200_000, id="pictures"),
        pytest.param("a.txt", "a" + " " * 400_000 + "b", id="text of spaces"),
        pytest.param("a.txt", "1." * 20_000, id="a dotted number"),
        pytest.param("a.tsv", "a\t" * 100_000 + '\n"' + "b\n" * 50_000, id="a quote that never ends"),
        pytest.param("a.tsv", "\n".join("a\t" * 2 for _ in range(100_000)), id="rows"),
        pytest.param("a.rst", "x\n\n" + ".. " * 100_000, id="comments of rst"),
        pytest.param("a.rst", "x\n" + "=\n" * 100_000, id="marks of rst"),
        pytest.param("a.rst", ":a:`" * 100_000, id="roles of rst"),
        pytest.param("a.adoc", "x\n" + "====\n" * 80_000, id="marks of asciidoc"),
        pytest.param("a.adoc", "x\n== " + "a = " * 100_000, id="a title of asciidoc"),
        pytest.param("a.adoc", "x\n[#" + "a:" * 200_000, id="an anchor of asciidoc"),
    ],
)
def test_file_made_to_take_for_ever_is_read_at_once(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    with DocumentReader(Knowledge(loader_seconds=20)) as reader:
        assert reader.read(source(tmp_path / name)).documents


def test_a_kind_that_was_thought_simple_has_its_time_too(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\nx")
    with (
        DocumentReader(Knowledge(loader_seconds=0.001)) as reader,
        pytest.raises(DocumentError, match="takes longer than loader_seconds allows"),
    ):
        reader.read(source(tmp_path / "a.md"))
