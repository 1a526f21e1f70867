"""Nothing that a document or a person names is ever fetched: no page, no picture, no file of this machine."""

from __future__ import annotations

import io
import socket
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from docx import Document

from rag.knowledge.sync import SyncReport
from rag.models.scripted import ScriptedModel
from tests.support.knowledge import make_workshop
from tests.support.wired import staged

PLANTED = "words-of-a-file-of-this-machine"


class Trap:
    """A server that nobody is to call; counts who does."""

    def __init__(self, listener: socket.socket) -> None:
        self.calls = 0
        self._listener = listener
        self.host = f"127.0.0.1:{listener.getsockname()[1]}"

    def serve(self) -> None:
        while True:
            try:
                visitor, _ = self._listener.accept()
            except OSError:
                return
            self.calls += 1
            visitor.close()


@contextmanager
def opened_trap() -> Iterator[Trap]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        trap = Trap(listener)
        thread = threading.Thread(target=trap.serve, daemon=True)
        thread.start()
        yield trap
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(10)


@pytest.fixture
def trap() -> Iterator[Trap]:
    with opened_trap() as trap:
        yield trap


def addresses(host: str, file: Path) -> list[str]:
    """Places that a program could be made to look at, each in several spellings."""
    return [
        f"http://{host}/a",
        f"//{host}/b",
        f"http://[::ffff:127.0.0.1]:{host.partition(':')[2]}/c",
        f"http://2130706433:{host.partition(':')[2]}/d",
        f"http://somebody@{host}/e",
        file.as_uri(),
        str(file),
        "http://169.254.169.254/latest/meta-data",
    ]


def html(found: list[str]) -> str:
    parts = [
        f'<img src="{url}"><script src="{url}"></script><iframe src="{url}"></iframe><object data="{url}"></object>'
        f'<link rel="stylesheet" href="{url}"><embed src="{url}"><video src="{url}"></video>'
        f'<meta http-equiv="refresh" content="0; url={url}"><a href="{url}">here</a>'
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{url}" parse="text"/>'
        for url in found
    ]
    return f'<html><head><base href="{found[0]}"></head><body><h1>Crane</h1><p>It lifts.</p>{"".join(parts)}</body></html>'


def markdown(found: list[str]) -> str:
    parts = [f"![picture]({url}) [page]({url}) <{url}>\n\n[{url}]: {url}\n\n!include {url}" for url in found]
    return "# Crane\n\nIt lifts.\n\n" + "\n\n".join(parts)


def docx(found: list[str]) -> bytes:
    """A document whose template, pictures and links lie elsewhere."""
    plain = io.BytesIO()
    document = Document()
    document.add_heading("Crane", 1)
    document.add_paragraph("It lifts.")
    document.save(plain)
    kinds = ("attachedTemplate", "image", "hyperlink", "subDocument", "frame")
    base = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    outside = "".join(
        f'<Relationship Id="out{row}x{column}" Type="{base}/{kind}" Target="{url}" TargetMode="External"/>'
        for row, url in enumerate(found)
        for column, kind in enumerate(kinds)
    )
    made = io.BytesIO()
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(made, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "word/_rels/document.xml.rels":
                content = content.replace(b"</Relationships>", f"{outside}</Relationships>".encode())
            target.writestr(name, content)
    return made.getvalue()


def pdf(found: list[str]) -> bytes:
    """A document that opens addresses, and whose words lie in files elsewhere."""
    actions = " ".join(
        f"<< /S /URI /URI ({url}) >> << /S /GoToR /F ({url}) /D [0 /Fit] >> << /S /Launch /F ({url}) >>"
        for url in found
    )
    pieces = [
        "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /URI /URI (" + found[0] + ") >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /AA << /O [{actions}] >> "
            "/Contents [4 0 R 6 0 R] /Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        "<< /Length 40 >>\nstream\nBT /F1 12 Tf 20 100 Td (It lifts.) Tj ET\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< /Length 0 /F << /FS /URL /F ({found[0]}) >> >>\nstream\n\nendstream",
    ]
    body = "%PDF-1.4\n"
    places = []
    for number, piece in enumerate(pieces, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{piece}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"xref\n0 {len(pieces) + 1}\n0000000000 65535 f \n{table}"
    return f"{body}{end}trailer << /Size {len(pieces) + 1} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF".encode()


KINDS: dict[str, Callable[[list[str]], str | bytes]] = {
    "crane.html": html,
    "crane.md": markdown,
    "crane.docx": docx,
    "crane.pdf": pdf,
    "crane.txt": "\n".join,
}


@pytest.mark.parametrize("name", KINDS)
async def test_document_that_names_addresses_is_read_without_calling_them(
    name: str, trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(PLANTED, "utf-8")
    content = KINDS[name](addresses(trap.host, secret))
    workshop = make_workshop(tmp_path, monkeypatch)
    workshop.write()
    (workshop.corpus / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    report: SyncReport = workshop.sync()
    knowledge = workshop.open()
    try:
        found = await knowledge.search(["crane lifts secret"])
    finally:
        knowledge.close()

    assert report.failed == ()
    assert found.hits
    assert not [hit for hit in found.hits if PLANTED in hit.passage.text]
    assert trap.calls == 0


async def test_address_instead_of_a_file_is_words_and_nothing_else(
    trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text(PLANTED, "utf-8")
    model = ScriptedModel("I do not know.")
    async with staged(
        tmp_path, model, monkeypatch, admins=(77,), self_correction={"enabled": False}
    ) as stage:
        owner = stage.telegram.user("Owner", id=77, language_code="en")
        chat = stage.telegram.private(owner)
        for url in addresses(trap.host, secret):
            for said in (f"/add {url}", f"/reindex {url}", f"/remove {url}", f"Read {url} to me, please."):
                count = len(chat.answers)
                await stage.happens(owner.says(chat, said))
                assert len(chat.answers) > count, said

        assert not [request for request in model.requests if PLANTED in request.messages[-1].text]
        assert not [text for text in chat.texts if PLANTED in text]
        assert not list((tmp_path / "data" / "documents").glob("*"))
    assert secret.exists()
    assert trap.calls == 0


def test_trap_counts_who_calls(trap: Trap) -> None:
    host, port = trap.host.split(":")
    with socket.create_connection((host, int(port))) as visitor:
        assert visitor.recv(1) == b""
    assert trap.calls == 1
