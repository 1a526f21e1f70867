"""The HTTP side: reading calls, long polls, faults and gates, and how an answer leaves.

After "Making requests" of the reference page: POST or GET, parameters in the address, a form, multipart or JSON;
the answer has ``ok`` and ``result``, or ``error_code``, ``description`` and ``parameters``. A wrong token gets 401,
an unknown method or a malformed token 404.
"""

from __future__ import annotations

import asyncio
import json
import re
from typing import Any

from tornado.web import Application, RequestHandler

from tests.telegram.faults import Fault, Script
from tests.telegram.limits import Limits
from tests.telegram.methods import BY_LOWER_NAME, METHODS
from tests.telegram.params import Params, Upload
from tests.telegram.record import Request
from tests.telegram.refusals import NOT_FOUND, UNAUTHORIZED, Refusal, bad_request, conflict
from tests.telegram.world import World

_TWO_POLLERS = "terminated by other getUpdates request; make sure that only one bot instance is running"
_HAS_WEBHOOK = (
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
)
_MAX_POLL_SECONDS = 50
_MAX_UPDATES = 100


class HungUpError(Exception):
    """The client is gone, or the connection is to be closed without an answer."""


class Poll:
    def __init__(self) -> None:
        self.woken = asyncio.Event()
        self.refused: Refusal | None = None
        self.cut = False


