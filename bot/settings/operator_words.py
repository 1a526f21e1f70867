"""Names of settings and functions of the engine, as an operator types them.

`rag` knows no command line and no environment: its reasons name a setting by its path (``models.default``)
and a remedy by the function that does it. Here, at the outermost edge, both become variables and commands.
"""

from __future__ import annotations

import os
import re
from functools import cache

from bot.settings.names import leaves
from bot.settings.tree import Settings

_COMMANDS = {
    "`AnswerEngine.sync()`": "`thinktwice index`",
    "`AnswerEngine.sync(rebuild=True)`": "`thinktwice index --rebuild`",
    "`RoleModels.pull()`": "`thinktwice models pull`",
    "`data_dir`": "--data-dir",
}
_VARIABLES = {
    "models.default": "THINKTWICE_MODEL",
    "models.openai_api_key": "OPENAI_API_KEY",
    "models.openai_base_url": "OPENAI_BASE_URL",
}
"""Settings with a shorter name than the one made from their path."""


def in_operator_words(sentence: str) -> str:
    """Return a sentence of the engine with the names that an operator types.

    A setting that is followed by its variable in brackets stays as it is.
    """
    return _pattern().sub(lambda found: _words()[found[0]], sentence)


@cache
def _words() -> dict[str, str]:
    settings = {setting.name: setting.variable for setting in leaves(Settings) if len(setting.path) > 1}
    # Whoever set the long name is told of that one: the short one holds nothing.
    short = {name: one for name, one in _VARIABLES.items() if settings[name] not in os.environ}
    return settings | short | _COMMANDS


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(_words(), key=len, reverse=True)
    return re.compile(
        rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest_first))})(?!\.?\w| \(THINKTWICE)", re.ASCII
    )
