"""Reads training rows from local clones: questions, passages, answering sentences and spans."""

from __future__ import annotations

import json
import lzma
import re
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from zlib import crc32

Part = tuple[int, int]

CUT = re.compile(
    r"(?<=[.!?؟])(?<!\b\w\.)(?<!\n\d\d\.)(?<!\bсм\.)(?<!\blit\.)(?<!\bvs\.)(?<!\bbzw\.)"
    r"[\"')\]»”’]*\s+|(?<=[。！？])|\n+"
)
ASKS = re.compile(
    r"[?？]\s*$|^(how|why|what|when|where|who|which|can|does|do|is|are|should|will|may|must)\b"
    r"|^(как|почему|зачем|что|когда|где|можно|сколько|какой|какие|кто)\b"
    r"|^(cómo|por qué|qué|cuándo|dónde|como|por que|o que|quando|onde|comment|pourquoi|quand)\b"
    r"|^(wie|warum|wann|wo|was|welche|kann|bagaimana|mengapa|apa|apakah|kapan|di mana)\b"
    r"|^(如何|为什么|怎么|怎样|什么)|方法$|어떻게|방법$|するには$|無法|无法",
    re.IGNORECASE,
)
IMPERATIVE = re.compile(
    r"^(add|allow|apply|assign|back up|block|build|cancel|change|check|choose|configure|connect|convert|copy"
    r"|create|customize|delete|deploy|disable|download|edit|enable|export|find|fix|get|give|grant|hide|import"
    r"|install|invite|join|limit|manage|merge|migrate|monitor|move|open|pause|prevent|publish|recover|register"
    r"|remove|rename|request|reset|restore|restrict|revoke|run|save|schedule|send|set up|set|share|show|sign"
    r"|start|stop|submit|sync|test|turn on|turn off|uninstall|update|upgrade|upload|use|verify|view)\s",
    re.IGNORECASE,
)
EMPTY = re.compile(r"^(what'?s new|what's next|where to go|how to contribute|next steps)\b", re.IGNORECASE)
OVER_ALL = re.compile(
    r"\b(\w+est|most|least|total|how many|last|first|average|top|only|or|more|less|next|before|after)\b"
)
HEADING = re.compile(r"^(#{1,6})\s+(.+?)\s*#*\s*$")
CODE = "\x01"
PAGE = re.compile(r"\.(mdx?|markdown|rst)$")
LIST_ITEM = re.compile(r"^\s*(?:[-*+•]|\d+[.)])\s+")


@dataclass(frozen=True)
class Row:
    """A question and a passage.

    `answers` are the parts that answer; without any, the passage does not answer. `span` is the short answer
    where one is known; `about` is the document that near passages come from.
    """

    source: str
    about: str
    question: str
    passage: str
    answers: tuple[Part, ...]
    span: Part | None = None
    head: str = ""


@dataclass
class Section:
    """A heading of a page and the text below it."""

    title: str
    text: str
    page: str
    above: str = ""
    siblings: list[Section] = field(default_factory=list, repr=False)

    @property
    def heading(self) -> str:
        """The names of page and section, each once, as the product puts them before a passage."""
        return " › ".join(dict.fromkeys(filter(None, (self.above, self.title))))


@dataclass(frozen=True)
class Clone:
    """A local clone whose headings ask questions: its licence, what to read and how many rows to take.

    `every`: each heading counts as a question, not only those with the form of one.
    """

    name: str
    licence: str
    under: str = ""
    most: int = 700
    every: bool = False
    held: bool = False


def clones() -> list[Clone]:
    """The clones to read headings from, as listed beside this file."""
    listed = Path(__file__).with_name("clones.tsv").read_text(encoding="utf-8").splitlines()[1:]
    cells = [line.split("\t") for line in listed]
    return [
        Clone(name, by, under, int(most), bool(every), bool(held))
        for name, by, under, most, every, held in cells
    ]


def parts(text: str, start: int = 0) -> list[Part]:
    """The sentences, list items and lines of a text as places in it."""
    found, last = [], 0
    for cut in CUT.finditer(text):
        found.append((last, cut.start()))
        last = cut.end()
    found.append((last, len(text)))
    return [(start + a, start + b) for a, b in found if text[a:b].strip()]


def holding(passage: str, span: Part) -> tuple[Part, ...]:
    """The sentences of a passage that a span stands in."""
    return tuple(p for p in parts(passage) if p[1] > span[0] and p[0] < span[1])