class Switchboard:
    """Answers calls; lives in the server's event loop, and `closing` ends every wait when the server stops."""

    def __init__(self, world: World, token: str, limits: Limits, script: Script) -> None:
        self.world = world
        self.token = token
        self.limits = limits
        self.script = script
        self.requests: list[Request] = []
        self.closing = asyncio.Event()
        self.polls: list[Poll] = []

    def application(self) -> Application:
        shared = {"board": self}
        return Application(
            [
                (r"/bot([^/]*)/(\w+)/?", CallHandler, shared),
                (r"/file/bot([^/]*)/(.+)", FileHandler, shared),
            ],
            log_function=lambda _handler: None,
        )

    def wake(self) -> None:
        for poll in self.polls:
            poll.woken.set()

    def check_token(self, token: str) -> None:
        if token == self.token:
            return
        raise Refusal(*(UNAUTHORIZED if re.fullmatch(r"\d+:[\w-]{30,}", token) else NOT_FOUND))

    def method_name(self, token: str, method: str) -> str:
        """Return the name of a method as the reference page writes it."""
        self.check_token(token)
        if method.lower() not in BY_LOWER_NAME:
            raise Refusal(*NOT_FOUND)
        return BY_LOWER_NAME[method.lower()]

    async def download(self, token: str, path: str, gone: asyncio.Event) -> bytes:
        """Return the content of a file; record a call of ``download``."""
        self.check_token(token)
        request = Request("download", self.world.clock.now(), {"path": path}, None)
        with self.world.lock:
            self.requests.append(request)
            fault = self.script.take(request)
            stored = next((file for file in self.world.files.values() if file.path == path), None)
        await self._pass(request, gone, after=False)
        if fault is not None:
            await self._suffer(fault, request, gone)
        if stored is None:
            request.status = 404
            raise Refusal(*NOT_FOUND)
        request.done, request.status = True, 200
        return stored.content

    async def answer(self, method: str, params: Params, gone: asyncio.Event) -> Any:
        """Carry out a call with the faults that a test ordered; a `HungUpError` closes the connection."""
        request = self._record(method, params)
        with self.world.lock:
            fault = self.script.take(request)
        try:
            result = await self._answer(request, params, fault, gone)
        except Refusal as refusal:
            request.status, request.description = refusal.status, refusal.description
            raise
        except HungUpError:
            request.given_up = gone.is_set()
            raise
        request.status, request.result = 200, result
        return result

    async def _answer(
        self, request: Request, params: Params, fault: Fault | None, gone: asyncio.Event
    ) -> Any:
        await self._pass(request, gone, after=False)
        if fault is not None:
            await self._suffer(fault, request, gone)
        result = await self._carry_out(request, params, gone)
        await self._pass(request, gone, after=True)
        if fault is not None and fault.kind == "lose":
            raise HungUpError
        if fault is not None and fault.kind == "stall":
            await self._first(asyncio.Event(), gone)
        return result

    def _record(self, method: str, params: Params) -> Request:
        chat_id = str(params.values.get("chat_id"))
        request = Request(
            method,
            self.world.clock.now(),
            params.decoded(),
            int(chat_id) if chat_id.lstrip("-").isdigit() else None,
            {name: len(upload.content) for name, upload in params.uploads.items()},
        )
        with self.world.lock:
            self.requests.append(request)
        return request

    async def _pass(self, request: Request, gone: asyncio.Event, *, after: bool) -> None:
        while True:
            with self.world.lock:
                gate = self.script.gate(request, after=after)
                if gate is None:
                    return
                gate.held.append(request)
            await self._first(gate.opened, gone)

    async def _suffer(self, fault: Fault, request: Request, gone: asyncio.Event) -> None:
        if fault.kind == "refuse" and fault.refusal is not None:
            raise fault.refusal
        if fault.kind == "garbage":
            request.status = fault.status
            raise GarbageError(fault.status, fault.body)
        if fault.kind == "drop":
            raise HungUpError
        if fault.kind == "hang":
            await self._first(asyncio.Event(), gone)
        if fault.kind == "slow":
            await self._first(asyncio.Event(), gone, fault.seconds)

    async def _carry_out(self, request: Request, params: Params, gone: asyncio.Event) -> Any:
        if request.method == "getUpdates":
            result = await self._get_updates(params, gone)
        else:
            with self.world.lock:
                self.limits.count(request.method, request.chat_id, self.world.clock.now())
                result = METHODS[request.method](self.world, params)
        request.done = True
        return result

    async def _get_updates(self, params: Params, gone: asyncio.Event) -> Any:
        offset = params.integer("offset") or 0
        limit = min(max(params.integer("limit") or _MAX_UPDATES, 1), _MAX_UPDATES)
        seconds = min(params.integer("timeout") or 0, _MAX_POLL_SECONDS)
        deadline = asyncio.get_running_loop().time() + seconds
        poll = Poll()
        with self.world.lock:
            if self.world.webhook.url:
                raise conflict(_HAS_WEBHOOK)
            self.world.updates.allow(params.listing("allowed_updates"))
        try:
            while True:
                poll.woken.clear()
                with self.world.lock:
                    updates = [update.wire() for update in self.world.updates.read(offset, limit)]
                left = deadline - asyncio.get_running_loop().time()
                if updates or left <= 0:
                    return updates
                if poll not in self.polls:
                    self._refuse_polls(conflict(_TWO_POLLERS))
                    self.polls.append(poll)
                await self._first(poll.woken, gone, left)
                if poll.cut:
                    raise HungUpError
                if poll.refused is not None:
                    raise poll.refused
                # A negative offset applies once; all later updates are returned.
                offset = max(offset, 0)
        finally:
            if poll in self.polls:
                self.polls.remove(poll)

    def refuse_polls_for_webhook(self) -> None:
        self._refuse_polls(conflict("terminated by setWebhook request"))

    def cut_polls(self) -> None:
        for poll in self.polls:
            poll.cut = True
            poll.woken.set()

    def _refuse_polls(self, refusal: Refusal) -> None:
        for poll in self.polls:
            poll.refused = refusal
            poll.woken.set()

    async def _first(self, event: asyncio.Event, gone: asyncio.Event, seconds: float | None = None) -> None:
        """Wait for an event or for some seconds; give up when the client or the server is gone."""
        waits = [asyncio.ensure_future(each.wait()) for each in (event, gone, self.closing)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if gone.is_set() or self.closing.is_set():
            raise HungUpError


class GarbageError(Exception):
    """The answer is not one of Telegram's: a proxy's page, half a body."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class _Page(RequestHandler):
    board: Switchboard
    gone: asyncio.Event

    def initialize(self, board: Switchboard) -> None:
        self.board = board
        self.gone = asyncio.Event()

    def on_connection_close(self) -> None:
        self.gone.set()

    def compute_etag(self) -> str | None:
        return None

    def send_refusal(self, refusal: Refusal) -> None:
        self.set_status(refusal.status)
        self.set_header("Content-Type", "application/json")
        if "retry_after" in refusal.parameters:
            self.set_header("Retry-After", str(refusal.parameters["retry_after"]))
        self.finish(json.dumps(refusal.wire()))

    def hang_up(self) -> None:
        self.detach().close()


class CallHandler(_Page):
    async def get(self, token: str, method: str) -> None:
        await self.post(token, method)

    async def post(self, token: str, method: str) -> None:
        try:
            name = self.board.method_name(token, method)
            result = await self.board.answer(name, self._params(), self.gone)
        except Refusal as refusal:
            if not self.gone.is_set():
                self.send_refusal(refusal)
        except GarbageError as garbage:
            self.set_status(garbage.status)
            self.set_header("Content-Type", "text/html")
            self.finish(garbage.body)
        except HungUpError:
            self.hang_up()
        else:
            if self.gone.is_set():
                return
            self.set_header("Content-Type", "application/json")
            self.finish(json.dumps({"ok": True, "result": result}))

    def _params(self) -> Params:
        try:
            values: dict[str, Any] = {
                name: texts[-1].decode() for name, texts in self.request.arguments.items()
            }
        except UnicodeDecodeError as exc:
            raise bad_request("strings must be encoded in UTF-8") from exc
        if self.request.headers.get("Content-Type", "").startswith("application/json") and self.request.body:
            try:
                given = json.loads(self.request.body)
            except ValueError as exc:
                raise bad_request("can't parse JSON object") from exc
            if not isinstance(given, dict):
                raise bad_request("object expected")
            values |= given
        uploads = {
            name: Upload(files[0].filename, files[0].body, files[0].content_type)
            for name, files in self.request.files.items()
        }
        return Params(values, uploads)


class FileHandler(_Page):
    async def get(self, token: str, path: str) -> None:
        try:
            content = await self.board.download(token, path, self.gone)
        except Refusal as refusal:
            self.send_refusal(refusal)
        except GarbageError as garbage:
            self.set_status(garbage.status)
            self.finish(garbage.body)
        except HungUpError:
            self.hang_up()
        else:
            self.set_header("Content-Type", "application/octet-stream")
            self.finish(content)
