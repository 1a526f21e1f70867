"""Turns rows into training examples: passages with their neighbours, and passages that do not answer."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from bench.reader.sources import Row, Section, first_answer, parts

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


class Asked:
    """Headings that ask, with the sections of their site around them."""

    def __init__(
        self, source: str, questions: Sequence[tuple[str, Section]], site: Sequence[Section]
    ) -> None:
        self.source, self.questions, self.site = source, list(questions), list(site)
        self.near = Near([f"{s.title} {s.text[:600]}" for s in self.site])
        self.at = {id(s): i for i, s in enumerate(self.site)}

    def draw(self, chance: random.Random, number: int | None = None, negative: bool | None = None) -> Row:
        """One example: the answering section with its neighbours, or a passage that does not answer."""
        at = chance.randrange(len(self.questions)) if number is None else number
        question, section = self.questions[at]
        if negative is None:
            negative = chance.random() < 0.46
        asked = _as_typed(question, chance)
        if not negative:
            return self._around(asked, section, None, chance)
        kind = chance.random()
        if kind < 0.76 and (other := self._sibling(question, section, chance)):
            return self._around(asked, other, section, chance)
        if kind < 0.88 and len(section.siblings) > 3:
            return self._headings(asked, section)
        return self._cut_off(asked, section)

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

    def _around(self, question: str, main: Section, absent: Section | None, chance: random.Random) -> Row:
        """The main section, often with the sections before and after it, with or without their headings."""
        page = [s for s in main.siblings if s is not absent] or [main]
        at = next((i for i, s in enumerate(page) if s is main), 0)
        low = max(0, at - chance.choice((0, 0, 0, 1, 1, 2)))
        high = at + 1 + chance.choice((0, 0, 1, 1, 2))
        titled, own = chance.random() < 0.5, chance.random() < (0.15 if absent is None else 0.5)
        text, answers = "", []
        for section in page[low:high]:
            if own if section is main else titled:
                text += f"{section.title}\n"
            if section is main and absent is None:
                answers = list(first_answer(section.text, len(text)))
            body = section.text if section is main else section.text[-500:]
            text += f"{body}\n"
        head = main.above
        if head and chance.random() < (0.15 if absent is None else 0.5) and main.title != head:
            head = f"{head} › {main.title}"
        if gives_away(question, head):
            head = ""
        return Row(self.source, main.page, question, text.strip(), tuple(answers), None, head[:120])

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


def _as_typed(question: str, chance: random.Random) -> str:
    """A question as people type it: now and then without capital or question mark."""
    kind = chance.random()
    if kind < 0.15:
        return question.rstrip("?？ ")
    if kind < 0.3 and not question.isupper():
        return question[0].lower() + question[1:]
    return question
