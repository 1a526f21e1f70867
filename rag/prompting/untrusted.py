"""Delimiters around text that nobody vouches for.

Questions, documents, earlier messages and drafts are shown to a model between XML tags. Whoever
wrote such a text may try to close its tag and go on as if he were us, so everything inside that a
model could read as that tag (other case, spaces, invisible or look-alike characters, entities)
loses its angle bracket. All other characters stay as they were.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rag.values import Passage, Turn

_BRACKETS = "<＜﹤‹〈⟨❮❬❰˂ᐸ≺⧼"
_OPENING = re.compile(rf"[{_BRACKETS}]|&(?:lt|#0*60|#x0*3c);?", re.IGNORECASE)
_SLASHES = frozenset("/\\⁄∕⧸╱⟋／＼﹨⧵⧹")
_REPLACEMENT = "["

# Letters of other scripts that look like the Latin ones a tag is made of, after case folding.
_LOOK_ALIKES = str.maketrans(
    "асԁеһіјкмнорԛѕтувԝхгαβεηικνορτυχωıɡɑɩſ",
    "acdehijkmhopqstubwxrabenikvoptuxwigais",
)


@dataclass(frozen=True, slots=True)
class Item:
    """One untrusted text that gets an element of its own.

    Args:
        tag: Name of the element.
        text: What stands in it.
        label: What stands in brackets above it; may be empty.
    """

    tag: str
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Fenced:
    """Untrusted texts, each to be shown in an element of its own.

    Args:
        items: The texts.
        tags: Names that no text may open or close, besides those of the elements.
    """

    items: tuple[Item, ...]
    tags: tuple[str, ...] = ()

    def render(self, *others: str) -> str:
        """Return the elements, one below the other.

        Args:
            others: Names of the elements around them, which no text may open or close either.
        """
        tags = dict.fromkeys((*(item.tag for item in self.items), *self.tags, *others))
        return "\n".join(
            (f"[{item.label}]\n" if item.label else "") + fence(item.tag, item.text, *tags)
            for item in self.items
        )


def fence(tag: str, text: str, *others: str) -> str:
    """Put `text` between `<tag>` and `</tag>`, unable to close or reopen it.

    Args:
        tag: Name of the element, in ASCII letters, digits and `_`.
        text: The untrusted text.
        others: Names of further elements that it must not be able to open or close.

    Returns:
        The element; its content is `text` verbatim, but for the brackets of counterfeit tags.
    """
    return f"<{tag}>\n{_disarm(text, (tag, *others))}\n</{tag}>"


def number_passages(passages: Sequence[Passage]) -> Fenced:
    """Show passages as `[1]` and an element with name and text; `[n]` is what a writer cites.

    The name stands inside as well: whoever names a file or a heading is no more trusted than who fills it.
    """
    return labelled("passage", ((str(number), _named(passage)) for number, passage in enumerate(passages, 1)))


def labelled(tag: str, texts: Iterable[tuple[str, str]]) -> Fenced:
    """Show texts in elements of one name, each below its label: `[A]`.

    Args:
        tag: Name of the elements.
        texts: Labels and texts. A label is ours: it is not disarmed.
    """
    return Fenced(tuple(Item(tag, text, label) for label, text in texts))


def one_passage(passage: Passage) -> Fenced:
    """Show one passage with its name, without a number that a reader could copy into its answer."""
    return Fenced((Item("passage", _named(passage)),))


def dialogue(turns: Sequence[Turn], max_chars: int = 600) -> Fenced:
    """Show turns as `<user>` and `<assistant>` elements, oldest first, each cut to `max_chars`."""
    items = [Item(turn.role, _shorten(turn.text, max_chars)) for turn in turns]
    return Fenced((*items,), ("user", "assistant"))


def _shorten(text: str, max_chars: int) -> str:
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def _named(passage: Passage) -> str:
    """A passage below its name, which is cut to one line."""
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
    """Whether `text` from `start`, right behind a bracket, reads as the tag `name`, closing or not."""
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
    """Formatting, control and combining characters: a reader does not see them as separate signs."""
    return not character.isspace() and unicodedata.category(character) in {"Cf", "Cc", "Mn", "Me", "Cs"}


def _fold(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character).casefold().translate(_LOOK_ALIKES)
    return "".join(part for part in decomposed if not _is_invisible(part))