def show(folder: Path, name: str, path: str) -> str:
    return _git(folder, name, "show", f"HEAD:{path}")


def shown(folder: Path, name: str, paths: Sequence[str]) -> list[str]:
    """Files of a clone's newest commit, as text, read by one process."""
    asked_for = "".join(f"HEAD:{path}\n" for path in paths).encode()
    data = _run(folder, name, ("cat-file", "--batch"), asked_for)
    texts, at = [], 0
    for _ in paths:
        line, at = data[at : (end := data.index(b"\n", at))].split(), end + 1
        size = int(line[2]) if len(line) == 3 and line[2].isdigit() else -1
        texts.append(data[at : at + max(0, size)].decode("utf-8", "replace"))
        at += size + 1
    return texts


def _git(folder: Path, name: str, *words: str) -> str:
    return _run(folder, name, words).decode("utf-8", "replace")


def place(folder: Path, name: str) -> Path:
    """Where a clone lies: `owner+name`, or `repo` in there."""
    outer = folder / name.replace("/", "+")
    return outer / "repo" if (outer / "repo").exists() else outer


def _run(folder: Path, name: str, words: Sequence[str], given: bytes = b"") -> bytes:
    inner = place(folder, name)
    return subprocess.run(
        ["git", "-C", str(inner), *words], capture_output=True, check=True, input=given
    ).stdout


def spans(path: Path, leave_out: Sequence[str] = ()) -> Iterator[Row]:
    """Rows with short answers: the passages first, then the questions by passage number."""
    passages: list[str] = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if "text" in row:
                passages.append(row["text"])
            elif row["source"] not in leave_out:
                text, place = passages[row["passage"]], (row["start"], row["end"])
                span = place if place[0] >= 0 else None
                answers = holding(text, place) if span else ()
                yield Row(row["source"], row["article"], row["question"], text, answers, span)


def squad(folder: Path, name: str, path: str) -> Iterator[Row]:
    """Yield the rows of a file in the form of SQuAD, whole or as paragraphs, each with its first answer."""
    known = json.loads(show(folder, name, path))
    about = known["data"] if isinstance(known, dict) else [{"paragraphs": [one]} for one in known]
    for number, article in enumerate(about):
        for paragraph in article["paragraphs"]:
            text = paragraph["context"]
            for asked_for in paragraph["qas"]:
                given = asked_for["answers"][:1]
                span = None
                if given:
                    start = given[0]["answer_start"]
                    span = (start, start + len(given[0]["text"]))
                    if text[slice(*span)] != given[0]["text"]:
                        continue
                answers = holding(text, span) if span else ()
                yield Row(name, f"{name}-{number}", asked_for["question"], text, answers, span)


def qed(folder: Path) -> Iterator[Row]:
    """Questions put to a search engine, with a paragraph of Wikipedia and the words in it that answer."""
    name = "google-research-datasets/QED"
    for line in show(folder, name, "qed-dev.jsonlines").splitlines():
        row = json.loads(line)
        said, found = row["paragraph_text"], row["original_nq_answers"]
        if len(found) and len(found[0]) == 1:
            span = (found[0][0]["start"], found[0][0]["end"])
            yield Row(name, row["title_text"], row["question_text"], said, holding(said, span), span)


def clapnq(folder: Path) -> Iterator[Row]:
    """Questions put to a search engine, with the sentences that answer them; every fifth is held out."""
    for kind in ("answerable", "unanswerable"):
        text = show(folder, "primeqa/clapnq", f"annotated_data/dev/clapnq_dev_{kind}.jsonl")
        for number, line in enumerate(text.splitlines()):
            row = json.loads(line)
            passage = row["passages"][0]
            said = " ".join(untokenized(s) for s in passage["sentences"])
            chosen = {untokenized(s) for s in row["output"][0].get("selected_sentences", [])}
            places, at = [], 0
            for sentence in map(untokenized, passage["sentences"]):
                if sentence in chosen:
                    places.append((at, at + len(sentence)))
                at += len(sentence) + 1
            if (kind == "answerable") == bool(places):
                held = "held-" if number % 5 == 0 else ""
                title = passage["title"]
                yield Row(f"{held}clapnq", f"clapnq-{title}", row["input"], said, tuple(places), head=title)


