"""Who may do what in the console, and what it does with texts and requests that mean it ill."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sized
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, cast

import httpx
import pytest
from fastapi import APIRouter
from fastapi.routing import APIRoute

from bot.telegram.ids import to_peer
from bot.web.app import application_without_guard
from bot.web.context import Context
from bot.web.guard import HEADERS, MOST_BYTES
from bot.web.visitors import COOKIE
from tests.support.attacked_console import GROUP, seeded
from tests.support.attacks import operations
from tests.support.console import ADMIN, MEMBER, OWNER, STRANGER, Browser, Serve, Served, talked

Who = Literal["nobody", "stranger", "member", "admin", "owner"]
VISITORS: dict[Who, int | None] = {
    "nobody": None, "stranger": STRANGER, "member": MEMBER, "admin": ADMIN, "owner": OWNER,
}  # fmt: skip
RANKS: tuple[Who, ...] = ("nobody", "stranger", "member", "admin", "owner")


@dataclass(frozen=True)
class Asked:
    """A request, who may make it, and the status for whoever may."""

    route: str
    least: Who
    status: int
    path: str = ""
    form: dict[str, str] = field(default_factory=dict)

    @property
    def method(self) -> str:
        return self.route.split()[0]

    @property
    def address(self) -> str:
        return self.path or self.route.split()[1]


GONE = "/runs/web:1:none"
TABLE = (
    Asked("GET /login/{secret}", "nobody", 200, "/login/abc"),
    Asked("POST /login/{secret}", "nobody", 403, "/login/abc"),
    Asked("GET /healthz", "nobody", 200),
    Asked("GET /", "member", 200),
    Asked("POST /ask", "member", 422, form={"question": ""}),
    Asked("GET /runs/{run_id}", "member", 404, GONE),
    Asked("GET /runs/{run_id}/view", "member", 404, f"{GONE}/view"),
    Asked("GET /runs/{run_id}/sources/{number}", "member", 404, f"{GONE}/sources/1"),
    Asked("POST /runs/{run_id}/cancel", "member", 404, f"{GONE}/cancel"),
    Asked("POST /runs/{run_id}/feedback", "member", 404, f"{GONE}/feedback", {"rating": "wrong"}),
    Asked("POST /runs/{run_id}/person", "member", 404, f"{GONE}/person"),
    Asked("POST /api/runs/{run_id}/person", "member", 404, f"/api{GONE}/person"),
    Asked("GET /passed", "member", 200),
    Asked("POST /passed/{number}", "member", 404, "/passed/1", {"text": "At four."}),
    Asked("GET /api/questions", "member", 200),
    Asked("POST /api/questions/{number}", "member", 422, "/api/questions/1"),
    Asked("GET /chats/{number}", "member", 404, "/chats/1"),
    Asked("POST /chats/{number}/rename", "member", 303, "/chats/1/rename", {"title": "Leave"}),
    Asked("POST /chats/{number}/forget", "member", 303, "/chats/1/forget", {"sure": "yes"}),
    Asked("POST /api/runs", "member", 422),
    Asked("GET /v1/models", "member", 200),
    Asked("POST /v1/chat/completions", "member", 422),
    Asked("POST /mcp", "member", 400),
    Asked("GET /api/runs/{run_id}", "member", 404, f"/api{GONE}"),
    Asked("GET /api/runs/{run_id}/events", "member", 404, f"/api{GONE}/events"),
    Asked("POST /api/runs/{run_id}/cancel", "member", 404, f"/api{GONE}/cancel"),
    Asked("POST /api/session", "member", 422),
    Asked("GET /api/session/{session_id}", "member", 404, "/api/session/none"),
    Asked("POST /api/session/{session_id}", "member", 422, "/api/session/none"),
    Asked("POST /api/session/{session_id}/step", "member", 422, "/api/session/none/step"),
    Asked("GET /api/session", "member", 200),
    Asked("POST /api/session/{session_id}/undo", "member", 404, "/api/session/none/undo"),
    Asked("POST /api/session/{session_id}/finish", "member", 404, "/api/session/none/finish"),
    Asked("DELETE /api/session/{session_id}", "member", 404, "/api/session/none"),
    Asked("GET /api/session/{session_id}/export", "member", 404, "/api/session/none/export"),
    Asked("GET /api/session/{session_id}/document", "member", 404, "/api/session/none/document"),
    Asked("POST /api/session/{session_id}/document", "member", 404, "/api/session/none/document"),
    Asked("GET /interviews", "member", 200),
    Asked("POST /interviews", "member", 422, form={"pack": "none"}),
    Asked("GET /interviews/{session_id}", "member", 404, "/interviews/none"),
    Asked("GET /interviews/{session_id}/document", "member", 404, "/interviews/none/document"),
    Asked("POST /interviews/{session_id}/document", "member", 404, "/interviews/none/document"),
    Asked("GET /interviews/{session_id}/at-work", "member", 404, "/interviews/none/at-work"),
    Asked("GET /interviews/{session_id}/why", "member", 404, "/interviews/none/why?turn=1"),
    Asked("POST /interviews/{session_id}", "member", 404, "/interviews/none", {"message": "hi"}),
    Asked("POST /interviews/{session_id}/delete", "member", 404, "/interviews/none/delete"),
    Asked("POST /interviews/{session_id}/undo", "member", 404, "/interviews/none/undo"),
    Asked("POST /interviews/{session_id}/finish", "member", 404, "/interviews/none/finish"),
    Asked("GET /metrics", "admin", 200),
    Asked("GET /documents", "admin", 200),
    Asked("GET /documents/progress", "admin", 200),
    Asked("POST /documents", "admin", 422),
    Asked("POST /documents/remove", "admin", 404, form={"name": "../../thinktwice.sqlite3"}),
    Asked("POST /documents/reindex", "admin", 303),
    Asked("GET /people", "admin", 200),
    Asked("POST /people/decide", "admin", 303, form={"id": "99", "decision": "allow"}),
    Asked("POST /people/appoint", "owner", 303, form={"id": "99", "is_admin": "no"}),
    Asked("GET /conversations", "admin", 200),
    Asked("GET /conversations/{conversation_id}", "admin", 404, "/conversations/telegram:-99:0"),
    Asked("GET /statistics", "admin", 200),
    Asked("GET /statistics/picture.png", "admin", 200),
    Asked("GET /quality", "admin", 200),
    Asked("GET /health", "admin", 200),
    Asked("GET /tokens", "admin", 200),
    Asked("POST /tokens", "admin", 422, form={"name": " "}),
    Asked("POST /tokens/{token_id}/revoke", "admin", 404, "/tokens/1/revoke", {"sure": "yes"}),
    # Last: it ends the session.
    Asked("POST /logout", "member", 303),
)


def test_table_has_every_route() -> None:
    routes = {f"{method} {route.path}" for route in _routes() for method in route.methods or ()}
    assert routes == {asked.route for asked in TABLE}
    app: Any = application_without_guard(cast("Context", None), {})
    alone = {route.path for route in app.routes if not hasattr(route, "original_router")}
    assert alone == {"/api/openapi.json", "/static"}, "a route in no router is asked by no test"


@asynccontextmanager
async def visiting(console: Served, who: Who) -> AsyncIterator[Browser]:
    async with console.browser(None if who == "stranger" else VISITORS[who]) as browser:
        if who == "stranger":
            # Somebody with a session whom nobody lets in.
            link = await console.parts.logins.link(to_peer(STRANGER))
            await browser.client.post(f"/login/{link}")
        yield browser


@pytest.mark.parametrize("who", RANKS)
async def test_every_route_as_everybody(
    console: Served, who: Who, attacked: Callable[[int, Sized], None]
) -> None:
    found = {}
    expected = {}
    async with visiting(console, who) as browser:
        for asked in TABLE:
            if asked.method != "GET":
                reply = await browser.client.request(
                    asked.method,
                    asked.address,
                    data={"csrf": browser.csrf} | asked.form,
                    headers={"X-CSRF-Token": browser.csrf},
                )
            else:
                reply = await browser.get(asked.address)
            found[asked.route] = reply.status_code
            if RANKS.index(who) >= RANKS.index(asked.least):
                expected[asked.route] = asked.status
            else:
                expected[asked.route] = 401 if who == "nobody" else 403
            for name, value in HEADERS.items():
                assert reply.headers[name] == value, (asked.route, name)
            assert "unsafe" not in reply.headers["content-security-policy"]
    attacked(len(TABLE), {*found.items()} ^ {*expected.items()})


OWN = {"number", "path"}
"""Parts of paths that are nobody's, or count a visitor's own things: the same one is another for everybody."""


@pytest.mark.parametrize("who", ["nobody", "stranger", "member"])
async def test_nobody_reaches_what_is_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: Who, attacked: Callable[[int, Sized], None]
) -> None:
    """Every route of the application, with every thing of the owner that its path can name, and every form."""
    won: list[object] = []
    tried = 0
    async with seeded(tmp_path, monkeypatch) as seeds, visiting(seeds.console, who) as visitor:
        owner, paths = seeds.browser, seeds.paths
        secret = await owner.asks("What is CANARY-of-the-owner?")
        await owner.get(f"/api{secret}/events")
        await owner.post("/interviews", pack="bug_report")
        await owner.post(paths["session"], message="CANARY-of-the-owner does not start.")
        await talked(seeds.console, GROUP.conversation_id, OWNER, "CANARY-of-the-owner?", "Yes.")
        runs = [path.rpartition("/")[2] for path in (secret, paths["run"], paths["council"], paths["going"])]
        things = {
            "run_id": runs,
            "session_id": [paths["session"].rpartition("/")[2]],
            "conversation_id": [GROUP.conversation_id, f"web:{OWNER}:1"],
            "token_id": ["1"],
            "secret": [await seeds.console.parts.logins.token(to_peer(OWNER), "used as a link")],
            "number": ["1"],
            "path": ["../thinktwice.sqlite3"],
        }
        shown = [secret, paths["session"], f"/conversations/{GROUP.conversation_id}", "/tokens", "/documents"]
        shown.append("/passed")
        bodies = {
            (operation.method, operation.path): operation.required
            for operation in operations((await owner.get("/api/openapi.json")).json())
            if operation.required
        }
        before = [_without_keys((await owner.get(path)).text) for path in shown]
        forms = list((await seeds.forms()).values())
        headers = {"X-CSRF-Token": visitor.csrf}
        for route in _routes():
            names = re.findall(r"\{(\w+)", route.path)
            for chosen in itertools.product(*(things[name] for name in names)):
                path = route.path
                for thing in chosen:
                    path = re.sub(r"\{\w+(:\w+)?\}", thing, path, count=1)
                for method in route.methods or ():
                    if path == "/logout":
                        continue
                    body = bodies.get((method, route.path))
                    reply = await visitor.client.request(
                        method,
                        path,
                        data={"csrf": visitor.csrf} if method == "POST" and body is None else None,
                        json=body,
                        headers=headers,
                    )
                    tried += 1
                    is_open = (
                        reply.status_code < 400 and {*names} - OWN and path != f"/login/{things['secret'][0]}"
                    )
                    if "CANARY" in reply.text or is_open:
                        won.append((method, path, reply.status_code))
        for form in forms:
            if form.method == "post" and form.action != "/logout":
                await visitor.client.post(form.action, data=form.filled() | {"csrf": visitor.csrf})
                tried += 1
        after = [_without_keys((await owner.get(path)).text) for path in shown]
        won += [path for path, old, new in zip(shown, before, after, strict=True) if old != new]
        assert (await seeds.console.parts.users.get(to_peer(99))).access is None
    assert tried > 60
    attacked(tried, won)


def _without_keys(page: str) -> str:
    return re.sub(r"[0-9a-f]{32,}", "", page)


def _routes() -> Iterator[APIRoute]:
    app: Any = application_without_guard(cast("Context", None), {})
    for included in app.routes:
        router: Any = getattr(included, "original_router", APIRouter())
        yield from router.routes


@pytest.mark.parametrize("asked", [asked for asked in TABLE if asked.method != "GET" and asked.least != "nobody"],
                         ids=lambda asked: asked.route)  # fmt: skip
async def test_nothing_is_changed_without_the_token_of_the_form(console: Served, asked: Asked) -> None:
    async with console.browser(OWNER) as browser:
        for csrf in ("", "0" * 64):
            reply = await browser.client.request(
                asked.method,
                asked.address,
                data={"csrf": csrf} | asked.form,
                headers={"X-CSRF-Token": csrf},
            )
            assert reply.status_code == 403
        assert (await browser.get("/")).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
    ],
    ids=["another host", "another site", "a neighbour", "another origin", "no origin"],
)
async def test_request_that_means_it_ill_gets_no_further(
    console: Served, headers: dict[str, str], status: int
) -> None:
    async with console.browser(OWNER) as browser:
        reply = await browser.client.post("/people/decide", content=b"", headers=headers)
        assert reply.status_code == status


async def test_body_that_is_too_large_is_refused_by_its_length(console: Served) -> None:
    """The reply comes before the body is sent, so nothing of the body need arrive."""
    async with console.browser(OWNER) as browser:
        address = browser.client.base_url
        cookies = "; ".join(f"{name}={value}" for name, value in browser.client.cookies.items())
        lines = [
            "POST /people/decide HTTP/1.1",
            f"Host: {address.host}:{address.port}",
            f"Cookie: {cookies}",
            f"Content-Length: {MOST_BYTES + 1}",
        ]
        reader, writer = await asyncio.open_connection(address.host, address.port)
        writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        try:
            assert (await asyncio.wait_for(reader.readline(), 30)).split()[1] == b"413"
        finally:
            writer.close()


async def test_body_without_a_length_is_counted(console: Served) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 10_000

    async with console.browser(OWNER) as browser:
        try:
            reply = await browser.client.post(
                "/ask", content=endless(), headers={"Content-Type": "application/x-www-form-urlencoded"}
            )
            assert reply.status_code == 413
        except httpx.TransportError:
            pass  # It was closed while it still sent.
        assert (await browser.get("/")).status_code == 200


async def test_session_cookie_and_secrets_in_the_database(
    console: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = await console.parts.logins.link(to_peer(OWNER))
    async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
        assert (await client.get(f"/login/{link}")).status_code == 200
        reply = await client.post(f"/login/{link}")
        cookie = reply.headers["set-cookie"]
        assert cookie.startswith(f"{COOKIE}=")
        assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(cookie.split("; "))
        secret = cookie.partition("=")[2].partition(";")[0]
        assert (await client.post(f"/login/{link}")).status_code == 403
        assert (await client.get("/")).status_code == 200
        page = (await client.get("/")).text
        await client.post("/logout", data={"csrf": re.findall(r'name="csrf" value="(\w+)"', page)[0]})
        # The cookie is worthless afterwards, whoever kept it.
        kept = await client.get("/", headers={"Cookie": f"{COOKIE}={secret}"})
        assert kept.status_code == 401
    held = b"".join(path.read_bytes() for path in (tmp_path / "data").glob("thinktwice.sqlite3*"))
    assert secret.encode() not in held
    assert link.encode() not in held


@pytest.mark.parametrize(
    ("given", "headers", "is_encrypted"),
    [
        ({"public_url": "https://console.example.org"}, {"Host": "console.example.org"}, True),
        ({"trusted_proxies": ("127.0.0.1",)}, {"X-Forwarded-Proto": "https"}, True),
        ({"trusted_proxies": ("127.0.0.1",)}, {"X-Forwarded-Proto": "http"}, False),
        ({"trusted_proxies": ("10.0.0.0/8",)}, {"X-Forwarded-Proto": "https"}, False),
    ],
    ids=["public address", "trusted proxy", "plain behind a trusted proxy", "proxy that nobody trusts"],
)
async def test_cookie_is_for_encrypted_connections_alone_where_there_is_one(
    serve: Serve, given: dict[str, Any], headers: dict[str, str], is_encrypted: bool
) -> None:
    async with serve(console=given) as console:
        link = await console.parts.logins.link(to_peer(OWNER))
        async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
            reply = await client.post(f"/login/{link}", headers=headers)
    assert ("Secure" in reply.headers["set-cookie"].split("; ")) is is_encrypted
    assert ("strict-transport-security" in reply.headers) is is_encrypted


async def test_too_many_requests_are_turned_away(serve: Serve) -> None:
    async with serve(console={"requests_per_minute": 20}) as console:
        async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
            statuses = [(await client.post("/login/guess")).status_code for _ in range(25)]
        assert statuses == [403] * 20 + [429] * 5


async def test_health_is_bad_while_nothing_can_be_written(console: Served) -> None:
    async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
        assert (await client.get("/healthz")).text == "ok\n"
        folder = console.parts.settings.data_dir
        away = folder.with_name("away")
        folder.rename(away)
        reply = await client.get("/healthz")
        away.rename(folder)
        assert (reply.status_code, reply.text) == (503, "the data folder cannot be written\n")


async def test_cookies_of_nobody_are_counted_by_their_address(serve: Serve) -> None:
    async with serve(console={"requests_per_minute": 60}) as console, console.browser(MEMBER) as member:
        statuses = []
        for number in range(100):
            async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
                shown = {"Cookie": f"{COOKIE}={number}", "Authorization": f"Bearer {number}"}
                statuses.append((await client.get("/api/runs", headers=shown)).status_code)
        assert statuses.count(429) >= 40
        # Whoever has logged in is counted apart, and so is whoever watches the program.
        assert (await member.get("/")).status_code == 200
        assert (await member.get("/healthz")).status_code == 200


async def test_token_counts_once_whatever_cookies_it_comes_with(serve: Serve) -> None:
    async with serve(console={"requests_per_minute": 60}) as console:
        token = await console.parts.logins.token(to_peer(ADMIN), "a program")
        statuses = []
        async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
            for number in range(150):
                shown = {"Cookie": f"{COOKIE}={number // 50}", "Authorization": f"Bearer {token}"}
                statuses.append((await client.get("/api/session", headers=shown)).status_code)
    assert statuses.count(429) >= 150 - 2 * 60


@pytest.mark.parametrize("path", ["/tokens/{}/revoke", "/passed/{}", "/chats/{}/forget"])
async def test_number_that_no_database_holds_is_none(console: Served, path: str) -> None:
    async with console.browser(OWNER) as browser:
        reply = await browser.post(path.format(2**63), sure="yes", text="Yes.")
    assert reply.status_code == 404


@pytest.mark.parametrize("proxy", ["127.0.0.1", "127.0.0.0/8"])
async def test_visitors_behind_a_trusted_proxy_are_counted_apart(serve: Serve, proxy: str) -> None:
    given = {"requests_per_minute": 5, "trusted_proxies": (proxy,)}
    async with serve(console=given) as console:
        async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:

            async def guess(forwarded: str) -> int:
                headers = {"X-Forwarded-For": forwarded}
                return (await client.post("/login/guess", headers=headers)).status_code

            # What a visitor writes before the address that the proxy adds makes nobody else of them.
            one = [await guess(f"192.0.2.{number}, 203.0.113.7") for number in range(7)]
            other = [await guess(f"{form}203.0.113.8") for form in ("", "::ffff:") for _ in range(3)]
            # One client chooses among all addresses of its network.
            six = [await guess(f"2001:db8::{number}") for number in range(7)]
            neighbour = await guess("2001:db8:0:1::1")
        assert one == six == [403] * 5 + [429] * 2
        assert other == [403] * 5 + [429]
        assert neighbour == 403


async def test_headers_of_a_proxy_that_nobody_trusts_are_ignored(serve: Serve) -> None:
    given = {"requests_per_minute": 5, "trusted_proxies": ("10.0.0.0/8",)}
    async with serve(console=given) as console:
        async with httpx.AsyncClient(base_url=console.base, trust_env=False) as client:
            statuses = [
                (await client.post("/login/guess", headers={"X-Forwarded-For": f"192.0.2.{n}"})).status_code
                for n in range(7)
            ]
        assert statuses == [403] * 5 + [429] * 2


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/%2e%2e/web/app.py", "/static//etc/passwd",
        "/quality/..%2f..%2fthinktwice.sqlite3.html", "/runs/..%2f..%2fetc", "/static/",
    ],
)  # fmt: skip
async def test_no_path_leads_out(console: Served, path: str) -> None:
    async with console.browser(OWNER) as browser:
        reply = await browser.get(path)
        assert reply.status_code in {404, 405}
        assert "import" not in reply.text
