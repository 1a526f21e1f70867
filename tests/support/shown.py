"""What a reader of Telegram sees of a result."""

from __future__ import annotations

from collections.abc import Collection

from bot.telegram.rendering import LIMIT, Part, draw
from bot.views import answers
from bot.views.markdown import parse
from rag.values import Answer


def parts(markdown: str, limit: int = LIMIT, *, allowed_hosts: Collection[str] = ()) -> tuple[Part, ...]:
    return draw(parse(markdown), allowed_hosts=allowed_hosts, limit=limit)


def answer_parts(answer: Answer, language: str, limit: int = LIMIT) -> tuple[Part, ...]:
    return draw(answers.view(answer, language), limit=limit)


def sources_parts(answer: Answer, language: str) -> tuple[Part, ...]:
    return draw(answers.sources(answer, language))


def trail_parts(answer: Answer, language: str) -> tuple[Part, ...]:
    return draw(answers.why(answer, language))
