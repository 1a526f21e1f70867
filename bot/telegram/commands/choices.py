"""Lets a chat choose its mode, model, council and sources of answers, and a person their language."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

from bot.service.languages import spoken
from bot.service.modes import find_mode
from bot.telegram.commands.context import Context, Key, Keys, Reply, Told, lines
from bot.telegram.rendering import code
from bot.texts import TEXTS
from rag.values import MODES, Mode

MODE: Final = "mode"
MODEL: Final = "model"
DOCUMENTS_ONLY: Final = "only"
LANGUAGE: Final = "language"

_AUTOMATIC: Final = "auto"
_SETTINGS_MODEL: Final = "default"
_MARK_LETTERS: Final = 16
"""A button carries at most 64 bytes, and names of models can be longer, so it carries the start of a hash."""
_LANGUAGES_IN_A_ROW: Final = 3


async def mode(context: Context) -> None:
    """Carry out `/mode`: choose the mode that the argument names, or show the modes as buttons."""
    wanted = find_mode(context.argument)
    choice = partial(context.parts.chats.set_mode, context.place.chat_id, wanted) if wanted else None
    unknown = "" if wanted else context.argument
    await _choose(context, choice, partial(_render_modes, context, unknown))


async def press_mode(context: Context, wanted: Mode) -> Told:
    """Carry out a press of a mode: choose it for the chat."""
    if not may_choose(context):
        return Told(context.text("mode-admins"))
    choice = partial(context.parts.chats.set_mode, context.place.chat_id, wanted)
    await _choose(context, choice, partial(_render_modes, context))
    return Told(context.text("chat-mode", description=context.text(f"mode-name-{wanted}")))


def may_choose(context: Context) -> bool:
    """Return whether the sender may choose for the chat: in groups only administrators of the bot may."""
    return context.is_private or context.is_admin


async def _choose(
    context: Context,
    choice: Callable[[], Awaitable[object]] | None,
    render: Callable[[], Awaitable[Reply]],
) -> None:
    """Store a choice for the chat, if there is one that the sender may make, and show what is chosen now."""
    if choice is not None and may_choose(context):
        await context.do("carry out", choice)
    await context.show(await context.do("look", render))


async def _render_modes(context: Context, unknown: str = "") -> Reply:
    chat = await context.parts.chats.get(context.place.chat_id)
    now = chat.mode or context.parts.settings.self_correction.mode
    described = [f"{'●' if known == now else '○'} {context.text(f'mode-{known}')}" for known in MODES]
    keys: Keys = ()
    if may_choose(context):
        keys = (
            tuple(
                Key(
                    context.mark(context.text(f"mode-name-{known}"), is_chosen=known == now),
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


async def model(context: Context) -> None:
    """Carry out `/model`: choose the model that the argument names, or show the models as buttons."""
    wanted = context.argument.strip()
    is_known = wanted == _SETTINGS_MODEL or wanted in _offered(context)
    choice = partial(_set_model, context, wanted) if is_known else None
    await _choose(context, choice, partial(_render_models, context, "" if is_known else wanted))


async def press_model(context: Context, mark: str) -> Told:
    """Carry out a press of a model: choose it for the chat."""
    if not may_choose(context):
        return Told(context.text("model-admins"))
    wanted = next((name for name in (_SETTINGS_MODEL, *_offered(context)) if _mark(name) == mark), "")
    choice = partial(_set_model, context, wanted) if wanted else None
    await _choose(context, choice, partial(_render_models, context))
    return Told(context.text("model-set") if wanted else context.text("model-gone"))


def _offered(context: Context) -> tuple[str, ...]:
    return context.parts.settings.models.choices


def _mark(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:_MARK_LETTERS]


async def _set_model(context: Context, wanted: str) -> None:
    name = "" if wanted == _SETTINGS_MODEL else wanted
    await context.parts.chats.set_model(context.place.chat_id, name)


async def _render_models(context: Context, unknown: str = "") -> Reply:
    offered = _offered(context)
    if not offered:
        return Reply.of(context.text("model-none"))
    chosen = (await context.parts.chats.get(context.place.chat_id)).model
    now = chosen if chosen in offered else _SETTINGS_MODEL
    usual = context.parts.settings.models.named("writer")
    labels = {_SETTINGS_MODEL: context.text("model-usual", name=usual), **{name: name for name in offered}}
    described = [
        f"{'●' if name == now else '○'} "
        + (context.text("model-usual", name=code(usual)) if name == _SETTINGS_MODEL else code(name))
        for name in labels
    ]
    keys: Keys = ()
    if may_choose(context):
        keys = tuple(
            (Key(context.mark(label, is_chosen=name == now), f"{MODEL}:{_mark(name)}"),)
            for name, label in labels.items()
        )
    title = context.text("model-unknown", name=code(unknown)) if unknown else context.text("model-title")
    return Reply.of(lines([title, *described, "" if keys else context.text("model-admins")]), keys)


async def settings(context: Context) -> None:
    """Carry out `/settings`: show what is chosen for the chat."""
    await context.show(await context.do("look", partial(_render_settings, context)))


async def press_documents_only(context: Context, is_on: bool) -> Told:
    """Carry out a press of the switch: choose for the chat whether documents alone may answer."""
    if not may_choose(context):
        return Told(context.text("settings-admins"))
    choice = partial(context.parts.chats.set_documents_only, context.place.chat_id, is_on=is_on)
    await _choose(context, choice, partial(_render_settings, context))
    return Told(context.text("documents-only-on" if is_on else "documents-only-off"))


async def _render_settings(context: Context) -> Reply:
    chat, usual = (
        await context.parts.chats.get(context.place.chat_id),
        context.parts.settings,
    )
    is_on = usual.self_correction.documents_only if chat.documents_only is None else chat.documents_only
    now = context.text(f"mode-{chat.mode or usual.self_correction.mode}")
    model = chat.model if chat.model in _offered(context) else usual.models.named("writer")
    said = [
        context.text("settings-title"),
        f"/mode · {now}",
        f"/model · {code(model)}",
        context.text("documents-only-on" if is_on else "documents-only-off"),
    ]
    if not may_choose(context):
        return Reply.of(lines([*said, context.text("settings-admins")]))
    switch = context.mark(context.text("button-documents-only"), is_chosen=is_on)
    return Reply.of(lines(said), ((Key(switch, f"{DOCUMENTS_ONLY}:{'off' if is_on else 'on'}"),),))


async def language(context: Context) -> None:
    """Carry out `/language`: choose the language that the argument names, or show languages as buttons."""
    wanted = _language_named(context.argument)
    if wanted:
        context = await _switch_language(context, wanted)
    unknown = "" if wanted else context.argument
    await context.show(await context.do("look", partial(_render_languages, context, unknown)))


def _language_named(name: str) -> str:
    """Return the code of a language typed as code or as the language's own name, or an empty string."""
    known = {TEXTS.text("language-name", language).casefold(): language for language in TEXTS.languages}
    wanted = name.strip().casefold()
    return wanted if wanted in {*TEXTS.languages, _AUTOMATIC} else known.get(wanted, "")


