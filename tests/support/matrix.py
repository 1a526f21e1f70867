"""A real homeserver of Matrix, Synapse, on loopback, people who talk on it, and a bot.

People speak the client-server API in plain HTTP: the bot's own library is not used here.
"""

from __future__ import annotations

import hashlib
import hmac
import itertools
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
import yaml

from tests.crash.bots import Bot, living, until
from tests.support.bot_process import answer
from tests.support.documents import write_documents
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI

QUESTION = "Which Java does FxStore need?"

_SECRET = "secret-of-the-homeserver"
_numbers = itertools.count(1)

Event = dict[str, Any]


@dataclass
class Account:
    url: str
    id: str
    token: str

    def call(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        reply = httpx.request(
            method,
            f"{self.url}/_matrix/client/v3/{path}",
            json=body,
            headers={"Authorization": f"Bearer {self.token}"},
            timeout=30,
            trust_env=False,
            **options,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def opens(self, *others: Account, direct: bool = True, sealed: bool = False) -> Room:
        """Create a room, and invite others; `direct` says that it is for two."""
        state = [{"type": "m.room.encryption", "content": {"algorithm": "m.megolm.v1.aes-sha2"}}]
        body = {"invite": [other.id for other in others], "is_direct": direct, "preset": "private_chat"}
        made = self.call("POST", "createRoom", body | ({"initial_state": state} if sealed else {}))
        return Room(self, made["room_id"])

    def joins(self, room: Room) -> None:
        self.call("POST", f"join/{quote(room.id)}", {})

    def sends(self, room: Room, kind: str, content: Event) -> str:
        path = f"rooms/{quote(room.id)}/send/{kind}/t{next(_numbers)}"
        return str(self.call("PUT", path, content)["event_id"])

    def says(self, room: Room, text: str, **more: Any) -> str:
        return self.sends(room, "m.room.message", {"msgtype": "m.text", "body": text, **more})

    def edits(self, room: Room, event: str, text: str) -> str:
        new = {"msgtype": "m.text", "body": text}
        relation = {"rel_type": "m.replace", "event_id": event}
        return self.says(room, f"* {text}", **{"m.new_content": new, "m.relates_to": relation})

    def reacts(self, room: Room, event: str, key: str) -> str:
        relation = {"rel_type": "m.annotation", "event_id": event, "key": key}
        return self.sends(room, "m.reaction", {"m.relates_to": relation})

    def redacts(self, room: Room, event: str) -> None:
        self.call("PUT", f"rooms/{quote(room.id)}/redact/{quote(event)}/t{next(_numbers)}", {})

    def sends_file(self, room: Room, name: str, content: bytes, caption: str = "") -> str:
        reply = httpx.post(
            f"{self.url}/_matrix/media/v3/upload",
            params={"filename": name},
            content=content,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "text/markdown"},
            trust_env=False,
        )
        file = {
            "msgtype": "m.file",
            "body": caption or name,
            "filename": name,
            "info": {"size": len(content)},
        }
        return self.sends(room, "m.room.message", file | {"url": reply.json()["content_uri"]})


@dataclass
class Room:
    """A Matrix room, read and written with the access token of one of its members."""

    member: Account
    id: str

    @property
    def events(self) -> list[Event]:
        """The latest messages, oldest first, edits as events of their own."""
        path = f"rooms/{quote(self.id)}/messages"
        page = self.member.call("GET", path, params={"dir": "b", "limit": 100})
        return [event for event in reversed(page["chunk"]) if event["type"] == "m.room.message"]

    def by(self, account: Account) -> list[Event]:
        return [event for event in self.events if event["sender"] == account.id]

    def has(self, account: Account) -> bool:
        joined = self.member.call("GET", f"rooms/{quote(self.id)}/joined_members")["joined"]
        return account.id in joined


def replied_to(event: Event) -> str:
    return str(event["content"].get("m.relates_to", {}).get("m.in_reply_to", {}).get("event_id"))


@dataclass
class Synapse:
    url: str

    def account(self, name: str) -> Account:
        """Register somebody under a name that nobody has yet."""
        name = f"{name.lower()}{next(_numbers)}"
        path = f"{self.url}/_synapse/admin/v1/register"
        nonce = httpx.get(path, trust_env=False, timeout=30).json()["nonce"]
        words = f"{nonce}\0{name}\0a-password\0notadmin"
        mac = hmac.new(_SECRET.encode(), words.encode(), hashlib.sha1).hexdigest()
        body = {"nonce": nonce, "username": name, "password": "a-password", "admin": False, "mac": mac}
        made = httpx.post(path, json=body, trust_env=False, timeout=30).json()
        return Account(self.url, made["user_id"], made["access_token"])


@contextmanager
def synapse(folder: Path) -> Iterator[Synapse]:
    """Start a homeserver that keeps everything in a folder; tests are skipped where Synapse is missing."""
    if find_spec("synapse") is None:
        pytest.skip("matrix-synapse is not installed: `uv sync` installs it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    unlimited = {"per_second": 10_000, "burst_count": 10_000}
    settings = {
        "server_name": "localhost",
        "report_stats": False,
        "pid_file": str(folder / "pid"),
        "listeners": [
            {
                "port": port,
                "type": "http",
                "bind_addresses": ["127.0.0.1"],
                "resources": [{"names": ["client"]}],
            }
        ],
        "database": {"name": "sqlite3", "args": {"database": str(folder / "homeserver.sqlite3")}},
        "media_store_path": str(folder / "media"),
        "signing_key_path": str(folder / "signing.key"),
        "registration_shared_secret": _SECRET,
        "macaroon_secret_key": _SECRET,
        "form_secret": _SECRET,
        "trusted_key_servers": [],
        "suppress_key_server_warning": True,
        # It would answer whoever polls with what was so two minutes ago.
        "caches": {"sync_response_cache_duration": 0},
        "rc_message": unlimited,
        "rc_invites": {"per_room": unlimited, "per_user": unlimited, "per_issuer": unlimited},
        "rc_joins": {"local": unlimited},
        "rc_room_creation": unlimited,
        "rc_login": {"address": unlimited, "account": unlimited},
        "rc_registration": unlimited,
        "encryption_enabled_by_default_for_room_type": "off",
    }
    file = folder / "homeserver.yaml"
    file.write_text(yaml.safe_dump(settings), "utf-8")
    command = [sys.executable, "-m", "synapse.app.homeserver", "-c", str(file)]
    subprocess.run([*command, "--generate-keys"], check=True, capture_output=True)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
        server = Synapse(f"http://127.0.0.1:{port}")
        try:
            until(
                lambda: _answers(server.url), lambda: (folder / "log").read_text("utf-8")[-3000:], seconds=120
            )
            yield server
        finally:
            process.kill()
            process.wait()


def _answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health", trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@dataclass
class Stage:
    """A bot, its account, and its homeserver; questions that say "slowly" wait for the gate."""

    bot: Bot
    me: Account
    server: Synapse
    gate: threading.Event

    def person(self, name: str = "Ann") -> tuple[Account, Room]:
        somebody = self.server.account(name)
        room = somebody.opens(self.me)
        self.until(lambda: room.has(self.me))
        return somebody, room

    def group(self, member: Account, *others: Account) -> Room:
        room = member.opens(self.me, *others, direct=False)
        for other in others:
            other.joins(room)
        self.until(lambda: room.has(self.me))
        return room

    def until(self, condition: Callable[[], Any]) -> Any:
        return until(condition, lambda: self.bot.whole_log[-4000:])

    def replies(self, room: Room, event: str) -> list[Event]:
        return [each for each in room.by(self.me) if replied_to(each) == event]

    def reply(self, room: Room, event: str) -> Event:
        found: list[Event] = self.until(lambda: self.replies(room, event))
        return found[0]

    def told(self, room: Room, event: str) -> str:
        return str(self.reply(room, event)["content"]["body"])

    def bot_is_at_work(self, room: Room) -> None:
        self.until(
            lambda: self.rows("SELECT 1 FROM asks WHERE user_id = ? AND state = 'running'", room.member)
        )

    def rows(self, query: str, person: Account) -> list[Any]:
        with closing(sqlite3.connect(self.bot.folder / "data" / "thinktwice.sqlite3")) as connection:
            return [row[0] for row in connection.execute(query, (f"matrix:{person.id}",))]

    def edits(self, room: Room, event: str) -> list[str]:
        edited = [each["content"] for each in room.by(self.me) if "m.new_content" in each["content"]]
        return [each["m.new_content"]["body"] for each in edited if each["m.relates_to"]["event_id"] == event]


@contextmanager
def staged(server: Synapse, folder: Path, **variables: str) -> Iterator[Stage]:
    (corpus := folder / "corpus").mkdir()
    write_documents(corpus)
    me, gate = server.account("bot"), threading.Event()
    gate.set()
    me.call("PUT", f"profile/{quote(me.id)}/displayname", {"displayname": "Think Twice"})

    def model(request: Recorded) -> Behaviour:
        if "slowly" in str(request.body["messages"][-1]):
            gate.wait(60)
        return answer(request)

    given = {"THINKTWICE_MATRIX__HOMESERVER": server.url, "THINKTWICE_MATRIX__TOKEN": me.token}
    with FakeOpenAI(model) as served, living(Bot(None, served, folder, corpus, given | variables)) as bot:
        yield Stage(bot, me, server, gate)
        gate.set()
