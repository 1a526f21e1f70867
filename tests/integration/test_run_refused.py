"""``thinktwice run`` where it cannot work: an exit code, and one sentence that says what to do."""

from __future__ import annotations

import re
import socket
from pathlib import Path

from tests.support import programs
from tests.support.bot_process import environment, refused, started
from tests.support.disks import mounted
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram


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


def test_data_folder_that_is_read_only_is_one_sentence_and_nothing_in_it_is_lost(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    given, data = environment(telegram, model), tmp_path / "data"
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, given) as bot:
        assert bot.ended() == 0
    ann.says(chat, "Which Java does FxStore need?")
    with mounted(data, f"--bind {data}", "-o remount,bind,ro"):
        code, sentence = refused(tmp_path, corpus, given)
        assert (code, "read-only file system: mount it for writing, or" in sentence) == (3, True), sentence
        for words in ("ask Why?", f"index {corpus}", "stats", f"backup {tmp_path}/b.tar.gz"):
            done = programs.run(*words.split(), "--data-dir", str(data), variables=given)
            assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr
            assert re.search("[:;] check (the|that)", done.stderr), done.stderr
    with started(tmp_path, corpus, given) as bot:
        bot.until(lambda: any("Java 17" in text for text in chat.texts))


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


def test_second_bot_in_the_same_data_folder_is_refused_and_the_first_goes_on(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    variables = environment(telegram, model)
    ann = telegram.user("Ann", language_code="en")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, variables) as bot:
        code, sentence = refused(tmp_path, corpus, variables)
        assert code == 3
        assert "another `thinktwice run` uses the data folder" in sentence
        ann.says(chat, "Which Java does FxStore need?")
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        bot.process.kill()
        bot.process.wait()
    # A bot that was killed keeps nobody out.
    with started(tmp_path, corpus, variables) as bot:
        assert bot.ended() == 0
    assert len([text for text in chat.texts if "Java 17" in text]) == 1


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
