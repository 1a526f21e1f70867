"""Read one passage blindly: the reader sees the question and the passage, never the text under check.

A model that is asked "is this answer right?" tends to say yes. The same model, asked only what the passage
says, does not: it cannot repeat an error that it has not seen (factored verification, Dhuliawala et al. 2023;
question answering for faithfulness, Wang et al. 2020).
"""

from __future__ import annotations

from dataclasses import replace

import regex

from rag.evidence import bank, statements
from rag.language.sentences import sentences
from rag.prompting.untrusted import one_passage
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values import Classification, Passage, PassageReading

_NOT_STATED = regex.compile(
    r"(?:\b(?:not|no|не)|不|未)[ _]*(?:explicitly[ ]+)?(?:stated|mentioned|specified|said|given)\b",
    regex.IGNORECASE,
)
"""The reply that the prompt asks for, also partly translated into the language of the passage."""
_QUOTATION_MARKS = " \t\n\"'“”«»„`*"
_PASSAGE_CHARACTERS = 2400
"""Of a longer passage, such as joined neighbours, the reader sees the part around a quotation."""


async def read(
    run: Run, classification: Classification, passage: Passage, quote: str = ""
) -> Outcome[PassageReading]:
    """Ask the reader what one passage says about the question. Earlier readings are reused.

    Args:
        run: The question's run.
        classification: Classification of the message; its standalone question is asked.
        passage: The only passage that the reader sees.
        quote: Words of the passage; a long passage is cut to the part around them. Empty: its beginning.

    Raises:
        ModelError: The reader gave no usable reply, or was too slow. This must not let a text pass.
        BudgetExhaustedError: The budget allows no call.
    """
    shown = replace(passage, text=window(passage.text, quote))
    prompt = run.tools.prompts.render("read", passage=one_passage(shown), question=classification.standalone)
    key = (run.tools.model_settings.named("reader"), prompt.id, prompt.message)
    known = run.tools.readings.get(key)
    if known is not None:
        return Outcome(PassageReading(passage.id, known), _describe(known), (), prompt.id)
    completion, call = await run.ask(
        "read",
        prompt,
        max_tokens=run.tools.model_settings.reading_tokens,
        patience=run.tools.self_correction.reader_patience_seconds,
    )
    text = understood(completion.text)
    run.tools.readings.add(key, text)
    return Outcome(PassageReading(passage.id, text), _describe(text), (call,), prompt.id)


def understood(reply: str) -> str:
    """Return the answer in a reader's reply; an empty string if the passage does not state it."""
    first = next((line for line in reply.strip().splitlines() if line.strip()), "")
    text = " ".join(first.split()).strip(_QUOTATION_MARKS)
    return "" if _NOT_STATED.search(text) or statements.declines(bank.fold(text)) else text


def window(text: str, quote: str, limit: int = _PASSAGE_CHARACTERS) -> str:
    """Return complete sentences of a text around a quotation, as many as fit.

    Args:
        text: The text.
        quote: Words of it; if they are not found, the beginning of the text is returned.
        limit: Maximum characters. The sentence of the quotation is kept even if it is longer.
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


def _describe(text: str) -> Reason:
    return Reason("passage-says", {"text": text}) if text else Reason("passage-lacks")
