"""Statistics as a picture: questions per day by label, and below them the time to the answer.

Matplotlib is slow to import and needs tens of milliseconds to draw, so call this in a thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, timedelta
from io import BytesIO
from typing import TYPE_CHECKING, Any

from bot.statistics.values import Day, Statistics
from bot.texts import TEXTS
from rag.values import LABELS, Label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Distinguishable for colour-blind people, and in grey.
_COLOURS: dict[Label, str] = {
    "verified": "#2a9d6f",
    "partly": "#a6dcc0",
    "conversation": "#3f68a8",
    "general": "#7db8e8",
    "unverified": "#eda63a",
    "not_in_documents": "#b0649a",
}
_INK, _FAINT, _LINE = "#22303c", "#7a8894", "#e4e9ed"
_WIDTH, _HEIGHT, _DOTS = 9.0, 5.6, 140
_MOST_NAMED_DAYS = 10


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of the picture; texts that its font cannot draw are replaced by English ones."""

    questions: str = "Questions a day"
    seconds: str = "Seconds to the answer"
    half: str = "median"
    most: str = "95 % of the questions"
    nothing: str = "nothing was asked"
    labels: Mapping[Label, str] = field(
        default_factory=lambda: {
            "verified": "verified",
            "partly": "verified in part",
            "conversation": "from the conversation",
            "general": "general",
            "unverified": "not verified",
            "not_in_documents": "not in the documents",
        }
    )

    @classmethod
    def of(cls, language: str) -> Words:
        """Return the texts in the language of an ISO 639-1 code."""
        names = ("picture-questions", "picture-seconds", "picture-half", "picture-most", "nothing")
        questions, seconds, half, most, nothing = (TEXTS.text(f"stats-{name}", language) for name in names)
        labels = {label: TEXTS.text(f"stats-label-{label}", language) for label in LABELS}
        return cls(questions, seconds, half, most, nothing, labels)


def statistics_png(statistics: Statistics, words: Words | None = None) -> bytes:
    """Draw a period, every one of its days, as a PNG image; the texts are English by default."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    words = _drawable(words or Words())
    days = _every_day(statistics)
    # Without pyplot, which keeps figures in memory and needs a display.
    spaced = ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.12, hspace=0.06)
    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DOTS, facecolor="white", layout=spaced)
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(5, 3))
    _draw_questions(upper, days, words)
    _draw_seconds(lower, days, words)
    _draw_dates(lower, [day.day for day in days])
    if not statistics.questions:
        upper.text(
            0.5,
            0.5,
            words.nothing,
            transform=upper.transAxes,
            ha="center",
            va="center",
            color=_FAINT,
            size=13,
        )
    image = BytesIO()
    figure.savefig(image, format="png")
    return image.getvalue()


def _every_day(statistics: Statistics) -> list[Day]:
    """The days of the period in order, including days without questions."""
    known = {day.day: day for day in statistics.days}
    first = statistics.since.astimezone(UTC).date()
    last = max(first, (statistics.until - timedelta(microseconds=1)).astimezone(UTC).date())
    dates = (first + timedelta(days=n) for n in range((last - first).days + 1))
    return [known.get(day, Day(day, {}, None)) for day in dates]


def _draw_questions(axes: Axes, days: Sequence[Day], words: Words) -> None:
    below = [0] * len(days)
    for label in LABELS:
        counts = [day.labels.get(label, 0) for day in days]
        name = f"{words.labels[label]} · {sum(counts)}"
        axes.bar(
            range(len(days)), counts, 0.72, bottom=below, color=_COLOURS[label], label=name, zorder=2,
            edgecolor="white", linewidth=0.7,
        )  # fmt: skip
        below = [sum(pair) for pair in zip(below, counts, strict=True)]
    _dress(axes, words.questions, max(below, default=0), whole_numbers=True)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=-(-len(LABELS) // 2), frameon=False, fontsize=9,
        labelcolor=_INK, handlelength=0.9, handleheight=0.9, columnspacing=1.4, borderaxespad=0.3,
    )  # fmt: skip


def _draw_seconds(axes: Axes, days: Sequence[Day], words: Words) -> None:
    timed = [(place, day.latency) for place, day in enumerate(days) if day.latency is not None]
    places = [place for place, _ in timed]
    half, most = ([latency.p50 for _, latency in timed], [latency.p95 for _, latency in timed])
    for values, name, colour in ((most, words.most, "#9fb1c1"), (half, words.half, "#1f5f99")):
        axes.plot(places, values, "-o", color=colour, linewidth=1.8, markersize=4, label=name, zorder=3)
    axes.fill_between(places, half, most, color="#9fb1c1", alpha=0.18, linewidth=0, zorder=2)
    _dress(axes, words.seconds, max(most, default=0), whole_numbers=False)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False, fontsize=9,
        labelcolor=_INK, handlelength=1.4, columnspacing=1.4, borderaxespad=0.3,
    )  # fmt: skip


def _draw_dates(axes: Axes, days: Sequence[date]) -> None:
    step = 1 if len(days) <= _MOST_NAMED_DAYS else -(-len(days) // _MOST_NAMED_DAYS)
    # Counted back from today, so that today always has a label.
    places = list(range(len(days) - 1, -1, -step))[::-1]
    axes.set_xticks(places, [days[place].strftime("%d.%m") for place in places])
    axes.set_xlim(-0.7, len(days) - 0.3)


def _dress(axes: Axes, heading: str, highest: float, *, whole_numbers: bool) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_title(heading, loc="left", fontsize=12, fontweight="bold", color=_INK)
    axes.set_ylim(0, highest * 1.08 or 1)
    if highest:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=4, integer=whole_numbers))
    else:
        axes.set_yticks([])
    axes.grid(axis="y", color=_LINE, linewidth=1, zorder=0)
    axes.tick_params(length=0, labelcolor=_FAINT, labelsize=9)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(_LINE)


def _drawable(words: Words) -> Words:
    from matplotlib import font_manager

    path = font_manager.findfont("DejaVu Sans")
    glyphs: Any = font_manager.get_font(path).get_charmap()
    english = Words()

    def said(text: str, otherwise: str) -> str:
        return text if all(ord(character) in glyphs for character in text) else otherwise

    return Words(
        said(words.questions, english.questions),
        said(words.seconds, english.seconds),
        said(words.half, english.half),
        said(words.most, english.most),
        said(words.nothing, english.nothing),
        {
            label: said(words.labels.get(label, english.labels[label]), english.labels[label])
            for label in LABELS
        },
    )
