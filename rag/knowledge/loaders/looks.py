"""Computes how an element of a page looks, with what it inherits; pure.

Only as far as it says whether a reader sees the text: its size and place, its letters, and their ground.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

import regex
import tinycss2.color4

from rag.language.recent_texts import cache_recent

Color = tuple[float, ...]
"""Red, green, blue and alpha from 0 to 1; empty if it is not known."""
WHITE: Color = (1.0, 1.0, 1.0, 1.0)
_ALIKE = 0.03  # of a channel: nobody tells such colours apart
FAINT = 0.05
_LEAST_PIXELS = 2.7  # two points
_BEFORE, _BEHIND, _BELOW = -900, 5_000, 50_000  # pixels from the edge of a page
_MOST = 1e9
_LONGEST, _MOST_VARIABLES = 500, 1_000  # characters of a value
_UNITS = {
    "": 1, "px": 1, "pt": 4 / 3, "pc": 16, "in": 96, "cm": 37.8, "mm": 3.78, "rem": 16, "vw": 12.8,
    "vh": 7.2, "vmin": 7.2, "vmax": 12.8,
}  # fmt: skip
_OF_THE_SIZE = {"em": 1.0, "ex": 0.5, "ch": 0.5, "lh": 1.2}
_LENGTH = r"([+-]?(?:\d++\.?\d*+|\.\d++)(?:e[+-]?\d++)?)(%|[a-z]*+)"
_NUMBER = regex.compile(rf"(?<![\w.#-]){_LENGTH}(?![\w%])")
_SUM = regex.compile(rf"(?<![\w-])(?:calc)?\(\s*+{_LENGTH}(?:\s*+([*/+-])\s*+{_LENGTH})?\s*+\)")
_VARIABLE = regex.compile(r"var\(\s*+(--[\w-]++)\s*+(?:,((?:[^()]|\([^()]*+\))*+))?\)")
_FUNCTION = regex.compile(r"([\w-]++)\(([^()]*+)\)")
_COLORS = regex.compile(r"#[\da-f]++|[a-z][\w-]*+(?:\((?:[^()]|\([^()]*+\))*+\))?")
_SYSTEM = {"canvas": "#fff", "field": "#fff", "canvastext": "#000", "initial": "#000"}
_INHERITED = {"inherit", "unset", "currentcolor", "revert", ""}
_NAMED_SIZE = regex.compile(r"(?:x*-?(?:small|large)|medium|initial)\b")
_OFFSET = regex.compile(r"(left|right|top|bottom|inset.*)|margin(?:-left|-top)?|text-indent|translate")
_BOXES = ("height", "max-height", "width", "max-width", "block-size", "inline-size")
_NOT_FLAT = regex.compile(r"min-.*|flex(?:-grow)?")
_GROWS = regex.compile(r"inline$|table")
_NO_GROUND = regex.compile(r"none|inherit|initial|unset|revert|0|$")


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What an element hands down to those inside.

    Args:
        ground: What its letters stand on; empty if that is not known.
        scale: By how much everything is made smaller.
        is_drawn: Its letters are seen whatever their colour: by a shadow, an outline, a ground of their own.
        is_gone: Nothing of it is shown, and nothing inside.
    """

    ink: Color = (0.0, 0.0, 0.0, 1.0)
    ground: Color = WHITE
    size: float = 16.0
    scale: float = 1.0
    opacity: float = 1.0
    is_visible: bool = True
    is_drawn: bool = False
    is_gone: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_unseen(self) -> bool:
        """Whether nobody sees the words of the element itself; elements inside may undo it."""
        if self.is_gone or not self.is_visible or self.size * self.scale < _LEAST_PIXELS:
            return True
        alpha = (self.ink[3] if self.ink and not self.is_drawn else 1.0) * self.opacity
        is_on_known = self.ink and self.ground and not self.is_drawn
        return alpha < FAINT or bool(is_on_known and are_alike(self.ink, self.ground, alpha))


def are_alike(ink: Color, ground: Color, alpha: float = 1.0) -> bool:
    """Whether nobody sees letters of a colour, which lets the ground through, on a ground."""
    return max(abs(one - other) for one, other in zip(ink[:3], ground[:3], strict=True)) * alpha < _ALIKE


