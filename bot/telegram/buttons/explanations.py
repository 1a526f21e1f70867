"""What stands behind an answer: its sources, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.service.explanations import Explanations, Subject
from bot.service.incoming import Commanded, Place
from bot.service.people import Ask
from bot.telegram.outbound.messages import post
from bot.telegram.outbound.sender import ALERT_CHARACTERS, Delivery
from bot.telegram.rendering import Part, text_parts
from bot.telegram.rendering.council import member_parts, ranking_parts
from bot.telegram.rendering.sources import sources_parts
from bot.telegram.rendering.trail import trail_parts
from bot.texts import TEXTS
from rag.loop.run import RunStep
from rag.values import Answer

STEPS = ("look up",)
"""Names of the steps, besides those of posting."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown for a pressed button: messages, or a few words for the presser alone."""

    parts: tuple[Part, ...] = ()
    alert: str = ""


class Showing:
    """Shows what stands behind answers.

    Args:
        explanations: Finds the answers.
        delivery: The way out.
    """

    def __init__(self, explanations: Explanations, delivery: Delivery) -> None:
        self._explanations = explanations
        self._delivery = delivery

    async def command(self, commanded: Commanded, subject: Subject, run_step: RunStep) -> None:
        """Carry out `/sources` or `/why`: of the answer replied to, else of the latest one here.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: something cannot be read.
        """
        message = commanded.message
        parts: tuple[Part, ...] = await run_step("look up", partial(self._asked_for, commanded, subject))
        await self.show(parts, message.place, message.message_id, run_step)

    async def look_up(
        self, ask: Ask, subject: Subject, language: str, by: str, member: int | None = None
    ) -> Shown:
        """Return what a button shows; what was shown a moment ago is not shown again.

        Args:
            ask: The question.
            subject: What is asked for.
            language: ISO 639-1 code of the presser's language.
            by: The work for the press; asked again for the same work, the outcome stays.
            member: Whose text is asked for, where the subject is one of a council's member.
        """
        answer = await self._explanations.answer(ask)
        if answer is None:
            return Shown(alert=TEXTS.text("press-gone", language))
        parts = _parts(answer, subject, language, member)
        if not parts:
            return Shown(alert=TEXTS.text("press-gone", language))
        if len(parts) == 1 and len(parts[0].text) <= ALERT_CHARACTERS:
            return Shown(alert=parts[0].text)
        is_due = await self._explanations.is_due(ask, subject, by, member)
        return Shown(parts) if is_due else Shown(alert=TEXTS.text("press-shown", language))

    async def show(self, parts: Sequence[Part], place: Place, reply_to: int, run_step: RunStep) -> None:
        """Send messages; the first one replies, also in a private chat: it may be about an old answer."""
        await post(run_step, self._delivery, place, parts, reply_to=reply_to)

    async def _asked_for(self, commanded: Commanded, subject: Subject) -> tuple[Part, ...]:
        meant = await self._explanations.meant_by(commanded)
        if meant.answer is None:
            return text_parts(TEXTS.text("chat-nothing-yet", meant.language))
        return _parts(meant.answer, subject, meant.language)


def _parts(answer: Answer, subject: Subject, language: str, member: int | None = None) -> tuple[Part, ...]:
    match subject:
        case "sources":
            return sources_parts(answer, language)
        case "why":
            return trail_parts(answer, language)
        case "ranking":
            return () if answer.council is None else ranking_parts(answer.council, language)
        case "original" | "corrected":
            if answer.council is None or member is None:
                return ()
            return member_parts(answer.council, member, subject, language)
