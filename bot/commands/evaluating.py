"""``thinktwice evaluate``: quality on labelled sets, as tables or JSON."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from bot.commands.indexing import Bars
from bot.evaluate import ground, retrieval, verdicts
from bot.evaluate.ground import Tick
from bot.settings import Settings
from rag.engine import AnswerEngine
from rag.knowledge.search import KnowledgeBase
from rag.models.roles import RoleModels
from rag.prompts import PromptLibrary

Measure = Callable[[KnowledgeBase, RoleModels, Tick], Awaitable[dict[str, Any]]]


def measure_verdicts(labelled: Path, overrides: dict[str, object], *, use_model: bool, as_json: bool) -> int:
    """Run the evaluation of drafts on labelled drafts and report how often it is right.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings = Settings.load(**overrides)

    async def measure(base: KnowledgeBase, models: RoleModels, tick: Tick) -> dict[str, Any]:
        engine = AnswerEngine(
            models=models,
            corpus=base,
            prompts=PromptLibrary(settings.prompts),
            self_correction=settings.self_correction,
            budget=settings.budget,
            model_settings=settings.models,
        )
        report = await verdicts.measure(labelled, base, engine.tools, use_model=use_model, on_progress=tick)
        return report.to_json()

    _report(asyncio.run(_measured(settings, measure)), _verdict_tables, as_json=as_json)
    return 0


def measure_retrieval(labelled: Path, overrides: dict[str, object], *, as_json: bool) -> int:
    """Search for labelled questions and report where the answers were found.

    Returns:
        0.

    Raises:
        ThinkTwiceError: the set or the corpus cannot be used.
    """
    settings = Settings.load(**overrides)

    async def measure(base: KnowledgeBase, _models: RoleModels, tick: Tick) -> dict[str, Any]:
        return (await retrieval.measure(labelled, base, tick)).to_json()

    _report(asyncio.run(_measured(settings, measure)), _retrieval_tables, as_json=as_json)
    return 0


async def _measured(settings: Settings, measure: Measure) -> dict[str, Any]:
    """Index the corpus of the set and measure on it, with progress on standard error."""
    console = Console(stderr=True)
    models = RoleModels(settings.models, settings.data_dir)
    try:
        with Bars(console) as bars:
            async with ground.indexed(
                settings.corpus, settings.data_dir, settings.knowledge, settings.models, bars
            ) as base:
                bars.stop()
                with Progress(
                    TextColumn("{task.description}"),
                    BarColumn(),
                    MofNCompleteColumn(),
                    TimeRemainingColumn(),
                    console=console,
                    transient=True,
                ) as progress:
                    task = progress.add_task("measuring", total=None)
                    return await measure(
                        base,
                        models,
                        lambda done, total: progress.update(task, completed=done, total=total),
                    )
    finally:
        await models.aclose()


def _report(
    figures: dict[str, Any], tables: Callable[[dict[str, Any]], list[Table]], *, as_json: bool
) -> None:
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))  # noqa: T201 - the command's output
        return
    console = Console()
    for table in tables(figures):
        console.print(table)
        console.print()
    for fault in figures["malformed"]:
        console.print(f"line {fault['line']} was skipped: {fault['reason']}", style="yellow", markup=False)


def _verdict_tables(figures: dict[str, Any]) -> list[Table]:
    summary = _table("verdicts", "", "value")
    for name in (
        "rows",
        "accuracy",
        "action_accuracy",
        "wrongly_adequate",
        "undecided",
        "decided_without_model",
    ):
        summary.add_row(name.replace("_", " "), _shown(figures[name]))
    summary.add_row("milliseconds p50 / p95", f"{figures['ms']['p50']} / {figures['ms']['p95']}")
    summary.add_row("tokens", str(figures["tokens"]))
    groups = _table("by kind and language", "", "rows", "accuracy")
    for key in ("by_kind", "by_language"):
        for name, group in figures[key].items():
            groups.add_row(name, str(group["rows"]), _shown(group["accuracy"]))
    said = sorted({name for row in figures["confusion"].values() for name in row})
    confusion = _table("expected (rows) and said (columns)", "", *said)
    for expected, row in figures["confusion"].items():
        confusion.add_row(expected, *(str(row.get(name, 0)) for name in said))
    return [summary, groups, confusion]


def _retrieval_tables(figures: dict[str, Any]) -> list[Table]:
    tables = [_retrieval_table("last message alone", figures)]
    if "with_history" in figures:
        tables.append(_retrieval_table("follow-ups, rewritten with their history", figures["with_history"]))
    return tables


def _retrieval_table(title: str, figures: dict[str, Any]) -> Table:
    table = _table(
        f"{title}: {figures['rows']} questions", "", "recall@1", "recall@5", "recall@10", "MRR", "nDCG@10"
    )
    for method, recall in figures["recall"].items():
        scores = (recall["1"], recall["5"], recall["10"], figures["mrr"][method], figures["ndcg10"][method])
        table.add_row(method, *map(_shown, scores))
    table.caption = f"{figures['ms']['p50']} ms p50, {figures['ms']['p95']} ms p95"
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table


def _shown(value: float | int) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
