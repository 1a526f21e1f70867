"""``thinktwice run`` as an operator meets it: a real process against a Telegram server on loopback."""

from __future__ import annotations

import base64
import binascii
import itertools
import json
import re
import resource
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from tests.support import programs
from tests.support.loopback import Recorded
from tests.support.postgres import PostgresServer
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.server import FakeTelegram

SECONDS = 60.0


def answer(request: Recorded) -> Behaviour:
    if "response_format" in request.body:
        return Say({"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other"})
    return Say(
        "FxStore needs Java 17 [1]." if "<passage>" in str(request.body["messages"][-1]) else "Java 8."
    )


def behind(gate: threading.Event) -> Callable[[Recorded], Behaviour]:
    """A model that answers when it is let."""

    def held(request: Recorded) -> Behaviour:
        gate.wait(30)
        return answer(request)

    return held


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "java.md").write_text("# FxStore\n\nFxStore needs Java 17. Older versions do not start it.\n")
    return folder


@pytest.fixture
def telegram() -> Iterator[FakeTelegram]:
    with FakeTelegram() as running:
        yield running


@pytest.fixture
def model() -> Iterator[FakeOpenAI]:
    with FakeOpenAI(answer) as running:
        yield running


def environment(telegram: FakeTelegram | None, model: FakeOpenAI | None, **variables: str) -> dict[str, str]:
    kept = programs.environment()
    if telegram is not None:
        kept |= {"THINKTWICE_TELEGRAM__API_URL": telegram.url, "THINKTWICE_TELEGRAM__TOKEN": telegram.token}
    if model is not None:
        kept |= {
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "a-key-that-nobody-may-see",
            "THINKTWICE_MODEL": "openai:test-model",
        }
    return kept | {"THINKTWICE_ACCESS__MODE": "open"} | variables


@dataclass
class Running:
    process: programs.Program
    file: Path

    @property
    def log(self) -> str:
        return self.file.read_text("utf-8", "replace")

    def until(self, condition: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + SECONDS
        while not (found := condition()):
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)
        return found

    def ended(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


def command(data: Path, corpus: Path) -> list[str]:
    return ["run", "--data-dir", str(data), "--corpus", str(corpus)]


@contextmanager
def started(tmp_path: Path, corpus: Path, variables: dict[str, str]) -> Iterator[Running]:
    """A running bot that is ready."""
    file = tmp_path / "log"
    file.write_bytes(b"")
    process = programs.start(*command(tmp_path / "data", corpus), variables=variables, stdout=file)
    running = Running(process, file)
    try:
        running.until(lambda: "[info] ready" in running.log)
        yield running
    finally:
        process.kill()
        process.wait()


def refused(tmp_path: Path, corpus: Path, variables: dict[str, str]) -> tuple[int, str]:
    """The exit code and the one sentence of a bot that does not start."""
    done = programs.run(*command(tmp_path / "data", corpus), variables=variables)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("thinktwice: ")]
    return done.returncode, sentence