def look_of(style: Mapping[str, str], around: Look, *, is_opened: bool = False) -> Look:
    """How an element looks.

    Args:
        style: What it declares, in lower case.
        around: How the element around it looks.
        is_opened: A control of the page opens it, and it is to look as it does then.
    """
    style = {name: value[:_LONGEST] for name, value in style.items()}
    variables = {name: value for name, value in style.items() if name.startswith("--")}
    if variables and len(around.variables) < _MOST_VARIABLES:
        around = replace(around, variables={**around.variables, **variables})
    style = {
        name: _resolved(value, around.variables) for name, value in style.items() if name not in variables
    }
    font = next((style[one] for one in reversed(style) if one in {"font", "font-size"}), "")
    sizes = [size for size, unit in _measured(font, around.size, around.size) if unit or not size]
    size = 16.0 if _NAMED_SIZE.match(font) else next(iter(sizes), around.size)
    look = _painted(style, replace(around, size=size, is_gone=False))
    if is_opened:
        return replace(look, is_visible=True)
    seen = style.get("visibility", "inherit")
    clear = _arguments(style.get("filter", ""), "opacity", 0, 1)
    opacity = min([1.0, *pixels_in(style.get("opacity", ""), 0, 1), *clear])
    scale = _scale(style, size)
    return replace(
        look,
        is_visible=around.is_visible if seen in _INHERITED else seen not in {"hidden", "collapse"},
        scale=look.scale * scale,
        opacity=look.opacity * opacity,
        is_gone=scale < FAINT / 2 or opacity < FAINT or _is_gone(style, size),
    )


def _resolved(value: str, variables: Mapping[str, str]) -> str:
    for _ in range(9):
        if "var(" not in value:
            break
        value = _VARIABLE.sub(lambda found: variables.get(found[1], found[2] or "?"), value)[:_LONGEST]
    return value.strip()


def _measured(value: str, size: float, whole: float) -> list[tuple[float, str]]:
    """The numbers of a value in pixels or as they are, and the units that they had."""
    units = _UNITS | {unit: size * part for unit, part in _OF_THE_SIZE.items()} | {"%": whole / 100}
    for _ in range(9):
        value = _SUM.sub(lambda found: _calculated(found, units), value)
    if "(" in value:
        return []
    numbers = (
        (max(-_MOST, min(float(n), _MOST)), unit) for n, unit in _NUMBER.findall(value) if unit in units
    )
    return [(number * units[unit], unit) for number, unit in numbers]


def _calculated(found: regex.Match[str], units: Mapping[str, float]) -> str:
    """The result of a sum or a product in pixels."""
    one, other = (float(found[n] or 0) * units.get(found[n + 1] or "", math.nan) for n in (1, 4))
    results = {"+": one + other, "-": one - other, "*": one * other, "/": one / (other or math.nan)}
    return f"{results[found[3] or '+']:.6f}px"


def pixels_in(value: str, size: float = 16.0, whole: float = 1.0) -> list[float]:
    """The numbers of a value; lengths in pixels, with the size of letters and the whole of a percentage."""
    return [number for number, _ in _measured(value, size, whole)]


def _arguments(value: str, name: str, size: float, whole: float) -> list[float]:
    """The numbers in each call of a function whose name begins so."""
    calls = (inside for called, inside in _FUNCTION.findall(value) if called.startswith(name))
    return [number for inside in calls for number in pixels_in(inside, size, whole)]


@cache_recent
def color_of(value: str) -> Color:
    """A colour as CSS writes it; nothing if it is not known."""
    try:
        found = tinycss2.color4.parse_color(_SYSTEM.get(value.strip(), value))
        return tuple(map(float, found.to("srgb")))
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return ()


def _colors(value: str) -> list[Color]:
    return [one for one in map(color_of, _COLORS.findall(value)) if one]


