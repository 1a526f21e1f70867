"""Targets for the committed figures, and checks whether they are reached; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Committed = Mapping[str, Any]

LANGUAGES = {
    "en": "English", "ru": "Russian", "es": "Spanish", "zh": "Chinese",
    "it": "Italian", "pt": "Portuguese", "ja": "Japanese",
}  # fmt: skip
"""Languages of the contrast pairs."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A figure that has to be reached.

    Args:
        measure: Description of the figure and the set that it is measured on.
        bound: Minimum of the figure, or maximum if it `is_limit`.
        figure: Reads the figure from the content of ``bench/quality.json``; raises `KeyError` if it is
            missing.
        is_time: The figure is in milliseconds, which depend on the machine as much as on the program.
        part: The part of the file that contains it.
    """

    measure: str
    bound: float
    figure: Callable[[Committed], float]
    is_limit: bool = False
    is_time: bool = False
    part: str = "sets"

    def measured(self, committed: Committed) -> float | None:
        """Return the figure; None when its part was never measured, `KeyError` when it alone is missing."""
        return self.figure(committed) if self.part in committed else None

    def is_met(self, committed: Committed) -> bool | None:
        """Return whether the figure reaches its target; None when it was never measured."""
        found = self.measured(committed)
        if found is None:
            return None
        return found <= self.bound if self.is_limit else found >= self.bound


_WRONG = "wrong_verified"


def _of_set(name: str, figure: str) -> Callable[[Committed], float]:
    return lambda committed: float(committed["sets"][name]["figures"][figure])


def _of_pairs(code: str) -> Callable[[Committed], float]:
    return _of_set(f"contrast {code}", "right_at_0.02_wrong")


def _of_answers(figure: str) -> Callable[[Committed], float]:
    return lambda committed: float(committed["answers"]["systems"]["self"][figure])


def _worst_kind(committed: Committed) -> float:
    return float(min(committed["sets"]["verdicts retrievalqa"]["by_kind"].values()))


def _slowest(share: str, is_meant: Callable[[str], bool]) -> Callable[[Committed], float]:
    return lambda committed: float(
        max(found["ms"][share] for name, found in committed["sets"].items() if is_meant(name))
    )


def _worst_wrong(committed: Committed) -> float:
    return float(
        max(committed["sets"][f"contrast {code}"]["figures"]["wrong_verified"] for code in LANGUAGES)
    )


def _of_natural(figure: str) -> Callable[[Committed], float]:
    def pooled(committed: Committed) -> float:
        found = [
            (one.get("counts", {}).get(figure, one["rows"]), one["figures"][figure])
            for name, one in committed["sets"].items()
            if name.startswith("natural ") and figure in one["figures"]
        ]
        if not found:
            raise KeyError(figure)
        return float(round(sum(rows * value for rows, value in found) / sum(rows for rows, _ in found), 4))

    return pooled


def _worst_class(committed: Committed) -> float:
    rows: dict[str, list[float]] = {}
    for name, found in committed["sets"].items():
        if name.startswith("false answers "):
            for kind, of_class in found["by_class"].items():
                sums = rows.setdefault(kind, [0.0, 0.0])
                sums[0] += of_class["rows"] * of_class["wrong_verified"]
                sums[1] += of_class["rows"]
    return round(max(wrong / count for wrong, count in rows.values()), 4)


def _fusion_lead(committed: Committed) -> float:
    """Return the lead of the fusion over the better of its halves, in the language where it is smallest."""
    languages = [
        recall
        for name, found in committed["sets"].items()
        if name.startswith("retrieval ")
        for recall in found["recall5_by_language"].values()
    ]
    return float(min(one["fusion"] - max(one["words"], one["vectors"]) for one in languages))


def _right_lead(committed: Committed) -> float:
    right = {
        name: found["by_group"]["documents"]["right"] + found["by_group"]["documents"]["refused_rightly"]
        for name, found in committed["answers"]["systems"].items()
    }
    return float(round(right["self"] - right["always"], 4))


def _needless_reading(committed: Committed) -> float:
    groups = committed["answers"]["systems"]["self"]["by_group"]
    return float(max(groups[name]["used_documents"] for name in ("small_talk", "general")))


def _calls(committed: Committed) -> float:
    return float(committed["answers"]["systems"]["self"]["by_group"]["documents"]["calls"])


def _tokens_saved(committed: Committed) -> float:
    return float(committed["answers"]["tokens_saved"]["self"])


AIMS: tuple[Aim, ...] = (
    Aim("four-way verdicts, retrievalqa", 0.92, _of_set("verdicts retrievalqa", "accuracy")),
    Aim("actions, retrievalqa", 0.94, _of_set("verdicts retrievalqa", "action_accuracy")),
    Aim("verdicts on the worst kind of draft, retrievalqa", 0.80, _worst_kind),
    Aim("four-way verdicts, Russian", 0.88, _of_set("verdicts ru", "accuracy")),
    Aim("actions, Russian", 0.92, _of_set("verdicts ru", "action_accuracy")),
    Aim("four-way verdicts, Chinese", 0.88, _of_set("verdicts zh", "accuracy")),
    Aim("actions, Chinese", 0.92, _of_set("verdicts zh", "action_accuracy")),
    *(
        Aim(f"time of a verdict without a model, {named}, {on}", bound, _slowest(share, sets), True, True)
        for on, sets in (
            ("retrievalqa", "verdicts retrievalqa".__eq__),
            ("slowest language", lambda name: name.startswith("verdicts ")),
        )
        for share, named, bound in (("p50", "median", 20), ("p95", "95th percentile", 60))
    ),
    *(
        Aim(f"false answers ({whose}) labelled verified", 0.05, _of_set(f"false answers {of}", _WRONG), True)
        for whose, of in (
            ("handbooks to fit on", "fitting"),
            ("handbooks of another author", "fitting later"),
            ("handbooks held out", "held out"),
        )
    ),
    Aim("false answers (worst class) labelled verified", 0.15, _worst_class, is_limit=True),
    Aim("wrong neighbours (worst language) verified", 0.02, _worst_wrong, is_limit=True),
    *(
        Aim(f"right answers, {name}, where .02 of the wrong neighbours pass", 0.85, _of_pairs(code))
        for code, name in LANGUAGES.items()
    ),
    Aim("natural questions, right", 0.85, _of_natural("right")),
    Aim("unanswerable questions, refused or left open", 0.80, _of_natural("refused_or_left_open")),
    Aim("recall@5, retrievalqa", 0.93, _of_set("retrieval retrievalqa", "recall5")),
    Aim("recall@5, mtrag_cloud", 0.94, _of_set("retrieval mtrag_cloud", "recall5")),
    Aim("recall@5 with history, mtrag_cloud", 0.95, _of_set("retrieval mtrag_cloud", "history_recall5")),
    Aim("recall@5 of the fusion beyond the better of words and vectors, worst language", 0.0, _fusion_lead),
    Aim("right about the documents beyond always reading them", 0.0, _right_lead, part="answers"),
    Aim("documents read for small talk or general knowledge", 0.0, _needless_reading, True, part="answers"),
    Aim("wrong answers labelled verified", 0.02, _of_answers("wrong_verified"), True, part="answers"),
    Aim("right answers of the mixed questions", 0.80, _of_answers("right"), part="answers"),
    Aim("model calls for a question about documents, mean", 3.0, _calls, is_limit=True, part="answers"),
    Aim("tokens saved against always reading and judging", 0.40, _tokens_saved, part="answers"),
)
