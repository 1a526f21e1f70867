"""The reports as tables for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

from bot.evaluate.calibration import Calibration
from bot.evaluate.figures import money


def of_verdicts(figures: Mapping[str, Any]) -> list[Table]:
    """Holds the totals, the figures of each kind and language, and the confusion matrix of verdicts."""
    summary = _table("verdicts", "", "value")
    for name in (
        "rows",
        "accuracy",
        "action_accuracy",
        "wrongly_adequate",
        "undecided",
        "decided_without_model",
    ):
        summary.add_row(_spoken(name), _shown(figures[name]))
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


def of_retrieval(figures: Mapping[str, Any]) -> list[Table]:
    """Words, vectors and their fusion, with and without the history."""
    tables = [_retrieval_table("last message alone", figures)]
    if "with_history" in figures:
        tables.append(_retrieval_table("follow-ups, rewritten with their history", figures["with_history"]))
    return tables


def of_contrast(figures: Mapping[str, Any]) -> list[Table]:
    """Right and wrong texts that were called verified, points of the curve, and the cost."""
    summary = _table("the check", "", "value")
    summary.add_row("milliseconds p50 / p95", f"{figures['ms']['p50']} / {figures['ms']['p95']}")
    for name in ("calls", "tokens"):
        summary.add_row(name, str(figures[name]))
    curve = [f"right at {share} wrong" for share in figures["right_at_wrong"]]
    shares = _table("called verified", "", "pairs", "right", "wrong", *curve)
    for name, group in {"all": figures, **figures["by_kind"], **figures["by_language"]}.items():
        shares.add_row(
            name,
            str(group["rows"]),
            *(_shown(group[key]) for key in ("right_verified", "wrong_verified")),
            *map(_shown, group["right_at_wrong"].values()),
        )
    return [shares, summary]


def of_answers(figures: Mapping[str, Any]) -> list[Table]:
    """The systems side by side, in total and by kind of question."""
    systems: Mapping[str, Mapping[str, Any]] = figures["systems"]
    whole = _table(f"answers to {figures['rows']} questions", "", *systems)
    for name in (
        "right",
        "right_briefly",
        "refused_rightly",
        "refused_wrongly",
        "refused_or_left_open",
        "wrong",
        "wrong_verified",
        "citation_precision",
        "used_documents",
        "calls",
        "input_tokens",
        "output_tokens",
        "seconds",
        "characters",
        "failed",
    ):
        whole.add_row(_spoken(name), *(_shown(found[name]) for found in systems.values()))
    whole.add_row("cost", *(money(found["cost"]) for found in systems.values()))
    for label in next(iter(systems.values()))["labels"]:
        whole.add_row(f"label {_spoken(label)}", *(_shown(one["labels"][label]) for one in systems.values()))
    for name, saved in figures["tokens_saved"].items():
        fewer = f"{name}: {abs(saved):.0%} {'fewer' if saved >= 0 else 'more'} tokens than always"
        whole.caption = f"{whole.caption}; {fewer}" if whole.caption else fewer
    groups = _table(
        "by kind of question", "", "questions", "right", "wrong", "read documents", "calls", "tokens"
    )
    for group in next(iter(systems.values()))["by_group"]:
        for name, found in systems.items():
            part = found["by_group"][group]
            groups.add_row(
                f"{_spoken(group)}: {name}",
                str(part["rows"]),
                _shown(round(part["right"] + part["refused_rightly"], 4)),
                _shown(part["wrong"]),
                _shown(part["used_documents"]),
                f"{part['calls']:.2f}",
                f"{part['input_tokens'] + part['output_tokens']:.0f}",
            )
    return [whole, groups, _about_documents(systems)]


def _about_documents(systems: Mapping[str, Mapping[str, Any]]) -> Table:
    """Questions about the documents: the answerable ones in total, by kind of row, by form of question."""
    table = _table(
        "questions about the documents",
        "",
        "questions",
        "right",
        "right briefly",
        "wrong",
        "wrong verified",
        "wrongly refused",
        "refused or left open",
        "calls",
    )
    for name, found in systems.items():
        answerable = {"answerable, all": found["answerable"]} if found["answerable"] else {}
        by_kind = {f"kind {kind}": part for kind, part in found["by_kind"].items()}
        by_form = {f"form {form}": part for form, part in found["by_form"].items()}
        for group, part in (answerable | by_kind | by_form).items():
            table.add_row(
                f"{_spoken(group)}: {name}",
                str(part["rows"]),
                *(_shown(part[key]) for key in ("right", "right_briefly", "wrong", "wrong_verified")),
                *(_shown(part[key]) for key in ("refused_wrongly", "refused_or_left_open")),
                f"{part['calls']:.2f}",
            )
    return table


def of_calibration(calibration: Calibration) -> Table:
    """The effect of every threshold."""
    cases = ", ".join(f"{count} from {name}" for name, count in calibration.cases.items())
    table = _table(
        f"{calibration.setting}, now {calibration.current:g}: {cases}",
        "threshold",
        "go out",
        "wrong of these",
        "right ones sent back",
        "calls",
    )
    for choice in calibration.choices:
        marks = {"now": calibration.current, "proposed": calibration.proposed}
        said = ", ".join(name for name, threshold in marks.items() if threshold == choice.threshold)
        mark = f" ← {said}" if said else ""
        shares = (choice.accepted, choice.wrong, choice.lost)
        table.add_row(f"{choice.threshold:.2f}{mark}", *map(_shown, shares), f"{choice.calls:.2f}")
    return table


def _retrieval_table(title: str, figures: Mapping[str, Any]) -> Table:
    table = _table(
        f"{title}: {figures['rows']} questions", "", "recall@1", "recall@5", "recall@10", "MRR", "nDCG@10"
    )
    for method, recall in figures["recall"].items():
        scores = (recall["1"], recall["5"], recall["10"], figures["mrr"][method], figures["ndcg10"][method])
        table.add_row(method, *map(_shown, scores))
    table.caption = f"{figures['ms']['p50']} ms p50, {figures['ms']['p95']} ms p95"
    return table


def comparison(title: str, columns: Mapping[str, Mapping[str, Any]]) -> Table:
    """Figures of the same names, a column each."""
    table = _table(title, "", *columns)
    for name in next(iter(columns.values()), {}):
        table.add_row(_spoken(name), *(_shown(found[name]) for found in columns.values()))
    return table


def pairs(title: str, figures: Mapping[str, float]) -> Table:
    """Figures, a row each."""
    table = _table(title, "", "value")
    for name, value in figures.items():
        table.add_row(_spoken(name), _shown(value))
    return table


def _table(title: str, *headings: str) -> Table:
    table = Table(title=title, title_justify="left", caption_justify="left", box=None, padding=(0, 2, 0, 0))
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="right" if number else "left")
    return table


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: float | int | None) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