def untokenized(text: str) -> str:
    """Text as it was before a tokenizer set its marks apart."""
    text = text.replace("``", "“").replace("''", "”").replace("-- ", "– ").strip()
    text = re.sub(r"\s+([.,;:!?)\]”%]|'s\b|n't\b|'(?:re|ve|ll|d|m)\b)", r"\1", text)
    return re.sub(r"([(\[“$])\s+", r"\1", text).replace(" - ", "-")


def tables(folder: Path, most: int = 3000) -> Iterator[Row]:
    """Yield questions of WikiTableQuestions that one cell answers; the row of that cell is the answer."""
    name = "ppasupat/WikiTableQuestions"
    asked_for = [line.split("\t")[1:4] for line in show(folder, name, "data/training.tsv").splitlines()[1:]]
    asked_for = [row for row in asked_for if crc32(row[0].encode()) % 14000 < most * 4]
    texts = shown(folder, name, [path.replace(".csv", ".tsv") for _, path, _ in asked_for])
    for (question, path, answer), text in zip(asked_for, texts, strict=True):
        rows = _table(text)
        if not 3 <= len(rows) <= 16 or OVER_ALL.search(question) or not (made := _asked_table(rows, answer)):
            continue
        passage, place, span = made
        yield Row("tables", path, question, passage, (place,), span)


def _table(text: str) -> list[list[str]]:
    cells = [
        [c.replace("\\n", " ").replace("\\p", "/") for c in line.split("\t")] for line in text.splitlines()
    ]
    return [row for row in cells if row and len(row) == len(cells[0])]


def _asked_table(rows: list[list[str]], answer: str) -> tuple[str, Part, Part] | None:
    """The table as text, its answering row and the cell, if exactly one row below the head has that cell."""
    at = [i for i, row in enumerate(rows) if answer in row]
    if len(at) != 1 or not at[0]:
        return None
    lines = [" | ".join(row) for row in rows]
    start = sum(len(line) + 1 for line in lines[: at[0]])
    cell = start + sum(len(c) + 3 for c in rows[at[0]][: rows[at[0]].index(answer)])
    return "\n".join(lines), (start, start + len(lines[at[0]])), (cell, cell + len(answer))


