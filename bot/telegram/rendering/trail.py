"""Renders how an answer was produced: one sentence, then the steps with their times and tokens."""

from __future__ import annotations

from rich.cells import cell_len

from bot.service.answer_view import (
    explain_answer,
    explain_missing_review,
    explain_verdict,
    name_step,
)
from bot.settings.operator_words import in_operator_words
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import Styled, joined, styled
from bot.telegram.rendering.tables import PHONE_WIDTH, wrap
from bot.texts import TEXTS
from bot.texts.figures import amount, duration
from rag.values import Answer, StepTrace, Usage

_INDENT = "  "


def trail_parts(answer: Answer, language: str, *, limit: int = LIMIT) -> tuple[Part, ...]:
    """Return the trail of an answer as messages.

    Args:
        answer: The answer.
        language: ISO 639-1 code of the reader's language.
        limit: Largest length of a message, in UTF-16 units.
    """
    steps = "\n".join(line for step in answer.trace for line in _step(step, language))
    return cut(
        joined(
            [
                styled(explain_answer(answer, language), "bold"),
                styled(steps, "pre"),
                Styled("\n".join([explain_verdict(answer.verdict, language), *_totals(answer, language)])),
                *_unrefined(answer, language),
                styled("\n".join(dict.fromkeys(step.prompt for step in answer.trace if step.prompt)), "code"),
            ]
        ),
        limit,
    )


def _step(step: StepTrace, language: str) -> list[str]:
    """Return the lines of a step: its name, tokens and time, and below them its result."""
    name = name_step(step.step, language)
    price = duration(step.milliseconds / 1000, language)
    if step.tokens:
        price = f"{TEXTS.text('tokens-short', language, tokens=step.tokens)}  {price}"
    *lines, last = wrap(name, PHONE_WIDTH)
    room = PHONE_WIDTH - cell_len(last) - cell_len(price)
    if room < 1:
        lines.append(last)
        last, room = "", PHONE_WIDTH - cell_len(price)
    lines.append(last + " " * room + price)
    for reason, mark in ((step.detail, ""), *((note, "- ") for note in step.notes)):
        told = visible(in_operator_words(TEXTS.reason(reason, language)))
        lines += (_INDENT + line for line in wrap(mark + told, PHONE_WIDTH - len(_INDENT)))
    return lines


def _unrefined(answer: Answer, language: str) -> list[Styled]:
    """Return the text before the refinement, if the answer was refined."""
    if not answer.unrefined:
        return []
    return [Styled(TEXTS.text("why-unrefined", language)), styled(visible(answer.unrefined), "blockquote")]


def _seats(usage: Usage, language: str) -> list[str]:
    """Return a line for each council member with its tokens; the steps show the tokens of each stage."""
    lines = []
    for seat, steps in usage.by_seat.items():
        parts = steps.values()
        figures = [
            visible(seat),
            TEXTS.text("why-calls", language, calls=sum(part.calls for part in parts)),
            TEXTS.text("why-tokens", language, tokens=sum(part.tokens for part in parts)),
            duration(sum(part.seconds for part in parts), language),
        ]
        if cost := sum(part.cost for part in parts):
            figures.append(TEXTS.text("why-cost", language, cost=amount(cost, language)))
        lines.append(" · ".join(figures))
    return lines


def _totals(answer: Answer, language: str) -> list[str]:
    usage, savings = answer.usage, answer.savings
    figures = [
        TEXTS.text("why-calls", language, calls=usage.calls),
        TEXTS.text("why-tokens", language, tokens=usage.tokens),
        duration(answer.seconds, language),
    ]
    if answer.retries:
        figures.append(TEXTS.text("why-corrections", language, count=answer.retries))
    if usage.cost > 0:
        figures.append(TEXTS.text("why-cost", language, cost=amount(usage.cost, language)))
    lines = [" · ".join(figures), *_seats(usage, language)]
    if unreviewed := explain_missing_review(answer, language):
        lines.append(unreviewed)
    if answer.score is not None:
        lines.append(TEXTS.text("why-score", language, percent=round(answer.score * 100)))
    if savings.calls:
        layers = ", ".join(
            f"{TEXTS.text(f'saved-{layer}', language)} {saved.calls}"
            for layer, saved in savings.by_layer.items()
        )
        line = TEXTS.text("why-savings", language, calls=savings.calls, tokens=savings.tokens)
        lines.append(f"{line} ({layers})" if layers else line)
    return lines
