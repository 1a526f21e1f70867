"""Parse modes: converts HTML and MarkdownV2 to a text with entities.

After "Formatting options" of the reference page: the tags and marks listed there, nesting of bold, italic,
underline, strikethrough and spoiler, escaping of the reserved characters. Broken markup is refused with
"can't parse entities: …". The old "Markdown" mode, which the reference page keeps only for old bots, is not
supported: it is refused like an unknown mode.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape

from tests.telegram.entities import Formatted, Wire, units
from tests.telegram.refusals import bad_request

# More bytes than this before parsing are refused (not official; heavy markup meets it).
MAX_RAW_BYTES = 32 * 1024

_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
    "tg-time": "date_time",
}
_RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
_MARKS = {"__": "underline", "||": "spoiler", "*": "bold", "_": "italic", "~": "strikethrough"}
_NAMES = {"bold": "Bold", "italic": "Italic", "underline": "Underline", "strikethrough": "Strikethrough",
          "spoiler": "Spoiler", "code": "Code", "pre": "Pre", "text_link": "TextUrl"}  # fmt: skip


def parsed(text: str, parse_mode: str | None, entities: tuple[Wire, ...] = ()) -> Formatted:
    """Apply a parse mode; return the text with its entities.

    Args:
        entities: Used when no parse mode is given.

    Raises:
        Refusal: the markup is broken, the mode unknown, or the source too long.
    """
    if len(text.encode("utf-8", "surrogatepass")) > MAX_RAW_BYTES:
        raise bad_request("message is too long")
    if not parse_mode:
        return Formatted(text, entities)
    if parse_mode.lower() == "html":
        return _Html(text).parse()
    if parse_mode.lower() == "markdownv2":
        return _MarkdownV2(text).parse()
    raise bad_request("unsupported parse_mode")


def _broken(reason: str) -> Exception:
    return bad_request(f"can't parse entities: {reason}")


def _byte_offset(text: str, position: int) -> int:
    return len(text[:position].encode("utf-8", "surrogatepass"))


_TOKEN = re.compile(
    r"<(?P<slash>/?)(?P<tag>[a-zA-Z][\w-]*)(?P<attributes>(?:\s[^<>]*)?)>"
    r"|(?P<reference>&(?:#x[0-9a-fA-F]{1,6}|#\d{1,7}|lt|gt|amp|quot);)"
    r"|(?P<lonely><)"
    r"|(?P<words>[^<&]+|&)"
)
_ATTRIBUTE = re.compile(r"([\w-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")


@dataclass
class _Html:
    source: str
    text: str = ""
    entities: list[Wire] = field(default_factory=list)
    open: list[tuple[str, Wire]] = field(default_factory=list)

    def parse(self) -> Formatted:
        for token in _TOKEN.finditer(self.source):
            at = _byte_offset(self.source, token.start())
            tag = (token["tag"] or "").lower()
            if token["lonely"] or (tag and tag not in _TAGS):
                raise _broken(f'Unsupported start tag "{tag}" at byte offset {at}')
            if not tag:
                # Other character references stay as they are written.
                self.text += unescape(token["reference"]) if token["reference"] else token["words"]
            elif token["slash"]:
                self._end(tag, at)
            else:
                self._start(tag, token["attributes"], at)
        if self.open:
            raise _broken(f'Can\'t find end tag corresponding to start tag "{self.open[-1][0]}"')
        return Formatted(self.text, tuple(self.entities))

    def _start(self, tag: str, attributes: str, at: int) -> None:
        given = {
            match[1].lower(): unescape(match[2] or match[3] or match[4] or "")
            for match in _ATTRIBUTE.finditer(attributes)
        }
        if tag == "span" and given.get("class") != "tg-spoiler":
            raise _broken(f'Tag "span" must have class "tg-spoiler" at byte offset {at}')
        entity: Wire = {"type": _TAGS[tag], "offset": units(self.text)}
        if tag == "a":
            entity["url"] = given.get("href", "")
        elif tag == "blockquote" and "expandable" in given:
            entity["type"] = "expandable_blockquote"
        elif tag == "tg-emoji":
            entity["custom_emoji_id"] = given.get("emoji-id", "")
        elif tag == "tg-time" and given.get("unix", "").isdigit():
            entity["unix_time"] = int(given["unix"])
        elif tag == "code" and self.open and self.open[-1][0] == "pre":
            self.open[-1][1]["language"] = given.get("class", "").removeprefix("language-")
        self.open.append((tag, entity))

    def _end(self, tag: str, at: int) -> None:
        if not self.open:
            raise _broken(f"Unexpected end tag at byte offset {at}")
        name, entity = self.open.pop()
        if tag != name:
            raise _broken(f'Unmatched end tag at byte offset {at}, expected "</{name}>", found "</{tag}>"')
        entity["length"] = units(self.text) - entity["offset"]
        inside_pre = name == "code" and self.open and self.open[-1][0] == "pre"
        # A link without an address stays text; empty entities vanish; a pre absorbs the code inside it.
        if entity["length"] and not inside_pre and entity.get("url", "-"):
            self.entities.append(entity)


@dataclass
class _MarkdownV2:
    source: str
    text: str = ""
    entities: list[Wire] = field(default_factory=list)
    open: list[tuple[str, Wire, int]] = field(default_factory=list)
    position: int = 0

    def parse(self) -> Formatted:
        while self.position < len(self.source):
            self._step()
        if self.open:
            _, entity, start = self.open[-1]
            raise _broken(
                f"Can't find end of {_NAMES.get(entity['type'], entity['type'])} entity at byte offset "
                f"{_byte_offset(self.source, start)}"
            )
        return Formatted(self.text, tuple(self.entities))

    def _step(self) -> None:
        source, at = self.source, self.position
        character = source[at]
        if character == "\\" and at + 1 < len(source) and ord(source[at + 1]) <= 126:
            self.text += source[at + 1]
            self.position += 2
        elif source.startswith("```", at):
            self._pre()
        elif character == "`":
            self._code()
        elif source.startswith("**>", at) and (at == 0 or source[at - 1] == "\n"):
            # An empty bold text separates a quotation from the one before it.
            self.position += 2
            self._quote()
        elif mark := next((mark for mark in _MARKS if source.startswith(mark, at)), ""):
            self._toggle(mark)
        elif character == "[" or source.startswith("![", at):
            skip = 2 if character == "!" else 1
            self.open.append(("[", {"type": "text_link", "offset": units(self.text)}, at))
            self.position += skip
        elif character == "]" and any(mark == "[" for mark, _, _ in self.open):
            self._link()
        elif character == ">" and (at == 0 or source[at - 1] == "\n"):
            self._quote()
        elif character in _RESERVED:
            raise _broken(f"Character '{character}' is reserved and must be escaped with the preceding '\\'")
        else:
            self.text += character
            self.position += 1

    def _toggle(self, mark: str) -> None:
        if self.open and self.open[-1][0] == mark:
            self._close()
        elif any(other == mark for other, _, _ in self.open):
            raise _broken(f"Can't find end of {_NAMES[self.open[-1][1]['type']]} entity at byte offset "
                          f"{_byte_offset(self.source, self.open[-1][2])}")  # fmt: skip
        else:
            self.open.append((mark, {"type": _MARKS[mark], "offset": units(self.text)}, self.position))
        self.position += len(mark)

    def _close(self) -> None:
        _, entity, _ = self.open.pop()
        entity["length"] = units(self.text) - entity["offset"]
        if entity["length"]:
            self.entities.append(entity)

    def _link(self) -> None:
        match = re.compile(r"\]\(((?:[^()\\]|\\.)*)\)").match(self.source, self.position)
        if self.open[-1][0] != "[":
            raise _broken(f"Can't find end of {_NAMES[self.open[-1][1]['type']]} entity at byte offset "
                          f"{_byte_offset(self.source, self.open[-1][2])}")  # fmt: skip
        if match is None:
            raise _broken(
                f"Can't find end of a URL at byte offset {_byte_offset(self.source, self.position)}"
            )
        self.open[-1][1]["url"] = re.sub(r"\\(.)", r"\1", match.group(1))
        self._close()
        if self.entities and not self.entities[-1].get("url", "-"):
            self.entities.pop()
        self.position = match.end()

    def _verbatim(self, opening: int, closing: str, kind: str) -> str:
        end = self.position + opening
        content = ""
        while not self.source.startswith(closing, end):
            if end >= len(self.source):
                raise _broken(
                    f"Can't find end of {_NAMES[kind]} entity at byte offset {_byte_offset(self.source, self.position)}"
                )
            if self.source[end] == "\\" and end + 1 < len(self.source):
                end += 1
            content += self.source[end]
            end += 1
        self.position = end + len(closing)
        return content

    def _pre(self) -> None:
        content = self._verbatim(3, "```", "pre")
        language, newline, rest = content.partition("\n")
        entity: Wire = {"type": "pre", "offset": units(self.text)}
        if newline and language and not re.search(r"\s", language):
            entity["language"], content = language, rest
        elif newline and not language:
            content = rest
        self.text += content
        entity["length"] = units(content)
        if content:
            self.entities.append(entity)

    def _code(self) -> None:
        content = self._verbatim(1, "`", "code")
        if content:
            self.entities.append({"type": "code", "offset": units(self.text), "length": units(content)})
        self.text += content

    def _quote(self) -> None:
        lines = re.compile(r"(?:>[^\n]*(?:\n(?=>)|))+").match(self.source, self.position)
        if lines is None:  # the first line starts with ">"
            raise _broken("Can't find end of BlockQuote entity")
        inner = "\n".join(line.removeprefix(">") for line in lines.group().split("\n"))
        kind = "expandable_blockquote" if inner.endswith("||") and inner.count("||") % 2 else "blockquote"
        quoted = _MarkdownV2(inner.removesuffix("||") if kind == "expandable_blockquote" else inner).parse()
        offset = units(self.text)
        self.entities.append({"type": kind, "offset": offset, "length": units(quoted.text)})
        self.entities += [{**entity, "offset": entity["offset"] + offset} for entity in quoted.entities]
        self.text += quoted.text
        self.position = lines.end()