def medical(folder: Path, most: int = 1500) -> Iterator[Row]:
    """Questions about health with the pages of public institutes that answer them."""
    name = "abachaa/MedQuAD"
    listed = _git(folder, name, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    wanted = [p for p in listed if p.endswith(".xml") and crc32(p.encode()) % 11000 < most * 0.75]
    for path, text in zip(wanted, shown(folder, name, wanted), strict=True):
        pairs = re.findall(r"<Question[^>]*>(.*?)</Question>\s*<Answer>(.*?)</Answer>", text, re.DOTALL)
        for question, answer in pairs[:2]:
            said = re.sub(r"[ \t]*\n\s*", "\n", unescape(answer)).strip()
            if len(said) > 60 and not said.startswith("Key Points"):
                yield Row("medquad", path, question.replace(" (are)", "").strip(), said, first_answer(said))


def first_answer(text: str, start: int = 0) -> tuple[Part, ...]:
    """What answers in a section: the list with its lead-in, the table, or the first two sentences."""
    found = parts(text, start)
    if not found:
        return ()
    lines = [text[a - start : b - start] for a, b in found]
    chosen, listed = [found[0]], False
    for place, line in zip(found[1:], lines[1:], strict=True):
        starts = text[: place[0] - start].rstrip(" ").endswith("\n")
        item = starts and bool(LIST_ITEM.match(line) or line.count(" | ") > 1)
        last = text[chosen[-1][0] - start : chosen[-1][1] - start].rstrip()
        leads = line.rstrip().endswith((":", "："))
        more = (len(chosen) < 2 and len(lines[0]) < 160) or (leads and len(chosen) < 3)
        if len(chosen) > 13 or not (item or last.endswith((":", "：")) or (not starts and (listed or more))):
            break
        listed = listed or item
        chosen.append(place)
    return tuple(chosen)


def pages(folder: Path, clone: Clone, among: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Yield path and text of each page of a clone; with `among`, only of the pages at these paths."""
    listed = _git(folder, clone.name, "-c", "core.quotepath=off", "ls-tree", "-r", "--name-only", "HEAD")
    wanted = [p for p in listed.splitlines() if PAGE.search(p) and re.search(clone.under, p)]
    wanted = [p for p in wanted if p in among] if among else wanted
    yield from zip(wanted, shown(folder, clone.name, wanted), strict=True)


def sections(folder: Path, clone: Clone, among: Collection[str] = ()) -> list[Section]:
    """All sections of a clone's pages, or of some of them, each once, with the others of their page."""
    found, seen = [], set()
    for path, text in pages(folder, clone, among):
        page = []
        for section in page_sections(text, path):
            if (key := (section.title, section.text[:150])) not in seen:
                seen.add(key)
                page.append(section)
        for section in page:
            section.siblings = page
        found += page
    return found


def page_sections(text: str, path: str) -> list[Section]:
    title = ""
    if path.endswith(".rst"):
        text = re.sub(r"^([^\n]+)\n(={4,}|-{4,}|~{4,}|\^{4,})\s*$", r"## \1", text, flags=re.MULTILINE)
        text = re.sub(r"^\.\. [^\n]*(?:\n[ \t]+[^\n]*)*", "", text, flags=re.MULTILINE)
    front = re.match(r"\A---\n(.*?)\n---\n", text, re.DOTALL)
    if front:
        named = re.search(r"^(?:title|question):\s*[\"']?(.+?)[\"']?\s*$", front[1], re.MULTILINE)
        title, text = (named[1] if named else ""), text[front.end() :]
    found: list[Section] = []
    above: list[str] = [title]
    lines: list[str] = []
    fenced, code = False, 0
    for line in [*text.splitlines(), "# "]:
        if line.lstrip().startswith(("```", "~~~")):
            fenced, code = not fenced, 0
            continue
        if fenced:
            code += 1
            lines += [CODE + line] if code <= 6 and line.strip() else []
            continue
        heading = HEADING.match(line) or (re.match(r"^(#) $", line) and line)
        if not heading:
            lines.append(line)
            continue
        body = plain("\n".join(lines))
        if len(above[-1]) > 2 and len(body) > 20:
            over = next((a for a in above[:-1] if a and a != above[-1]), "")
            found.append(Section(above[-1], body, path, over))
        lines = []
        if isinstance(heading, str):
            break
        depth = len(heading[1])
        above = [*above[:depth], *[""] * (depth - len(above)), plain(heading[2])]
    return found


def plain(text: str) -> str:
    """Markdown without its marks: links by their words, tables by their cells, no comments or tags."""
    text = re.sub(
        r"<!--.*?-->|\{%.*?%\}|\{\{[<%].*?[%>]\}\}|!\[[^\]]*\]\([^)]*\)|\{#[^}]*\}", "", text, flags=re.DOTALL
    )
    text = re.sub(r"<[^<>\n]{1,200}>", "", text)
    text = re.sub(r"\[([^\[\]]*)\](?:\([^()\s]*(?:\s[^()]*)?\)|\[[^\]]*\])", r"\1", text)
    text = re.sub(r"`([^`\n]+)_?`_?|:\w+:`([^`\n]+)`", lambda m: m[1] or m[2] or "", text)
    text = re.sub(r"\*\*|__|^\s*>\s?(?:\[![A-Z]+\])?|^:{2,}.*$|^import .*$", "", text, flags=re.MULTILINE)
    text = re.sub(r"(?<=\S)[ \t]*\n(?!\s*\n|[ \t]*(?:[-*+•]\s|\d+[.)]\s|[|\x01]))[ \t]*(?=\S)", " ", text)
    text = re.sub(
        r"^\s*\|(.*)\|\s*$",
        lambda m: " | ".join(c.strip() for c in m[1].split("|")),
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(r"^[\s|:+=-]+$", "", text, flags=re.MULTILINE)
    return re.sub(r"\n\s*\n+", "\n", re.sub(r"[ \t]+", " ", unescape(text))).replace(CODE, "").strip()


def asked(section: Section, every: bool = False) -> str:
    """The question that a heading asks, or nothing."""
    title = re.sub(r"^(?:\d+[.)]?)+\s+|^[QВ问][:：.]\s*", "", section.title).strip()
    wide = len(re.findall(r"[\u3040-\u9fff\uac00-\ud7af]", title)) > 3
    if not 6 <= len(title) <= 160 or (not wide and title.count(" ") < 2):
        return ""
    if EMPTY.search(title):
        return ""
    if every or ASKS.search(title):
        return title
    if IMPERATIVE.match(title):
        return f"How do I {title[0].lower()}{title[1:]}?" if crc32(title.encode()) % 2 else title
    return ""
