"""A whole interview as its person sees it, for the documentation: the real bot, and a model that plays its part.

`python -m tests.support.shown_chats` writes the page again.
"""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest

from rag.interview.missions import SHIPPED, load_mission
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.conftest import REPOSITORY
from tests.support.mission_model import MissionModel
from tests.support.missions import MissionRow, Utterance
from tests.support.wired import Stage, staged
from tests.telegram.people import Sent

PAGE = REPOSITORY / "docs" / "what-an-interview-looks-like.md"

_DOCUMENT = "# Отпуск\n\nЗаявление на отпуск подают за две недели.\n"
_ANSWER = "Заявление на отпуск подают за две недели"

_OPENING = Utterance(
    text="ООО «Север» сдаёт в аренду строительный кран, нам это нужно с 1 июня 2026 года.",
    states={
        "/parties/0/name": ("ООО «Север»", "ООО «Север»"),
        "/contract/kind": ("аренда", "аренду"),
        "/subject/description": ("строительный кран", "строительный кран"),
        "/dates/start": ("1 июня 2026 года", "1 июня 2026 года"),
    },
)
_SAID = (
    Utterance(text="Арендодатель", states={"/parties/0/role": ("арендодатель", "Арендодатель")}),
    Utterance(
        text="Арендатор – ИП Лебедев",
        states={
            "/parties/1/role": ("арендатор", "Арендатор"),
            "/parties/1/name": ("ИП Лебедев", "ИП Лебедев"),
        },
    ),
    Utterance(text="один кран", states={"/subject/quantity": ("один кран", "один кран")}),
    Utterance(text="80 000 рублей", states={"/money/price": ("80 000 рублей", "80 000 рублей")}),
    Utterance(
        text="до пятого числа, и я ошибся: 90 000 рублей в месяц",
        states={
            "/money/payment_terms": ("до пятого числа", "до пятого числа"),
            "/money/price": ("90 000 рублей в месяц", "90 000 рублей в месяц"),
        },
    ),
    Utterance(
        text="одиннадцать месяцев", states={"/dates/term": ("одиннадцать месяцев", "одиннадцать месяцев")}
    ),
)


class _Model:
    def __init__(self) -> None:
        mission = load_mission(SHIPPED / "contract_ru")
        row = MissionRow(
            id="shown",
            pack=mission.id,
            opening=_OPENING,
            answers={"/": _SAID},
            hidden={},
        )
        self._interviewer = MissionModel(row, mission)

    def __call__(self, request: ChatRequest) -> Reply:
        if request.role == "interviewer":
            return self._interviewer(request)
        if request.role == "reader":
            return "за две недели"
        if request.purpose == "word":
            return "Оплата производится до пятого числа."
        return f"{_ANSWER} [1]." if request.purpose == "regenerate" else f"{_ANSWER}."


_TEXT = """# What does an interview look like?

A whole interview, as the person sees it: what a contract needs, with the mission pack `contract_ru`. It is played by the real bot against the Telegram server of the tests, with a scripted model; `python -m tests.support.shown_chats` writes this page, and a test compares the two. The second message of the bot is the summary: it is kept up to date, and here it shows its last state.

In between, a question that the documents cover is answered, an answer is taken back, and a contradiction is settled by a button.

{transcript}

## The document

What stands in the file for Word; a model has worded clause 3.2, and code has filled in the rest.

{document}
"""


async def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    corpus = folder / "corpus"
    corpus.mkdir()
    (corpus / "отпуск.md").write_text(_DOCUMENT, encoding="utf-8")
    async with staged(folder, ScriptedModel(_Model()), monkeypatch) as stage:
        anna = stage.telegram.user("Анна", language_code="ru")
        chat = stage.telegram.private(anna)

        async def says(*texts: str) -> None:
            for text in texts:
                await _send(stage, anna.says(chat, text))

        async def presses(button: str) -> None:
            asked = next(message for message in reversed(chat.answers) if message.buttons)
            await _send(stage, anna.presses(asked, button))

        await says("/interview")
        await presses("Договор аренды или поставки")
        await says(_OPENING.text, "Арендодатель")
        await says("За сколько подают заявление на отпуск?")
        await says("Арендатор – ИП Лебедев", "один кран", "/undo", "один кран", "80 000 рублей")
        await says("до пятого числа, и я ошибся: 90 000 рублей в месяц")
        await presses("90 000 рублей в месяц")
        await says("/finish", "нет", "одиннадцать месяцев", "/status", "/finish", "/export")
        papers = [one.attachment["document"] for one in chat.answers if one.attachment.get("document")]
        content = stage.telegram.world.files[papers[0]["file_id"]].content
        paragraphs = (each.text for each in docx.Document(io.BytesIO(content)).paragraphs)
        shown = "\n>\n".join(f"> {text}".replace("\n", "\\\n> ") for text in paragraphs)
        return _TEXT.format(transcript=stage.telegram.transcript(chat), document=shown)


async def _send(stage: Stage, sent: Sent) -> None:
    await stage.happens(sent)
    assert not stage.jobs.failures
