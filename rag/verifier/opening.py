"""Opens the verifier that the setting ``models.verifier`` names, and says whether it can be used."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from rag.errors import OperatorError
from rag.models.calls import Readings
from rag.models.roles import ModelStatus, RoleModels
from rag.settings import BUNDLED, Models
from rag.values import Passage, PassageId
from rag.verifier import Verifier
from rag.verifier.asking import Asker
from rag.verifier.blind import BlindVerifier
from rag.verifier.decisions import DecisionVerifier

OpenVerifier: TypeAlias = Callable[[Asker], Verifier]
"""Returns the verifier of one piece of work, whose budget its calls use."""


def open_verifier(settings: Models) -> OpenVerifier:
    """Return what gives each piece of work its verifier; nothing is loaded or sent yet."""
    if settings.verifier == BUNDLED:
        return lambda _asker: _bundled()
    if settings.verifier.partition(":")[0] == "chat":
        known = Readings()
        return lambda asker: BlindVerifier(asker, known)
    return DecisionVerifier


async def describe(models: RoleModels, settings: Models) -> ModelStatus:
    """Return the verifier and whether it can be used.

    The bundled one reads a line; a decision model answers a tiny question, and the server of a chat model
    lists its models.
    """
    if settings.verifier != BUNDLED:
        return await models.describe_verifier()
    from rag.verifier.bundled import FILES

    line = Passage(PassageId("line"), "", "", "The office opens at nine.")
    try:
        await _bundled().find("When does the office open?", (line,))
    except OperatorError as exc:
        return ModelStatus("verifier", BUNDLED, str(FILES), reachable=False, reason=exc.reason)
    return ModelStatus("verifier", BUNDLED, str(FILES), reachable=True, reason=None)


@cache
def _bundled() -> Verifier:
    from rag.verifier.bundled import BundledReader

    return BundledReader()
