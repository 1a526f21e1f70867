"""Reading one passage blindly: the reader sees the question and the passage, never the text it checks.

A model that is asked "is this answer right?" leans towards yes. The same model, asked only what the passage
says, does not: it cannot repeat an error that it has not seen (factored verification, Dhuliawala et al. 2023;
question answering for faithfulness, Wang et al. 2020).
"""

from __future__ import annotations

import regex

from rag.fences import one_passage
from rag.steps.run import Outcome, Run
from rag.values import Classification, Passage, PassageReading

_NOT_STATED = regex.compile(
    r"\bnot[ _]+(?:explicitly[ ]+)?(?:stated|mentioned|specified|said|given)\b", regex.IGNORECASE
)
_AROUND = " \t\n\"'“”«»„`*"


async def read(run: Run, reading: Classification, passage: Passage) -> Outcome[PassageReading]:
    """Ask the reader what one passage says to the question.

    Args:
        run: The question's run.
        reading: What the message was classified as; its standalone question is asked.
        passage: The only passage that is shown.

    Raises:
        ModelError: the reader gave no usable reply, or was too slow; the caller must not take that for a pass.
        BudgetExhaustedError: the budget allows no call.
    """
    prompt = run.tools.prompts.render("read", passage=one_passage(passage), question=reading.standalone)
    completion, call = await run.ask(
        "read",
        "reader",
        prompt,
        max_tokens=run.tools.model_settings.reading_tokens,
        patience=run.tools.self_correction.judge_patience_seconds,
    )
    text = understood(completion.text)
    detail = f"“{text}”" if text else "not stated"
    return Outcome(PassageReading(passage.id, text), detail, (call,), prompt.id)


def understood(reply: str) -> str:
    """The answer in a reader's reply; an empty string when the reply says that the passage does not state it."""
    first = next((line for line in reply.strip().splitlines() if line.strip()), "")
    text = " ".join(first.split()).strip(_AROUND)
    return "" if _NOT_STATED.search(text) else text
