"""A section, or a whole answer, that is far too short for what was asked.

What is too short depends on what was asked: "how many" is answered by a figure, "explain" is not. It is a
flag for the reviewer and the judge, never a reason to write again: some answers are one word long.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import regex

from rag.checks.subject import CODE, Subject
from rag.language.scripts import UNSPACED, prose, script_runs
from rag.reasons import Reason
from rag.values import Finding

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:[_.'’:/-][\p{L}\p{M}\p{N}]+)*")
_WORDS_A_LETTER = {"Han": 0.6, "Hiragana": 0.4, "Katakana": 0.25, "Thai": 0.22, "Lao": 0.22, "Khmer": 0.22}
_HEADING = regex.compile(r"^[ ]{0,3}(#{1,6})[ \t]+\S[^\n]*$", regex.MULTILINE)

_EXPLANATION = regex.compile(
    r"""
    \b(?:explain|describe|compare|step[ -]by[ -]step|in\sdetail)\b
    | \b(?:list\s(?:all|the|every)|walk\sme\sthrough|give\sme\san\soverview)\b
    | \b(?:what|which)\sare\s(?:all\s)?the\s(?:steps|differences|stages)\b
    | \b(?:объясни|опиши|сравни|расскажи|перечисли|подробн|пошагов)\p{L}*
    | 설명해 | 비교해 | 자세히 | 단계별 | 나열해
    | 解释 | 解釋 | 说明一下 | 详细 | 描述 | 比较 | 列出 | 步骤
    | \b(?:jelaskan|uraikan|bandingkan|rinci|langkah\sdemi\slangkah|sebutkan)\b
    | \b(?:explica|explícame|describe|compara|en\sdetalle|detallad\p{L}+|paso\sa\spaso|enumera)\b
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
_WAY_OR_REASON = regex.compile(
    r"""
    \bhow\s(?:do|does|did|can|could|should|would|will|to|is|are|was|were|come)\b | \bwhy\b
    | \bкак\s(?:мне|нам|я|мы|можно|нужно|надо|правильно|работает|устроен\p{L}*)\b
    | \bкак\s(?:(?!част|долг|скор|быстр|дав|далек|рано\b|поздно\b)\p{L}+\s)?\p{L}+(?:ть|ти|чь)(?:ся)?\b
    | \b(?:почему|зачем|отчего|каким\sобразом)\b
    | 어떻게(?!\s?(?:되|돼)) | 왜 | (?:方法|办法)是 | 如何 | 怎么(?!样|了|称呼) | 怎样 | 为什么 | 为何
    | \b(?:bagaimana(?:kah)?(?:\scara(?:nya)?)?|gimana|mengapa|kenapa)\b
    | \bcómo\s(?!se\sllama|está)\p{L} | ¿\s?por\squé\b
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


@dataclass(frozen=True, slots=True)
class _Least:
    """The fewest words of an answer and of each of its sections."""

    answer: float
    section: float


_LEAST_EXPLAINED = _Least(answer=8, section=4)
_LEAST_TOLD = _Least(answer=4, section=3)
"""A way or a reason takes a verb and what it is about: "Restart the server twice"."""
_LEAST_NAMED = _Least(answer=0, section=1)
"""A name, a figure, yes or no; and where sections were not asked for, any word under a heading will do."""


def measure(text: str) -> float:
    """Length of `text` in words; letters of scripts without spaces count as parts of a word."""
    unspaced = [run for run in script_runs(text) if run.script in UNSPACED]
    spaced = list(text)
    for run in unspaced:
        spaced[run.start : run.end] = " " * (run.end - run.start)
    letters = sum((run.end - run.start) * _WORDS_A_LETTER.get(run.script, 0.25) for run in unspaced)
    return len(_WORD.findall("".join(spaced))) + letters


def find(subject: Subject) -> Iterator[Finding]:
    """Find what is too short for what was asked: sections, else the answer as a whole."""
    least = _least(subject.asked)
    short = list(_short_sections(subject, least.section))
    yield from short
    if not short and not _holds_code(subject, 0, len(subject.text)) and measure(subject.text) < least.answer:
        description = Reason("text-few-words")
        yield Finding("short_section", "complex", 0, len(subject.text), description)


def _least(asked: str) -> _Least:
    if _BRIEF.search(asked):
        return _LEAST_NAMED
    if _EXPLANATION.search(asked):
        return _LEAST_EXPLAINED
    return _LEAST_TOLD if _WAY_OR_REASON.search(asked) else _LEAST_NAMED


def _short_sections(subject: Subject, least: float) -> Iterator[Finding]:
    headings = list(_HEADING.finditer(subject.plain))
    for heading, following in itertools.zip_longest(headings, headings[1:]):
        end = following.start() if following else len(subject.text)
        is_parent = following and len(following.group(1)) > len(heading.group(1))
        body = subject.text[heading.end() : end]
        if not is_parent and not _holds_code(subject, heading.end(), end) and measure(body) < least:
            title = heading.group().strip("# \t")[:60]
            description = Reason("section-too-short" if measure(body) else "section-empty", {"title": title})
            yield Finding("short_section", "complex", heading.start(), end, description)


def _holds_code(subject: Subject, start: int, end: int) -> bool:
    """Whether a command or an address stands there: that is an answer, however few words it has."""
    stretch = subject.text[start:end]
    return CODE in subject.plain[start:end] or prose(stretch) != stretch
