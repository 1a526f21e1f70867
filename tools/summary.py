"""The committed figures of ``bench/quality.json`` as Markdown, for README and docs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Any

from tools.aims import AIMS, Aim, Committed, of, pooled, rows_of
from tools.markdown import figures, table

_VERDICTS = (
    "{rows} | {figures[accuracy]:.3f} | {figures[action_accuracy]:.3f} | {figures[wrongly_adequate]:.3f}"
    " | {undecided:.3f} | {ms[p50]:.0f} / {ms[p95]:.0f}"
)
_WRITTEN = "{rows} | {right:.3f} | {figures[right_as_verified]:.3f} | {figures[wrong_as_verified]:.3f}"
_RETRIEVAL = (
    "{rows} | {recall5[words]:.3f} | {recall5[vectors]:.3f} | {recall5[fusion]:.3f}"
    " | {figures[history_recall5]:.3f}"
    " | {figures[recall1]:.3f} | {figures[mrr]:.3f} | {figures[ndcg10]:.3f}"
)
_ANSWERS = (
    "{right:.1%} | {refused_rightly:.1%} | {refused_wrongly:.1%} | {wrong:.1%} | {wrong_verified:.1%}"
    " | {citation_precision:.1%} | {calls:.2f} | {tokens:.0f} | {seconds:.1f}"
)
_GROUPS = "{rows} | {right:.1%} | {refused_rightly:.1%} | {wrong:.1%} | {used_documents:.1%} | {tokens:.0f}"


def tables(committed: Committed) -> str:
    """Every committed figure: verdicts, real drafts and answers, retrieval, three systems side by side."""
    judged = "rows | four-way | action | wrong but adequate | undecided | ms p50 / p95"
    written = "rows | right | of the right: verified | wrong as verified"
    recall = "rows | recall@5 words | vectors | fusion | fusion, with history | recall@1 | MRR | nDCG@10"
    outcomes = "right | correctly refused | wrongly refused | wrong | wrong as verified"
    costs = "citations that hold | calls | tokens | seconds"
    groups = "rows | right | correctly refused | wrong | read documents | tokens"
    answers = committed["answers"]
    systems = {name: _with_tokens(one) for name, one in answers["systems"].items()}
    by_group = {
        f"{group.replace('_', ' ')}, {name}": _with_tokens(one["by_group"][group])
        for group in systems["self"]["by_group"]
        for name, one in systems.items()
    }
    parts = (
        (f"labelled drafts | {judged}", of(committed, "verdicts"), _VERDICTS),
        (f"drafts that the embedded model wrote | {judged}", of(committed, "drafts"), _VERDICTS),
        (
            f"answers that the embedded model wrote from passages | {written}",
            of(committed, "written"),
            _WRITTEN,
        ),
        (f"questions | {recall}", of(committed, "retrieval"), _RETRIEVAL),
        (f"{answers['rows']} mixed questions | {outcomes} | {costs}", systems, _ANSWERS),
        (f"questions about, system | {groups}", by_group, _GROUPS),
    )
    return "\n\n".join(starmap(figures, parts))


def _with_tokens(one: Mapping[str, Any]) -> dict[str, Any]:
    return {**one, "tokens": one["input_tokens"] + one["output_tokens"]}


def headlines(committed: Committed) -> str:
    """What people get of a hundred questions, on sets whose authors did not know the program."""
    asked = [one for name, one in of(committed, "natural").items() if name.endswith("-c")]
    contrast = [one["figures"] for name, one in of(committed, "contrast").items() if "sample" not in name]
    answers = committed["answers"]
    own, plain = (answers["systems"][name] for name in ("self", "always"))
    right, left_open, every = (
        sum(rows_of(one, key) for one in asked) for key in ("right", "refused_or_left_open", "wrong_verified")
    )
    rows = {
        f"{right} questions that the handbooks answer: the right sentence is shown": "right",
        "the same: it stands in a short answer": "right_briefly",
        "the same: the answer is wrongly “not in the documents”": "refused_wrongly",
        f"{left_open} that they do not answer: it says so or is left open": "refused_or_left_open",
        f"all {every}: wrong and yet verified": "wrong_verified",
    }
    mixed = f"{answers['rows']} mixed questions to the embedded model, {own['seconds']:.0f} s each: right"
    found = {
        **{said: f"{100 * pooled(asked, key):.0f}" for said, key in rows.items()},
        mixed: f"{100 * own['right']:.0f}",
        "the same: right with a bot that always reads and never checks": f"{100 * plain['right']:.0f}",
        "the same, with ours: wrong and yet verified": f"{100 * own['wrong_verified']:.0f}",
        "right sentences about public articles, by language: verified": _range(contrast, "right_verified"),
        "wrong sentences about the same articles: verified": _range(contrast, "wrong_verified"),
    }
    return table(("of 100", ""), found.items())


def _range(figures: Iterable[Mapping[str, float]], key: str) -> str:
    """The least and the most of a figure, of a hundred."""
    shares = sorted(100 * one[key] for one in figures)
    return f"{shares[0]:.0f} to {shares[-1]:.0f}"


def aims(committed: Committed) -> str:
    """The targets, the figures, and whether they are reached."""
    rows = []
    for aim in AIMS:
        bound = f"{'≤' if aim.is_limit else '≥'} {_figure(aim, aim.bound, 2)}"
        reached = "yes" if aim.is_met(committed) else "no"
        rows.append((aim.measure, bound, _figure(aim, aim.figure(committed), 3), reached))
    return table(("aim", "wanted", "measured", "reached"), rows)


def _figure(aim: Aim, value: float, digits: int) -> str:
    return f"{value:.0f} ms" if aim.is_time else f"{value:.{digits}f}"


def held_out(evidence: Mapping[str, Any], what: str) -> str:
    """Figures on what the weights were fitted without: ``questions`` of known sets, or whole ``sets``."""
    title = "held-out questions" if what == "questions" else "held-out set"
    return figures(
        f"{title} | rows | four-way | action | undecided | wrong but adequate",
        evidence[what],
        "{rows} | {accuracy:.3f} | {action_accuracy:.3f} | {undecided:.3f} | {wrongly_adequate:.3f}",
    )


def without(evidence: Mapping[str, Any]) -> str:
    """What each group of signals adds, with weights fitted again without it."""
    whole = evidence["without"]["nothing"]["accuracy"]
    found = {name: {**one, "loss": whole - one["accuracy"]} for name, one in evidence["without"].items()}
    headings = "without | four-way | loss | wrong but adequate"
    return figures(headings, found, "{accuracy:.3f} | {loss:.3f} | {wrongly_adequate:.3f}")
