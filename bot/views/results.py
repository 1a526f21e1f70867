"""The view of each kind of result: channels draw what `view` returns, and know no kind."""

from __future__ import annotations

from functools import singledispatch

from bot.views import answers, indexing, interviews
from bot.views.blocks import Blocks, message
from rag.knowledge.sync import SyncReport
from rag.values import Answer


@singledispatch
def view(result: object, language: str) -> Blocks:
    """Return a result as blocks; raise `LookupError` if nothing says how such a result is shown."""
    raise LookupError(
        f"register how a {type(result).__name__} is shown in {language!r}: see bot/views/__init__.py"
    )


view.register(Answer)(answers.view)
view.register(SyncReport)(indexing.view)
view.register(interviews.Explanation)(interviews.explanation)
view.register(str)(lambda text, _language: (message(text),))
