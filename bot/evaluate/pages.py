"""The reports on verdicts, retrieval and answers as HTML pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.evaluate import charts, figures
from bot.evaluate.ablation import Without
from bot.evaluate.answers import Answered, AnswerReport
from bot.evaluate.page import Bar, Card, Cell, Page, Part, Table, Words, percent
from bot.evaluate.retrieval import METHODS, RetrievalReport
from bot.evaluate.rows import LabelledQuestion
from bot.evaluate.verdicts import VerdictReport

_MOST_SHOWN = 60
_SHOWN_CHARACTERS = 400


def of_verdicts(report: VerdictReport, losses: Sequence[Without], subtitle: str) -> Page:
    """Confusion, calibration, kinds and languages, what each signal adds, and the mistakes."""
    found = report.to_json()
    wrong = [one for one in report.judged if not one.is_right]
    return Page(
        "How well drafts are judged",
        subtitle,
        (
            Card(percent(found["accuracy"]), "right verdicts of four"),
            Card(percent(found["action_accuracy"]), "right actions of three"),
            _fault(found["wrongly_adequate"], "wrong but adequate"),
            Card(percent(found["decided_without_model"]), "decided without a model"),
            Card(f"{found['ms']['p50']:.0f} / {found['ms']['p95']:.0f} ms", "median / 95th percentile"),
            Card(f"{found['tokens']:,}", "tokens of the judge"),
        ),
        (
            (
                Part(
                    "Expected and said",
                    charts.plot_confusion(found["confusion"]),
                    table=None,
                    note="Undecided: nobody was sure enough. It counts as wrong.",
                ),
                Part(
                    "As sure as right?",
                    charts.plot_reliability(found["calibration"]),
                    note="A point above the line is more often right than it claims. Its area is its share.",
                ),
            ),
            (
                Part("By kind", table=_groups(found["by_kind"], "kind")),
                Part("By language", table=_groups(found["by_language"], "language")),
            ),
            (_ablation(losses),) if losses else (),
            (
                Part(
                    f"What was judged wrongly: {len(wrong)}",
                    table=Table(
                        ("kind", "question", "draft", "expected", "said", "sure", "because"),
                        [
                            (
                                one.row.kind or "–",
                                Words(_short(one.row.question)),
                                Words(_short(one.row.draft)),
                                _spoken(one.row.expected),
                                _spoken(one.said),
                                percent(one.verdict.confidence),
                                Words(_short(str(one.verdict.reason))),
                            )
                            for one in wrong[:_MOST_SHOWN]
                        ],
                    ),
                    is_folded=True,
                ),
            )
            if wrong
            else (),
        ),
    )


def of_retrieval(report: RetrievalReport, subtitle: str) -> Page:
    """Recall curves of words, vectors and their fusion, with and without the history, and by language."""
    found = report.to_json()
    last = [one.last_turn for one in report.searched]
    turned = [one.with_history for one in report.searched if one.with_history]
    curves = [Part("Last message alone", charts.plot_recall(_curves(last), ""), table=_recall_table(found))]
    if turned:
        curves.append(
            Part(
                "Follow-ups, rewritten with their history",
                charts.plot_recall(_curves(turned), ""),
                table=_recall_table(found["with_history"]),
                note=(
                    "The same follow-ups by their last message alone: recall@5 "
                    f"{percent(found['with_history']['without_it']['recall']['fusion']['5'])}."
                ),
            )
        )
    missed = [one for one in last if not any(one.relevance["fusion"][:5])]
    return Page(
        "How well the search finds",
        subtitle,
        (
            Card(percent(found["recall"]["fusion"]["5"]), "recall@5, fusion"),
            *(
                [Card(percent(found["with_history"]["recall"]["fusion"]["5"]), "recall@5, with history")]
                if turned
                else []
            ),
            Card(f"{found['mrr']['fusion']:.3f}", "mean reciprocal rank"),
            Card(f"{found['ndcg10']['fusion']:.3f}", "nDCG@10"),
            Card(f"{found['ms']['p50']:.0f} / {found['ms']['p95']:.0f} ms", "median / 95th percentile"),
            Card(f"{found['rows']}", "questions"),
        ),
        (
            curves,
            (
                Part(
                    "Recall@5 by language",
                    table=Table(
                        ("language", "questions", *METHODS),
                        [
                            (
                                language,
                                group["rows"],
                                *(Bar(group["recall"][method]["5"]) for method in METHODS),
                            )
                            for language, group in found["by_language"].items()
                        ],
                    ),
                ),
            ),
            (
                Part(
                    f"Not among the first five: {len(missed)}",
                    table=Table(
                        ("id", "question", "wanted", "first rank"),
                        [
                            (
                                one.row.id,
                                Words(_short(one.row.question)),
                                Words(_short(", ".join(one.row.passages or one.row.answers))),
                                _rank(one.relevance["fusion"]),
                            )
                            for one in missed[:_MOST_SHOWN]
                        ],
                    ),
                    is_folded=True,
                ),
            )
            if missed
            else (),
        ),
    )


def of_answers(report: AnswerReport, subtitle: str) -> Page:
    """Outcomes of the questions, labels, costs, and the worst mistakes."""
    found = report.to_json()
    systems: dict[str, dict[str, Any]] = found["systems"]
    worst = [one for one in report.answered if one.is_wrong_as_verified]
    wrong = [one for one in report.answered if one.outcome == "wrong" and not one.is_wrong_as_verified]
    shown = systems.get("self") or next(iter(systems.values()))
    saved = found["tokens_saved"].get("self")
    return Page(
        "How good answers are, and what they cost",
        subtitle,
        (
            Card(percent(shown["right"] + shown["refused_rightly"]), "right, refusals included"),
            _fault(shown["wrong_verified"], "wrong but labelled verified"),
            Card(percent(shown["citation_precision"]), "citations that hold the answer"),
            *([_savings(saved)] if saved is not None else []),
            Card(f"{shown['seconds']:.1f} s", "a question"),
            Card(f"{found['rows']}", "questions"),
        ),
        (
            (
                Part("What became of the questions", charts.plot_outcomes(systems)),
                Part("What readers were told", charts.plot_labels(systems)),
            ),
            (
                Part(
                    "Cost against accuracy",
                    charts.plot_cost_against_accuracy(systems),
                    note="Further left is cheaper, further up is better.",
                ),
                Part("Cost of a question", table=_costs(systems)),
            ),
            *(
                (Part(title, table=_by_group(systems, key)),)
                for title, key in (
                    ("By kind of question", "by_group"),
                    ("Questions about the documents, by kind of row", "by_kind"),
                    ("Answerable questions, by what they ask for", "by_form"),
                )
                if next(iter(systems.values()))[key]
            ),
            (Part(f"Wrong but labelled verified: {len(worst)}", table=_mistakes(worst)),) if worst else (),
            (Part(f"Other wrong answers: {len(wrong)}", table=_mistakes(wrong), is_folded=True),)
            if wrong
            else (),
        ),
    )


def _fault(share: float, name: str) -> Card:
    return Card(percent(share), name, is_bad=share > 0)


def _savings(saved: float) -> Card:
    """Tokens against always-retrieve."""
    return Card(percent(abs(saved)), f"{'fewer' if saved >= 0 else 'more'} tokens than always-retrieve")


def _ablation(losses: Sequence[Without]) -> Part:
    whole, *without = losses
    return Part(
        "What each signal adds",
        charts.plot_ablation({one.group: whole.accuracy - one.accuracy for one in without}),
        table=Table(
            ("without", "right", "points lost", "wrong but adequate"),
            [
                (one.group, Bar(one.accuracy), f"{100 * (whole.accuracy - one.accuracy):+.1f}",
                 percent(one.wrongly_adequate))
                for one in (whole, *sorted(without, key=lambda one: one.accuracy))
            ],
        ),
        note=(
            "Of the drafts that were compared with the documents, by evidence alone, before the verifier "
            "reads; the signals of a group are set to their mean and the weights stay. A group that adds "
            "little may be covered by another one."
        ),
    )  # fmt: skip


def _groups(groups: Mapping[str, Mapping[str, float]], name: str) -> Table:
    rows = [(key, int(found["rows"]), Bar(found["accuracy"])) for key, found in groups.items()]
    return Table((name, "rows", "right"), rows)


def _recall_table(found: Mapping[str, Any]) -> Table:
    rows: list[Sequence[Cell]] = [
        (
            method,
            *(percent(found["recall"][method][cut]) for cut in ("1", "5", "10")),
            f"{found['mrr'][method]:.3f}",
            f"{found['ndcg10'][method]:.3f}",
        )
        for method in METHODS
    ]
    return Table(("", "recall@1", "recall@5", "recall@10", "MRR", "nDCG@10"), rows)


def _curves(found: Sequence[Any]) -> dict[str, list[float]]:
    return {
        method: [
            figures.mean([any(one.relevance[method][:cut]) for one in found]) for cut in range(1, 11)
        ]
        for method in METHODS
    }  # fmt: skip


def _costs(systems: Mapping[str, Mapping[str, Any]]) -> Table:
    shares = ("used_documents", "citation_precision", "failed")
    names = ("calls", "input_tokens", "output_tokens", "seconds", *shares)
    rows: list[Sequence[Cell]] = [
        (
            _spoken(name),
            *(percent(one[name]) if name in shares else float(one[name]) for one in systems.values()),
        )
        for name in names
    ]
    rows.append(("cost", *(figures.money(one["cost"]) for one in systems.values())))
    return Table(("", *systems), rows)


def _by_group(systems: Mapping[str, Mapping[str, Any]], key: str) -> Table:
    rows: list[Sequence[Cell]] = []
    for group in next(iter(systems.values()))[key]:
        for name, found in systems.items():
            part = found[key][group]
            rows.append(
                (
                    f"{_spoken(group)}: {name}",
                    part["rows"],
                    Bar(part["right"] + part["refused_rightly"]),
                    percent(part["wrong"]),
                    percent(part["wrong_verified"]),
                    percent(part["refused_wrongly"]),
                    percent(part["refused_or_left_open"]),
                    percent(part["used_documents"]),
                    float(part["calls"]),
                    part["input_tokens"] + part["output_tokens"],
                )
            )
    outcomes = ("right", "wrong", "wrong as verified", "wrongly refused", "refused or left open")
    return Table(("", "questions", *outcomes, "read documents", "calls", "tokens"), rows)


def _mistakes(answered: Sequence[Answered]) -> Table:
    rows = [
        (
            one.system,
            Words(_short(one.row.question)),
            Words(_short(one.text or one.failure)),
            Words(_short(_wanted(one.row))),
            _spoken(one.label),
        )
        for one in answered[:_MOST_SHOWN]
    ]
    return Table(("system", "question", "answer", "right would be", "label"), rows)


def _wanted(row: LabelledQuestion) -> str:
    if row.kind == "small_talk":
        return "a reply without sources"
    return " / ".join(row.answers) or row.sentence or row.polarity or row.reference or "a refusal"


def _rank(relevance: Sequence[bool]) -> str:
    return next((str(rank) for rank, relevant in enumerate(relevance, 1) if relevant), "–")


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN_CHARACTERS else text[:_SHOWN_CHARACTERS] + "…"


def _spoken(name: str) -> str:
    return name.replace("_", " ")
