"""Targets for the committed figures, and checks whether they are reached; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial, reduce
from operator import getitem
from typing import Any

Committed = Mapping[str, Any]
_WRONG = "wrong_verified"
_CURVE = "right_at_0.02_wrong"

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
    """

    measure: str
    bound: float
    figure: Callable[[Committed], float]
    is_limit: bool = False
    is_time: bool = False

    def is_met(self, committed: Committed) -> bool:
        """Return whether the figure reaches its target."""
        found = self.figure(committed)
        return found <= self.bound if self.is_limit else found >= self.bound


def pooled(sets: Iterable[Mapping[str, Any]], figure: str) -> float:
    """Return a share over the rows of all sets that have it; raise `KeyError` if no set has it."""
    found = [(rows_of(one, figure), one["figures"][figure]) for one in sets if figure in one["figures"]]
    if not found:
        raise KeyError(figure)
    return float(sum(rows * value for rows, value in found) / sum(rows for rows, _ in found))


def rows_of(one: Mapping[str, Any], figure: str) -> int:
    """The rows of a set that a figure rests on."""
    return int(one.get("counts", {}).get(figure, one["rows"]))


def of(committed: Committed, kind: str) -> dict[str, Mapping[str, Any]]:
    """The sets of a kind, by what follows it in their names."""
    start = f"{kind} "
    found = committed["sets"].items()
    return {name.removeprefix(start): one for name, one in found if name.startswith(start)}


def classes(committed: Committed) -> dict[str, dict[str, float]]:
    """The false answers of each class; all parts together, for a class has few pairs in one of them."""
    parts: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in of(committed, "false answers").values():
        for kind, part in one["by_class"].items():
            parts[kind].append({"rows": part["rows"], "figures": part})
    shares = ("right_verified", _WRONG)
    return {
        kind: {"rows": sum(one["rows"] for one in found)} | {name: pooled(found, name) for name in shares}
        for kind, found in sorted(parts.items())
    }


def _at(*path: str) -> Callable[[Committed], float]:
    return lambda committed: float(reduce(getitem, path, committed))  # type: ignore[arg-type] # of mappings


def _of_set(name: str, figure: str) -> Callable[[Committed], float]:
    return _at("sets", name, "figures", figure)


def _of_answers(figure: str) -> Callable[[Committed], float]:
    return _at("answers", "systems", "self", figure)


def _of_natural(figure: str) -> Callable[[Committed], float]:
    return lambda committed: round(pooled(of(committed, "natural").values(), figure), 4)


def _worst_kind(committed: Committed) -> float:
    return float(min(committed["sets"]["verdicts retrievalqa"]["by_kind"].values()))


def _slowest(share: str) -> Callable[[Committed], float]:
    return lambda committed: max(float(one["ms"][share]) for one in of(committed, "verdicts").values())


def _worst_wrong(committed: Committed) -> float:
    return max(_of_set(f"contrast {code}", _WRONG)(committed) for code in LANGUAGES)


def _worst_class(committed: Committed) -> float:
    return round(max(one[_WRONG] for one in classes(committed).values()), 4)


def _fusion_lead(committed: Committed) -> float:
    """Return the lead of the fusion over the better of its halves, in the language where it is smallest."""
    languages = [
        recall
        for found in of(committed, "retrieval").values()
        for recall in found["recall5_by_language"].values()
    ]
    return float(min(one["fusion"] - max(one["words"], one["vectors"]) for one in languages))


def _right_lead(committed: Committed) -> float:
    right = {
        name: found["by_group"]["documents"]["right"] + found["by_group"]["documents"]["refused_rightly"]
        for name, found in committed["answers"]["systems"].items()
    }
    return float(round(right["self"] - right["always"], 4))


def _calls(committed: Committed) -> float:
    return float(committed["answers"]["systems"]["self"]["by_group"]["documents"]["calls"])


def _needless_reading(committed: Committed) -> float:
    groups = committed["answers"]["systems"]["self"]["by_group"]
    return float(max(groups[name]["used_documents"] for name in ("small_talk", "general")))


AIMS: tuple[Aim, ...] = (
    Aim("four-way verdicts, retrievalqa", 0.92, _of_set("verdicts retrievalqa", "accuracy")),
    Aim("actions, retrievalqa", 0.94, _of_set("verdicts retrievalqa", "action_accuracy")),
    Aim("verdicts on the worst kind of draft, retrievalqa", 0.80, _worst_kind),
    Aim("four-way verdicts, Russian", 0.88, _of_set("verdicts ru", "accuracy")),
    Aim("actions, Russian", 0.92, _of_set("verdicts ru", "action_accuracy")),
    Aim("four-way verdicts, Chinese", 0.88, _of_set("verdicts zh", "accuracy")),
    Aim("actions, Chinese", 0.92, _of_set("verdicts zh", "action_accuracy")),
    *(
        Aim(f"time of a verdict without a model, {named}, {on}", bound, ms(share), True, True)
        for on, ms in (
            ("retrievalqa", partial(_at, "sets", "verdicts retrievalqa", "ms")),
            ("slowest language", _slowest),
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
    Aim("false answers (worst class) labelled verified", 0.15, _worst_class, True),
    Aim("wrong neighbours (worst language) verified", 0.02, _worst_wrong, True),
    *(
        Aim(f"right answers, {name}, where .02 of the wrong neighbours pass", 0.85, _of_set(pairs, _CURVE))
        for pairs, name in ((f"contrast {code}", name) for code, name in LANGUAGES.items())
    ),
    Aim("natural questions, right", 0.85, _of_natural("right")),
    Aim("unanswerable questions, refused or left open", 0.80, _of_natural("refused_or_left_open")),
    Aim("recall@5, retrievalqa", 0.93, _of_set("retrieval retrievalqa", "recall5")),
    Aim("recall@5, mtrag_cloud", 0.94, _of_set("retrieval mtrag_cloud", "recall5")),
    Aim("recall@5 with history, mtrag_cloud", 0.95, _of_set("retrieval mtrag_cloud", "history_recall5")),
    Aim("recall@5 of the fusion beyond the better of words and vectors, worst language", 0.0, _fusion_lead),
    Aim("right about the documents beyond always reading them", 0.0, _right_lead),
    Aim("documents read for small talk or general knowledge", 0.0, _needless_reading, True),
    Aim("wrong answers labelled verified", 0.02, _of_answers("wrong_verified"), True),
    Aim("right answers of the mixed questions", 0.80, _of_answers("right")),
    Aim("model calls for a question about documents, mean", 3.0, _calls, True),
    Aim("tokens saved against always reading and judging", 0.40, _at("answers", "tokens_saved", "self")),
)
