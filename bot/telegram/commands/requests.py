"""The buttons under a request for access: allow and refuse."""

from __future__ import annotations

from functools import partial

from bot.service.access_requests import AccessRequest, Outcome
from bot.service.keys import PeerId, is_group, name_in_channel, parse_peer
from bot.telegram.commands.context import Context, Told


def read_stranger(text: str) -> PeerId | None:
    """Return the id of the person whose request a button is about; None for anything else."""
    user_id = parse_peer(text)
    return user_id if user_id is not None and not is_group(user_id) else None


async def press(context: Context, user_id: PeerId, *, outcome: Outcome) -> Told:
    """Decide about a request; when that was done meanwhile, say what was decided."""
    before: AccessRequest | None = await context.do("look", partial(_look, context, user_id))
    if before is None:
        return Told(context.text("request-gone", user=name_in_channel(user_id)), is_alert=True)
    # Somebody may have been let in elsewhere: by the console, or as an administrator.
    wanted = outcome if before.outcome is None else before.outcome
    requests = context.services.access_requests
    is_decided = await requests.settle(
        user_id, wanted, context.sender, context.job_id, context.run_step, context.shown
    )
    if is_decided and wanted == outcome:
        return Told(context.text(f"request-press-{outcome}"))
    return await context.do("meanwhile", partial(_meanwhile, context, user_id))


async def _look(context: Context, user_id: PeerId) -> AccessRequest | None:
    """The request; one that is open, of somebody who may ask by now, counts as allowed."""
    services = context.services
    request = await services.access_requests.request(user_id)
    if request is None or request.outcome is not None:
        return request
    person = await services.parts.users.get(user_id)
    if person.role is not None or person.access == "allowed":
        return AccessRequest(user_id, "allowed")
    return request


async def _meanwhile(context: Context, user_id: PeerId) -> Told:
    """Return the reply that says what was decided before this press."""
    requests = context.services.access_requests
    request = await requests.request(user_id)
    if request is None or request.outcome is None:
        return Told(context.text("request-gone", user=name_in_channel(user_id)), is_alert=True)
    admin = await requests.name(request.decided_by, context.language)
    # What a press is answered with shows no code.
    text = context.text(
        f"request-was-{request.outcome}", admin=admin.strip("`"), user=name_in_channel(user_id)
    )
    return Told(text, is_alert=True)
