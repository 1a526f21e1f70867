"""Put delimiters around untrusted text, which the text itself cannot close.

Questions, documents, earlier messages and drafts are shown to a model between XML tags. Their author may try
to close the tag and write instructions after it. So everything inside that a model could read as that tag
(other case, spaces, invisible or look-alike characters, entities) loses its angle bracket. All other
characters stay unchanged.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.language.sentences import without_markers
from rag.values import Passage, Turn

_BRACKETS = "<＜﹤‹〈⟨❮❬❰˂ᐸ≺⧼"
_OPENING = re.compile(rf"[{_BRACKETS}]|&(?:lt|#0*60|#x0*3c);?", re.IGNORECASE)
_FRAME = re.compile(r"\A(?:[^\n“>]*[:：]\s+)?(?=“|> |\[1\]\n\n>)")
"""What stands before a quotation: "Probably **27 days**: ", and "The documents say:" in former answers."""
_QUOTATION = re.compile(r"^(?:\[\d+\]\n\n|> ?|“)|”(?= \[\d+\]$)|\*\*", re.MULTILINE)
_SLASHES = frozenset("/\\⁄∕⧸╱⟋／＼﹨⧵⧹")
_REPLACEMENT = "["

# Letters of other scripts that look like Latin letters in tags, after case folding.
_LOOK_ALIKES = str.maketrans(
    "асԁеһіјкмнорԛѕтувԝхгαβεηικνορτυχωıɡɑɩſ",
    "acdehijkmhopqstubwxrabenikvoptuxwigais",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One untrusted text in an element of its own, below `label` in brackets if that is not empty."""

    tag: str
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Fenced:
    """Untrusted texts, each in an element of its own; none can open or close an element of `tags` either."""

    items: tuple[Item, ...]
    tags: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the elements, and those that no text can open or close either."""
        return tuple(dict.fromkeys((*(item.tag for item in self.items), *self.tags)))

    def render(self, *others: str) -> str:
        """Return the elements, one below the other; no text can open or close `others` either."""
        tags = dict.fromkeys((*self.names, *others))
        return "\n".join(
            (f"[{item.label}]\n" if item.label else "") + fence(item.tag, item.text, *tags)
            for item in self.items
        )


def fence(tag: str, text: str, *others: str) -> str:
    """Put `text` between `<tag>` and `</tag>`, unable to close or reopen the tag.

    Args:
        tag: Name of the element, in ASCII letters, digits and `_`.
        others: Names of further elements that it must not be able to open or close.

    Returns:
        The element; its content is `text` verbatim, except the brackets of counterfeit tags.
    """
    return f"<{tag}>\n{_disarm(text, (tag, *others))}\n</{tag}>"


def number_passages(passages: Sequence[Passage]) -> Fenced:
    """Show each passage as `[1]` and an element with its name and text; writers cite `[n]`.

    The name is inside the element too, because file names and headings are as untrusted as the text.
    """
    return labelled(
        "passage", ((str(number), _title_passage(passage)) for number, passage in enumerate(passages, 1))
    )


def labelled(tag: str, texts: Iterable[tuple[str, str]]) -> Fenced:
    """Show texts in elements of one name, each below its label: `[A]`.

    Labels must be trusted, because they are not disarmed.
    """
    return Fenced(tuple(Item(tag, text, label) for label, text in texts))


def one_passage(passage: Passage) -> Fenced:
    """Show one passage with its name, without a number that a reader could copy into its answer."""
    return Fenced((Item("passage", _title_passage(passage)),))


def dialogue(turns: Sequence[Turn], max_chars: int = 600) -> Fenced:
    """Show turns as `<user>` and `<assistant>` elements, oldest first, each cut to `max_chars`.

    Answers stand there without what surrounds a quotation: a model would write the same around its own text.
    """
    items = [Item(turn.role, _shorten(_unframe(turn), max_chars)) for turn in turns]
    return Fenced((*items,), ("user", "assistant"))


def _unframe(turn: Turn) -> str:
    frame = _FRAME.match(turn.text) if turn.role == "assistant" else None
    return without_markers(_QUOTATION.sub("", turn.text[frame.end() :])).strip() if frame else turn.text


def _shorten(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def _title_passage(passage: Passage) -> str:
    name = f"{passage.document} › {passage.section}" if passage.section else passage.document
    return f"{_shorten(' '.join(name.split()), 200)}\n{passage.text}"


def _disarm(text: str, tags: Iterable[str]) -> str:
    names = tuple({tag.casefold() for tag in tags})
    pieces: list[str] = []
    kept = 0
    for opening in _OPENING.finditer(text):
        if any(_is_tag(text, opening.end(), name) for name in names):
            pieces += text[kept : opening.start()], _REPLACEMENT
            kept = opening.end()
    return "".join((*pieces, text[kept:]))


def _is_tag(text: str, start: int, name: str) -> bool:
    """Return whether `text` from `start`, just after a bracket, reads as the tag `name`, closing or not."""
    matched = ""
    for position in range(start, len(text)):
        character = text[position]
        if _is_invisible(character) or (not matched and (character.isspace() or character in _SLASHES)):
            continue
        folded = _fold(character)
        if matched == name:
            return not (folded[:1].isalnum() or folded.startswith("_"))
        matched += folded
        if not name.startswith(matched):
            return False
    return matched == name


def _is_invisible(character: str) -> bool:
    """Return whether a character is formatting, control or combining, and so not seen as a sign."""
    return not character.isspace() and unicodedata.category(character) in {"Cf", "Cc", "Mn", "Me", "Cs"}


def _fold(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character).casefold().translate(_LOOK_ALIKES)
    return "".join(part for part in decomposed if not _is_invisible(part))
