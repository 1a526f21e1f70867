"""Reading one passage blindly: the reader sees the question and the passage, never the text it checks.

A model that is asked "is this answer right?" leans towards yes. The same model, asked only what the passage
says, does not: it cannot repeat an error that it has not seen (factored verification, Dhuliawala et al. 2023;
question answering for faithfulness, Wang et al. 2020).
"""

from __future__ import annotations

from dataclasses import replace

import regex

from rag.evidence import bank, statements
from rag.language.sentences import sentences
from rag.loop.run import Outcome, Run
from rag.prompting.untrusted import one_passage
from rag.reasons import Reason
from rag.values import Classification, Passage, PassageReading

_NOT_STATED = regex.compile(
    r"(?:\b(?:not|no|не)|不|未)[ _]*(?:explicitly[ ]+)?(?:stated|mentioned|specified|said|given)\b",
    regex.IGNORECASE,
)
"""What the prompt asks for, also with half of it put into the language of the passage."""
_AROUND = " \t\n\"'“”«»„`*"
_PASSAGE_CHARACTERS = 2400
"""Of a longer passage, such as joined neighbours, the reader is shown the part around a quotation."""


async def read(
    run: Run, reading: Classification, passage: Passage, quote: str = ""
) -> Outcome[PassageReading]:
    """Ask the reader what one passage says to the question; a passage that was read before is not read again.

    Args:
        run: The question's run.
        reading: What the message was classified as; its standalone question is asked.
        passage: The only passage that is shown.
        quote: Words of the passage that a long passage is cut around; empty: around its beginning.

    Raises:
        ModelError: the reader gave no usable reply, or was too slow: no reason to let a text pass.
        BudgetExhaustedError: the budget allows no call.
    """
    shown = replace(passage, text=window(passage.text, quote))
    prompt = run.tools.prompts.render("read", passage=one_passage(shown), question=reading.standalone)
    key = (run.tools.model_settings.named("reader"), prompt.id, prompt.message)
    known = run.tools.readings.get(key)
    if known is not None:
        return Outcome(PassageReading(passage.id, known), _detail(known), (), prompt.id)
    completion, call = await run.ask(
        "read",
        prompt,
        max_tokens=run.tools.model_settings.reading_tokens,
        patience=run.tools.self_correction.reader_patience_seconds,
    )
    text = understood(completion.text)
    run.tools.readings.add(key, text)
    return Outcome(PassageReading(passage.id, text), _detail(text), (call,), prompt.id)


def understood(reply: str) -> str:
    """The answer in a reader's reply; an empty string when it says that the passage does not state it."""
    first = next((line for line in reply.strip().splitlines() if line.strip()), "")
    text = " ".join(first.split()).strip(_AROUND)
    return "" if _NOT_STATED.search(text) or statements.declines(bank.fold(text)) else text


def window(text: str, quote: str, limit: int = _PASSAGE_CHARACTERS) -> str:
    """The whole sentences of a text around a quotation, as many as fit.

    Args:
        text: The text.
        quote: Words of it; where they do not stand there, its beginning is taken.
        limit: Characters at the most; the sentence of the quotation is kept even if it is longer.
    """
    if len(text) <= limit:
        return text
    spans = [(one.start, one.end) for one in sentences(text)]
    place = max(text.find(quote), 0)
    first = last = next((number for number, (_, end) in enumerate(spans) if place < end), 0)
    while True:
        start, end = spans[first][0], spans[last][1]
        if last + 1 < len(spans) and spans[last + 1][1] - start <= limit:
            last += 1
        elif first > 0 and end - spans[first - 1][0] <= limit:
            first -= 1
        else:
            return text[start:end].strip()


def _detail(text: str) -> Reason:
    return Reason("passage-says", {"text": text}) if text else Reason("passage-lacks")
