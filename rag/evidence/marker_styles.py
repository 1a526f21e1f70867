"""Read the markers that models write instead of ``[n]``.

Models were trained with markers of many products, and keep to them whatever a prompt says: ``[Source 1]``,
``【1†source】``, ``[[1]](#1)``, ``<sup>1</sup>``, ``（来源：1）``, footnotes that name their documents.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import regex

from rag.language.markdown import code_blocks, code_spans
from rag.language.sentences import MARKER
from rag.values import Passage

_LONG_WORD = (
    r"(?:sources?|passages?|documents?|docs?|citations?|cite|ref(?:erence)?s?|excerpts?"
    r"|quellen?|dokumente?|fuentes?|pasajes?|documentos?|fontes?|passagens?|sumber|dokumen|kaynak|belge"
    r"|źródł[oa]|dokument|zdroj|nguồn|источники?|документы?|джерел[оа]|来源|來源|出处|出處|引用|参考|资料|資料"
    r"|文档|文檔|段落|출처|문서|구절|자료|出典|مصدر|المصدر|מקור)"
)
_LABEL = rf"(?:(?:see|cf\.|siehe|vgl\.|véase|см\.|参见)[ \t]{{1,2}})?{_LONG_WORD}[ \t_:：#.№-]{{0,3}}"
_NUMBERS = rf"(?P<n>\d{{1,3}}(?:[ \t]?(?:[,;、，&–-]|and)[ \t]?(?:{_LABEL})?\d{{1,3}}){{0,9}})"
_BRACKETED = regex.compile(
    rf"\[\[(?:{_LABEL})?{_NUMBERS}\]\](?:\([^()\s]{{0,300}}\))?"
    rf"|\[(?:{_LABEL})?{_NUMBERS}\]\((?:\#[^()\s]{{0,80}}|{_LONG_WORD}[-_:]?\d{{1,3}})?\)"
    rf"|\$\^\{{?\[?{_NUMBERS}\]?\}}?\$"
    rf"|(?<!\b(?:issue|ticket|bug|request|pr)s?[ \t])\\?\[[\^#]?(?:{_LABEL})?{_NUMBERS}\^?\\?\]\^?(?!\()"
    rf"|【(?:{_LABEL})?{_NUMBERS}(?::\d{{1,3}})?(?:†[^】\n]{{0,40}})?】"
    rf"|[(（](?!(?:see[ \t])?(?:do[ck]|ref|belge|文|문|документ)){_LABEL}{_NUMBERS}[)）]",
    regex.IGNORECASE,
)
_TAGGED = regex.compile(
    rf"[ \t]?(?:</co(?::[ ]?{_NUMBERS})>"
    rf"|(?<=\p{{L}}{{3}}|[.!?,;)”\" \t]|\p{{Han}})<sup>\[?{_NUMBERS}\]?</sup>"
    rf"|<(?P<tag>cite|ref|source|citation)\b[^<>\n]{{0,80}}>\[?(?:{_LABEL})?{_NUMBERS}\]?</(?P=tag)>"
    rf"|<(?:ref|cite|source|citation|passage|doc)[ ][^<>\n]{{0,40}}?=[\"']?{_NUMBERS}[\"']?[ ]?/>"
    r"|\ue200\w{0,20}\ue202\w{0,30}?(?P<n>\d{1,3})\ue201)",
    regex.IGNORECASE,
)
_OPENING = regex.compile(r"<co: ?\d{1,3}(?:,\d{1,3}){0,9}>")
_BARE = regex.compile(
    r"(?<=[^\s(:;,][ \t]|[^\x00-\x7f])"
    r"(?<!(?:§|\bart\w{0,5}\.?|section|clause|para\w{0,5}\.?)\s{0,3}\d{1,4}[ \t])"
    r"\((?P<n>\d{1,3})\)(?=[ \t]{0,3}(?:[.,;!?。，\n(]|\Z)|(?<=[.!?][ \t]\(\d{1,3}\))\s)"
    r"|(?<=\p{L}{3}|[.!?,;”\"])(?<!\b(?:sin|cos|tan|log|chi|watt|volt|inch|inches|met(?:re|er)s?|feet|miles?))"
    r"(?P<n>[¹²³⁰⁴-⁹]{1,3})(?!\p{L})"
    r"|\[P(?P<n>\d{1,2})\](?=[ \t]{0,2}(?:[.,;:!?。，\n]|\Z))"
    rf"|(?<=\b(?:according to|stated in|laut|gemäß|según|segundo|согласно|根据)[ \t]?)(?:the )?{_LONG_WORD}"
    r"[ \t]?(?P<n>\d{1,2})(?!\d)",
    regex.IGNORECASE,
)
"""Markers that mean something else where others stand in brackets: ``(1)``, ``¹``, "laut Quelle 1"."""
_NOTE = regex.compile(r"^[ \t]*\[\^(?P<n>\d{1,3})\]:[ \t]*(?P<said>.*)$", regex.MULTILINE)
_WORD = regex.compile(r"\w+")


def read_markers(text: str, passages: Sequence[Passage]) -> str:
    """Return `text` with other styles of markers as ``[n]``; code, and numbers without a passage, stay."""
    text = _without_named_notes(text, passages)
    if not _NOTE.search(text):
        text = _read(_BRACKETED, text, len(passages))
        tagged = _read(_TAGGED, text, len(passages), before=" ")
        text = tagged if tagged == text else _OPENING.sub("", tagged)
        text = text if regex.search(MARKER, text) else _read(_BARE, text, len(passages))
    return text


def _read(style: regex.Pattern[str], text: str, passages: int, before: str = "") -> str:
    code = [(block.start, block.end) for block in code_blocks(text)]
    code += [(span.start, span.end) for span in code_spans(text)]

    def read(found: regex.Match[str]) -> str:
        said = unicodedata.normalize("NFKC", found["n"])
        numbers = regex.findall(r"\d+|[–-]", said)
        is_code = any(start < found.end() and found.start() < end for start, end in code)
        if is_code or not all(1 <= int(one) <= passages for one in numbers if one.isdigit()):
            return found.group()
        return f"{before}[{', '.join(numbers).replace(', -, ', '-').replace(', –, ', '-')}]"

    return style.sub(read, text)


def _without_named_notes(text: str, passages: Sequence[Passage]) -> str:
    """Return `text` without the notes at its end, if each only names its passage, or repeats words of it."""
    lines = text.split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or _NOTE.match(lines[end - 1])):
        end -= 1
    notes = [note for line in lines[end:] if (note := _NOTE.match(line))]
    return "\n".join(lines[:end]) if notes and all(_names(note, passages) for note in notes) else text


def _names(note: regex.Match[str], passages: Sequence[Passage]) -> bool:
    number = int(note["n"])
    if not 1 <= number <= len(passages):
        return False
    one = passages[number - 1]
    known = f"{one.document} {one.section} {one.source} {one.text}".casefold()
    return set(_WORD.findall(note["said"].casefold())) <= set(_WORD.findall(known))
