"""The language of the bot's own messages to a person; answers are in the language of their question."""

from __future__ import annotations

from bot.service.incoming import Sender
from bot.service.people import Person
from bot.texts import TEXTS
from rag.texts import FALLBACK


def spoken(sender: Sender, chosen: str | None = None) -> str:
    """Return the ISO 639-1 code of the language for messages to a sender; a catalogue exists for it.

    The person's program may report a region as well (``pt-br``); `chosen` is the choice of `/language`.
    """
    return _find_known(chosen or sender.language)


def spoken_to(person: Person) -> str:
    """Return the ISO 639-1 code of the language for messages to a stored person."""
    return _find_known(person.language or person.client_language)


def _find_known(language: str) -> str:
    wanted = language.partition("-")[0].casefold()
    return wanted if wanted in TEXTS.languages else FALLBACK
