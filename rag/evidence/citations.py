"""Verify the ``[n]`` markers of an answer that was written from passages.

A marker promises that passage n supports the text before it. Code checks that promise, not a model: a marker
whose passage does not exist or does not support the claim is removed. Removing one extends the claim of the
next, so the text is verified again until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import regex

from rag.evidence.attribution import (
    Claim,
    absent_facts,
    claim,
    facts,
    is_related,
    is_supported,
    quote,
    same_language,
    share,
    share_of_terms,
)
from rag.language.detect import detect
from rag.language.markdown import code_blocks, code_spans
from rag.language.sentences import MARKER, markers_pattern, sentences
from rag.language.tables import alternatives
from rag.values import Citation, Passage

_MARKER = regex.compile(MARKER)
_NUMBERS = regex.compile(r"(\d+)(?:\s*[–—-]\s*(\d+))?")
_MAX_RANGE = 20
_SENTENCE_END = " \t\n.!?…。！？؟।»\"'”’）)」』*_~"
_NEVER_CITED = regex.compile(
    r"[ \t]*(?:>[ \t]*)*(?:\#{1,6}[ \t]|\||```|~~~)|.*[?？؟:：][\s*_]*$", regex.DOTALL
)
_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")
_ATTACH_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class CitedText:
    """An answer with verified citations.

    Args:
        text: The answer; its markers are ``[1]`` … ``[k]`` in order of first appearance.
        citations: One per number, in order.
    """

    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class _Markers:
    """Adjacent markers, and the claim before them."""

    numbers: tuple[int, ...]
    start: int
    end: int
    claim: Claim


def verify(text: str, passages: Sequence[Passage], language: str = "", asked: str = "") -> CitedText:
    """Keep the valid markers of `text`, remove the others, and renumber the rest without gaps.

    Args:
        text: An answer; ``[1, 2]``, ``[1-3]`` and full-width brackets are read too; code is not changed.
        passages: Passages that the writer saw; marker ``[n]`` means ``passages[n - 1]``.
        asked: The question, which a sentence need not repeat.
    """
    language = language or _language(text)
    while True:
        text = _without_source_list(text)
        found = list(_find_markers(text, language, asked))
        written = _rewrite_markers(text, found, [_select_supported(markers, passages) for markers in found])
        if written == text:
            return _number_citations(text, found, passages)
        text = written


def attach(text: str, passages: Sequence[Passage], language: str = "", asked: str = "") -> CitedText:
    """Add ``[n]`` to unmarked sentences that one passage verifiably supports, then `verify`.

    Small models often forget to cite, but the support can still be found in a passage. Takes the same
    arguments as `verify`.
    """
    language = language or _language(text)
    cited = [(markers.start, markers.end) for markers in _find_markers(text, language, asked)]
    pieces: list[str] = []
    position = 0
    for sentence in sentences(text):
        if _NEVER_CITED.match(sentence.text) or any(
            sentence.start <= start and end <= sentence.end for start, end in cited
        ):
            continue
        n = _best_passage(claim(sentence.text, language, asked), passages)
        if n:
            end = sentence.start + len(sentence.text.rstrip(_SENTENCE_END))
            space = "" if _WIDE.match(text[end - 1 : end]) else " "
            pieces += [text[position:end], f"{space}[{n}]"]
            position = end
    return verify("".join([*pieces, text[position:]]), passages, language, asked)


def mark(text: str, marks: Sequence[tuple[int, Passage, str]]) -> CitedText:
    """Put a marker behind each place of a text that a passage carries.

    Args:
        text: A text without markers.
        marks: Offset behind a claim, its passage, and the passage's words that carry it; in reading order.
    """
    numbers: dict[str, int] = {}
    made: list[Citation] = []
    pieces: list[str] = []
    position = 0
    for end, passage, words in marks:
        if passage.id not in numbers:
            numbers[passage.id] = len(numbers) + 1
            made.append(_cite(numbers[passage.id], passage, words))
        place = position + len(text[position:end].rstrip(_SENTENCE_END))
        space = "" if _WIDE.match(text[place - 1 : place]) else " "
        pieces += [text[position:place], f"{space}[{numbers[passage.id]}]"]
        position = place
    return CitedText("".join([*pieces, text[position:]]), tuple(made))


def join(texts: Sequence[CitedText]) -> CitedText:
    """Join texts with an empty line between them; equal citations get one number."""
    known: dict[tuple[str, str], Citation] = {}
    pieces = []
    for one in texts:
        numbers = {}
        for cited in one.citations:
            joined = known.setdefault((cited.passage, cited.quote), replace(cited, n=len(known) + 1))
            numbers[cited.n] = joined.n
        text = one.text
        for run in reversed(_find_runs(text)):
            marks = "".join(f"[{numbers[n]}]" for n in _numbers(run.group()) if n in numbers)
            text = f"{text[: run.start()]}{marks}{text[run.end() :]}"
        pieces.append(text)
    return CitedText("\n\n".join(pieces), tuple(known.values()))


@cache
def _marker_run() -> regex.Pattern[str]:
    return regex.compile(rf"(?<!\[){markers_pattern()}(?![\](])")


@cache
def _source_list() -> regex.Pattern[str]:
    headings = alternatives(lambda one: one.answers.source_lists)
    joints = alternatives(lambda one: one.words.joints)
    return regex.compile(
        rf"^[ \t*_#]*(?:{headings})[ \t*_]*[:：]?[ \t*_]*"
        rf"(?:{MARKER}(?:{MARKER}|[ \t,;.、]|{joints})*$)?(?:\n+[ \t]*[-*]?[ \t]*{MARKER}[^\n]*)*\s*\Z",
        regex.IGNORECASE | regex.MULTILINE,
    )


def _language(text: str) -> str:
    """Return the language of the text. Detected once, so that removing markers cannot change it."""
    return detect(_marker_run().sub("", text), "")


def _best_passage(claimed: Claim, passages: Sequence[Passage]) -> int:
    """Return the number of the passage that supports the claim, or 0; on ties, by the question."""
    # A sentence with a fact can use other words than the passage, because the fact must be in the passage.
    least = 0.0 if claimed.has_fact else _ATTACH_SHARE
    ranked = []
    for n, passage in enumerate(passages, 1):
        if same_language(claimed, passage):
            found = max(share(claimed, passage), share_of_terms(claimed.own, passage))
        else:
            found = _fact_share(claimed, passage)
        about = share_of_terms(claimed.asked, passage)
        if found >= least and found + about > 0:
            ranked.append((-found, -about, n))
    # Best first, because looking for facts costs much more than comparing words.
    return next((n for _, _, n in sorted(ranked) if is_supported(claimed, passages[n - 1])), 0)


def _fact_share(claimed: Claim, passage: Passage) -> float:
    """Return 1 for two or more facts: across languages, a single one may match by coincidence."""
    return 1.0 if len(facts(claimed, passage)) > 1 else 0.0


def _without_source_list(text: str) -> str:
    """Remove "Sources: [1], [2]" at the end: the list of sources is generated from the citations."""
    found = _source_list().search(text)
    if found is None or not _MARKER.search(found.group()) or not text[: found.start()].strip():
        return text
    in_code = any(block.start < found.end() and found.start() < block.end for block in code_blocks(text))
    return text if in_code else text[: found.start()].rstrip()


def _find_markers(text: str, language: str, asked: str) -> Iterator[_Markers]:
    """Find runs of markers outside code, links and footnotes, with the claim before each."""
    runs = _find_runs(text)
    whole = [
        (sentence, [run for run in runs if sentence.start <= run.start() < sentence.end])
        for sentence in sentences(text)
    ]
    before = ""
    for sentence, inside in whole:
        bare = _remove_markers(text, sentence.start, sentence.end, inside)
        begin = sentence.start
        for run in inside:
            # The last markers of a sentence also cover the rest of it.
            end = sentence.end if run is inside[-1] else run.start()
            words = _remove_markers(text, begin, end, inside)
            if not _has_letters(text[begin : run.start()]):
                words = bare if _has_letters(bare) else before
            numbers = tuple(dict.fromkeys(_numbers(run.group())))
            yield _Markers(numbers, run.start(), run.end(), claim(words, language, asked))
            begin = run.end()
        before = bare if _has_letters(bare) else before


def _find_runs(text: str) -> list[regex.Match[str]]:
    code = [(block.start, block.end) for block in code_blocks(text)]
    code += [(span.start, span.end) for span in code_spans(text)]
    return [
        run
        for run in _marker_run().finditer(text)
        if not any(start < run.end() and run.start() < end for start, end in code)
    ]


def _remove_markers(text: str, start: int, end: int, runs: Sequence[regex.Match[str]]) -> str:
    pieces: list[str] = []
    for run in runs:
        if start <= run.start() < end:
            pieces.append(text[start : run.start()])
            start = run.end()
    return " ".join(" ".join([*pieces, text[start:end]]).split())


def _has_letters(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _numbers(run: str) -> Iterator[int]:
    for match in _NUMBERS.finditer(run):
        first, last = int(match[1]), int(match[2] or match[1])
        if first <= last <= first + _MAX_RANGE:
            yield from range(first, last + 1)
        else:
            yield from (first, last)


def _select_supported(markers: _Markers, passages: Sequence[Passage]) -> tuple[int, ...]:
    existing = [n for n in markers.numbers if 1 <= n <= len(passages)]
    holding = [n for n in existing if is_supported(markers.claim, passages[n - 1])]
    if not holding and len(existing) > 1:
        holding = _select_joint_support(markers.claim, existing, passages)
    return tuple(holding)


def _select_joint_support(claimed: Claim, numbers: Sequence[int], passages: Sequence[Passage]) -> list[int]:
    """Return passages that support the claim only together, each with a fact of its own."""
    related = [n for n in numbers if is_related(claimed, passages[n - 1])]
    absent = {n: set(absent_facts(claimed, passages[n - 1])) for n in related}
    if not related or set.intersection(*absent.values()):
        return []
    return [n for n in related if len(absent[n]) < len(claimed.facts)]


def _rewrite_markers(text: str, found: Sequence[_Markers], kept: Sequence[tuple[int, ...]]) -> str:
    """Write the kept numbers as ``[n]``; a removed run leaves no double space and none before a comma."""
    pieces: list[str] = []
    position = 0
    for markers, numbers in zip(found, kept, strict=True):
        before = text[position : markers.start]
        position = markers.end
        if not numbers:
            ahead = text[position : position + 1]
            line_is_empty = not before.rstrip(" \t") or before.rstrip(" \t").endswith("\n")
            if not ahead or ahead in " \t\n.,;:!?…。，、；：！？)）]»”":
                before = before.rstrip(" \t") if not line_is_empty else before
            if line_is_empty and ahead in {" ", "\t"}:
                position += 1
            if before[-1:] in {"(", "（"} and ahead in {")", "）"}:
                before, position = before[:-1].rstrip(" \t"), position + 1
        pieces += [before, "".join(f"[{n}]" for n in numbers)]
    return "".join([*pieces, text[position:]])


def _number_citations(text: str, found: Sequence[_Markers], passages: Sequence[Passage]) -> CitedText:
    claims: dict[str, list[Claim]] = {}
    cited: dict[str, Passage] = {}
    for markers in found:
        for n in markers.numbers:
            passage = passages[n - 1]
            cited.setdefault(passage.id, passage)
            claims.setdefault(passage.id, []).append(markers.claim)
    order = {key: n for n, key in enumerate(cited, 1)}
    kept = [tuple(dict.fromkeys(order[passages[n - 1].id] for n in markers.numbers)) for markers in found]
    citations = tuple(_make_citation(order[key], claims[key], passage) for key, passage in cited.items())
    return CitedText(_rewrite_markers(text, found, kept), citations)


def _make_citation(n: int, claims: Sequence[Claim], passage: Passage) -> Citation:
    return _cite(n, passage, quote(claims, passage))


def _cite(n: int, passage: Passage, words: str) -> Citation:
    return Citation(
        n,
        passage.document,
        passage.section_of(words),
        words,
        passage.id,
        passage.source,
        passage.address_of(words),
    )
