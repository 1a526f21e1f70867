"""A section, or a whole answer, that is far too short for what was asked.

A flag for the reviewer and the judge, never a reason to regenerate: some answers are one word long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import regex

from rag.checks.subject import Subject
from rag.language.markdown import code_blocks
from rag.language.scripts import UNSPACED, script_runs
from rag.values import Finding

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[_.'’:/-][\p{L}\p{M}\p{N}]+)*")
_WORDS_A_LETTER = {"Han": 0.6, "Hiragana": 0.4, "Katakana": 0.25, "Thai": 0.22, "Lao": 0.22, "Khmer": 0.22}
_HEADING = regex.compile(r"^[ ]{0,3}(#{1,6})[ \t]+\S[^\n]*$", regex.MULTILINE)

_EXPLANATION = regex.compile(
    r"""
    \b(?:explain|describe|compare|step[ -]by[ -]step|in\sdetail)\b
    | \b(?:list\sall|walk\sme\sthrough|give\sme\san\soverview)\b
    | \b(?:объясни|опиши|сравни|расскажи|перечисли|подробн|пошагов)\p{L}*
    | 설명해 | 비교해 | 자세히 | 단계별 | 나열해
    | 解释 | 解釋 | 说明一下 | 详细 | 描述 | 比较 | 列出 | 步骤
    | \b(?:jelaskan|uraikan|bandingkan|rinci|langkah\sdemi\slangkah|sebutkan)\b
    | \b(?:explica|explícame|describe|compara|en\sdetalle|detallad\p{L}+|paso\sa\spaso|enumera)\b
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_BRIEF = regex.compile(
    r"""
    \b(?:briefly|in\sshort|short|one\s(?:word|sentence|line)|yes\sor\sno|tl;?dr)\b
    | \b(?:кратко|коротко|вкратце|одн(?:им|ой|у|о)\s(?:слов|предложени|фраз|строк)|да\sили\sнет)
    | 간단히 | 짧게 | 한\s?(?:마디|문장|줄|단어)
    | 简短 | 简单 | 简要 | 一句话 | 一个词
    | \b(?:singkat|ringkas|satu\s(?:kata|kalimat)|ya\satau\stidak)\b
    | \b(?:brevemente|corto|corta|resumid\p{L}|una\s(?:palabra|frase|línea)|sí\so\sno)\b
    """,
    regex.VERBOSE | regex.IGNORECASE,
)

_ANSWER_WORDS = 8
_SECTION_WORDS = 3


def measure(text: str) -> float:
    """Length of `text` in words; letters of scripts without spaces count as parts of a word."""
    unspaced = [run for run in script_runs(text) if run.script in UNSPACED]
    spaced = list(text)
    for run in unspaced:
        spaced[run.start : run.end] = " " * (run.end - run.start)
    letters = sum((run.end - run.start) * _WORDS_A_LETTER.get(run.script, 0.25) for run in unspaced)
    return len(_WORD.findall("".join(spaced))) + letters


def find(subject: Subject) -> Iterator[Finding]:
    """Find the sections without a text, and an answer of a few words to a request for an explanation."""
    yield from _short_sections(subject)
    wants_more = _EXPLANATION.search(subject.asked) and not _BRIEF.search(subject.asked)
    if wants_more and measure(subject.text) < _ANSWER_WORDS:
        yield Finding(
            "short_section", "complex", 0, len(subject.text), "a few words where an explanation was asked for"
        )


def _short_sections(subject: Subject) -> Iterator[Finding]:
    headings = list(_HEADING.finditer(subject.plain))
    blocks = code_blocks(subject.text)
    for heading, following in itertools.pairwise(headings):
        is_parent = len(following.group(1)) > len(heading.group(1))
        has_code = any(heading.end() <= block.start < following.start() for block in blocks)
        body = subject.text[heading.end() : following.start()]
        if not is_parent and not has_code and measure(body) < _SECTION_WORDS:
            title = heading.group().strip("# \t")[:60]
            yield Finding(
                "short_section", "complex", heading.start(), following.start(), f"nothing under “{title}”"
            )
