"""Three processes with the settings of `deploy/compose.fleet.yaml` are one bot behind a webhook."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import yaml

from tests.crash.bots import Bot, until
from tests.crash.stage import Model
from tests.integration.test_run_console import free_port
from tests.support.documents import DOCUMENTS
from tests.support.postgres import PostgresServer
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

pytestmark = pytest.mark.timeout(240)

COMPOSE = Path(__file__).resolve().parents[2] / "deploy" / "compose.fleet.yaml"


def variables_of_a_machine(name: str, url: str) -> dict[str, str]:
    """The environment of a service, with what can only be different on one machine replaced."""
    services = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    written = {
        key: value.replace("${BOT_DOMAIN:?set it in thinktwice.env}", "bot.example.org")
        for key, value in services[name]["environment"].items()
    }
    assert written["THINKTWICE_DATABASE_URL"].startswith("postgresql://")
    return written | {
        "THINKTWICE_DATABASE_URL": url,
        "THINKTWICE_CONSOLE__ENABLED": "true",
        "THINKTWICE_CONSOLE__HOST": "127.0.0.1",
        "THINKTWICE_CONSOLE__PORT": str(free_port()),
    }


def test_machines_of_the_compose_file_answer_and_share(tmp_path: Path, postgres: PostgresServer) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    for name, text in DOCUMENTS.items():
        (corpus / name).write_text(text, encoding="utf-8")
    url = postgres.new_database()
    with FakeTelegram() as telegram, FakeOpenAI(Model()) as model, ExitStack() as stack:
        people = [telegram.user(name, language_code="en") for name in ("Ann", "Ben", "Cas")]
        chats = [telegram.private(person) for person in people]
        machines = []
        for name in ("machine1", "machine2", "machine3"):
            place = tmp_path / name
            place.mkdir()
            variables = variables_of_a_machine(name, url) | {"THINKTWICE_ADMINS": str(people[0].id)}
            machine = Bot(telegram, model, place, corpus, variables)
            machine.start()
            stack.callback(machine.kill)
            machines.append(machine)

        # Telegram's next request comes to the next machine, as the web server of the file does it.
        turns = cycle(machines)

        def say(number: int, text: str) -> None:
            hook = telegram.calls("setWebhook")[-1]
            said = people[number].says(chats[number], text)
            assert said.update is not None
            machine = next(one for one in turns if not one.has_ended())
            port = machine.variables["THINKTWICE_CONSOLE__PORT"]
            taken = httpx.post(
                f"http://127.0.0.1:{port}{urlsplit(hook.params['url']).path}",
                json=said.update.wire(),
                headers={
                    "X-Telegram-Bot-Api-Secret-Token": hook.params["secret_token"],
                    "Host": "bot.example.org",
                },
                trust_env=False,
                timeout=60,
            )
            assert taken.status_code == 200

        def ask(marks: list[str]) -> None:
            for turn, mark in enumerate(marks):
                say(turn % 3, f"Which Java does FxStore need, {mark}?")
            for turn, mark in enumerate(marks):
                chat = chats[turn % 3]
                until(
                    lambda mark=mark, chat=chat: any(f"asked as {mark}" in text for text in chat.texts),  # type: ignore[misc]
                    lambda chat=chat: (chat.texts, [one.log[-2000:] for one in machines]),  # type: ignore[misc]
                )

        # Each person's two questions come to different machines, and keep their order.
        ask(["q1q", "q2q", "q3q"])
        next(turns)
        ask(["q4q", "q5q", "q6q"])
        say(0, "/health")
        (shown,) = until(lambda: [text for text in chats[0].texts if "✔ machines: " in text])
        assert shown.count("last heartbeat") == 3

        # A machine is stopped for an upgrade: the others answer meanwhile, and it comes back.
        assert machines[0].stop() == 0
        ask(["q7q", "q8q", "q9q"])
        machines[0].start()
        ask(["q10q", "q11q", "q12q"])
        for chat in chats:
            answers = [text for text in chat.texts if "asked as " in text]
            assert len(answers) == 4
