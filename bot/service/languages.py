"""The language in which the bot speaks to somebody; answers are in the language of their question."""

from __future__ import annotations

from bot.service.incoming import Sender
from bot.service.people import Person
from bot.texts import TEXTS
from rag.texts import FALLBACK


def spoken(sender: Sender, chosen: str | None = None) -> str:
    """Return the ISO 639-1 code of a language that there are texts in.

    Args:
        sender: Whose Telegram tells its language, perhaps with a region (``pt-br``).
        chosen: What `/language` chose, or None.
    """
    return _known(chosen or sender.language)


def spoken_to(person: Person) -> str:
    """Return the same of somebody who has not just written."""
    return _known(person.language or person.client_language)


def _known(language: str) -> str:
    wanted = language.partition("-")[0].casefold()
    return wanted if wanted in TEXTS.languages else FALLBACK