def read_language(text: str) -> str | None:
    """Return the language code that a button carries, or `_AUTOMATIC`; None for anything else."""
    return text if text in {*TEXTS.languages, _AUTOMATIC} else None


async def press_language(context: Context, wanted: str) -> Told:
    """Carry out a press of a language: choose it for the presser."""
    context = await _switch_language(context, wanted)
    if context.is_private:
        await context.show(await context.do("look", partial(_render_languages, context)))
    # In a group the message stays in the language of the person who sent the command.
    return Told(context.text("language-set"))


async def _switch_language(context: Context, wanted: str) -> Context:
    chosen = None if wanted == _AUTOMATIC else wanted
    if context.sender.kind == "person":
        await context.do("carry out", partial(context.parts.users.set_language, context.sender.id, chosen))
    return replace(context, language=spoken(context.sender, chosen))


async def _render_languages(context: Context, unknown: str = "") -> Reply:
    person = await context.parts.users.get(context.sender.id)
    names = [
        Key(
            context.mark(TEXTS.text("language-name", known), is_chosen=known == person.language),
            f"{LANGUAGE}:{known}",
        )
        for known in TEXTS.languages
    ]
    rows = [
        tuple(names[first : first + _LANGUAGES_IN_A_ROW])
        for first in range(0, len(names), _LANGUAGES_IN_A_ROW)
    ]
    automatic = context.mark(context.text("language-telegram"), is_chosen=person.language is None)
    told = [context.text("language-unknown", name=code(unknown))] if unknown else []
    keys = (*rows, (Key(automatic, f"{LANGUAGE}:{_AUTOMATIC}"),))
    return Reply.of(lines([*told, context.text("language-choose")]), keys)


async def council(context: Context) -> None:
    """Say how to ask the council; ``on`` and ``off`` decide for the chat."""
    switch = context.argument.casefold()
    if switch in {"on", "off"}:
        if not context.is_admin:
            await context.say("refused-admins-only")
            return
        chats, chat_id = context.parts.chats, context.place.chat_id
        await context.do("carry out", partial(chats.set_council, chat_id, is_on=switch == "on"))
        await context.say(f"council-switched-{switch}")
        return
    await context.show(await context.do("look", partial(_tell_how_to_ask, context)))


async def _tell_how_to_ask(context: Context) -> Reply:
    services = context.services
    settings = services.parts.settings.council
    if not settings.members:
        return Reply.of(context.text("council-no-members"))
    chat = await services.parts.chats.get(context.place.chat_id)
    return Reply.of(
        lines(
            [
                context.text("council-how", members=len(settings.members), limit=settings.chat_per_day),
                "" if chat.has_council else context.text("council-off"),
                context.text("council-how-admins") if context.is_admin else "",
            ]
        )
    )
