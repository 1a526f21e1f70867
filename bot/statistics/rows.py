"""Turns statistics into rows of text, which every channel shows."""

from __future__ import annotations

from bot.statistics.values import Statistics
from bot.texts import TEXTS
from bot.texts.figures import duration, money, number, share
from rag.values import LABELS


def statistics_rows(figures: Statistics, currency: str, language: str) -> list[tuple[str, str]]:
    """Return figures as rows of a name and a value.

    Args:
        figures: The statistics of a period.
        currency: Name of the currency of the price table.
        language: ISO 639-1 code of the reader's language.
    """
    usage, latency, savings = figures.usage, figures.latency, figures.savings

    def name(message: str) -> str:
        return TEXTS.text(message, language)

    def count(value: float) -> str:
        return number(value, language)

    def counted(part: int) -> str:
        if not figures.questions:
            return count(part)
        return f"{count(part)} ({share(part, figures.questions, language)})"

    return [
        (name("stats-questions"), count(figures.questions)),
        (name("stats-people"), count(figures.people)),
        *((name(f"stats-label-{label}"), counted(figures.labels.get(label, 0))) for label in LABELS),
        (name("stats-documents"), counted(figures.used_documents)),
        ("👍 / 👎", f"{count(figures.useful)} / {count(figures.wrong)}"),
        (name("stats-half"), duration(latency.p50, language) if latency else "–"),
        (name("stats-most"), duration(latency.p95, language) if latency else "–"),
        (name("stats-calls"), count(usage.calls)),
        (name("stats-tokens"), f"{count(usage.input_tokens)} + {count(usage.output_tokens)}"),
        (name("stats-cost"), money(usage, currency, language)),
        (name("stats-saved"), count(savings.calls)),
        *((f"– {name(f'saved-{layer}')}", count(saved.calls)) for layer, saved in savings.by_layer.items()),
    ]
