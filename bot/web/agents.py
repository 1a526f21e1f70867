"""Tools for agents over HTTP, at ``/mcp``: the Model Context Protocol with the tokens of the console.

Each request brings its token, is served by a server of its own, and leaves no session behind. A question is a
run like any other: it counts against the limits of whoever the token belongs to, and stands in the console.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from uuid import uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from bot.agent_tools import make_server
from bot.service.people import Refusal
from bot.web import context
from bot.web.api import refused
from bot.web.errors import ConsoleError
from bot.web.openai_api import wait_for_answer
from bot.web.visitors import Ordering, Visitor
from rag.errors import InputError
from rag.reasons import as_written
from rag.values import Answer, Mode

if TYPE_CHECKING:
    from mcp.server import MCPServer

PATH: Final = "/mcp"

router = APIRouter()


@router.post(PATH, include_in_schema=False, response_model=None)
async def serve(request: Request, visitor: Ordering) -> Response:
    """Serve one request of an agent; raise `OperatorError` if the library of the protocol is missing."""
    parts = context.of(request).parts

    async def ask(question: str, mode: Mode | None) -> Answer:
        try:
            return await _ask(request, visitor, question, mode)
        except ConsoleError as exc:
            said = context.TEXTS.text(exc.message, visitor.language, **exc.values)
            raise InputError(as_written(said)) from exc

    corpus = parts.app.engine.tools.corpus
    documents = await parts.document_sets.of_chat(visitor.place.chat_id)
    return _Served(make_server(ask, corpus if documents is None else corpus.within(documents)))


async def _ask(request: Request, visitor: Visitor, question: str, mode: Mode | None) -> Answer:
    taken = await context.of(request).web_runs.start(visitor.user_id, question, key=uuid4().hex, mode=mode)
    if isinstance(taken, Refusal):
        raise refused(taken)
    _, answer = await wait_for_answer(request, visitor, taken.run_id)
    return answer


class _Served(Response):
    def __init__(self, server: MCPServer) -> None:
        super().__init__()
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a server without sessions answer; hosts and sizes were checked in front of the console."""
        from mcp.server.transport_security import TransportSecuritySettings

        security = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        app = self._server.streamable_http_app(
            streamable_http_path=PATH, stateless_http=True, transport_security=security
        )
        async with self._server.session_manager.run():
            await app(dict(scope), receive, send)
