"""The child process that parses untrusted documents: ``python -m rag.knowledge.loaders.worker``.

It reads jobs from standard input and writes results to standard output, each as a line of JSON. It gets no
keys and no settings but the job's. A document that needs more than its share of memory or processor time ends
the process, and the parent starts another.
"""

from __future__ import annotations

import json
import math
import os
import resource
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rag.errors import DocumentError
from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import Content, TextLimit
from rag.knowledge.sources import Kind
from rag.reasons import Reason, reason_of_os

OUT_OF_MEMORY = 86
"""Exit code of a process that reached its memory limit: there is none left to write a reply."""

_SHARE_OF_OCR = 0.5  # of the time for a document; pages that are not read by then stay pictures
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
        ocr_languages: In which pages that are only a picture are read; empty to leave them.
    """

    kind: Kind
    path: str
    loader: str
    row_prefix: str
    max_file_bytes: int
    max_text_chars: int
    seconds: float
    memory_mb: int
    ocr_languages: str


def main() -> None:
    """Serve jobs until standard input ends."""
    jobs = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    # A parser that prints must not write into the replies, one that reads not take the jobs.
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    for line in jobs:
        try:
            answer = _answer(Job(**json.loads(line)))
            replies.write(json.dumps(answer).encode() + b"\n")
            replies.flush()
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _answer(job: Job) -> dict[str, object]:
    load = _loader(job)
    _limit_resources(job)
    limit = TextLimit(
        job.max_text_chars,
        job.max_file_bytes * _UNPACKED,
        job.ocr_languages,
        time.monotonic() + _SHARE_OF_OCR * job.seconds,
    )
    try:
        return {"content": asdict(load(limit))}
    except MemoryError:
        raise
    except DocumentError as error:
        reason = error.reason
    except OSError as error:
        reason = Reason("file-not-opened", {"reason": reason_of_os(error)})
    except RecursionError:
        reason = Reason("nested-too-deeply")
    except Exception as error:  # noqa: BLE001 - the outermost loop: a hostile document finds any hole in a parser
        reason = Reason("unreadable-document", {"error": type(error).__name__})
    return {"error": reason.to_json()}


def _loader(job: Job) -> Callable[[TextLimit], Content]:
    """Import the job's parser, which costs memory that is not the document's, and return its call."""
    path = Path(job.path)
    if job.kind == "jsonl":
        from rag.knowledge.loaders.json_files import load_rows

        return lambda _: load_rows(_content(path, job), job.row_prefix, job.max_text_chars)
    if job.kind == "langchain":
        from rag.knowledge.loaders.langchain import load_with_langchain

        return lambda limit: load_with_langchain(path, job.loader, limit)
    load = loader_of(job.kind)
    return lambda limit: load(_content(path, job), limit)


def _content(path: Path, job: Job) -> bytes:
    with path.open("rb") as file:
        content = file.read(job.max_file_bytes + 1)
    if len(content) > job.max_file_bytes:
        raise DocumentError(Reason("file-grew", {"limit": job.max_file_bytes}))
    return content


def _limit_resources(job: Job) -> None:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    _set_limit(resource.RLIMIT_CPU, math.ceil(usage.ru_utime + usage.ru_stime + job.seconds) + 1)
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return  # the system does not say how much is in use, and keeps no such limit
    _set_limit(resource.RLIMIT_AS, pages * os.sysconf("SC_PAGE_SIZE") + job.memory_mb * 1_000_000)


def _set_limit(kind: int, amount: int) -> None:
    resource.setrlimit(kind, (amount, resource.getrlimit(kind)[1]))


if __name__ == "__main__":
    main()
