"""The committed figures of ``bench/quality.json`` as Markdown, for README and docs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tools.aims import AIMS, Aim
from tools.markdown import percent, table


def tables(committed: Mapping[str, Any]) -> str:
    """Every committed figure: verdicts, real drafts and answers, retrieval, three systems side by side."""
    sets: Mapping[str, Mapping[str, Any]] = committed["sets"]
    parts = [
        _verdicts("labelled drafts", _of(sets, "verdicts")),
        _verdicts("drafts that the embedded model wrote", _of(sets, "drafts")),
        _written(_of(sets, "written")),
        _retrieval(_of(sets, "retrieval")),
    ]
    if "answers" in committed:
        parts += [_answers(committed["answers"]), _groups(committed["answers"])]
    return "\n\n".join(parts)


def headlines(committed: Mapping[str, Any]) -> str:
    """What people get of a hundred questions, on sets whose authors did not know the program."""
    sets: Mapping[str, Mapping[str, Any]] = committed["sets"]
    asked = [one for name, one in _of(sets, "natural") if name.endswith("-c")]
    contrast = [one["figures"] for name, one in _of(sets, "contrast") if "sample" not in name]
    own, plain = (committed["answers"]["systems"][name] for name in ("self", "always"))
    rows = [
        (
            f"{_count(asked, 'right')} questions that the handbooks answer: the right sentence is shown",
            "right",
        ),
        ("the same: it stands in a short answer", "right_briefly"),
        ("the same: the answer is wrongly “not in the documents”", "refused_wrongly"),
        (
            f"{_count(asked, 'refused_or_left_open')} that they do not answer: it says so or is left open",
            "refused_or_left_open",
        ),
        (f"all {_count(asked, 'wrong_verified')}: wrong and yet verified", "wrong_verified"),
    ]
    mixed = (
        f"{committed['answers']['rows']} mixed questions to the embedded model, {own['seconds']:.0f} s each"
    )
    return table(
        ("of 100", ""),
        [
            *((said, _share(asked, key)) for said, key in rows),
            (f"{mixed}: right", f"{100 * own['right']:.0f}"),
            ("the same: right with a bot that always reads and never checks", f"{100 * plain['right']:.0f}"),
            ("the same, with ours: wrong and yet verified", f"{100 * own['wrong_verified']:.0f}"),
            (
                "right sentences about public articles, by language: verified",
                _range(contrast, "right_verified"),
            ),
            ("wrong sentences about the same articles: verified", _range(contrast, "wrong_verified")),
        ],
    )


def _count(sets: Sequence[Mapping[str, Any]], key: str) -> int:
    return sum(one["counts"].get(key, one["rows"]) for one in sets)


def _share(sets: Sequence[Mapping[str, Any]], key: str) -> str:
    """The figure of all sets together, of a hundred."""
    total = sum(one["figures"][key] * one["counts"].get(key, one["rows"]) for one in sets)
    return f"{100 * total / _count(sets, key):.0f}"


def _range(figures: Iterable[Mapping[str, float]], key: str) -> str:
    """The least and the most of a figure, of a hundred."""
    shares = sorted(100 * one[key] for one in figures)
    return f"{shares[0]:.0f} to {shares[-1]:.0f}"


def aims(committed: Mapping[str, Any]) -> str:
    """The targets, the figures, and whether they are reached."""
    said = {True: "yes", False: "no", None: "not measured"}
    rows = []
    for aim in AIMS:
        found = aim.measured(committed)
        figure = "–" if found is None else _figure(aim, found, 3)
        bound = f"{'≤' if aim.is_limit else '≥'} {_figure(aim, aim.bound, 2)}"
        rows.append((aim.measure, bound, figure, said[aim.is_met(committed)]))
    return table(("aim", "wanted", "measured", "reached"), rows)


def _figure(aim: Aim, value: float, digits: int) -> str:
    return f"{value:.0f} ms" if aim.is_time else f"{value:.{digits}f}"


def held_out(evidence: Mapping[str, Any], what: str) -> str:
    """Figures on what the weights were fitted without: ``questions`` of known sets, or whole ``sets``."""
    columns = ("accuracy", "action_accuracy", "undecided", "wrongly_adequate")
    rows = [
        (name, str(one["rows"]), *(f"{one[column]:.3f}" for column in columns))
        for name, one in evidence[what].items()
    ]
    title = "held-out questions" if what == "questions" else "held-out set"
    return table((title, "rows", "four-way", "action", "undecided", "wrong but adequate"), rows)


def without(evidence: Mapping[str, Any]) -> str:
    """What each group of signals adds, with weights fitted again without it."""
    whole = evidence["without"]["nothing"]["accuracy"]
    rows = [
        (
            name,
            f"{one['accuracy']:.3f}",
            "" if name == "nothing" else f"{whole - one['accuracy']:.3f}",
            f"{one['wrongly_adequate']:.3f}",
        )
        for name, one in evidence["without"].items()
    ]
    return table(("without", "four-way", "loss", "wrong but adequate"), rows)


def _of(sets: Mapping[str, Mapping[str, Any]], kind: str) -> list[tuple[str, Mapping[str, Any]]]:
    return [(name.removeprefix(f"{kind} "), one) for name, one in sets.items() if name.startswith(f"{kind} ")]


def _verdicts(title: str, found: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    rows = [
        (
            name,
            str(one["rows"]),
            *(f"{one['figures'][key]:.3f}" for key in ("accuracy", "action_accuracy", "wrongly_adequate")),
            f"{one['undecided']:.3f}",
            f"{one['ms']['p50']:.0f} / {one['ms']['p95']:.0f}",
        )
        for name, one in found
    ]
    headings = ("rows", "four-way", "action", "wrong but adequate", "undecided", "ms p50 / p95")
    return table((title, *headings), rows)


def _written(found: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    rows = [
        (
            name,
            str(one["rows"]),
            f"{one['right']:.3f}",
            *(f"{one['figures'][key]:.3f}" for key in ("right_as_verified", "wrong_as_verified")),
        )
        for name, one in found
    ]
    headings = ("rows", "right", "of the right: verified", "wrong as verified")
    return table(("answers that the embedded model wrote from passages", *headings), rows)


def _retrieval(found: Iterable[tuple[str, Mapping[str, Any]]]) -> str:
    rows = [
        (
            name,
            str(one["rows"]),
            *(f"{one['recall5'][method]:.3f}" for method in ("words", "vectors", "fusion")),
            f"{one['figures']['history_recall5']:.3f}" if "history_recall5" in one["figures"] else "",
            *(f"{one['figures'][key]:.3f}" for key in ("recall1", "mrr", "ndcg10")),
        )
        for name, one in found
    ]
    recall = ("recall@5 words", "vectors", "fusion", "fusion, with history")
    return table(("questions", "rows", *recall, "recall@1", "MRR", "nDCG@10"), rows)


def _answers(found: Mapping[str, Any]) -> str:
    rows = [
        (
            name,
            *(
                percent(one[key])
                for key in ("right", "refused_rightly", "refused_wrongly", "wrong", "wrong_verified")
            ),
            percent(one["citation_precision"]),
            f"{one['calls']:.2f}",
            f"{one['input_tokens'] + one['output_tokens']:.0f}",
            f"{one['seconds']:.1f}",
        )
        for name, one in found["systems"].items()
    ]
    outcomes = ("right", "correctly refused", "wrongly refused", "wrong", "wrong as verified")
    costs = ("citations that hold", "calls", "tokens", "seconds")
    return table((f"{found['rows']} mixed questions", *outcomes, *costs), rows)


def _groups(found: Mapping[str, Any]) -> str:
    rows = [
        (
            f"{group.replace('_', ' ')}, {name}",
            str(one["rows"]),
            *(percent(one[key]) for key in ("right", "refused_rightly", "wrong", "used_documents")),
            f"{one['input_tokens'] + one['output_tokens']:.0f}",
        )
        for group in next(iter(found["systems"].values()))["by_group"]
        for name, system in found["systems"].items()
        for one in (system["by_group"][group],)
    ]
    headings = ("rows", "right", "correctly refused", "wrong", "read documents", "tokens")
    return table(("questions about, system", *headings), rows)
