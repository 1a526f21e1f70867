"""Reads a typed reply: the whole text, or a text that is one fenced block, must be the JSON.

Nothing is fished out of prose: a model that talks around its JSON may mean something else by it, and
what the engine does next hangs on these values.
"""

from __future__ import annotations

import re

from pydantic import BaseModel

_FENCED = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(?P<body>.*?)\r?\n?[ \t]*```\s*", re.DOTALL)


def json_text(reply: str) -> str:
    """The JSON text of a reply: the inside of the fence if the reply is one, else all of it."""
    fenced = _FENCED.fullmatch(reply)
    return fenced["body"] if fenced else reply.strip()


def parsed(reply: str, output: type[BaseModel]) -> BaseModel:
    """Read a typed reply.

    Raises:
        ValidationError: it is no JSON, or not of that form (pydantic says which field).
    """
    return output.model_validate_json(json_text(reply))
