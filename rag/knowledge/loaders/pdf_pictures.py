"""Reads the pages of a PDF that are only a picture, with Tesseract where that program is installed."""

from __future__ import annotations

import functools
import shutil
import subprocess
import time

import pypdfium2 as pdfium
import regex

from rag.knowledge.loaders.content import TextLimit
from rag.knowledge.loaders.pdf_layout import joined
from rag.language.visible import one_line, visible

_DOTS_PER_INCH = 300
_PIXELS = 20_000_000  # of a page, at the most
_PARAGRAPH_END = regex.compile(r"\n\s*\n|\f")


def recognize(page: pdfium.PdfPage, limit: TextLimit) -> str:
    """The paragraphs of a page; empty if the program is missing, fails, or has no time left."""
    program = shutil.which("tesseract") if limit.ocr_languages else None
    seconds = limit.ocr_until - time.monotonic()
    if not program or seconds <= 0:
        return ""
    width, height = page.get_size()
    scale = min(_DOTS_PER_INCH / 72, (_PIXELS / max(width * height, 1)) ** 0.5)
    picture = page.render(scale=scale, grayscale=True).to_numpy()
    header = b"P5 %d %d 255\n" % (picture.shape[1], picture.shape[0])
    try:
        read = subprocess.run(  # noqa: S603 - the program of the system, and a setting that is checked
            [program, "stdin", "stdout", "-l", limit.ocr_languages],
            input=header + picture.tobytes(),
            capture_output=True,
            timeout=seconds,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    paragraphs = _PARAGRAPH_END.split(visible(read.stdout.decode("utf-8", "replace")))
    lines = ([one_line(line) for line in paragraph.split("\n")] for paragraph in paragraphs)
    return "\n\n".join(functools.reduce(joined, found) for found in lines if any(found))
