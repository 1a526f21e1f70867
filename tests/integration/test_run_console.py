"""``thinktwice run`` with the console: one process, one command, with Telegram and without."""

from __future__ import annotations

import re
import socket
import threading
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from tests.support import programs
from tests.support.bot_process import behind, environment, refused, started
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

LINK = re.compile(r"http://127\.0\.0\.1:\d+/login/[\w-]+")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def with_console(port: int) -> dict[str, str]:
    return {"THINKTWICE_CONSOLE__ENABLED": "true", "THINKTWICE_CONSOLE__PORT": str(port)}


def logged_in(link: str) -> httpx.Client:
    client = httpx.Client(base_url=link.partition("/login")[0], trust_env=False, timeout=30)
    assert client.get(link).status_code == 200
    assert client.post(link).status_code == 303
    return client


def order(client: httpx.Client, key: str) -> str:
    csrf = re.search(r'name="csrf" value="(\w+)"', client.get("/").text)
    assert csrf is not None
    fields = {"csrf": csrf[1], "question": "Which Java does FxStore need?", "key": key}
    return str(client.post("/ask", data=fields).headers["location"]).partition("#")[0]


def test_without_telegram_the_console_is_alone_and_lets_the_owner_in(
    tmp_path: Path, corpus: Path, model: FakeOpenAI
) -> None:
    port = free_port()
    variables = environment(None, model, **with_console(port))
    with started(tmp_path, corpus, variables) as bot:
        found = LINK.search(bot.log)
        assert found is not None, bot.log
        with closing(logged_in(found[0])) as client:
            path = order(client, "k")
            told = client.get(f"/api{path}/events").text
            assert '"type": "complete"' in told
            assert "Java 17" in client.get(path).text
            assert client.get("/health").status_code == 200
        # The link has done its work.
        assert httpx.post(found[0], trust_env=False).status_code == 403
        assert httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False).text == "ok\n"
        code, sentence = refused(tmp_path / "other", corpus, variables)
        assert (code, "set THINKTWICE_CONSOLE__HOST and THINKTWICE_CONSOLE__PORT" in sentence) == (3, True)
        assert bot.ended() == 0
        assert "Traceback" not in bot.log


def ask_for_a_link(tmp_path: Path, variables: dict[str, str]) -> tuple[int, str, str]:
    """The exit code of ``thinktwice console``, and what it printed as its result and beside it."""
    done = programs.run("console", "--data-dir", str(tmp_path / "data"), variables=variables)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.strip(), done.stderr


def test_command_prints_a_new_link_while_the_console_is_served(
    tmp_path: Path, corpus: Path, model: FakeOpenAI
) -> None:
    variables = environment(None, model, **with_console(free_port()))
    with started(tmp_path, corpus, variables) as bot:
        first, second = (ask_for_a_link(tmp_path, variables) for _ in range(2))
        assert (first[0], second[0]) == (0, 0)
        assert first[1] != second[1]
        for _, link, _ in (first, second):
            assert LINK.fullmatch(link)
            with closing(logged_in(link)) as client:
                assert client.get("/tokens").status_code == 200
            assert httpx.post(link, trust_env=False).status_code == 403
        assert bot.ended() == 0
    code, link, told = ask_for_a_link(tmp_path, variables)
    assert (code, link) == (3, "")
    assert "nothing serves the console" in told


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"THINKTWICE_CONSOLE__ENABLED": "false"}, "THINKTWICE_CONSOLE__ENABLED=true"),
        ({"THINKTWICE_CONSOLE__PORT": "0"}, "THINKTWICE_CONSOLE__PORT is 0"),
        ({"THINKTWICE_TELEGRAM__TOKEN": "1:token-of-nobody"}, "send it /console"),
    ],
    ids=["switched off", "any port", "with Telegram"],
)
def test_command_says_why_there_is_no_link(tmp_path: Path, setting: dict[str, str], sentence: str) -> None:
    code, link, told = ask_for_a_link(
        tmp_path, environment(None, None, **with_console(free_port())) | setting
    )
    assert (code, link) == (3, "")
    assert sentence in told
    assert not (tmp_path / "data").exists()


