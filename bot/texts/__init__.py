"""The message catalogues of the bot: one Fluent file for each language.

The console's sentences are in `bot/web/texts`, the engine's in `rag/texts`.

To add a language, copy ``en.ftl`` to ``<code>.ftl`` here, in `rag/texts` and in `bot/web/texts`, translate
the three copies, and run the tests.
"""

from __future__ import annotations

from pathlib import Path

from rag.texts import ENGINE_FOLDER, Texts

FOLDER = Path(__file__).parent

TEXTS = Texts(ENGINE_FOLDER, FOLDER)
"""The messages of the engine and of the bot."""
