"""The child process that parses untrusted documents: ``python -m rag.knowledge.loaders.worker``.

It reads jobs from standard input and writes results to standard output, each as JSON after its length
in four bytes. It gets no keys and no settings but the job's. A document that needs more than its share
of memory or processor time ends the process, and the parent starts another.
"""

from __future__ import annotations

import json
import math
import os
import resource
import struct
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from rag.errors import DocumentError
from rag.knowledge.documents import Document
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from rag.reasons import Reason, reason_of_os

LENGTH = struct.Struct(">I")
"""The form of the number of bytes before each message."""

OUT_OF_MEMORY = 86
"""Exit code of a process that reached its memory limit: there is none left to write a reply."""

_UNPACKED = 8  # a package may unpack to this many times the largest file allowed


@dataclass(frozen=True, slots=True)
class Job:
    """One document to read, with its limits.

    Args:
        kind: Which parser.
        path: The file.
        loader: ``"module:Class"`` of a LangChain loader, for that kind.
        row_prefix: Put before the ids of the rows, for JSON Lines.
        max_file_bytes: Bytes of the file that are read at the most.
        max_text_chars: Characters of text it may hold.
        seconds: Processor time.
        memory_mb: Memory on top of what the process has when the job begins.
    """

    kind: Kind
    path: str
    loader: str
    row_prefix: str
    max_file_bytes: int
    max_text_chars: int
    seconds: float
    memory_mb: int


def main() -> None:
    """Serve jobs until standard input ends."""
    jobs = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # A parser that prints must not write into the replies, one that reads not take the jobs.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    while (message := receive(jobs)) is not None:
        try:
            send(replies, json.dumps(_answer(Job(**json.loads(message)))).encode())
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def receive(stream: IO[bytes], limit: int = 2**32) -> bytes | None:
    """Read one message; None at the end of the stream, or when a message is cut off or above `limit`."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    if length > limit:
        return None
    message = stream.read(length)
    return message if len(message) == length else None


def send(stream: IO[bytes], message: bytes) -> None:
    """Write one message."""
    stream.write(LENGTH.pack(len(message)) + message)
    stream.flush()


def _answer(job: Job) -> dict[str, object]:
    load = _loader(job)
    _limit_resources(job)
    try:
        return load(TextLimit(job.max_text_chars))
    except DocumentError as error:
        return {"error": error.reason.to_json()}
    except OSError as error:
        return {"error": Reason("file-not-opened", {"reason": reason_of_os(error)}).to_json()}
    except RecursionError:
        return {"error": Reason("nested-too-deeply").to_json()}
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - the outermost loop: a hostile document finds any hole in a parser
        return {"error": Reason("unreadable-document", {"error": type(error).__name__}).to_json()}


def _loader(job: Job) -> Callable[[TextLimit], dict[str, object]]:
    """Import the job's parser, which costs memory that is not the document's, and return its call."""
    path = Path(job.path)
    if job.kind == "jsonl":
        from rag.knowledge.loaders.json_lines import load_rows

        return lambda _limit: _rows(*load_rows(_content(path, job), job.row_prefix, job.max_text_chars))
    load = _content_loader(path, job)
    return lambda limit: asdict(load(limit))


def _rows(documents: tuple[Document, ...], notes: tuple[Reason, ...]) -> dict[str, object]:
    return {"rows": [asdict(document) for document in documents], "notes": [note.to_json() for note in notes]}


def _content_loader(path: Path, job: Job) -> Callable[[TextLimit], Content]:
    if job.kind == "markdown":
        from rag.knowledge.loaders.markdown import load_markdown

        return lambda limit: load_markdown(_text(path, job, limit))
    if job.kind == "text":
        from rag.knowledge.loaders.text import load_text

        return lambda limit: load_text(_text(path, job, limit))
    if job.kind == "html":
        from rag.knowledge.loaders.html import load_html

        return lambda limit: load_html(_content(path, job), limit)
    if job.kind == "pdf":
        from rag.knowledge.loaders.pdf import load_pdf

        return lambda limit: load_pdf(_content(path, job), limit)
    if job.kind in {"docx", "xlsx", "pptx"}:
        load = _office_loader(job.kind)
        return lambda limit: load(_content(path, job), limit, job.max_file_bytes * _UNPACKED)
    if job.kind == "csv":
        from rag.knowledge.loaders.delimited import load_delimited

        return lambda limit: load_delimited(_text(path, job, TextLimit(job.max_text_chars)), limit)
    if job.kind == "rst":
        from rag.knowledge.loaders.rst import load_rst

        return lambda limit: load_rst(_text(path, job, limit))
    if job.kind == "asciidoc":
        from rag.knowledge.loaders.asciidoc import load_asciidoc

        return lambda limit: load_asciidoc(_text(path, job, limit))
    from rag.knowledge.loaders.langchain import load_with_langchain

    return lambda limit: load_with_langchain(path, job.loader, limit)


def _office_loader(kind: Kind) -> Callable[[bytes, TextLimit, int], Content]:
    if kind == "docx":
        from rag.knowledge.loaders.docx import load_docx

        return load_docx
    if kind == "xlsx":
        from rag.knowledge.loaders.xlsx import load_xlsx

        return load_xlsx
    from rag.knowledge.loaders.pptx import load_pptx

    return load_pptx


def _text(path: Path, job: Job, limit: TextLimit) -> str:
    from rag.knowledge.loaders.text import decode

    text = decode(_content(path, job))
    limit.count(text)
    return text


def _content(path: Path, job: Job) -> bytes:
    with path.open("rb") as file:
        content = file.read(job.max_file_bytes + 1)
    if len(content) > job.max_file_bytes:
        raise DocumentError(Reason("file-grew", {"limit": job.max_file_bytes}))
    return content


def _limit_resources(job: Job) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = math.ceil(usage.ru_utime + usage.ru_stime + job.seconds) + 1
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, most))
    used = _address_space()
    if used:
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (used + job.memory_mb * 1_000_000, most))


def _address_space() -> int:
    """Bytes of address space in use, or 0 where the system does not say (and keeps no such limit)."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main()
