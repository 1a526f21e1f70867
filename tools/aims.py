"""Targets for the committed figures, and checks whether they are reached; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Committed = Mapping[str, Any]

LANGUAGES: dict[str, tuple[str, float, float]] = {
    "en": ("English", 0.85, 0.02),
    "ru": ("Russian", 0.65, 0.04),
    "es": ("Spanish", 0.78, 0.02),
    "zh": ("Chinese", 0.82, 0.02),
}
"""Languages of the contrast pairs, each with the aims for right and for wrong answers that a reader's reading
labels verified."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A figure that has to be reached.

    Args:
        measure: Description of the figure and the set that it is measured on.
        bound: Minimum of the figure, or maximum.
        figure: Reads the figure from the content of ``bench/quality.json``; raises `KeyError` if it is
            missing.
        is_limit: The bound is a maximum, not a minimum.
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
        """Return the figure; None when its part of the file was never measured.

        Raises:
            KeyError: the part exists, but the figure is missing.
        """
        return self.figure(committed) if self.part in committed else None

    def is_met(self, committed: Committed) -> bool | None:
        """Return whether the figure reaches its target; None when it was never measured."""
        found = self.measured(committed)
        if found is None:
            return None
        return found <= self.bound if self.is_limit else found >= self.bound


def _of_set(name: str, figure: str) -> Callable[[Committed], float]:
    return lambda committed: float(committed["sets"][name]["figures"][figure])


def _worst_kind(committed: Committed) -> float:
    return float(min(committed["sets"]["verdicts retrievalqa"]["by_kind"].values()))


def _milliseconds(share: str) -> Callable[[Committed], float]:
    return lambda committed: float(committed["sets"]["verdicts retrievalqa"]["ms"][share])


def _slowest(share: str) -> Callable[[Committed], float]:
    """Return a function for the milliseconds of a verdict in the language where it takes longest."""
    return lambda committed: float(
        max(found["ms"][share] for name, found in committed["sets"].items() if name.startswith("verdicts "))
    )


def _wrong_verified(group: str) -> Callable[[Committed], float]:
    """Return a function for the share of false answers that are labelled verified.

    It takes the worse of the two forms, and the worst of the sets whose name begins with `group`.
    """
    return lambda committed: float(
        max(
            found["figures"][figure]
            for name, found in committed["sets"].items()
            if name.startswith(group) and not name.endswith("sample")
            for figure in ("draft_wrong_verified", "written_wrong_verified")
            if figure in found["figures"]
        )
    )


def _pooled(committed: Committed, names: Callable[[str], bool], figure: str) -> float:
    """Return a figure over the rows of all sets whose name fits, each counted by its rows.

    Raises:
        KeyError: no set fits.
    """
    rows = values = 0.0
    for name, found in committed["sets"].items():
        if names(name) and figure in found["figures"]:
            count = found.get("counts", {}).get(figure, found["rows"])
            rows += count
            values += count * found["figures"][figure]
    if not rows:
        raise KeyError(figure)
    return round(values / rows, 4)


def _of_samples(language: str, figure: str) -> Callable[[Committed], float]:
    """Return a function for a figure over all samples of contrast pairs in a language that have a reader."""

    def fits(name: str) -> bool:
        return name.startswith(f"contrast {language} ") and name.endswith("with reader")

    return lambda committed: _pooled(committed, fits, figure)


def _of_natural(figure: str, *, has_reader: bool) -> Callable[[Committed], float]:
    """Return a function for a figure over the natural questions of all handbooks."""

    def fits(name: str) -> bool:
        return name.startswith("natural ") and name.endswith("with reader") == has_reader

    return lambda committed: _pooled(committed, fits, figure)


def _worst_class(committed: Committed) -> float:
    """Return the share of false answers labelled verified in the worst class, over all handbooks."""
    rows: dict[str, list[float]] = {}
    for name, found in committed["sets"].items():
        if name.startswith("false answers ") and name.endswith("with reader"):
            for kind, of_class in found["by_class"].items():
                sums = rows.setdefault(kind, [0.0, 0.0])
                sums[0] += of_class["rows"] * of_class["draft_wrong_verified"]
                sums[1] += of_class["rows"]
    return round(max(wrong / count for wrong, count in rows.values()), 4)


def _worst_right(committed: Committed) -> float:
    """Return the share of right answers verified without a model, in the language where it is smallest."""
    return float(
        min(
            committed["sets"][f"contrast {language}"]["figures"]["draft_right_verified"]
            for language in LANGUAGES
        )
    )


def _worst_sentence(figure: str) -> Callable[[Committed], float]:
    """Return a function for how often a chosen sentence holds the answer, in the worst language held out."""
    return lambda committed: float(
        min(committed["sentences"][f"contrast {language} held_out"][figure] for language in LANGUAGES)
    )


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
    """Return the lead of the self-correcting system over always reading, in the share of right answers."""
    right = {
        name: found["by_group"]["documents"]["right"] + found["by_group"]["documents"]["refused_rightly"]
        for name, found in committed["answers"]["systems"].items()
    }
    return float(round(right["self"] - right["always"], 4))


