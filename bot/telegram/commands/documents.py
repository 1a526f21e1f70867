"""The list of documents, page by page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from bot.documents.library import Entry
from bot.telegram.commands.context import Context, Key, Keys, Reply
from bot.telegram.rendering import code, size, text_parts

PAGE: Final = "documents"

# A page is one message, whatever stands in the names.
_ON_A_PAGE: Final = 6
_DIGITS: Final = 7
_NAME_CHARACTERS: Final = 80
_NOTE_CHARACTERS: Final = 120


async def documents(context: Context) -> None:
    """Show the first page, or the one that is named."""
    number = context.argument or "1"
    if not (number.isascii() and number.isdigit() and len(number) < _DIGITS):
        await context.say("documents-how")
        return
    await context.show(await context.do("look", partial(_page, context, int(number))))


async def press_page(context: Context, argument: str) -> str:
    """Show another page in the same message."""
    if not (argument.isascii() and argument.isdigit() and len(argument) < _DIGITS):
        return context.text("press-too-late")
    await context.show(await context.do("look", partial(_page, context, int(argument))))
    return ""


async def _page(context: Context, number: int) -> Reply:
    entries = await context.services.library.entries()
    if not entries:
        return Reply.of(context.text("documents-none"))
    pages = -(-len(entries) // _ON_A_PAGE)
    # The list may have become shorter since the button was sent.
    number = min(max(number, 1), pages)
    shown = entries[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE]
    title = context.text("documents-title", documents=len(entries), page=number, pages=pages)
    text = "\n\n".join([title, *(_described(context, entry) for entry in shown)])
    return Reply(text_parts(text)[:1], _turning(number, pages))


def _described(context: Context, entry: Entry) -> str:
    name = code(_short(entry.name, _NAME_CHARACTERS))
    facts = [
        context.text("documents-passages", passages=entry.passages),
        size(entry.size, context.language),
        f"{entry.changed_at:%Y-%m-%d}" if entry.changed_at else "",
        context.text("documents-added") if entry.is_added else "",
    ]
    heading = f"{name} – {_short(entry.title, _NAME_CHARACTERS)}" if entry.title else name
    notes = [f"⚠ {_short(context.reason(note), _NOTE_CHARACTERS)}" for note in entry.notes[:1]]
    if len(entry.notes) > 1:
        notes.append(context.text("documents-more-notes", notes=len(entry.notes) - 1))
    return "\n".join([heading, " · ".join(fact for fact in facts if fact), *notes])


def similar(name: str, names: Sequence[str], limit: int = 3) -> tuple[str, ...]:
    """Return the names that somebody may have meant, the likeliest first."""
    from difflib import SequenceMatcher

    wanted = name.casefold()

    def likeness(known: str) -> float:
        folded = known.casefold()
        contained = wanted in folded or folded.rpartition(".")[0] in wanted
        return SequenceMatcher(None, wanted, folded).ratio() + contained

    ranked = sorted(names, key=lambda known: (-likeness(known), known))
    return tuple(known for known in ranked if likeness(known) >= 0.6)[:limit]


def _turning(number: int, pages: int) -> Keys:
    keys = []
    if number > 1:
        keys.append(Key("‹", f"{PAGE}:{number - 1}"))
    if number < pages:
        keys.append(Key("›", f"{PAGE}:{number + 1}"))
    return (tuple(keys),) if keys else ()


def _short(text: str, longest: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"
