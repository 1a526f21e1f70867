"""One interview is deleted by a person: a real process, its real databases, and the bytes of their files."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.bot_process import Running, environment, recorded, started
from tests.support.interviews import FACTS, attentive_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person, Sent
from tests.telegram.server import FakeTelegram

LINK = re.compile(r"http://127\.0\.0\.1:\d+/login/[\w-]+")
WORD = "Abracadabra"
OTHER = "Hocuspocus"


def behave(request: Recorded) -> Behaviour:
    return Say(attentive_text(str(request.body["messages"][-1]["content"])))


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(behave) as server:
        yield server


def holds(data: Path, word: str) -> bool:
    """Whether a word stands anywhere in the databases or in their logs."""
    files = [path.read_bytes() for path in data.glob("*.sqlite3*")]
    return word.encode() in recorded(data) or any(word.encode() in content for content in files)


def wait_for_reply(bot: Running, chat: Chat, send: Callable[[], Sent], words: str) -> Sent:
    """Send something, and wait for a new message that holds these words."""
    before = max((one.message_id for one in chat.messages), default=0)
    sent = send()
    bot.until(lambda: any(words in one.text for one in chat.answers if one.message_id > before))
    return sent


def talk(bot: Running, person: Person, chat: Chat, word: str) -> None:
    """Hold an interview in which a word is said in every way, and export it."""
    after = partial(wait_for_reply, bot, chat)

    def says(text: str, words: str, **more: Any) -> Sent:
        return after(partial(person.says, chat, text, **more), words)

    says("/interview bug_report", "Which product")
    said = says(f"{FACTS['/product']}, says {word}", "Which version")
    after(partial(person.edits, said, f"{FACTS['/product']}, repeats {word}"), "I still need")
    says(f"{', '.join(FACTS.values())} {word}", "How badly")
    after(partial(person.presses, chat.answers[-1], "It is a nuisance"), "Everything is there.")
    says("/why", "this value was noted already", reply_to=said)
    says("/finish", "The interview is finished.")
    says("/export", "The interview as a page")


def files(chat: Chat) -> list[Message]:
    return [message for message in chat.answers if message.attachment and not message.deleted]


def test_interview_that_is_deleted_in_telegram_leaves_no_words_and_the_others_stay(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    data = tmp_path / "data"
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    variables = environment(
        telegram,
        model,
        THINKTWICE_LIMITS__USER_COMMANDS_PER_MINUTE="1000",
        THINKTWICE_LIMITS__USER_PER_MINUTE="1000",
        THINKTWICE_LIMITS__CHAT_PER_MINUTE="1000",
    )
    with started(tmp_path, corpus, variables) as bot:
        for text, words in (
            ("/interview onboarding", "What is the new colleague"),
            (f"says {OTHER}", "I still need"),
            ("/export", "The interview as a page"),
        ):
            wait_for_reply(bot, chat, partial(ann.says, chat, text), words)
        talk(bot, ann, chat, WORD)
        assert (holds(data, WORD), holds(data, OTHER), len(files(chat))) == (True, True, 10)
        ann.says(chat, "/interview")
        bot.until(lambda: chat.texts[-1].startswith("Which interview"))
        ann.presses(chat.answers[-1], "My interviews")
        bot.until(lambda: any("Delete 2" in str(message.buttons) for message in chat.answers))
        listed = next(message for message in chat.answers if "Delete 2" in str(message.buttons))
        _, first, second = listed.text.splitlines()
        assert (first[:14], first[-24:]) == ("1. Bug report,", "7 of 7 settled, finished")
        assert second.endswith("settled, open")
        # The newest stands first. Nothing is deleted before it is confirmed.
        ann.presses(listed, "Delete 1")
        bot.until(lambda: "It cannot be brought back." in listed.text)
        ann.presses(listed, "No")
        bot.until(lambda: "It cannot be brought back." not in listed.text)
        assert holds(data, WORD)
        ann.says(chat, "/interview list")
        bot.until(lambda: "Delete 2" in str(chat.answers[-1].buttons))
        again = chat.answers[-1]
        ann.presses(again, "Delete 1")
        bot.until(lambda: "It cannot be brought back." in again.text)
        ann.presses(again, "Yes")
        bot.until(lambda: again.text.startswith("The interview is deleted"))
        assert not holds(data, WORD)
        assert holds(data, OTHER)
        assert len(files(chat)) == 4
        ann.says(chat, "/export")
        bot.until(lambda: len(files(chat)) == 8)
        content = telegram.world.files[files(chat)[-2].attachment["document"]["file_id"]].content
        assert OTHER.encode() in content
        assert bot.ended() == 0
        assert "Traceback" not in bot.log


def test_interview_that_is_deleted_in_the_console_leaves_no_words(
    tmp_path: Path, corpus: Path, model: FakeOpenAI
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = tmp_path / "data"
    variables = environment(
        None, model, THINKTWICE_CONSOLE__ENABLED="true", THINKTWICE_CONSOLE__PORT=str(port)
    )
    with started(tmp_path, corpus, variables) as bot:
        found = LINK.search(bot.log)
        assert found is not None
        base = found[0].partition("/login")[0]
        with closing(httpx.Client(base_url=base, trust_env=False, timeout=30)) as client:
            assert client.post(found[0]).status_code == 303

            def form(**fields: str) -> dict[str, str]:
                csrf = re.search(r'name="csrf" value="(\w+)"', client.get("/").text)
                assert csrf is not None
                return {"csrf": csrf[1], **fields}

            paths = []
            for word in (OTHER, WORD):
                begun = client.post("/interviews", data=form(pack="bug_report"))
                paths.append(begun.headers["location"].partition("#")[0])
                reply = client.post(paths[-1], data=form(message=f"{', '.join(FACTS.values())} {word}"))
                assert reply.status_code == 303
            assert (holds(data, WORD), holds(data, OTHER)) == (True, True)
            shown = client.get("/interviews").text
            assert all(f'href="{path}"' in shown for path in paths)
            assert "It cannot be brought back." in client.post(f"{paths[1]}/delete", data=form()).text
            assert holds(data, WORD)
            gone = client.post(f"{paths[1]}/delete", data=form() | {"sure": "yes"})
            assert gone.headers["location"] == "/interviews"
            assert not holds(data, WORD)
            assert holds(data, OTHER)
            assert [client.get(path).status_code for path in paths] == [200, 404]
            assert client.post(f"{paths[1]}/delete", data=form()).status_code == 404
            assert paths[1] not in client.get("/interviews").text
        assert bot.ended() == 0
        assert "Traceback" not in bot.log
