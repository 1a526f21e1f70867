"""Spoken questions: a recording is turned into text before anything else is done with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Final

import structlog

from bot.service.errors import ChatGoneError, DeliveryError, StorageError
from bot.service.incoming import Asked, File, Place, Recording
from bot.service.spending import Spent, metered
from bot.texts import TEXTS
from rag.errors import InputError, ModelError
from rag.language.visible import one_line
from rag.models.transcription import Transcript
from rag.reasons import Reason
from rag.runs.run import Outcome, RunStep

_log = structlog.get_logger(__name__)

STEPS: Final = ("listen",)

_SHOWN_CHARACTERS: Final = 300


def say_what_was_heard(text: str, language: str) -> str:
    """Return the line that shows what was understood of a recording."""
    heard = one_line(text)
    shown = heard if len(heard) <= _SHOWN_CHARACTERS else f"{heard[:_SHOWN_CHARACTERS]}…"
    return TEXTS.reason(Reason("recording-heard", {"text": shown}), language)


class Listening:
    """Turns recordings into text, and passes every question on.

    Args:
        transcribe: Returns what is said in a file, given its content and its name; raises `ModelError`.
        download: Returns the content of a file; raises `InputError` or `DeliveryError`.
        max_seconds: A longer recording is not listened to.
    """

    def __init__(
        self,
        transcribe: Callable[[bytes, str], Awaitable[Transcript]],
        download: Callable[[File], Awaitable[bytes]],
        typing: Callable[[Place], Awaitable[object]],
        max_seconds: int,
        spent: Spent,
        then: Callable[[Asked, RunStep], Awaitable[None]],
    ) -> None:
        self._transcribe = transcribe
        self._download = download
        self._typing = typing
        self._max_seconds = max_seconds
        self._spent = spent
        self._then = then

    async def __call__(self, asked: Asked, run_step: RunStep) -> None:
        """Take a question; one that is not spoken is passed on as it is.

        Raises:
            ChatGoneError: the chat cannot be written to.
            DeliveryError: the channel does not take the answer.
            OperatorError: something cannot be kept.
        """
        if asked.recording is not None:
            place, sender = asked.message.place, asked.message.sender
            counted = metered(run_step, self._spent, chat_id=place.chat_id, user_id=sender.id)
            heard: Outcome[str | None] = await counted(
                "listen", partial(self._listen, place, asked.recording)
            )
            asked = replace(asked, text=heard.value) if heard.value else replace(asked, unheard=heard.detail)
        await self._then(asked, run_step)

    async def _listen(self, place: Place, recording: Recording) -> Outcome[str | None]:
        """Return what was said; None with the reason why nothing was understood."""
        if recording.seconds > self._max_seconds:
            return Outcome(
                None,
                Reason("recording-too-long", {"seconds": recording.seconds, "limit": self._max_seconds}),
            )
        try:
            await self._typing(place)
            transcript = await self._transcribe(await self._download(recording.file), recording.file.name)
        except InputError:
            return Outcome(None, Reason("recording-too-big"))
        except (ChatGoneError, StorageError):
            raise
        except (DeliveryError, ModelError) as exc:
            _log.warning("a recording was not understood", chat=place.chat_id, reason=str(exc))
            return Outcome(None, Reason("recording-failed"))
        if not transcript.text.strip():
            return Outcome(None, Reason("recording-empty"), transcript.calls)
        return Outcome(
            transcript.text, Reason("recording-heard", {"text": transcript.text}), transcript.calls
        )
