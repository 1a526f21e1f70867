"""How far *verified* can be relied on, from the committed figures of ``bench/quality.json``, as Markdown."""

from __future__ import annotations

from tools import aims
from tools.aims import Committed
from tools.markdown import figures

_VERIFIED = "rows | right verified | wrong verified"
_PAIRS = (
    "{rows} | {figures[right_verified]:.1%} | {figures[wrong_verified]:.1%}"
    " | {figures[right_at_0.02_wrong]:.1%} | {figures[right_at_0.03_wrong]:.1%}"
)
_CLASSES = "{rows} | {right_verified:.1%} | {wrong_verified:.1%}"
_NATURAL = (
    "{rows} | {figures[right]:.1%} | {figures[right_briefly]:.1%} | {figures[refused_wrongly]:.1%}"
    " | {figures[wrong_verified]:.1%} | {figures[refused_or_left_open]:.1%}"
)


def tables(committed: Committed) -> str:
    """Pairs of answers, their classes, and natural questions; a share that was not measured is a dash."""
    kinds = ("false answers", "contrast")
    pairs = {f"{kind} {name}": one for kind in kinds for name, one in aims.of(committed, kind).items()}
    classes = {kind.replace("_", " "): one for kind, one in aims.classes(committed).items()}
    curve = "right where 2 % of the wrong pass | where 3 % pass"
    shown = "right | right briefly | wrongly refused | wrong as verified | unanswerable: refused or left open"
    parts = (
        figures(f"pairs of answers | {_VERIFIED} | {curve}", pairs, _PAIRS),
        figures(f"class of the false answer | {_VERIFIED}", classes, _CLASSES),
        figures(f"natural questions | rows | {shown}", aims.of(committed, "natural"), _NATURAL),
    )
    return "\n\n".join(parts)
