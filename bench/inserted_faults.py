"""Texts with faults that models make: another language, a cut end, a loop, tags of the prompt."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag import checks
from rag.language.markdown import code_blocks, without_code
from rag.language.sentences import sentences

DELIMITERS = (
    "<|im_end|>",
    "</answer>",
    "\n</passages>",
    "\n</question>",
    "\nUser: and then?\nAssistant: Nothing.",
)
STRAYS = {
    "Latin": ("需要", "の", "한", "服务器"),
    "Han": ("の", "이", "для"),
    "Hangul": ("的", "の", "服务"),
    "Cyrillic": ("需要", "的", "을"),
}
_UNSPACED = re.compile(r"[\u4e00-\u9fff]")
SCRIPT = {"en": "Latin", "id": "Latin", "es": "Latin", "zh": "Han", "ko": "Hangul", "ru": "Cyrillic"}


@dataclass(frozen=True, slots=True)
class Case:
    """A text, its fault (a clean text has none), and the kinds of finding that count as catching it."""

    language: str
    fault: str
    text: str
    kinds: frozenset[str] = frozenset()
    asked: str = ""
    passages: int | None = None

    def findings(self) -> frozenset[str]:
        """The kinds of what the checks find; in a clean text, notes for the judge do not count."""
        found = checks.run(self.text, language=self.language, asked=self.asked, passage_count=self.passages)
        return frozenset(one.kind for one in found if self.fault or one.severity in {"critical", "fixable"})


def is_prose(text: str) -> bool:
    """Whether a text consists of sentences, so that a fault of prose can be inserted."""
    spoken = [sentence for sentence in sentences(text) if sentence.text[-1] in ".!?。！？…"]
    return len(spoken) >= 2 and not code_blocks(text) and "|" not in text and not text.endswith(":")


def faults(
    language: str, text: str, others: Mapping[str, Sequence[str]], chance: random.Random
) -> Iterator[Case]:
    """The faults put into one text; foreign sentences are taken from `others`, texts by language."""
    wrong = frozenset({"wrong_language", "stray_characters"})
    other = chance.choice([code for code in others if code != language])
    foreign = chance.choice(others[other])
    yield Case(language, "whole answer in another language", foreign, wrong)
    elsewhere = chance.choice([code for code in others if SCRIPT[code] != SCRIPT[language]])
    sentence = chance.choice(
        [s.text for text in others[elsewhere] for s in sentences(text) if len(s.text) > 10]
    )
    yield Case(language, "a sentence in another script", f"{text}\n{sentence}", wrong)
    stray = chance.choice(STRAYS[SCRIPT[language]])
    if place := _place(text, chance):
        yield Case(language, "stray letters", text[:place] + stray + text[place:], wrong)
    leftover = frozenset({"leftover", "thoughts"})
    yield Case(language, "prompt delimiter", text + chance.choice(DELIMITERS), leftover)
    yield Case(language, "thoughts", f"<think>\n{foreign}\n</think>\n{text}", leftover)
    cut = frozenset({"truncated"})
    yield Case(language, "cut in a sentence", _cut(text, chance), cut)
    yield Case(language, "open code block", f"{text}\n\n```sh\nmake setup", cut)
    yield Case(language, "bare list marker", f"{text}\n- {sentence}\n-", cut)
    last = sentences(text)[-1].text
    yield Case(language, "loop", f"{text} {f'{last} ' * chance.randint(3, 30)}", frozenset({"repetition"}))
    if place:
        link = f" [{chance.choice(('1 a', 'FAQ', 'wiki'))}](https://docs.example.com/a "
        yield Case(
            language, "open link", text[:place] + link + text[place:].lstrip(), frozenset({"broken_markup"})
        )


def _place(text: str, chance: random.Random) -> int:
    """Places for stray letters: between words or Han characters, outside code, quotes and brackets."""
    plain = without_code(text)
    gaps = [
        gap.start()
        for gap in re.finditer(r"(?<=\w) ?(?=\w)", plain)
        if not plain[gap.start()].isascii() or " " in gap[0]
    ]
    gaps = [gap for gap in gaps if not re.search(r"[\[(«“\"][^\])»”\"\n]*$", plain[:gap])]
    return chance.choice(gaps) if gaps else 0


def _cut(text: str, chance: random.Random) -> str:
    """`text` up to the middle of its last sentence or one before it, at the end of a word."""
    spoken = [s for s in sentences(text) if s.text[-1] in ".!?。！？…" and len(s.text) > 12 and s.start > 0]
    if not spoken:
        spoken = [max(sentences(text), key=lambda sentence: len(sentence.text))]
    sentence = chance.choice(spoken)
    plain = without_code(text)
    inside = plain[sentence.start : sentence.end]
    unspaced = _UNSPACED.search(inside) is not None
    places = [m.end() for m in re.finditer(r"\w" if unspaced else r"\w+", inside)]
    places = [p for p in places if 3 < p < len(inside) - 3] or [max(1, len(inside) // 2)]
    return text[: sentence.start + chance.choice(places)]
