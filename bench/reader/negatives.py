"""Turns rows into training examples: passages with their neighbours, and passages that do not answer."""

from __future__ import annotations

import json
import lzma
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from zlib import crc32

from bench.reader import sources
from bench.reader.sources import Clone, Part, Row, Section, first_answer, parts, sections

WRITTEN = Path(__file__).with_name("written.jsonl.xz")
"""Each line is a question about a section of a clone: it names the section by repository, page, title and
checksum of its text, the parts that answer by number (none: a near miss), the words that answer, and says
whether the question is held out."""

ASIDES = Path(__file__).with_name("asides.jsonl.xz")
"""Each line holds a message that no document answers, with its language and kind, and whether it is held out.
Kinds: 1 greetings and signs, 2 statements, 3 sums, 4 general knowledge, 5 other requests, 6 about the bot or
the talk, 7 about people here and now."""

WIDE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")


def words(text: str) -> set[str]:
    """The words of a text, folded; pairs of characters where words are not set apart."""
    text = text.lower()
    if not WIDE.search(text):
        return set(re.findall(r"\w{2,}", text))
    run = re.sub(r"\W+", "", text)
    return {run[i : i + 2] for i in range(len(run) - 1)}


def gives_away(question: str, head: str) -> bool:
    """Return whether a head line says most of the question, so that it alone would tell the right passage."""
    asked = words(question)
    return len(asked & words(head)) > 0.5 * len(asked)


