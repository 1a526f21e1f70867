"""Two chats as their members see them, for the documentation: the real bot, and a model that plays its part.

python -m tests.support.shown_chats        writes docs/what-a-chat-looks-like.md and the page of the
                                           interview (`shown_interview`) again
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

import pytest

from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from tests.conftest import REPOSITORY
from tests.support import shown_interview
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

PAGE = REPOSITORY / "docs" / "what-a-chat-looks-like.md"
OWNER = 500_000_001
"""The id of the first person of a test server."""

_DOCUMENTS = {
    "java.md": "# Java at FxStore\n\nFxStore needs Java 17 or newer. Java 11 was dropped in release 4.0.\n",
    "releases.md": "# Releases\n\n## When\n\nA release goes out every second Tuesday at 10:00.\n\n"
    "## Who approves\n\nThe release manager approves each release. This year that is Olga.\n",
    "отпуск.md": "# Отпуск\n\nЗаявление на отпуск подают за две недели.\n",
    "on-call.md": "# On call\n\n## Numbers\n\nWhoever is on call answers within 15 minutes.\n",
}
# Answers that the model writes without documents, by a word of the question.
_DRAFTS = {
    "thank": "You are welcome!",
    "17 ×": "17 × 3 is 51.",
    "which java": "FxStore needs Java 11.",
    "отпуск": "Заявление на отпуск подают за месяц.",
    "how often": "I do not know how often releases go out.",
    "and when": "I do not know when it goes out.",
    "approves": "I do not know who approves a release.",
    "lunch": "I do not know that.",
}
# Answers from a passage, by the same word; {n} is the number of the passage with these words.
_WRITTEN = {
    "which java": ("Java 17", "FxStore needs Java 17 or newer [{n}]."),
    "отпуск": ("за две недели", "Заявление на отпуск подают за две недели [{n}]."),
    "how often": ("every second Tuesday", "A release goes out every second Tuesday at 10:00 [{n}]."),
    "go out": ("every second Tuesday", "A release goes out every second Tuesday at 10:00 [{n}]."),
    "approves": ("approves each", "The release manager approves each release [{n}]. This year that is Olga."),
}
_REFUSAL = "The documents do not say it."


def script(request: ChatRequest) -> str:
    message = request.messages[-1].text
    asked = re.sub(r".*<question>", "", message, flags=re.DOTALL).casefold()
    if request.purpose == "standalone":
        return "When does a release go out?"
    if request.purpose == "regenerate":
        for word, (words, reply) in _WRITTEN.items():
            if word in asked:
                for number, passage in re.findall(r"\[(\d+)\]\n(.*?</passage>)", message, re.DOTALL):
                    if words in passage:
                        return reply.format(n=number)
        return _REFUSAL
    return next((reply for word, reply in _DRAFTS.items() if word in asked), "I do not know that.")


class Model:
    """The model, which does not reply while a test has closed its gate."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, request: ChatRequest) -> Reply:
        await self.gate.wait()
        if request.purpose == "rewrite":
            return {"query": "days off in winter"}
        if request.purpose == "judge":
            return {"answer_quality": "adequate", "reason": "the passage says it", "confidence": 0.9}
        return script(request)


async def page(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    corpus = folder / "corpus"
    corpus.mkdir()
    for name, text in _DOCUMENTS.items():
        (corpus / name).write_text(text, encoding="utf-8")
    model = Model()
    async with staged(
        folder,
        ScriptedModel(model),
        monkeypatch,
        admins=(OWNER,),
    ) as stage:
        ann = stage.telegram.user("Ann", language_code="en")
        boris = stage.telegram.user("Борис", language_code="ru")
        private = await _private(stage, ann)
        group, notice = await _group(stage, ann, boris, model)
        return _PAGE.format(
            notice=notice,
            private=_hide_times(stage.telegram.transcript(private)),
            group=_hide_times(stage.telegram.transcript(group)),
        )


_PAGE = """# What does a chat look like?

Two chats, as their members see them. They are played by the real bot against the Telegram server of the tests, with a model that knows little and a corpus of four pages; `python -m tests.support.shown_chats` writes this page, and a test compares the two. Times are left out. While an answer is on its way, its message shows the state of the work; here it shows the result.

## A private chat

{private}
## A group

Ann is an administrator of the bot, Борис is a member. What is not for the bot is neither answered nor stored. Борис uses Telegram in Russian, so the bot speaks Russian to him, and answers in the language of the question. His second question comes while Ann's is being answered; until its turn comes, it has the reaction {notice}.

{group}"""


async def _private(stage: Stage, ann: Person) -> Chat:
    chat = stage.telegram.private(ann)

    async def says(text: str) -> None:
        await _send(stage, ann.says(chat, text))

    async def presses(button: str) -> None:
        answer = next(
            message
            for message in reversed(chat.answers)
            if any(button in key.text for row in message.buttons for key in row)
        )
        await _send(stage, ann.presses(answer, button))

    await says("/start")
    await says("Thank you!")
    await says("What is 17 × 3?")
    await says("Which Java does FxStore need?")
    await presses("Sources")
    await presses("Why")
    await says("How often do releases go out?")
    await presses("Useful")
    await says("За сколько подают заявление на отпуск?")
    await says("Who pays for lunch?")
    await presses("Wrong")
    await says("/mode")
    await presses("careful")
    await says("/unanswered")
    return chat


async def _group(stage: Stage, ann: Person, boris: Person, model: Model) -> tuple[Chat, str]:
    """Play the group chat; return it with the reaction to a question that had to wait."""
    group = stage.telegram.group("FxStore team", [ann, boris])
    bot = f"@{stage.telegram.bot.username}"
    await _send(stage, ann.says(group, "Lunch at twelve?"))
    await _send(stage, boris.says(group, f"{bot} Who approves a release?"))
    answer = next(message for message in reversed(group.answers) if message.buttons)
    await _send(stage, ann.presses(answer, "Полезно"))
    model.gate.clear()
    await stage.feed(ann.says(group, "And when does it go out?", reply_to=answer))
    await stage.telegram.until(lambda: len(group.answers) == 2)
    await stage.feed(waiting := boris.says(group, "/ask Which Java does FxStore need?"))
    message = waiting.message
    assert message is not None
    await stage.telegram.until(lambda: message.reactions)
    notice = message.reactions[0]["emoji"]
    model.gate.set()
    await stage.settled()
    await _send(stage, boris.says(group, f"/reindex{bot}"))
    await _send(stage, ann.says(group, f"/reindex{bot}"))
    return group, notice


async def _send(stage: Stage, sent: Sent) -> None:
    await stage.happens(sent)


def _hide_times(transcript: str) -> str:
    """Return the transcript with "–" for every measured time and for the day, without their alignment."""
    without_days = re.sub(r"\b\d{4}-\d\d-\d\d\b", "–", transcript)
    aligned = re.compile(r" +(?:([\d,]+ tok) +)?[\d.,]+ (?:ms|s)$", re.MULTILINE)
    without_times = aligned.sub(lambda found: f"  {found[1] or ''}  – ms".replace("    ", "  "), without_days)
    return re.sub(r"\b[\d.,]+ (?:ms|s)\b", "– ms", without_times)


async def _write() -> None:
    for path, write in ((PAGE, page), (shown_interview.PAGE, shown_interview.page)):
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as monkeypatch:
            monkeypatch.chdir(folder)
            path.write_text(await write(Path(folder), monkeypatch), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(_write())
