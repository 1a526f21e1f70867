"""Whether a group message that addresses nobody is a plain question that the documents clearly cover."""

from __future__ import annotations

from rag.engine import accepted
from rag.errors import InputError
from rag.loop.run import Run, Tools
from rag.steps.classify import classify
from rag.steps.evaluate import covers
from rag.values import Question

_QUESTION_MARKS = frozenset("?？؟⁇⁈")


def is_like_a_question(text: str) -> bool:
    """Whether a message ends like a question; people in a group also state what the documents say."""
    return bool(_QUESTION_MARKS & set(text.rstrip()[-3:]))


async def is_covered_question(text: str, tools: Tools) -> bool:
    """Decide without any model call.

    Args:
        text: The message.
        tools: What the engine works with.
    """
    try:
        question = Question(accepted(text, tools.budget.question_characters))
    except InputError:
        return False
    if not is_like_a_question(question.text) or tools.corpus.is_empty:
        return False
    reading = classify(question)
    if reading.intent == "small_talk":
        return False
    probe = await tools.corpus.search(reading.queries)
    return (await covers(Run(question, tools), reading, probe)).value
