"""Figures of questions that were answered."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from bot.statistics.values import Statistics
from bot.texts import TEXTS
from bot.texts.figures import duration, money, number, share
from bot.views.blocks import Blocks, paragraph, table
from rag.values import FREE_LAYERS, LABELS, FreeLayer, Savings


def view(periods: Mapping[str, Statistics], currency: str, language: str, title: str = "") -> Blocks:
    """Return figures as a table with a column for each period."""
    every = periods.values()
    if not any(figures.questions or figures.usage.calls for figures in every):
        return (paragraph(f"{title}\n{TEXTS.text('stats-nothing', language)}".strip()),)
    layers = [layer for layer in FREE_LAYERS if any(layer in one.savings.by_layer for one in every)]
    columns = [_rows(one, layers, currency, language) for one in every]
    rows = ((name, *(column[name] for column in columns)) for name in columns[0])
    return (table(("", *periods) if len(columns) > 1 else (), rows, title),)


def _rows(figures: Statistics, layers: Collection[FreeLayer], currency: str, language: str) -> dict[str, str]:
    usage, latency, savings = figures.usage, figures.latency, figures.savings

    def name(message: str) -> str:
        return TEXTS.text(message, language)

    def count(value: float) -> str:
        return number(value, language)

    def counted(part: int) -> str:
        return (
            f"{count(part)} ({share(part, figures.questions, language)})"
            if figures.questions
            else count(part)
        )

    return {
        name("stats-questions"): count(figures.questions),
        name("stats-people"): count(figures.people),
        **{name(f"stats-label-{label}"): counted(figures.labels.get(label, 0)) for label in LABELS},
        name("stats-documents"): counted(figures.used_documents),
        name("stats-ratings"): f"{count(figures.useful)} / {count(figures.wrong)}",
        name("stats-half"): duration(latency.p50, language) if latency else "–",
        name("stats-most"): duration(latency.p95, language) if latency else "–",
        name("stats-calls"): count(usage.calls),
        name("stats-tokens"): f"{count(usage.input_tokens)} + {count(usage.output_tokens)}",
        name("stats-cost"): money(usage, currency, language),
        name("stats-saved"): count(savings.calls),
        **{f"– {name(f'saved-{one}')}": count(savings.by_layer.get(one, Savings()).calls) for one in layers},
    }
