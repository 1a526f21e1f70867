"""Checks the rights for a command, then calls the function that carries it out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

import structlog

from bot.service.incoming import Commanded
from bot.talk import orders
from bot.telegram.commands import (
    additions,
    basics,
    choices,
    command,
    corrections,
    documents,
    health,
    interviews,
    people,
    privacy,
    reindexing,
    sets,
    statistics,
)
from bot.telegram.commands.context import Context, Reply
from bot.telegram.commands.rights import Admission, admit
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.services import Services
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


HANDLERS: Final[Mapping[str, Callable[[Context], Awaitable[None]]]] = {
    "start": basics.start,
    "help": basics.show_help,
    "ask": basics.ask,
    "council": choices.council,
    "reset": basics.reset,
    "why": basics.why,
    "sources": basics.sources,
    "stop": basics.stop,
    "mode": choices.mode,
    "model": choices.model,
    "settings": choices.settings,
    "interview": interviews.interview,
    "status": interviews.status,
    "undo": interviews.undo,
    **dict.fromkeys(("skip", "later", "back", "cancel"), interviews.steer),
    "finish": interviews.finish,
    "export": interviews.export,
    "language": choices.language,
    "privacy": privacy.privacy,
    "claim": orders.claim,
    "allow": people.allow,
    "deny": people.deny,
    "admins": people.admins,
    "documents": documents.documents,
    "add": additions.add,
    "remove": documents.remove,
    "correct": corrections.correct,
    "answers": corrections.answers,
    "reindex": reindexing.reindex,
    "sets": sets.sets,
    "stats": statistics.stats,
    "unanswered": statistics.unanswered,
    "health": health.health,
    "console": orders.console,
}


class Commands:
    """Carries out commands."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, commanded: Commanded, run_step: RunStep) -> None:
        """Carry out a command, or tell the sender why it is not carried out."""
        known = command(commanded.name)
        try:
            admission: Admission = await run_step("obey", partial(admit, self._services, commanded, known))
            context = Context(
                self._services,
                self._services.stopping,
                commanded.message.place,
                commanded.message.sender,
                admission.role,
                admission.language,
                commanded.argument,
                run_step,
                commanded,
            )
            if known is not None and not admission.is_refused:
                await HANDLERS[known.name](context)
            elif admission.objection:
                await context.show(Reply.of(admission.objection))
        except ChatGoneError:
            _log.info("nobody is told what came of a command", command=commanded.name)