def _needless_reading(committed: Committed) -> float:
    groups = committed["answers"]["systems"]["self"]["by_group"]
    return float(max(groups[name]["used_documents"] for name in ("small_talk", "general")))


_RIGHT, _WRONG = "draft_right_verified", "draft_wrong_verified"

AIMS: tuple[Aim, ...] = (
    Aim("four-way verdicts, retrievalqa", 0.92, _of_set("verdicts retrievalqa", "accuracy")),
    Aim("actions, retrievalqa", 0.94, _of_set("verdicts retrievalqa", "action_accuracy")),
    Aim("verdicts on the worst kind of draft, retrievalqa", 0.80, _worst_kind),
    Aim("four-way verdicts, Russian", 0.88, _of_set("verdicts ru", "accuracy")),
    Aim("actions, Russian", 0.92, _of_set("verdicts ru", "action_accuracy")),
    Aim("four-way verdicts, Chinese", 0.88, _of_set("verdicts zh", "accuracy")),
    Aim("actions, Chinese", 0.92, _of_set("verdicts zh", "action_accuracy")),
    *(
        Aim(
            f"time of a verdict without a model, {named}, {where}",
            bound,
            read(share),
            is_limit=True,
            is_time=True,
        )
        for where, read in (("retrievalqa", _milliseconds), ("slowest language", _slowest))
        for share, named, bound in (("p50", "median", 20), ("p95", "95th percentile", 60))
    ),
    *(
        Aim(f"{what} labelled verified", bound, _wrong_verified(group), is_limit=True)
        for what, bound, group in (
            (
                "false answers (handbooks to fit on), with a reader,",
                0.05,
                "false answers fitting with reader",
            ),
            (
                "false answers (handbooks of another author), with a reader,",
                0.05,
                "false answers fitting later with reader",
            ),
            (
                "false answers (handbooks held out), with a reader,",
                0.05,
                "false answers held out with reader",
            ),
            ("wrong neighbours (worst language), without a model,", 0.10, "contrast "),
        )
    ),
    Aim("right answers (worst language), without a model, labelled verified", 0.50, _worst_right),
    *(
        Aim(f"right answers, {name}, with a reader, labelled verified", right, _of_samples(code, _RIGHT))
        for code, (name, right, _) in LANGUAGES.items()
    ),
    *(
        Aim(
            f"wrong neighbours, {name}, with a reader, labelled verified",
            wrong,
            _of_samples(code, _WRONG),
            is_limit=True,
        )
        for code, (name, _, wrong) in LANGUAGES.items()
    ),
    Aim("false answers (worst class), with a reader, labelled verified", 0.15, _worst_class, is_limit=True),
    Aim("natural questions, with a reader, right", 0.85, _of_natural("right", has_reader=True)),
    Aim(
        "natural questions, with a reader, wrongly refused",
        0.05,
        _of_natural("refused_wrongly", has_reader=True),
        is_limit=True,
    ),
    Aim("natural questions, without a model, right", 0.85, _of_natural("right", has_reader=False)),
    *(
        Aim(
            f"unanswerable questions, {named} a model, refused or left open",
            bound,
            _of_natural("refused_or_left_open", has_reader=has_reader),
        )
        for named, bound, has_reader in (("with", 0.80, True), ("without", 0.60, False))
    ),
    Aim(
        "first sentence quoted holds the answer, worst language",
        0.87,
        _worst_sentence("first"),
        part="sentences",
    ),
    Aim("one of the first two does, worst language", 0.94, _worst_sentence("two"), part="sentences"),
    Aim("recall@5, retrievalqa", 0.93, _of_set("retrieval retrievalqa", "recall5")),
    Aim("recall@5, mtrag_cloud", 0.94, _of_set("retrieval mtrag_cloud", "recall5")),
    Aim("recall@5 with history, mtrag_cloud", 0.95, _of_set("retrieval mtrag_cloud", "history_recall5")),
    Aim("recall@5 of the fusion beyond the better of words and vectors, worst language", 0.0, _fusion_lead),
    Aim("right about the documents beyond always reading them", 0.0, _right_lead, part="answers"),
    Aim(
        "documents read for small talk or general knowledge",
        0.0,
        _needless_reading,
        is_limit=True,
        part="answers",
    ),
    Aim(
        "wrong answers labelled verified",
        0.02,
        lambda committed: float(committed["answers"]["systems"]["self"]["wrong_verified"]),
        is_limit=True,
        part="answers",
    ),
    Aim(
        "right answers of the mixed questions",
        0.80,
        lambda committed: float(committed["answers"]["systems"]["self"]["right"]),
        part="answers",
    ),
    Aim(
        "model calls for a question about documents, mean",
        3.0,
        lambda committed: float(committed["answers"]["systems"]["self"]["by_group"]["documents"]["calls"]),
        is_limit=True,
        part="answers",
    ),
    Aim(
        "tokens saved against always reading and judging",
        0.40,
        lambda committed: float(committed["answers"]["tokens_saved"]["self"]),
        part="answers",
    ),
)
