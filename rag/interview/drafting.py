"""Drafts a mission pack from a form, to be edited by hand: headings become sections, and blanks facts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rag.errors import InputError
from rag.interview.pointers import join_pointer
from rag.knowledge.loaders.content import HEADING_SEPARATOR, Content, is_table_rule, table_cells
from rag.language.detect import detect
from rag.reasons import Reason

_BLANK = re.compile(r"\\?_(?:\\?_){2,}|\.{5,}|…{2,}")
_NAMED_BEHIND = re.compile(r"\s*\(([^()]{2,60})\)")
_ENDS_LABEL = re.compile(r"[:：]\s*$")
_LABEL_CHARACTERS = 60
_MARKUP = re.compile(r"[*`#>]+")


def draft_pack(name: str, title: str, content: Content) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the fields of `mission.yaml` and the JSON Schema of a pack.

    Args:
        title: Its title, where the document has none.

    Raises:
        InputError: nothing in the form is blank.
    """
    drafts = [
        draft
        for number, section in enumerate(content.sections, 1)
        if (
            draft := _Section(f"part_{number}", section.heading.rpartition(HEADING_SEPARATOR)[2] or title)
        ).read(section.text)
    ]
    with_facts = [draft for draft in drafts if draft.titles]
    if not with_facts:
        raise InputError(Reason("pack-without-blanks"))
    text = "\n".join(section.text for section in content.sections)
    title = content.title or title
    mission = {
        "id": name,
        "version": "1.0.0",
        "title": title,
        "locale": {"language": detect(text)},
        "persona": f"You fill in “{title}” with somebody. You ask one short question, and never guess.",
        "categories": [
            {"id": one.name, "title": one.title, "required": list(one.titles)} for one in with_facts
        ],
        "titles": {path: label for one in with_facts for path, label in one.titles.items()},
        "document": {
            "title": _fixed(title),
            "numbered": False,
            "sections": [
                {"title": _fixed(one.title), "clauses": [{"text": clause} for clause in one.clauses]}
                for one in drafts
            ],
        },
    }
    fact = {"type": "string", "minLength": 1, "maxLength": 2000}
    parts = {
        one.name: {"type": "object", "additionalProperties": False, "properties": {}} for one in with_facts
    }
    schema = {"type": "object", "additionalProperties": False, "properties": parts}
    for one in with_facts:
        parts[one.name]["properties"] = {path.rpartition("/")[2]: dict(fact) for path in one.titles}
    return mission, schema


class _Section:
    """A section of the draft: its facts by path, and its clauses."""

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = " ".join(_MARKUP.sub("", title).split())
        self.titles: dict[str, str] = {}
        self.clauses: list[str] = []

    def read(self, text: str) -> bool:
        """Take up the lines of a section; return whether there are any."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        for number, line in enumerate(lines):
            if line.startswith("|"):
                self.clauses += self._row(line)
            elif _BLANK.search(line):
                self.clauses.append(self._blanks(line))
            elif _is_label(line, lines[number + 1] if number + 1 < len(lines) else ""):
                self.clauses.append(f"{_fixed(line)} {self._fact(line)}")
            else:
                self.clauses.append(_fixed(line))
        return bool(self.clauses)

    def _row(self, row: str) -> Iterator[str]:
        if is_table_rule(row):
            return
        label, *cells = table_cells(row)
        filled = [_fixed(cell) if cell and not _BLANK.fullmatch(cell) else "" for cell in cells]
        if label:
            is_open = bool(cells) and not all(filled)
            shown = [cell or (self._fact(label) if is_open else "") for cell in filled]
            yield f"{_fixed(label)}: {', '.join(dict.fromkeys(shown))}" if shown else _fixed(label)

    def _blanks(self, line: str) -> str:
        written, end = "", 0
        for blank in _BLANK.finditer(line):
            before = line[end : blank.start()]
            behind = _NAMED_BEHIND.match(line, blank.end())
            is_label = bool(_ENDS_LABEL.search(before)) or not behind
            label = before if is_label and re.search(r"\w", before) else behind[1] if behind else self.title
            written += _fixed(before) + self._fact(label)
            end = behind.end() if behind and label == behind[1] else blank.end()
        return written + _fixed(line[end:])

    def _fact(self, label: str) -> str:
        words = _MARKUP.sub("", label).strip(" \t:：,;.()–-•|")
        words = re.split(r"(?<=[.;!?])\s", words)[-1]
        title = words[-_LABEL_CHARACTERS:].lstrip() or self.title
        path = join_pointer([self.name, f"fact_{len(self.titles) + 1}"])
        if title in self.titles.values():
            title = f"{title} ({len(self.titles) + 1})"
        self.titles[path] = title
        return f'{{{{ fact("{path}") }}}}'


def _is_label(line: str, below: str) -> bool:
    """Whether a line only labels what is to be filled in: it ends with a colon, and no list follows."""
    is_followed = below.startswith(("-", "*", "•", "|")) or re.match(r"\d+[.)]", below)
    return bool(_ENDS_LABEL.search(line)) and len(line) <= _LABEL_CHARACTERS and not is_followed


def _fixed(text: str) -> str:
    """Return words of a form so that no template is read in them."""
    return f"{{{{ {json.dumps(text, ensure_ascii=False)} }}}}" if "{" in text else text
