"""Draws the plots of the reports as SVG that needs no fonts and no network.

Plots contain only our own names (verdicts, methods, systems). Kinds and languages of a user's set can be in a
script that the plotting library has no glyphs for, so they are shown in tables.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2933"
MUTED = "#7b8794"
GRID = "#e4e7eb"
COLOURS = {
    "words": "#d97706",
    "vectors": "#7c3aed",
    "fusion": "#0f766e",
    "never": "#9aa5b1",
    "always": "#2563eb",
    "self": "#0f766e",
    "right": "#0f766e",
    "refused_rightly": "#5eead4",
    "refused_wrongly": "#fcd34d",
    "wrong": "#f97316",
    "wrong_verified": "#b91c1c",
    "verified": "#0f766e",
    "partly": "#99d5cf",
    "conversation": "#c4b5fd",
    "general": "#93c5fd",
    "not_in_documents": "#fcd34d",
    "unverified": "#cbd2d9",
}
"""The colour of each name in all plots."""

_STYLE: dict[Any, Any] = {
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": GRID,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "figure.constrained_layout.use": True,
}


def plot_confusion(counts: Mapping[str, Mapping[str, int]]) -> str:
    """Plot expected verdicts against given ones, shaded by the share of their row."""
    said = [name for name in _VERDICTS if any(name in row for row in counts.values())]
    expected = [name for name in _VERDICTS if name in counts]
    with _drawing(5.0, 0.9 + 0.52 * len(expected)) as (figure, axes):
        shares = [
            [counts[row].get(column, 0) / max(1, sum(counts[row].values())) for column in said]
            for row in expected
        ]
        axes.imshow(shares, cmap="GnBu", vmin=0, vmax=1.15, aspect="auto")
        for y, row in enumerate(expected):
            for x, column in enumerate(said):
                count = counts[row].get(column, 0)
                colour = "white" if shares[y][x] > 0.6 else INK if count else MUTED
                axes.text(x, y, str(count), ha="center", va="center", color=colour)
        axes.set_xticks(range(len(said)), [_spoken(name) for name in said])
        axes.set_yticks(range(len(expected)), [_spoken(name) for name in expected])
        axes.xaxis.tick_top()
        axes.xaxis.set_label_position("top")
        axes.set_xlabel("said")
        axes.set_ylabel("expected")
        _bare(axes)
        return _svg(figure)


def plot_reliability(bins: Sequence[Mapping[str, float]]) -> str:
    """Plot how often verdicts were right against their confidence; a point's area is its share of rows."""
    with _drawing(4.6, 3.6) as (figure, axes):
        whole = sum(one["rows"] for one in bins) or 1
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
        axes.plot(
            [one["confidence"] for one in bins],
            [one["accuracy"] for one in bins],
            color=COLOURS["fusion"],
            linewidth=1.2,
            zorder=2,
        )
        axes.scatter(
            [one["confidence"] for one in bins],
            [one["accuracy"] for one in bins],
            s=[30 + 500 * one["rows"] / whole for one in bins],
            color=COLOURS["fusion"],
            alpha=0.75,
            zorder=3,
        )
        axes.set(xlabel="confidence of the verdict", ylabel="share that was right")
        axes.set(xlim=(0, 1.03), ylim=(0, 1.06))
        axes.annotate("as sure as right", (0.3, 0.33), color=MUTED, rotation=36, ha="center", fontsize=8)
        _plain(axes)
        return _svg(figure)


def plot_ablation(losses: Mapping[str, float]) -> str:
    """Plot the points of accuracy that are lost without each group of signals."""
    names = sorted(losses, key=lambda name: losses[name])
    with _drawing(6.4, 0.6 + 0.27 * len(names)) as (figure, axes):
        values = [100 * losses[name] for name in names]
        bars = axes.barh(names, values, color=[COLOURS["fusion"] if v > 0 else GRID for v in values])
        axes.bar_label(bars, [f"{value:+.1f}" for value in values], padding=3, fontsize=8)
        axes.set_xlabel("points of accuracy lost without it")
        axes.margins(x=0.12)
        axes.axvline(0, color=MUTED, linewidth=0.8)
        _plain(axes, grid="x")
        return _svg(figure)