def test_admin_gets_a_link_in_a_private_chat_and_telegram_goes_on(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    ann, bob = telegram.user("Ann", language_code="en"), telegram.user("Bob", language_code="en")
    variables = environment(telegram, model, THINKTWICE_ADMINS=str(ann.id), **with_console(0))
    with started(tmp_path, corpus, variables) as bot:
        chat, other = telegram.private(ann), telegram.private(bob)
        assert LINK.search(bot.log) is None
        ann.says(chat, "/console")
        bot.until(lambda: any("/login/" in text for text in chat.texts))
        found = LINK.search(chat.texts[-1])
        assert found is not None
        assert "It opens on the machine that I run on." in chat.texts[-1]
        with closing(logged_in(found[0])) as client:
            assert "Ann" in client.get("/").text
            assert client.get("/tokens").status_code == 200
        assert found[0].rpartition("/")[2] not in bot.log
        bob.says(other, "/console")
        bot.until(lambda: other.texts)
        assert "Only administrators of this bot can do that." in other.texts[-1]
        ann.says(chat, "Which Java does FxStore need?")
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        assert bot.ended() == 0


def test_webhook_is_a_route_of_the_same_server(
    tmp_path: Path, corpus: Path, telegram: FakeTelegram, model: FakeOpenAI
) -> None:
    port = free_port()
    variables = environment(
        telegram,
        model,
        THINKTWICE_TELEGRAM__MODE="webhook",
        THINKTWICE_TELEGRAM__WEBHOOK_URL="https://bot.example.org/telegram",
        **with_console(port),
    )
    ann = telegram.user("Ann")
    chat = telegram.private(ann)
    with started(tmp_path, corpus, variables) as bot:
        (hook,) = telegram.calls("setWebhook")
        said = ann.says(chat, "Which Java does FxStore need?")
        assert said.update is not None
        address = f"http://127.0.0.1:{port}/telegram"
        secret = {"X-Telegram-Bot-Api-Secret-Token": hook.params["secret_token"]}
        # Telegram's server passes the name of the public host on.
        secret["Host"] = "bot.example.org"
        assert httpx.post(address, json=said.update.wire(), trust_env=False).status_code == 403
        assert (
            httpx.post(address, json=said.update.wire(), headers=secret, trust_env=False).status_code == 200
        )
        bot.until(lambda: any("Java 17" in text for text in chat.texts))
        assert httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).status_code == 401
        assert bot.ended() == 0


def test_reader_comes_back_after_a_kill_in_the_middle(tmp_path: Path, corpus: Path) -> None:
    gate = threading.Event()
    variables = with_console(free_port()) | {"THINKTWICE_GRACE_SECONDS": "0"}
    with FakeOpenAI(behind(gate)) as model:
        given = environment(None, model, **variables)
        with started(tmp_path, corpus, given) as bot:
            found = LINK.search(bot.log)
            assert found is not None
            client = logged_in(found[0])
            path = order(client, "killed")
            bot.until(model.asked.is_set)
            got: list[str] = []
            with client.stream("GET", f"/api{path}/events") as stream:
                for line in stream.iter_lines():
                    got.append(line)
                    if "step_started" in line:
                        break
            numbers = [int(line.removeprefix("id: ")) for line in got if line.startswith("id: ")]
            bot.process.kill()
            bot.process.wait()
        gate.set()
        with started(tmp_path, corpus, given):
            # The session goes on as well.
            reply = client.get(f"/api{path}/events", headers={"Last-Event-ID": str(numbers[-1])})
            rest = [
                int(line.removeprefix("id: ")) for line in reply.text.splitlines() if line.startswith("id: ")
            ]
            assert min(rest) > numbers[-1]
            assert '"type": "complete"' in reply.text
            whole = client.get(f"/api{path}/events").text
            every = [int(line.removeprefix("id: ")) for line in whole.splitlines() if line.startswith("id: ")]
            assert [*numbers, *rest] == every
            assert whole.count('"type": "complete"') == 1
            assert "Java 17" in client.get(path).text
            client.close()