def read(file: Path, held: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a file that are held out, or the others."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["held"] == held]


class Near:
    """Finds, among texts, one that shares much with a question."""

    def __init__(self, texts: Sequence[str]) -> None:
        bags = {text: words(text) for text in set(texts)}
        self.bags = [bags[text] for text in texts]
        counts = Counter(w for bag in bags.values() for w in bag)
        self.weight = {w: math.log(1 + len(bags) / n) for w, n in counts.items()}

    def best(self, question: str, among: Iterable[int]) -> int | None:
        """The text that shares most with the question, rare words counting more."""
        asked = words(question)
        scored = [(sum(self.weight[w] for w in asked & self.bags[i]), i) for i in among]
        return max(scored)[1] if scored else None


class Spans:
    """Rows with a passage of their own: as they are, without what answers, or with another passage."""

    def __init__(self, rows: Sequence[Row], negative: float = 0.3) -> None:
        self.rows = list(rows)
        self.negative = negative
        self.near = Near([row.passage for row in self.rows])
        self.together: dict[str, list[int]] = defaultdict(list)
        self.of_source: dict[str, list[int]] = defaultdict(list)
        for i, row in enumerate(self.rows):
            self.together[row.about].append(i)
            self.of_source[row.source].append(i)

    def draw(self, chance: random.Random) -> Row:
        """One example."""
        row = self.rows[chance.randrange(len(self.rows))]
        if not row.answers or chance.random() > self.negative:
            return row
        return (without_answer(row) if chance.random() < 0.5 else self._other(row, chance)) or row

    def _other(self, row: Row, chance: random.Random) -> Row | None:
        said = [row.passage[a:b] for a, b in ((row.span,) if row.span else row.answers)]
        near = self.together[row.about]
        if len({self.rows[i].passage for i in near}) < 2 or chance.random() < 0.3:
            near = self.of_source[row.source]
        near = [near[chance.randrange(len(near))] for _ in range(50)]
        fitting = [
            i
            for i in near
            if self.rows[i].passage != row.passage and not any(text in self.rows[i].passage for text in said)
        ]
        best = self.near.best(row.question, fitting)
        if best is None:
            return None
        return replace(row, passage=self.rows[best].passage, head=self.rows[best].head, answers=(), span=None)


def without_answer(row: Row) -> Row | None:
    """The row's passage with the answering sentences cut out, if enough is left and it lacks the answer."""
    rest = row.passage
    for start, end in sorted(row.answers, reverse=True):
        rest = rest[:start] + rest[end:].lstrip()
    said = row.passage[row.span[0] : row.span[1]] if row.span else ""
    if len(rest) < 80 or (said and said in rest):
        return None
    return replace(row, passage=rest.strip(), answers=(), span=None)


@dataclass(frozen=True)
class Question:
    """A question about a section, with the parts of its text that answer; none: it only looks as if."""

    text: str
    section: Section
    answers: tuple[Part, ...]
    span: Part | None = None


class Asked:
    """Questions about the sections of a site: headings that ask, or questions written for their sections.

    `titled`: the head line always names the section, as in the product; a heading that asks tells too much.
    """

    def __init__(
        self,
        source: str,
        questions: Sequence[Question],
        site: Sequence[Section],
        negative: float = 0.46,
        titled: bool = False,
    ) -> None:
        self.source, self.questions, self.site = source, list(questions), list(site)
        self.negative, self.titled = negative, titled
        self.near = Near([f"{s.title} {s.text[:600]}" for s in self.site])
        self.at = {id(s): i for i, s in enumerate(self.site)}

    def draw(self, chance: random.Random, number: int | None = None, negative: bool | None = None) -> Row:
        """One example: the answering section with its neighbours, or a passage that does not answer."""
        at = chance.randrange(len(self.questions)) if number is None else number
        question = self.questions[at]
        section = question.section
        if negative is None:
            negative = chance.random() < self.negative
        asked = _as_typed(question.text, chance)
        if not negative or not question.answers:
            return self._around(replace(question, text=asked), None, chance)
        kind = chance.random()
        if kind < 0.76 and (other := self._sibling(question.text, section, chance)):
            return self._around(Question(asked, other, ()), section, chance)
        if kind < 0.88 and len(section.siblings) > 3:
            return self._headings(asked, section)
        return self._cut_off(asked, section)

    def beside(self, text: str, among: int, chance: random.Random) -> Row:
        """One example: of so many sections, the one that shares most words with a text that asks nothing."""
        at = self.near.best(text, [chance.randrange(len(self.site)) for _ in range(among)])
        assert at is not None
        return self._around(Question(text, self.site[at], ()), None, chance)

    def _sibling(self, question: str, section: Section, chance: random.Random) -> Section | None:
        here = [self.at[id(s)] for s in section.siblings if id(s) in self.at]
        if len(here) < 3 or chance.random() < 0.45:
            here = [chance.randrange(len(self.site)) for _ in range(80)]
        asked, said = words(section.title), section.text[:80]
        fitting = []
        for i in here:
            other = self.site[i]
            titled = words(other.title)
            same = len(asked & titled) / max(1, len(asked | titled))
            told = said in other.text or other.text in section.text
            if other is not section and same < 0.75 and not told:
                fitting.append(i)
        best = self.near.best(question, fitting)
        return None if best is None else self.site[best]

    def _around(self, question: Question, absent: Section | None, chance: random.Random) -> Row:
        """Return a row whose passage is the question's section, often with the sections next to it."""
        main = question.section
        page = [s for s in main.siblings if s is not absent] or [main]
        at = next((i for i, s in enumerate(page) if s is main), 0)
        low = max(0, at - chance.choice((0, 0, 0, 1, 1, 2)))
        high = at + 1 + chance.choice((0, 0, 1, 1, 2))
        titled, own = chance.random() < 0.5, chance.random() < (0.15 if absent is None else 0.5)
        text, moved = "", 0
        for section in page[low:high]:
            if own if section is main else titled:
                text += f"{section.title}\n"
            if section is main:
                moved = len(text)
            body = section.text if section is main else section.text[-500:]
            text += f"{body}\n"
        answers = tuple((a + moved, b + moved) for a, b in question.answers)
        span = (question.span[0] + moved, question.span[1] + moved) if question.span else None
        head = main.above
        if self.titled:
            head = main.heading
        elif head and chance.random() < (0.15 if absent is None else 0.5) and main.title != head:
            head = f"{head} › {main.title}"
        if not self.titled and gives_away(question.text, head):
            head = ""
        return Row(self.source, main.page, question.text, text.rstrip(), answers, span, head[:120])

    def _headings(self, question: str, section: Section) -> Row:
        titles = [s.title for s in section.siblings]
        at = next(i for i, s in enumerate(section.siblings) if s is section)
        listed = "\n".join(titles[max(0, at - 6) : at + 6])
        return Row(self.source, section.page, question, listed, (), None, section.above)

    def _cut_off(self, question: str, section: Section) -> Row:
        """The passage ends with the heading or the lead-in; or only another section follows."""
        at = next((i for i, s in enumerate(section.siblings) if s is section), 0)
        before = section.siblings[at - 1].text[-700:] if at else ""
        start, end = parts(section.text)[0]
        lead = section.text[start:end] if section.text[end - 1] in ":：" else ""
        cut = f"{before}\n{section.title}\n{lead}".strip()
        return Row(self.source, section.page, question, cut, (), None, section.above)


def aside(sites: Sequence[Asked], messages: Sequence[str], chance: random.Random) -> Row:
    """Return any section beside a message that no document answers, or a question to another site."""
    site, other = chance.choices(sites, [len(one.questions) for one in sites], k=2)
    if other is not site and chance.random() < 0.3:
        # Not the nearest section: other sites answer some questions too.
        return site.beside(chance.choice(other.questions).text, 1, chance)
    return site.beside(chance.choice(messages), chance.choice((1, 40)), chance)


def of_headings(site: Sequence[Section], every: bool) -> list[Question]:
    """The headings of a site that ask, with what answers in the sections below them."""
    return [
        Question(question, section, answers)
        for section in site
        if (answers := first_answer(section.text)) and (question := sources.asked(section, every))
    ]


def written(folder: Path, held: bool = False) -> Iterator[Asked]:
    """The questions that were written for sections of clones, with all sections of their pages.

    `held`: those that are never trained on, instead of the others.
    """
    rows = read(WRITTEN, held)
    for name in sorted({row["repository"] for row in rows}):
        asked_for = [row for row in rows if row["repository"] == name]
        site = sections(folder, Clone(name, ""), {row["page"] for row in asked_for})
        known = {(s.page, s.title, crc32(s.text.encode())): s for s in site}
        questions = []
        for row in asked_for:
            if section := known.get((row["page"], row["title"], row["checksum"])):
                cut = parts(section.text)
                answers = tuple(cut[number] for number in row["answers"])
                span = _place_of(row["span"], section.text, answers)
                questions.append(Question(row["question"], section, answers, span))
        print(f"written for {name}: {len(questions)} of {len(asked_for)}", flush=True)
        yield Asked(name, questions, site, 0.25, titled=True)


def _place_of(words: str, text: str, within: Sequence[Part]) -> Part | None:
    starts = (text.find(words, a, b) for a, b in within if words)
    start = next((at for at in starts if at >= 0), -1)
    return (start, start + len(words)) if start >= 0 else None


def _as_typed(question: str, chance: random.Random) -> str:
    """A question as people type it: now and then without capital or question mark."""
    kind = chance.random()
    if kind < 0.15:
        return question.rstrip("?？ ")
    if kind < 0.3 and not question.isupper():
        return question[0].lower() + question[1:]
    return question