def _painted(style: Mapping[str, str], look: Look) -> Look:
    """The letters and the ground of an element, and whether something else draws its letters."""
    written = style.get("-webkit-text-fill-color") or style.get("color", "")
    ink = look.ink if written in _INHERITED else color_of(written)
    ground = look.ground
    for value in _grounds(style):
        value = regex.sub(r"\bcurrentcolor\b", lambda _: written or "#000", value)
        colors = _colors(value)
        if regex.search(r"url\(|gradient", value) or not (colors or _NO_GROUND.match(value)):
            ground = ()
        elif colors and colors[0][3]:
            *under, alpha = colors[0]
            mixed = [
                one * alpha + below * (1 - alpha) for one, below in zip(under, ground or under, strict=False)
            ]
            ground = (*mixed, 1.0) if ground or alpha > 1 - FAINT else ()
    if written in _INHERITED and ink and ground and ground != look.ground and are_alike(ink, ground):
        ink = ()  # nobody gives black letters a black ground: they have a colour from elsewhere
    outlines = " ".join(style[one] for one in style if one.startswith(("text-shadow", "-webkit-text-stroke")))
    drawn = [one for one in _colors(outlines) if one[3] >= FAINT]
    is_drawn = (
        look.is_drawn or "?" in outlines or any(not (ground and are_alike(one, ground)) for one in drawn)
    )
    clip = style.get("background-clip", style.get("-webkit-background-clip", ""))
    is_drawn |= "text" in clip and (not ground or ground != look.ground)
    return replace(look, ink=ink, ground=ground, is_drawn=is_drawn)


def _grounds(style: Mapping[str, str]) -> list[str]:
    """The colour of a ground and the picture on it, as far as they are declared."""
    color = picture = ""
    for name, value in style.items():
        color = value if name in {"background", "background-color"} else color
        picture = value if name in {"background", "background-image"} else picture
    return [color, picture]


def _scale(style: Mapping[str, str], size: float) -> float:
    """By how much an element is made smaller on its narrower side."""
    moved = style.get("transform", "")
    parts = [one for name in ("scale", "zoom") for one in pixels_in(style.get(name, ""), 0, 1)]
    return min([1.0, *map(abs, parts + _arguments(moved, "scale", size, 1))])


def _is_gone(style: Mapping[str, str], size: float) -> bool:
    """Whether a box is not laid out, cut to nothing, without size, or off the page."""
    if style.get("display") == "none" or style.get("content-visibility") == "hidden":
        return True
    is_clipped = any(
        regex.search("hidden|clip|auto|scroll", style[one]) for one in style if "overflow" in one
    )
    boxes = (pixels_in(style.get(name, ""), size, 1_000)[:1] for name in _BOXES)
    is_box = not _GROWS.match(style.get("display", "")) or style.get("position") in {"absolute", "fixed"}
    is_flat = is_box and any(one and one[0] <= 1 for one in boxes) and not any(map(_NOT_FLAT.match, style))
    paddings = (pixels_in(style[one], size, 1_000) for one in style if one.startswith("padding"))
    padding = max(chain.from_iterable(paddings), default=0)
    return (
        (is_clipped and is_flat and padding <= 1)
        or style.get("-webkit-text-security", "none") != "none"
        or _is_cut(style.get("clip-path", ""), size)
        or (style.get("clip", "").startswith("rect") and _is_cut(style["clip"], size))
        or (padding < -_BEFORE and _is_away(style, size))  # it stands where its padding ends
    )


def _is_cut(shape: str, size: float) -> bool:
    """Whether a shape has no area, as `clip-path` and the older `clip` write it."""
    name, _, inside = shape.partition("(")
    numbers = pixels_in(inside.partition(" at ")[0].partition("round")[0].rstrip(")"), size, 1_000)
    if name == "inset" and numbers:
        top, right, bottom, left, *_ = numbers * 4 if len(numbers) < 3 else [*numbers, numbers[1]]
        return top + bottom >= 1_000 or left + right >= 1_000
    return bool(numbers) and (max(map(abs, numbers)) == 0 or (name == "rect" and len(set(numbers)) == 1))


def _is_away(style: Mapping[str, str], size: float) -> bool:
    """Whether a box, or its first line, stands where no page is shown."""
    is_placed = style.get("position", "static") != "static"
    for name, value in style.items():
        if name == "transform":
            numbers = _arguments(value, "translate", size, 0)
        elif (found := _OFFSET.fullmatch(name)) and (is_placed or not found[1]):
            numbers = pixels_in(value, size, 0)
        else:
            continue
        most = _BELOW if name.endswith("top") else -_BEFORE if name == "text-indent" else _BEHIND
        if any(one <= _BEFORE or one >= most for one in numbers):
            return True
    return False