def plot_recall(curves: Mapping[str, Sequence[float]], title: str) -> str:
    """Plot the share of questions whose answer is among the first k documents."""
    with _drawing(4.4, 3.2) as (figure, axes):
        for number, (name, values) in enumerate(curves.items()):
            # Each line is thinner than those below it, so that all stay visible where they meet.
            width = 1 + 1.2 * (len(curves) - number)
            ranks = range(1, len(values) + 1)
            axes.plot(ranks, values, color=COLOURS[name], linewidth=width, label=name)
        lowest = min((value for values in curves.values() for value in values), default=0.0)
        bottom = min(0.8, math.floor(10 * lowest) / 10)
        axes.set(xlabel="first k documents", ylabel="recall@k", title=title)
        axes.set_ylim(bottom, 1.02)
        axes.set_yticks([tick / 10 for tick in range(round(10 * bottom), 11)])
        axes.set_xticks(range(1, 11))
        axes.legend(frameon=False, loc="lower right")
        _plain(axes)
        return _svg(figure)


def plot_cost_against_accuracy(systems: Mapping[str, Mapping[str, Any]]) -> str:
    """Plot the tokens per question against the share of questions answered or refused correctly."""
    with _drawing(4.8, 3.4) as (figure, axes):
        for name, found in systems.items():
            tokens = found["input_tokens"] + found["output_tokens"]
            right = found["right"] + found["refused_rightly"]
            axes.scatter([tokens], [right], s=120, color=COLOURS[name], zorder=3)
            axes.annotate(
                name, (tokens, right), xytext=(0, 9), textcoords="offset points", ha="center", weight="bold"
            )
        axes.set(xlabel="tokens a question", ylabel="right, refusals included")
        axes.set_ylim(0, 1.03)
        most = max(one["input_tokens"] + one["output_tokens"] for one in systems.values())
        axes.set_xlim(0, 1.15 * most or 1.0)
        _plain(axes)
        return _svg(figure)


def plot_outcomes(systems: Mapping[str, Mapping[str, Any]]) -> str:
    """Plot the outcomes of the questions for each system."""
    parts = {
        name: {
            "right": found["right"],
            "refused_rightly": found["refused_rightly"],
            "refused_wrongly": found["refused_wrongly"],
            "wrong": found["wrong"] - found["wrong_verified"],
            "wrong_verified": found["wrong_verified"],
        }
        for name, found in systems.items()
    }
    return _stacked(parts)


def plot_labels(systems: Mapping[str, Mapping[str, Any]]) -> str:
    """Plot the labels of the answers for each system."""
    return _stacked({name: found["labels"] for name, found in systems.items()})


_VERDICTS = ("adequate", "needs_docs", "hallucination", "off_topic", "unchecked", "undecided")


def _stacked(parts: Mapping[str, Mapping[str, float]]) -> str:
    with _drawing(5.2, 0.9 + 0.42 * len(parts)) as (figure, axes):
        names = list(parts)[::-1]
        starts = dict.fromkeys(names, 0.0)
        for part in next(iter(parts.values())):
            widths = [parts[name].get(part, 0.0) for name in names]
            axes.barh(
                names,
                widths,
                left=[starts[name] for name in names],
                color=COLOURS[part],
                height=0.62,
                label=_spoken(part),
            )
            for y, (name, width) in enumerate(zip(names, widths, strict=True)):
                if width >= 0.05:
                    colour = INK if part in _PALE else "white"
                    place = starts[name] + width / 2
                    axes.text(place, y, f"{width:.0%}", ha="center", va="center", color=colour, fontsize=8)
                starts[name] += width
        axes.set_xlim(0, 1)
        axes.set_xticks([])
        figure.legend(
            loc="outside upper left", ncols=5, frameon=False, fontsize=7.5, handlelength=1, columnspacing=1.2
        )
        _bare(axes)
        return _svg(figure)


_PALE = {
    "refused_rightly",
    "refused_wrongly",
    "partly",
    "conversation",
    "general",
    "not_in_documents",
    "unverified",
}


@contextmanager
def _drawing(width: float, height: float) -> Iterator[tuple[Figure, Axes]]:
    """Open a figure in our style, sizes in inches, without the library's global list of open figures."""
    # Imported here, because the import takes a second and only reports need it.
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height))
        yield figure, figure.subplots()


def _plain(axes: Axes, grid: str = "both") -> None:
    axes.grid(visible=True, axis=grid, color=GRID, linewidth=0.8)  # type: ignore[arg-type]  # one of its names
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=0)


def _bare(axes: Axes) -> None:
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return text.getvalue()
