"""Find the code in a Markdown text.

Everything that reads prose must skip code, and everything that repairs prose must not change it. Both use
this module, so that they agree.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

_FENCE = regex.compile(r"^[ \t>]*(`{3,}|~{3,})([^\n]*)$", regex.MULTILINE)
# One line only, and bounded: a stray backtick must neither swallow a paragraph nor cause a scan of the whole
# text.
_INLINE = regex.compile(r"(?<!`)(`{1,8})(?!`)([^\n]{1,500}?)(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced code block.

    Args:
        start: Offset of the opening fence's line.
        end: Offset of the end of the closing fence, or of the text.
        fence: The opening fence's marks (three or more backticks or tildes).
    """

    start: int
    end: int
    fence: str
    closed: bool


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Inline code, including its backticks."""

    start: int
    end: int


def code_blocks(text: str) -> tuple[CodeBlock, ...]:
    """Find the fenced code blocks of `text`, in order; an unclosed one reaches to the end."""
    if "```" not in text and "~~~" not in text:
        return ()
    blocks: list[CodeBlock] = []
    start, fence = 0, ""
    for line in _FENCE.finditer(text):
        marks, rest = line.group(1), line.group(2)
        if not fence:
            if marks[0] == "`" and "`" in rest:
                continue  # ```code``` on one line is a span, not a block
            start, fence = line.start(), marks
        elif marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip():
            blocks.append(CodeBlock(start, line.end(), fence, closed=True))
            fence = ""
    if fence:
        blocks.append(CodeBlock(start, len(text), fence, closed=False))
    return tuple(blocks)


def code_spans(text: str) -> tuple[CodeSpan, ...]:
    """Find the inline code of `text`, outside its code blocks, in order."""
    if "`" not in text:
        return ()
    spans: list[CodeSpan] = []
    position = 0
    for block in (*code_blocks(text), CodeBlock(len(text), len(text), "", closed=True)):
        spans += [
            CodeSpan(match.start(), match.end()) for match in _INLINE.finditer(text, position, block.start)
        ]
        position = block.end
    return tuple(spans)


def without_code(text: str, fill: str = " ") -> str:
    """Replace each character of code by `fill`; line breaks and offsets stay."""
    blocks = [(block.start, block.end) for block in code_blocks(text)]
    return blank(text, blocks + [(span.start, span.end) for span in code_spans(text)], fill)


def blank(text: str, stretches: list[tuple[int, int]], fill: str = " ") -> str:
    """Replace each character of the stretches ``(start, end)`` by `fill`; line breaks and offsets stay."""
    pieces: list[str] = []
    position = 0
    for start, end in sorted(stretches):
        if end <= position:
            continue
        begin = max(start, position)
        pieces.append(text[position:begin])
        pieces.append("".join("\n" if character == "\n" else fill for character in text[begin:end]))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)
