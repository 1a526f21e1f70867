"""People and groups: who may ask, who may command, who asked to be let in."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.service import keys
from bot.service.keys import PeerId
from bot.service.people import Decision, Refusal
from bot.web import context
from bot.web.errors import ConsoleError
from bot.web.visitors import Admin, AdminPosted, OwnerPosted, Post

router = APIRouter(include_in_schema=False)

_DECISIONS: Final[dict[str, Decision]] = {"allow": "allowed", "deny": "denied"}
_MOST: Final = 500
_LATEST: Final = 100


@router.get("/people")
async def show(request: Request, visitor: Admin) -> Response:
    """List everybody who is known."""
    found = context.of(request)
    parts = found.parts
    privileged = {person.id: person for person in await parts.access.admins()}
    people = [privileged.get(person.id, person) for person in await parts.users.known(_MOST)]
    people += [person for user_id, person in privileged.items() if user_id not in {one.id for one in people}]
    return found.page(
        "people.html",
        visitor,
        waiting=[person for person in people if person.role is None and person.access is None],
        people=[person for person in people if person.role is not None or person.access is not None],
        groups=await parts.chats.groups(_MOST),
        is_private=parts.settings.access.mode == "private",
    )


@router.post("/people/decide")
async def decide(request: Request, post: AdminPosted) -> Response:
    """Allow or deny a person or a group; who is denied is out at once, and their work ends."""
    parts = context.of(request).parts
    target, decision = _id(post), _DECISIONS.get(post.text("decision"))
    if decision is None:
        raise ConsoleError(400, "web-error-400")
    visitor = post.visitor
    if keys.is_group(target):
        refusal = await parts.access.decide_chat(visitor.sender, visitor.place, target, decision)
    else:
        refusal = await parts.access.decide_user(visitor.sender, visitor.place, target, decision)
    _check(refusal)
    if decision == "denied" and not keys.is_group(target):
        for run in await parts.stored_runs.latest(target, _LATEST):
            if run.state == "running" and keys.is_web(run.conversation_id):
                await context.of(request).web_runs.cancel(run.id)
    await context.of(request).role_changed(target)
    return context.see("/people")


@router.post("/people/appoint")
async def appoint(request: Request, post: OwnerPosted) -> Response:
    """Make a person an administrator, or no longer one."""
    target, is_admin = _id(post), post.text("is_admin")
    if is_admin not in {"yes", "no"} or keys.is_group(target):
        raise ConsoleError(400, "web-error-400")
    visitor = post.visitor
    _check(
        await context.of(request).parts.access.appoint(
            visitor.sender, visitor.place, target, is_admin=is_admin == "yes"
        )
    )
    await context.of(request).role_changed(target)
    return context.see("/people")


def _id(post: Post) -> PeerId:
    found = keys.parse_peer(post.text("id"))
    if found is None:
        raise ConsoleError(422, "web-people-id")
    return found


def _check(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise ConsoleError(403, refusal.message_id, **refusal.values)
