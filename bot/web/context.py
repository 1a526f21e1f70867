"""The context of a page: the running parts, and how the page is drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse

from bot.clock import utcnow
from bot.service import keys
from bot.service.keys import PeerId
from bot.settings.operator_words import in_operator_words
from bot.texts import FOLDER as BOT_TEXTS
from bot.texts import figures
from bot.views import html
from bot.views.markdown import parse
from bot.views.results import view
from rag.reasons import Reason, Value, from_json
from rag.texts import ENGINE_FOLDER, Texts

if TYPE_CHECKING:
    from bot.health import Jobs
    from bot.parts import Parts
    from bot.web.interviews import WebInterviews
    from bot.web.reindexing import Reindexing
    from bot.web.runs import WebRuns
    from bot.web.visitors import Visitor
    from rag.models.roles import ModelStatus

_FOLDER: Final = Path(__file__).parent
STATIC: Final = _FOLDER / "static"

TEXTS: Final = Texts(ENGINE_FOLDER, BOT_TEXTS, _FOLDER / "texts")
"""The messages of the engine, of the bot, and of the console."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A place in the navigation: where it leads, its message, and who sees it beside administrators."""

    path: str
    message: str
    seen_by: Literal["all", "experts", "admins"] = "all"


@dataclass(frozen=True, slots=True)
class Context:
    """The running parts.

    Args:
        role_changed: Told who got or lost a role, so that other channels follow.
    """

    parts: Parts
    web_runs: WebRuns
    web_interviews: WebInterviews
    jobs: Jobs
    models: Callable[[], Awaitable[Sequence[ModelStatus]]]
    reindexing: Reindexing
    role_changed: Callable[[PeerId], Awaitable[None]]
    navigation: tuple[Entry, ...] = ()
    started_at: datetime = field(default_factory=utcnow)
    clock: Callable[[], datetime] = utcnow

    def page(
        self,
        template: str,
        visitor: Visitor | None,
        *,
        status: int = 200,
        language: str = "",
        **values: Any,  # noqa: ANN401 - as templates take them
    ) -> HTMLResponse:
        """Draw a page, or a part of one.

        Args:
            visitor: Who sees it; None: nobody has logged in.
            language: ISO 639-1 code, where there is no visitor.
        """
        spoken = visitor.language if visitor else language or "en"
        is_admin = visitor is not None and visitor.is_admin
        is_expert = visitor is not None and visitor.user_id in self.web_runs.passed.named
        sees = {"all": True, "experts": is_admin or is_expert, "admins": is_admin}
        draw = partial(html.draw, link_hosts=self.parts.settings.telegram.link_hosts)
        shown: dict[str, Any] = {
            "visitor": visitor,
            "status": status,
            "language": spoken,
            "navigation": [entry for entry in self.navigation if visitor and sees[entry.seen_by]],
            "t": partial(_text, spoken),
            "reason": partial(_reason, spoken),
            "problem": partial(problem, language=spoken),
            "view_of": lambda result: view(result, spoken),
            "draw": draw,
            "markdown": lambda text: draw(parse(text)),
            "number": partial(figures.number, language=spoken),
            "duration": partial(figures.duration, language=spoken),
            "size": partial(figures.size, language=spoken),
            **values,
        }
        return HTMLResponse(_templates().get_template(template).render(shown), status)


def of(request: Request) -> Context:
    """Return the running parts behind a request."""
    return cast("Context", request.app.state.context)


def see(path: str) -> RedirectResponse:
    """Lead a browser on after something was changed, so that a reload changes nothing again."""
    return RedirectResponse(path, 303)


def problem(data: Mapping[str, Any], language: str) -> str:
    """Return why a run has no answer, as a sentence; `data` is the event that ended it."""
    if data.get("code") == "refused":
        return TEXTS.text("web-error-no-access", language)
    if "code" not in data or "values" not in data:
        return TEXTS.text("web-run-failed", language)
    return words(from_json(data), language)


def words(told: Reason, language: str) -> str:
    """Return a reason as a sentence."""
    return in_operator_words(TEXTS.reason(told, language))


def _text(language: str, message: str, **values: Value) -> str:
    return TEXTS.text(message, language, **values)


def _reason(language: str, told: Reason) -> str:
    return words(told, language)


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["asset"] = asset
    environment.globals["icon"] = environment.get_template("_icons.html").module.icon  # type: ignore[attr-defined]  # a macro of it
    environment.filters["opens"] = html.opens
    environment.filters["name_in_channel"] = keys.name_in_channel
    environment.filters["moment"] = figures.date_time
    environment.filters["time"] = _time
    return environment


def _time(at: datetime) -> Markup:
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), figures.date_time(at))


@cache
def asset(name: str) -> str:
    """Return the address of a file of ours; it changes with what the file holds, so browsers may keep it."""
    return f"/static/{name}?{hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]}"
