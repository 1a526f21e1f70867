"""Identifies the person behind a request and checks their rights; routes take these types as parameters.

A browser has a session in a cookie, a program a token in the header ``Authorization``, which counts for
``/api/``, ``/v1/``, ``/mcp`` and ``/metrics`` alone. Roles are looked up at each request: whoever was denied
a moment ago is out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Path, Query
from starlette.datastructures import FormData, Headers
from starlette.requests import Request, cookie_parser
from starlette.responses import Response

from bot.service import languages
from bot.service.incoming import Place, Sender
from bot.service.keys import PeerId
from bot.service.people import Role
from bot.web import context
from bot.web.errors import ConsoleError
from bot.web.guard import MOST_BYTES
from rag.texts import FALLBACK

COOKIE: Final = "thinktwice_session"
CSRF_FIELD: Final = "csrf"
CSRF_HEADER: Final = "X-CSRF-Token"

_RANKS: Final[tuple[Role, ...]] = ("none", "member", "admin", "owner")
FOR_PROGRAMS: Final = ("/api/", "/v1/", "/mcp", "/metrics")
"""How the addresses begin that take a token and reply with JSON."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who may use the console.

    Args:
        language: ISO 639-1 code of the language that the console speaks with them.
        csrf: What each form of theirs must bring along; empty for a program, which no page can make ask.
    """

    user_id: PeerId
    name: str
    role: Role
    language: str
    csrf: str = ""

    @property
    def sender(self) -> Sender:
        """The visitor in the form that rights and limits take."""
        return Sender(self.user_id, "person", self.name, self.language)

    @property
    def place(self) -> Place:
        """The visitor's place in the form that rights and limits take: the chat with the bot alone."""
        return Place(self.user_id, "private", title=self.name)

    @property
    def is_admin(self) -> bool:
        """Whether the administrators' pages are theirs."""
        return self.role in {"admin", "owner"}


@dataclass(frozen=True, slots=True)
class Post:
    """A form that somebody sent, found to be theirs."""

    visitor: Visitor
    form: FormData

    def text(self, name: str) -> str:
        """Return a field; one that is missing is empty."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    @property
    def is_sure(self) -> bool:
        """Whether the visitor has confirmed what cannot be undone; if not, return `confirm`."""
        return self.text("sure") == "yes"


def confirm(request: Request, post: Post, question: str, about: str, back: str) -> Response:
    """Ask whether to do what a form asks for; the page sends the same form again, as one that is sure."""
    sent = [(name, value) for name, value in post.form.multi_items() if name not in {CSRF_FIELD, "sure"}]
    shown = {"question": question, "about": about, "back": back, "path": request.url.path}
    return context.of(request).page("confirm.html", post.visitor, status=200, language="", sent=sent, **shown)


def session_in(headers: Headers) -> str:
    """Return the secret of the session that a browser shows, or an empty string."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def token_in(headers: Headers) -> str:
    """Return the token that a program shows, or an empty string."""
    kind, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if kind.casefold() == "bearer" else ""


def secret_in(path: str, headers: Headers) -> tuple[str, bool]:
    """Return the secret that a request is known by, if it shows one, and whether that is a token."""
    token = token_in(headers) if path.startswith(FOR_PROGRAMS) else ""
    return (token, True) if token else (session_in(headers), False)


def rate_limit_key(path: str, headers: Headers) -> str:
    """Return what the requests of one visitor are counted by; an empty string: by their address."""
    secret, _ = secret_in(path, headers)
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest() if secret else ""


def wanted_language(headers: Headers) -> str:
    """Return the first language of a browser that there are texts in."""
    for wish in headers.get("accept-language", "").split(","):
        code = wish.partition(";")[0].strip().partition("-")[0].casefold()
        if code in context.TEXTS.languages:
            return code
    return FALLBACK


async def visitor_of(request: Request) -> Visitor | None:
    """Return who asks; None: nobody who has logged in."""
    logins = context.of(request).parts.logins
    headers = request.headers
    secret, is_token = secret_in(request.url.path, headers)
    find = logins.user_of_token if is_token else logins.user_of_session
    user_id = await find(secret) if secret else None
    if user_id is None:
        return None
    csrf = (
        "" if is_token else hmac.new(secret.encode("utf-8", "replace"), b"csrf", hashlib.sha256).hexdigest()
    )
    request.state.is_known = True
    parts = context.of(request).parts
    person = await parts.users.get(user_id)
    sender = Sender(user_id, "person", person.name, wanted_language(headers))
    role = await parts.access.role(sender)
    language = languages.spoken(sender, person.language or person.client_language or None)
    return Visitor(user_id, person.name, role, language, csrf)


def _allowed(least: Role) -> Callable[[Request], Awaitable[Visitor]]:
    async def visitor(request: Request) -> Visitor:
        found = await visitor_of(request)
        if found is None:
            raise ConsoleError(401, "web-error-401")
        if _RANKS.index(found.role) < _RANKS.index(least):
            is_stranger = found.role == "none"
            raise ConsoleError(403, "web-error-no-access" if is_stranger else f"web-error-{least}s-only")
        return found

    return visitor


def _posting(least: Role) -> Callable[[Request], AsyncIterator[Post]]:
    allowed = _allowed(least)

    async def post(request: Request) -> AsyncIterator[Post]:
        visitor = await allowed(request)
        # It closes the files that were sent along.
        async with request.form(max_fields=100, max_part_size=MOST_BYTES) as form:
            given = form.get(CSRF_FIELD)
            _check(visitor, given if isinstance(given, str) else "")
            yield Post(visitor, form)

    return post


async def _ordering(request: Request) -> Visitor:
    visitor = await _allowed("member")(request)
    _check(visitor, request.headers.get(CSRF_HEADER, ""))
    return visitor


def _check(visitor: Visitor, given: str) -> None:
    if not hmac.compare_digest(given.encode("utf-8", "replace"), visitor.csrf.encode()):
        raise ConsoleError(403, "web-error-csrf")


Member = Annotated[Visitor, Depends(_allowed("member"))]
Admin = Annotated[Visitor, Depends(_allowed("admin"))]
Owner = Annotated[Visitor, Depends(_allowed("owner"))]

Posted = Annotated[Post, Depends(_posting("member"))]
AdminPosted = Annotated[Post, Depends(_posting("admin"))]
OwnerPosted = Annotated[Post, Depends(_posting("owner"))]

Before = Annotated[int | None, Query(ge=1, le=2**53)]
"""Id of the message that a page ends before; none: the latest page."""

RowNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
"""The number of a row in a path; one beyond 32 bits, which no database holds, is not found."""

Ordering = Annotated[Visitor, Depends(_ordering)]
"""A member, or a program of one, that changes something over HTTP."""
