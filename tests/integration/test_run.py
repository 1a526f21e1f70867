"""``thinktwice run`` as an operator meets it: a real process against a Telegram server on loopback."""

from __future__ import annotations

import json
import re
import resource
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

import pytest

from tests.support import programs
from tests.support.bot_process import SECONDS, behind, command, environment, recorded, refused, started
from tests.support.postgres import PostgresServer
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram


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


@contextmanager
def full(pid: int, _data: Path) -> Iterator[None]:
    """Let every write of a process to a file fail, as on a full disk."""
    if not hasattr(resource, "prlimit"):
        pytest.skip("only Linux can limit another process")
    unlimited = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, unlimited[1]))
    yield
    resource.prlimit(pid, resource.RLIMIT_FSIZE, unlimited)


@contextmanager
def read_only(_pid: int, data: Path) -> Iterator[None]:
    """Let nobody write below the data folder, not even through open files, as on a disk that failed."""
    with (data / "open-since-before").open("wb", buffering=0) as probe:
        # SQLite maps its shared memory into the process: a disk that failed lets that be, this way would kill.
        files = [str(path) for path in (data, *data.rglob("*")) if not path.name.endswith("-shm")]
        subprocess.run(["chattr", "+i", *files], capture_output=True, check=False)
        try:
            with suppress(PermissionError):
                probe.write(b"written")
                pytest.skip("this user, or this file system, makes no open file immutable")
            yield
        finally:
            subprocess.run(["chattr", "-i", *files], capture_output=True, check=False)


@pytest.mark.parametrize("fault", [full, read_only])
def test_disk_that_takes_nothing_accepts_nothing_and_loses_nothing_and_goes_on_by_itself(
    fault: Callable[[int, Path], AbstractContextManager[None]],
    tmp_path: Path,
    corpus: Path,
    telegram: FakeTelegram,
    model: FakeOpenAI,
) -> None:
    ann, bob = telegram.user("Ann"), telegram.user("Bob")
    chat, others = telegram.private(ann), telegram.private(bob)
    variables = environment(telegram, model, THINKTWICE_ADMINS=str(ann.id))
    with started(tmp_path, corpus, variables) as bot:
        bob.says(others, "Which Java does FxStore need?")
        bot.until(lambda: [text for text in others.texts if "Java 17" in text])
        with fault(bot.process.pid, tmp_path / "data"):
            said = bob.says(others, "Which Java does FxStore need now?")
            bot.until(lambda: [text for text in chat.texts if "I cannot accept anything new" in text])
            polls = len(telegram.calls("getUpdates"))
            bot.until(lambda: len(telegram.calls("getUpdates")) > polls)
            assert said.update_id in [update.update_id for update in telegram.pending]
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
