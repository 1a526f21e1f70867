"""Shows the sources of an answer and how it was produced, for buttons and commands."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from telegram.constants import FileSizeLimit

from bot.documents.library import Library
from bot.service.explanations import Explanations, Subject
from bot.service.incoming import Commanded, Place
from bot.service.people import Ask
from bot.telegram.commands.context import Key, Keys, keyboard
from bot.telegram.outbound.messages import Posted, post, send_file
from bot.telegram.outbound.sender import ALERT_CHARACTERS, Delivery
from bot.telegram.rendering import Part, draw, draw_one, text_parts
from bot.telegram.rendering.characters import shorten, utf16_length
from bot.texts import TEXTS
from bot.views import answers, councils
from bot.views.blocks import Blocks, paragraph
from rag.runs.run import RunStep
from rag.values import Answer

FILE: Final = "file"
"""Verb in the payload of the buttons that send a file."""

_LABEL_CHARACTERS: Final = 40
_QUESTION_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class Shown:
    """Messages, or an alert for the presser alone; with messages, `alert` is for one who cannot get them."""

    parts: tuple[Part, ...] = ()
    alert: str = ""
    files: Keys = ()


class Showing:
    """Shows the explanations of answers; files of documents without an address are sent on request."""

    def __init__(
        self, explanations: Explanations, delivery: Delivery, library: Library, username: str
    ) -> None:
        self._username = username
        self._explanations = explanations
        self._delivery = delivery
        self._library = library

    async def command(self, commanded: Commanded, subject: Subject, run_step: RunStep) -> None:
        """Carry out `/sources` or `/why` for the answer replied to, or the chat's latest answer."""
        message = commanded.message
        shown: Shown = await run_step("look up", partial(self._find_asked_for, commanded, subject))
        await self.show(shown, message.place, message.message_id, run_step)

    async def look_up(
        self,
        ask: Ask,
        subject: Subject,
        language: str,
        by: str,
        place: Place,
        member: int | None = None,
    ) -> Shown:
        """Return the explanation for a press, or an alert when it was shown a moment ago or is not available.

        For a press in a group it begins with the question, because it is sent to a private chat.

        Args:
            by: Id of the job for the press; the same id gets the same result.
            member: Place of the council member whose text is shown, from 0; None for other subjects.
        """
        answer = await self._explanations.load_answer(ask)
        if answer is None:
            return Shown(alert=TEXTS.text("press-gone", language))
        view = _view(answer, subject, language, member)
        parts = draw(view)
        if not parts:
            return Shown(alert=TEXTS.text("press-gone", language))
        files = await self._list_files(answer, ask, subject, language)
        if not files and not _has_links(parts) and len(parts) == 1 and len(parts[0].text) <= ALERT_CHARACTERS:
            return Shown(alert=parts[0].text)
        if place.kind != "private":
            hint = TEXTS.text("press-start-first", language, username=self._username)
            some = draw_one(view, limit=ALERT_CHARACTERS - utf16_length(hint) - 2).text
            asked = paragraph(shorten(answer.question, _QUESTION_CHARACTERS), "bold")
            return Shown(draw((asked, *view)), f"{some}\n\n{hint}", files)
        is_due = await self._explanations.is_due(ask, subject, by, place.chat_id, member)
        return Shown(parts, files=files) if is_due else Shown(alert=TEXTS.text("press-shown", language))

    async def show(self, shown: Shown, place: Place, reply_to: int, run_step: RunStep) -> tuple[Posted, ...]:
        """Send the messages; the first is a reply, also in a private chat: the answer may be an old one."""
        buttons = keyboard(shown.files)
        return await post(
            run_step, self._delivery, place, shown.parts, after=reply_to, is_reply=True, keyboard=buttons
        )

    async def send_file(
        self, ask: Ask, number: int, place: Place, reply_to: int, language: str, by: str
    ) -> str:
        """Send the file of a cited source; return an alert for the presser if it is not sent, otherwise "".

        Only documents that the answer cites are sent: the button carries the number of the citation.
        """
        answer = await self._explanations.load_answer(ask)
        cited = next((one for one in answer.citations if one.n == number), None) if answer else None
        file = await self._library.source_file(cited.source) if cited else None
        if file is None or file.size > FileSizeLimit.FILESIZE_UPLOAD:
            return TEXTS.text("press-no-file", language)
        if not await self._explanations.is_due(ask, f"file{number}", by, place.chat_id):
            return TEXTS.text("press-shown", language)
        try:
            content = await asyncio.to_thread(file.path.read_bytes)
        except OSError:
            return TEXTS.text("press-no-file", language)
        await send_file(self._delivery, place, file.name, content, after=reply_to, is_reply=True)
        return ""

    async def _find_asked_for(self, commanded: Commanded, subject: Subject) -> Shown:
        meant = await self._explanations.meant_by(commanded)
        if meant.answer is None or meant.ask is None:
            return Shown(text_parts(TEXTS.text("chat-nothing-yet", meant.language)))
        files = await self._list_files(meant.answer, meant.ask, subject, meant.language)
        return Shown(draw(_view(meant.answer, subject, meant.language)), files=files)

    async def _list_files(self, answer: Answer, ask: Ask, subject: Subject, language: str) -> Keys:
        """Return a button for each cited document that has a file but no address."""
        buttons: dict[str, tuple[Key]] = {}
        if subject == "sources":
            for citation in answer.citations:
                if citation.url or not citation.source or citation.source in buttons:
                    continue
                file = await self._library.source_file(citation.source)
                if file is not None and file.size <= FileSizeLimit.FILESIZE_UPLOAD:
                    name = shorten(file.name, _LABEL_CHARACTERS)
                    label = TEXTS.text("button-file", language, n=citation.n, name=name)
                    buttons[citation.source] = (Key(label, f"{FILE}:{ask.id}:{citation.n}"),)
        return tuple(buttons.values())


def _has_links(parts: Sequence[Part]) -> bool:
    """Return whether the messages contain links, which an alert cannot show."""
    return any(entity.url for part in parts for entity in part.entities)


def _view(answer: Answer, subject: Subject, language: str, member: int | None = None) -> Blocks:
    match subject:
        case "sources":
            return answers.sources(answer, language)
        case "why":
            return answers.why(answer, language)
        case "ranking":
            return () if answer.council is None else councils.ranking(answer.council, language)
        case "original" | "corrected":
            if answer.council is None or member is None:
                return ()
            return councils.member(answer.council, member, subject, language)
