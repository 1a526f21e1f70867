"""What a chat or a person chooses with buttons: how much is checked, and the language."""

from __future__ import annotations

from functools import partial
from typing import Final

from bot.service.languages import spoken
from bot.telegram.commands.context import Context, Key, Keys, Reply, Told, lines
from bot.telegram.rendering import code
from bot.terminal.drawing import mode_named
from bot.texts import TEXTS
from rag.values import MODES, Mode

MODE: Final = "mode"
LANGUAGE: Final = "language"

_AUTOMATIC: Final = "auto"
_LANGUAGES_IN_A_ROW: Final = 3


async def mode(context: Context) -> None:
    """Show the modes; the argument, or a button, chooses one for the chat."""
    wanted = mode_named(context.argument)
    if wanted is not None and may_choose(context):
        await context.do("carry out", partial(_set_mode, context, wanted))
    unknown = "" if wanted else context.argument
    await context.show(await context.do("look", partial(_modes, context, unknown)))


async def press_mode(context: Context, wanted: Mode) -> Told:
    """Choose a mode for the chat."""
    if not may_choose(context):
        return Told(context.text("mode-admins"))
    await context.do("carry out", partial(_set_mode, context, wanted))
    await context.show(await context.do("look", partial(_modes, context)))
    return Told(context.text("chat-mode", description=context.text(f"mode-name-{wanted}")))


def may_choose(context: Context) -> bool:
    """Whether somebody chooses for the chat: in groups the bot's administrators do, because all share it."""
    return context.is_private or context.is_admin


async def _set_mode(context: Context, wanted: Mode) -> None:
    await context.services.chats.set_mode(context.place.chat_id, wanted)


async def _modes(context: Context, unknown: str = "") -> Reply:
    chat = await context.services.chats.get(context.place.chat_id)
    now = chat.mode or context.services.settings.self_correction.mode
    described = [f"{'●' if known == now else '○'} {context.text(f'mode-{known}')}" for known in MODES]
    keys: Keys = ()
    if may_choose(context):
        keys = (
            tuple(
                Key(
                    _chosen(context, context.text(f"mode-name-{known}"), is_chosen=known == now),
                    f"{MODE}:{known}",
                )
                for known in MODES
            ),
        )
    note = "" if keys else context.text("mode-admins")
    title = context.text("mode-title")
    if unknown:
        title = context.text("chat-mode-unknown", mode=code(unknown))
    return Reply.of(lines([title, *described, note]), keys)


async def language(context: Context) -> None:
    """Show the languages; the argument, or a button, chooses one for the sender."""
    wanted = _language_named(context.argument)
    if wanted:
        context = await _speaking(context, wanted)
    unknown = "" if wanted else context.argument
    await context.show(await context.do("look", partial(_languages, context, unknown)))


def _language_named(name: str) -> str:
    """Return the code of a language that somebody typed by code or by its own name, or an empty string."""
    known = {TEXTS.text("language-name", language).casefold(): language for language in TEXTS.languages}
    wanted = name.strip().casefold()
    return wanted if wanted in {*TEXTS.languages, _AUTOMATIC} else known.get(wanted, "")


def read_language(text: str) -> str | None:
    """Return what a button carries: the code of a language, or the word for the one of the client."""
    return text if text in {*TEXTS.languages, _AUTOMATIC} else None


async def press_language(context: Context, wanted: str) -> Told:
    """Choose a language for the person who presses."""
    context = await _speaking(context, wanted)
    if context.is_private:
        await context.show(await context.do("look", partial(_languages, context)))
    # In a group the message speaks to whoever asked for it.
    return Told(context.text("language-set"))


async def _speaking(context: Context, wanted: str) -> Context:
    """Keep a language, and go on in it."""
    chosen = None if wanted == _AUTOMATIC else wanted
    if context.sender.kind == "person":
        await context.do("carry out", partial(context.services.users.set_language, context.sender.id, chosen))
    return context.speaking(spoken(context.sender, chosen))


async def _languages(context: Context, unknown: str = "") -> Reply:
    person = await context.services.users.get(context.sender.id)
    names = [
        Key(
            _chosen(context, TEXTS.text("language-name", known), is_chosen=known == person.language),
            f"{LANGUAGE}:{known}",
        )
        for known in TEXTS.languages
    ]
    rows = [
        tuple(names[first : first + _LANGUAGES_IN_A_ROW])
        for first in range(0, len(names), _LANGUAGES_IN_A_ROW)
    ]
    automatic = _chosen(context, context.text("language-telegram"), is_chosen=person.language is None)
    told = [context.text("language-unknown", name=code(unknown))] if unknown else []
    keys = (*rows, (Key(automatic, f"{LANGUAGE}:{_AUTOMATIC}"),))
    return Reply.of(lines([*told, context.text("language-choose")]), keys)


def _chosen(context: Context, label: str, *, is_chosen: bool) -> str:
    return context.text("button-chosen", button=label) if is_chosen else label
