"""Answer a message that asks for several things: each question is found and checked by itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

import regex

from rag.evidence import citations
from rag.evidence.citations import CitedText
from rag.language.sentences import sentences
from rag.loop.composing import TEXTS
from rag.runs.run import Run
from rag.values import Answer, Label, Turn

_MARKUP: Final = regex.compile(r"([\\`*_\[\]<])")
_ESCAPED: Final = r"\\\1"


async def answer_parts(run: Run, parts: Sequence[str], answer: Callable[[Run], Awaitable[Answer]]) -> Answer:
    """Answer the questions of a message one after the other, each after those before it, in one text."""
    asked, answers = run.question, list[Answer]()
    try:
        for part in parts:
            run.question = replace(run.question, text=part)
            answers.append(await answer(run))
            found = answers[-1]
            turns = (Turn("user", part), Turn("assistant", found.text, "", found.passages, found.label))
            run.question = replace(run.question, history=(*run.question.history, *turns))
    finally:
        run.question = asked
    return _join(asked.text, answers)


def _join(message: str, answers: Sequence[Answer]) -> Answer:
    """Return the answers to the parts of a message as one; it ends with the parts that nothing confirms."""
    headed = [f"**{_MARKUP.sub(_ESCAPED, _question_of(one))}**\n\n{one.text}" for one in answers]
    cited = citations.join(
        [CitedText(text, one.citations) for text, one in zip(headed, answers, strict=True)]
    )
    label, text = _label([one.label for one in answers]), cited.text
    if label == "partly":
        open_parts = (one for one in answers if one.label not in {"verified", "partly"})
        if listed := "; ".join(f"“{_question_of(one)}”" for one in open_parts):
            text = f"{text}\n\n{TEXTS.text('unconfirmed', answers[0].language, sentences=listed)}"
    weakest = next((one for one in answers if one.label != "verified"), answers[0])
    return replace(
        answers[-1],
        question=message,
        text=text,
        label=label,
        language=answers[0].language,
        verdict=weakest.verdict,
        citations=cited.citations,
        passages=tuple(dict.fromkeys(passage for one in answers for passage in one.passages)),
        used_documents=any(one.used_documents for one in answers),
        retries=sum(one.retries for one in answers),
        failure=next((one.failure for one in answers if one.failure), None),
        standalone=" ".join(one.standalone for one in answers),
        score=None,
        unrefined="",
    )


def _question_of(answer: Answer) -> str:
    """Return the question of a part without the statements before it."""
    return sentences(answer.question)[-1].text


def _label(labels: Sequence[Label]) -> Label:
    if len(set(labels)) == 1:
        return labels[0]
    return "partly" if {"verified", "partly"} & set(labels) else "unverified"
