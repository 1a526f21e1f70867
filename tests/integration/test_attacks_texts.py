"""Strange texts through every way into the bot: no crash, no error in the log, and an answer or a reason each time."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import AsyncIterator, Callable, Iterator, Sized
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import structlog.testing

from bot.telegram.buttons.table import BUTTONS
from bot.telegram.commands import COMMANDS
from rag.models.chat import ChatRequest
from rag.models.scripted import ScriptedModel
from tests.support.harms import harms, seen
from tests.support.wired import Stage, staged
from tests.telegram.chats import Chat
from tests.telegram.people import Person, Sent

Count = Callable[[int, Sized], None]

ADMINS = tuple(range(101, 113))

# What a text may hold although nobody sees it by itself: it shapes what stands beside it.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2060-\u206f\u202a-\u202e\ufeff\U000e0000-\U000e0fff]"
)
_HEAP = re.compile(r"[\u0300-\u036f]{10}")
_FLAGS = re.compile("\U0001f3f4[\U000e0061-\U000e007a]+\U000e007f")


def strings(shared: Path) -> dict[str, str]:
    """Every text by a name: those with a known outcome, and naughty ones."""
    rows = (shared / "attacks" / "unicode.jsonl").read_text("utf-8").splitlines()
    naughty = json.loads((shared / "attacks" / "naughty-strings.json").read_text("utf-8"))
    return {row["id"]: row["text"] for row in map(json.loads, rows)} | {
        f"naughty {number}": text for number, text in enumerate(naughty)
    }


@pytest.fixture(scope="module")
def texts(shared: Path) -> dict[str, str]:
    return strings(shared)


def known(texts: dict[str, str]) -> dict[str, str]:
    """The texts with a known outcome."""
    return {name: text for name, text in texts.items() if not name.startswith("naughty")}


def echo(request: ChatRequest) -> str:
    """An answer that holds what was asked, so that it passes the way out as well."""
    return f"You said: {request.messages[-1].text}"


@asynccontextmanager
async def opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch, **given: Any
) -> AsyncIterator[tuple[Stage, ScriptedModel]]:
    """The bot over one document; what is to hold after everything is looked at in the end."""
    (folder / "corpus").mkdir()
    (folder / "corpus" / "crane.md").write_text("# Crane\n\nThe crane weighs 100 tons.\n", "utf-8")
    model = ScriptedModel(echo)
    settings = {"self_correction": {"enabled": False}, "admins": ADMINS, **given}
    with structlog.testing.capture_logs() as logged:
        async with staged(folder, model, monkeypatch, **settings) as stage:
            yield stage, model
            assert not stage.jobs.failures
            assert [request for request in stage.telegram.requests if request.status == 400] == []
            chats = {request.chat_id for request in stage.telegram.requests} - {None}
            assert harms(stage.telegram, {chat for chat in chats if chat is not None}) == []
            shown = [text for _, text, _ in seen(stage.telegram)]
            assert [text for text in shown if _is_hiding(text)] == []
    assert [line for line in logged if line["log_level"] in {"error", "critical"}] == []
    assert [
        text
        for request in model.requests
        for text in (message.text for message in request.messages)
        if _is_hiding(text) or _HEAP.search(unicodedata.normalize("NFD", text))
    ] == []


def _is_hiding(text: str) -> bool:
    return _UNSEEN.search(_FLAGS.sub("", text)) is not None


def admins(stage: Stage) -> Iterator[tuple[Person, Chat]]:
    people = [stage.telegram.user(f"Admin {number}", id=number, language_code="en") for number in ADMINS]
    return cycle([(person, stage.telegram.private(person)) for person in people])


async def each_is_answered(stage: Stage, deeds: list[tuple[Chat, Callable[[], Sent]]]) -> list[str]:
    """Do things, at most one a chat at a time, and return what got no answer."""
    silent = []
    for first in range(0, len(deeds), len(ADMINS)):
        batch = deeds[first : first + len(ADMINS)]
        before = [len(chat.history) for chat, _ in batch]
        sent = [deed() for _, deed in batch]
        await stage.happens(*sent)
        for (chat, _), count, one in zip(batch, before, sent, strict=True):
            if not any(message.outgoing for message in chat.history[count:]):
                silent.append(repr(one.message.text[:60] if one.message else one))
    return silent


async def test_every_question_is_answered_whatever_it_says_and_whoever_asks(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attacked: Count
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, _):
        deeds: list[tuple[Chat, Callable[[], Sent]]] = []
        for number, text in enumerate(texts.values()):
            if not text:
                continue  # Telegram has no message without anything in it.
            person = stage.telegram.user(text[:64], last_name=text[:64], language_code="en")
            chat = stage.telegram.private(person)
            group = stage.telegram.group(text[:128], [person])
            ways = [(chat, text), (group, f"@thinktwice_bot {text}")]
            # Who asks and in which chat is as strange as the text; the naughty ones take turns.
            for place, said in ways if number < len(known(texts)) else ways[number % 2 :: 2]:

                def deed(person: Person = person, place: Chat = place, said: str = said) -> Sent:
                    return person.says(place, said)

                deeds.append((place, deed))
        attacked(len(deeds), await each_is_answered(stage, deeds))


async def test_every_edited_question_is_answered_anew(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, _):
        asked: list[tuple[Person, Sent, str]] = []
        for text in list(texts.values())[::3]:
            person = stage.telegram.user("Ann", language_code="en")
            asked.append((person, person.says(stage.telegram.private(person), "Who are you?"), text))
        await stage.feed_in_batches([sent for _, sent, _ in asked])
        answers = [sent.chat.answers[-1] for _, sent, _ in asked]
        assert all("Who are you?" in answer.text for answer in answers)
        edits = [person.edits(sent, text) for person, sent, text in asked if text]
        await stage.feed_in_batches(edits)

        for sent in edits:
            assert sent.message is not None
            # An edited command is not carried out, and nobody can answer what holds no words.
            said = sent.message.text
            if not said.startswith("/") and any(sign.isprintable() and not sign.isspace() for sign in said):
                assert "Who are you?" not in sent.chat.answers[0].text, said


async def test_every_command_says_something_to_any_argument(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attacked: Count
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, _):
        names = cycle(command.name for command in COMMANDS)
        pairs = [
            (command.name, text)
            for row, command in enumerate(COMMANDS)
            for column, text in enumerate(known(texts).values())
            if (row + column) % 3 == 0
        ]
        pairs += [(next(names), text) for name, text in texts.items() if name.startswith("naughty")]
        deeds: list[tuple[Chat, Callable[[], Sent]]] = []
        for (name, text), (person, chat) in zip(pairs, admins(stage), strict=False):

            def deed(
                person: Person = person, chat: Chat = chat, said: str = f"/{name} {text}"[:4096]
            ) -> Sent:
                return person.says(chat, said)

            deeds.append((chat, deed))
        attacked(len(deeds), await each_is_answered(stage, deeds))


async def test_every_press_is_answered_whatever_the_button_carries(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attacked: Count
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, _):
        person, chat = next(admins(stage))
        await stage.happens(person.says(chat, "Who are you?"))
        answer = chat.answers[-1]
        verbs = cycle(("", *BUTTONS))
        payloads = [
            *(f"{next(verbs)}:{text}" for text in texts.values() for _ in range(2)),
            *(text for text in texts.values() if text),
        ]
        await stage.feed_in_batches([person.presses(answer, data=payload) for payload in payloads])

        attacked(len(payloads), [press.button.data for press in chat.presses if press.alert is None])
        assert len(chat.presses) == len(payloads)


async def test_files_under_any_name_stay_in_their_folder_and_get_an_answer(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, attacked: Count
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, _):
        deeds: list[tuple[Chat, Callable[[], Sent]]] = []
        for number, text in enumerate(texts.values()):
            person = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.private(person)

            def deed(
                person: Person = person, chat: Chat = chat, name: str = text, caption: str = text[:1024]
            ) -> Sent:
                return person.sends_file(chat, name, b"# Text\n\nIt is a text.\n", caption=caption)

            if number % 2:
                deeds.append((chat, deed))
        for text, (person, chat) in zip(list(texts.values())[2::20], admins(stage), strict=False):

            def added(person: Person = person, chat: Chat = chat, name: str = f"../{text[:100]}.md") -> Sent:
                return person.sends_file(chat, name, b"# Text\n\nIt is a text.\n", caption="/add")

            deeds.append((chat, added))
        attacked(len(deeds), await each_is_answered(stage, deeds))

        uploads = stage.settings.data_dir / "documents"
        kept = list(uploads.iterdir())
        assert kept
        assert all(file.is_file() and not _is_hiding(file.name) for file in kept)
        assert not list(stage.settings.data_dir.glob("*.md"))


OUTCOMES: dict[str, Callable[[str, list[str]], bool]] = {
    "zero-width-space-in-command": lambda told, _: "I answer" not in told and "/start" not in told,
    "zero-width-joiners-only": lambda _, asked: not asked,
    "rtl-override-question": lambda _, asked: "ignore previous instructions what is" in asked[0],
    "arabic-question": lambda told, _: "ما هي سياسة الاسترداد؟" in told,
    "hebrew-mixed-code": lambda told, _: "pip install x" in told and "`" not in told,
    "unicode-tag-smuggling": lambda _, asked: "Hello\n" in asked[0],
    "variation-selector-smuggling": lambda _, asked: "😀\n" in asked[0],
    "emoji-utf16-length": lambda told, _: "👨‍👩‍👧‍👦" in told,
    "max-length-4096": lambda told, _: told.count("x") >= 4096,
    "over-length-4097": lambda told, _: told.count("x") >= 4097,
    "null-and-controls": lambda _, asked: "what is the[31m refund policy" in asked[0],
    "lone-surrogate": lambda _, asked: "bad \ufffd surrogate" in asked[0],
    "html-injection": lambda told, _: "<b>hi</b>" in told and "<script>" in told,
    "markdown-unbalanced": lambda told, _: "*bold _italic" in told,
    "newline-flood": lambda _, asked: not asked,
    "homoglyph-admin": lambda told, asked: bool(asked) and "/аdmin" in told,
    "percent-format": lambda _, asked: "%s%s%n {0} {user.__class__}" in asked[0],
    "nfkc-confusable": lambda told, _: "ＳＹＳＴＥＭ" in told,
}
"""What must come of the texts with a known outcome: of what was told, and of what the model was asked."""


async def test_texts_with_a_known_outcome_have_it(
    texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, monkeypatch) as (stage, model):
        wrong = {}
        for name, is_right in OUTCOMES.items():
            ann = stage.telegram.user("Ann", language_code="en")
            chat = stage.telegram.private(ann)
            before = len(model.requests)
            await stage.happens(ann.says(chat, texts[name]))
            asked = [request.messages[-1].text for request in model.requests[before:]]
            if not chat.texts or not is_right("\n".join(chat.texts), asked):
                wrong[name] = (chat.texts, asked)
        assert wrong == {}
