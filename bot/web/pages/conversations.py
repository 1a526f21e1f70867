"""Conversations: who asks where and how much, and the words of groups.

The list has figures alone. What somebody says to the bot alone can be read by nobody else; administrators can
read the conversations of groups, and the log says who did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import structlog
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.conversations.values import ConversationFigures
from bot.service import keys
from bot.service.rights import may_read
from bot.web import context
from bot.web.errors import ConsoleError, not_found
from bot.web.visitors import Admin, Before, Visitor
from rag.values import LABELS

_log = structlog.get_logger(__name__)

router = APIRouter(include_in_schema=False)

_MOST_CONVERSATIONS: Final = 50
_MOST_MESSAGES: Final = 50

Kind = Literal["private", "group", "console", "terminal"]


@dataclass(frozen=True, slots=True)
class Listed:
    """A conversation as the list shows it: an empty name is not known, a topic of 0 is none."""

    figures: ConversationFigures
    kind: Kind
    name: str
    topic: int
    is_open: bool


@router.get("/conversations")
async def show(request: Request, visitor: Admin, before: Before = None) -> Response:
    """List the conversations, the one with the latest message first."""
    found = context.of(request)
    figures = await found.parts.conversations.list(_MOST_CONVERSATIONS + 1, before)
    shown = figures[:_MOST_CONVERSATIONS]
    return found.page(
        "conversations.html",
        visitor,
        conversations=[await _listed(request, visitor, one) for one in shown],
        labels=LABELS,
        earlier=shown[-1].last if len(figures) > len(shown) else None,
        is_latest=before is None,
    )


@router.get("/conversations/{conversation_id}")
async def read(request: Request, visitor: Admin, conversation_id: str, before: Before = None) -> Response:
    """Show a page of what was said in a conversation, oldest message first."""
    found = context.of(request)
    if not may_read(visitor.role, visitor.user_id, conversation_id):
        raise ConsoleError(403, "web-conversation-closed")
    messages = await found.parts.conversations.messages(conversation_id, _MOST_MESSAGES + 1, before)
    if not messages:
        raise not_found()
    if keys.chat_or_person(conversation_id) != visitor.user_id:
        # Ids alone: neither names nor what was said stand in the log.
        _log.info("a conversation was read", by=visitor.user_id, conversation=conversation_id)
    shown = messages[-_MOST_MESSAGES:]
    return found.page(
        "conversation.html",
        visitor,
        id=conversation_id,
        name=await _name(request, conversation_id),
        messages=shown,
        earlier=shown[0].id if len(messages) > len(shown) else None,
        is_latest=before is None,
    )


async def _listed(request: Request, visitor: Visitor, figures: ConversationFigures) -> Listed:
    held_in = keys.chat_or_person(figures.id)
    kind: Kind = "terminal"
    if keys.is_web(figures.id):
        kind = "console"
    elif held_in is not None:
        kind = "group" if keys.is_group(held_in) else "private"
    return Listed(
        figures,
        kind,
        await _name(request, figures.id),
        keys.chat_and_topic(figures.id)[1] if kind == "group" else 0,
        may_read(visitor.role, visitor.user_id, figures.id),
    )


async def _name(request: Request, conversation_id: str) -> str:
    parts, held_in = context.of(request).parts, keys.chat_or_person(conversation_id)
    if held_in is None:
        return ""
    if keys.is_group(held_in):
        return (await parts.chats.get(held_in)).title
    return (await parts.users.get(held_in)).name