def test_bot_says_who_it_is_answers_and_stops_with_0(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    waiting = ann.says(chat, "Which Java does FxStore need?", ago=600)
    with started(tmp_path, corpus, environment(telegram, model)) as bot:
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        bot.until(lambda: len(telegram.calls("setMyCommands")) >= 12)
        assert "bot=@thinktwice_bot write_to=https://t.me/thinktwice_bot" in bot.log
        claim = re.search(r"nobody owns this bot yet.*?(/claim \w+)", bot.log)
        assert claim is not None, bot.log
        ann.says(chat, claim[1])
        bot.until(lambda: len(chat.answers) == 2)
        assert bot.ended() == 0
        assert "stopping" in bot.log
        for secret in (telegram.token, telegram.token.partition(":")[2], "a-key-that-nobody-may-see"):
            assert secret not in bot.log
        assert "Traceback" not in bot.log
    assert waiting.update_id not in [update.update_id for update in telegram.pending] or not telegram.pending
    with started(tmp_path, corpus, environment(telegram, model)) as bot:
        assert "nobody owns this bot" not in bot.log
        assert bot.ended(signal.SIGINT) == 0
    assert len([text for text in chat.texts if "Java 17" in text]) == 1


def test_bot_without_documents_and_model_starts_and_says_so(tmp_path: Path, telegram: FakeTelegram) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    nothing = {"THINKTWICE_MODELS__EMBEDDED_PATH": str(tmp_path / "none.gguf")}
    with started(tmp_path, empty, environment(telegram, None) | nothing) as bot:
        assert "there are no documents" in bot.log
        assert "there is no model" in bot.log
        assert bot.ended() == 0


def test_answers_in_work_are_finished_when_it_is_told_to_stop(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    gate = threading.Event()
    ann = telegram.user("Ann")
    chat = telegram.private(ann)
    with FakeOpenAI(behind(gate)) as model, started(tmp_path, corpus, environment(telegram, model)) as bot:
        ann.says(chat, "Which Java does FxStore need?")
        bot.until(model.asked.is_set)
        bot.process.send_signal(signal.SIGTERM)
        bot.until(lambda: "stopping" in bot.log)
        gate.set()
        assert bot.process.wait(SECONDS) == 0
    assert [text for text in chat.texts if "Java 17" in text]


def test_token_that_is_taken_back_ends_the_bot_with_one_sentence_and_leaves_the_answer_for_the_next_start(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    gate = threading.Event()
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    with FakeOpenAI(behind(gate)) as model:
        variables = environment(telegram, model, THINKTWICE_GRACE_SECONDS="1")
        with started(tmp_path, corpus, variables) as bot:
            ann.says(chat, "Which Java does FxStore need?")
            bot.until(model.asked.is_set)
            telegram.fail_next("*", status=401, times=1_000_000)
            gate.set()
            assert bot.process.wait(SECONDS) == 3
            sentences = [line for line in bot.log.splitlines() if line.startswith("thinktwice: ")]
            assert [sentence.startswith("thinktwice: Telegram does not know") for sentence in sentences] == [
                True
            ]
            assert "a job failed" not in bot.log
        telegram.script.faults.clear()
        with started(tmp_path, corpus, variables) as bot:
            bot.until(lambda: any("Java 17" in text for text in chat.texts))
            assert bot.ended() == 0
    (text,) = chat.texts
    assert "Java 17" in text


def recorded(folder: Path) -> bytes:
    """Everything in the rows of the databases, records unpacked."""
    held = []
    for name in ("jobs.sqlite3", "thinktwice.sqlite3"):
        with closing(sqlite3.connect(folder / name)) as connection:
            tables = [
                row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            for table in tables:
                for value in itertools.chain.from_iterable(connection.execute(f'SELECT * FROM "{table}"')):
                    text = str(value).encode()
                    held.append(text)
                    with suppress(binascii.Error):
                        held.append(base64.b64decode(text, validate=True))
    return b"\n".join(held)


def test_erased_person_leaves_no_words_behind_in_any_row(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, environment(telegram, model)) as bot:
        ann.says(chat, "Which Java does FxStore need, says Abracadabra?")
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        bot.until(lambda: "answered" in str(recorded(tmp_path / "data")))
        assert b"Abracadabra" in recorded(tmp_path / "data")
        ann.says(chat, "/privacy")
        bot.until(lambda: "records of work for you" in chat.texts[-1])
        ann.presses(chat.answers[-1], "Export")
        bot.until(lambda: chat.answers[-1].attachment)
        file = telegram.world.files[chat.answers[-1].attachment["document"]["file_id"]]
        (question,) = [job for job in json.loads(file.content)["work"] if "Abracadabra" in str(job)]
        assert question["payload"]["message"]["text"] == "Which Java does FxStore need, says Abracadabra?"
        (menu,) = [message for message in chat.answers if "records of work for you" in message.text]
        ann.presses(menu, "Delete")
        bot.until(lambda: "cannot be undone" in chat.texts[-1] or "cannot be undone" in menu.text)
        (asks,) = [message for message in chat.answers if "cannot be undone" in message.text]
        ann.presses(asks, "Yes")
        bot.until(lambda: any(text.startswith("Deleted:") for text in chat.texts))
        assert b"Abracadabra" not in recorded(tmp_path / "data")
        assert bot.ended() == 0


def test_updates_come_in_by_webhook(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    variables = environment(
        telegram,
        model,
        THINKTWICE_TELEGRAM__MODE="webhook",
        THINKTWICE_TELEGRAM__WEBHOOK_URL=f"https://localhost:{port}/telegram",
        THINKTWICE_TELEGRAM__WEBHOOK_LISTEN=f"127.0.0.1:{port}",
    )
    ann = telegram.user("Ann")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, variables) as bot:
        (hook,) = telegram.calls("setWebhook")
        assert len(hook.params["secret_token"]) == 64
        assert "stopped_message_generation" in hook.params["allowed_updates"]
        import httpx

        said = ann.says(chat, "Which Java does FxStore need?")
        assert said.update is not None
        for _ in range(2):
            reply = httpx.post(
                f"http://127.0.0.1:{port}/telegram",
                json=said.update.wire(),
                headers={"X-Telegram-Bot-Api-Secret-Token": hook.params["secret_token"]},
            )
            assert reply.status_code == 200
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        # A second bot cannot have the same port.
        code, sentence = refused(tmp_path / "other", corpus, variables)
        assert (code, "is taken by another program; end that" in sentence) == (3, True)
        assert bot.ended() == 0
    assert len([text for text in chat.texts if "Java 17" in text]) == 1


def test_bot_works_on_postgresql(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI, postgres: PostgresServer
) -> None:
    variables = environment(
        telegram, model, THINKTWICE_DATABASE_URL=postgres.new_database(), THINKTWICE_INSTANCE="first"
    )
    ann = telegram.user("Ann")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, variables) as bot:
        ann.says(chat, "Which Java does FxStore need?")
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        code, sentence = refused(tmp_path / "other", corpus, variables)
        assert code == 3
        assert "another bot with the name 'first' works on this database" in sentence
        bot.process.kill()
        bot.process.wait()
    ann.says(chat, "Which Java does FxStore need?")
    with started(tmp_path, corpus, variables) as bot:
        bot.until(lambda: len([text for text in chat.texts if "Java 17" in text]) == 2)
        assert bot.ended() == 0
    assert not list((tmp_path / "data").glob("jobs.sqlite3*"))


def test_start_that_cannot_work_is_one_sentence_and_an_exit_code(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    given = environment(telegram, None)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}"
        for variables, code, words in (
            ({"THINKTWICE_TELEGRAM__TOKEN": ""}, 3, "there is no token: get one from @BotFather"),
            ({"THINKTWICE_TELEGRAM__TOKEN": "1:wrong"}, 3, "Telegram does not know this token"),
            ({"THINKTWICE_TELEGRAM__MODE": "webhook"}, 3, "Telegram sends to https:// addresses only"),
            ({"THINKTWICE_TELEGRAM__API_URL": nobody}, 1, "Telegram cannot be reached"),
        ):
            found, sentence = refused(tmp_path, corpus, given | variables)
            assert (found, words in sentence) == (code, True), sentence


def test_path_that_cannot_be_used_is_a_mistake_in_the_settings(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    given = environment(telegram, None)
    (tmp_path / "data").touch()
    code, sentence = refused(tmp_path, corpus, given)
    assert (code, f"{tmp_path / 'data'} is a file: correct" in sentence) == (3, True), sentence
    assert not telegram.calls("getMe")
    code, sentence = refused(tmp_path / "data" / "below", corpus, given)
    assert (code, f"{tmp_path / 'data'} is a file: correct" in sentence) == (3, True), sentence
    (tmp_path / "data").unlink()
    code, sentence = refused(tmp_path, corpus / "misspelt", given)
    assert (code, "misspelt does not exist" in sentence) == (3, True), sentence


def test_database_server_that_is_away_is_worth_another_start(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"postgresql://user:secret-word@127.0.0.1:{closed.getsockname()[1]}/name"
        code, sentence = refused(
            tmp_path, corpus, environment(telegram, None, THINKTWICE_DATABASE_URL=address)
        )
    assert (code, "cannot be reached" in sentence, "secret-word" in sentence) == (1, True, False), sentence


def test_second_bot_in_the_same_data_folder_is_refused(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    (tmp_path / "data").mkdir()
    with FileLock(tmp_path / "data" / "run.lock"):
        code, sentence = refused(tmp_path, corpus, environment(telegram, None))
    assert code == 3
    assert "another `thinktwice run` uses the data folder" in sentence


def test_another_bot_on_the_data_of_the_first_is_refused(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram
) -> None:
    with started(tmp_path, corpus, environment(telegram, None)):
        pass
    with FakeTelegram(token="777:another", username="other_bot") as other:
        code, sentence = refused(tmp_path, corpus, environment(other, None))
    assert code == 3
    assert f"belong to another bot, @thinktwice_bot ({telegram.bot.id})" in sentence
    assert "give @other_bot (777) data of its own" in sentence
    # The same bot: its name and its token can change, its id never does.
    renamed = FakeTelegram(token=f"{telegram.bot.id}:renewed", username="renamed_bot")
    with renamed as same, started(tmp_path, corpus, environment(same, None)):
        pass


def test_second_poller_of_the_same_token_stops_with_one_sentence(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    telegram.fail_next(
        "getUpdates",
        status=409,
        description="Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
        times=100,
    )
    code, sentence = refused(tmp_path, corpus, environment(telegram, model))
    assert code == 3
    assert "Another program asks Telegram for the updates of this bot" in sentence
    assert len(telegram.calls("getUpdates")) == 5


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can limit another process")
def test_full_disk_accepts_nothing_and_loses_nothing_and_goes_on_by_itself(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    ann, bob = telegram.user("Ann"), telegram.user("Bob")
    chat, others = telegram.private(ann), telegram.private(bob)
    variables = environment(telegram, model, THINKTWICE_ADMINS=str(ann.id))
    with started(tmp_path, corpus, variables) as bot:
        bob.says(others, "Which Java does FxStore need?")
        bot.until(lambda: [text for text in others.texts if "Java 17" in text])
        unlimited = resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE)
        # Every write to a file fails now, as on a full disk.
        resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, (0, unlimited[1]))
        said = bob.says(others, "Which Java does FxStore need now?")
        bot.until(lambda: [text for text in chat.texts if "I cannot accept anything new" in text])
        polls = len(telegram.calls("getUpdates"))
        bot.until(lambda: len(telegram.calls("getUpdates")) > polls)
        assert said.update_id in [update.update_id for update in telegram.pending]
        resource.prlimit(bot.process.pid, resource.RLIMIT_FSIZE, unlimited)
        bot.until(lambda: len([text for text in others.texts if "Java 17" in text]) == 2)
        bot.until(lambda: [text for text in chat.texts if "carrying on" in text])
        assert bot.ended() == 0
    assert len([text for text in chat.texts if "I cannot accept anything new" in text]) == 1


def test_log_is_json_when_the_settings_say_so(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    variables = environment(telegram, model, THINKTWICE_LOG_FORMAT="json", THINKTWICE_CONSOLE__ENABLED="0")
    file = tmp_path / "log"
    process = programs.start(*command(tmp_path / "data", corpus), variables=variables, stdout=file)
    try:
        deadline = time.monotonic() + SECONDS
        while '"message": "ready"' not in file.read_text():
            assert time.monotonic() < deadline, file.read_text()
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(SECONDS)
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert {"time", "level", "message"} <= set.intersection(*(set(line) for line in told))
