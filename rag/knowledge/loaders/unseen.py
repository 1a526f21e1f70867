"""Which styles and tags of HTML hide a text from its reader: for pages, and for Markdown with tags in it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

import cssselect
import regex
import tinycss2
import tinycss2.color4
from lxml import etree

from rag.knowledge.loaders.content import GAP, close_gaps
from rag.language.markdown import blank, code_blocks
from rag.language.recent_texts import cache_recent

PALE = regex.compile(r"(?i)#?(?:ff)?(?:f[a-f]){3}")
"""White, or so near to it that nobody sees it on white, as Office and OpenDocument write it."""
TINY = regex.compile(r"(?:[01](?:\.\d*)?|2(?:\.0*)?)(?:pt)?")
_NOTHING = r"(?:0+\.?0*|\.0+)"
_AWAY = r"-\d{3,}.*"
_HIDING = {
    "display": r"none", "visibility": r"hidden|collapse", "scale": rf"{_NOTHING}(?:\s.*)?",
    "opacity": rf"{_NOTHING}|0*\.0[0-4]\d*|[0-4](?:\.\d*)?%", "clip": r"rect\(\s*+[01](?:px)?[\s,].*",
    "clip-path": r"(?:inset\(\s*+(?:50|100)%|circle\(\s*+0).*",
    "transform": rf".*(?:translate(?:x|y|3d)?\(\s*+{_AWAY}|scale\(\s*+{_NOTHING}\s*+\)).*",
    **dict.fromkeys(("left", "top", "right", "bottom", "text-indent", "margin-left", "translate"), _AWAY),
}  # fmt: skip
"""Values whose text nobody sees: not laid out, cut to nothing, off the page."""
_STRUCK_TAGS = {"del", "s", "strike"}
_STRUCK_CLASS = regex.compile(r"str(?:ike|uck)[\w-]*+|line-through|crossed-out|old-price")
_SIZE = regex.compile(r"(?<![\w.#-])(?:(?P<size>\d++(?:\.\d*+)?|\.\d++)(?P<unit>px|pt|r?em|%)|0)(?![\w.%])")
_LEAST = {"px": 2, "pt": 1.5, "em": 0.15, "rem": 0.15, "%": 15}
_FLAT = regex.compile(r"[01](?:px)?")
_IN_SHEETS = {"display", "visibility", "color", "font", "font-size", "text-indent"}
"""What a style sheet decides; its other ways to hide, such as opacity, belong to pages that move."""
_EVERYWHERE = regex.compile(r"media (?:all|screen)?|layer .*")
_NAME_IN_SELECTOR = regex.compile(r"[.#]([\w-]++)")

_TAG = regex.compile(r"(?i)<(?P<name>[a-z][\w-]*+)(?P<rest>(?:\s(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)?)>")
_TAG_OR_END = regex.compile(r"(?i)<(?P<end>/?)(?P<name>[a-z][\w-]*+)(?=[\s>])[^<>]*+>")
_SCRIPT = regex.compile(r"(?is)<(?P<name>script|style)(?:\s[^<>]*+)?>(?P<text>.*?)</(?P=name)\s*+>")
_CODE = regex.compile(r"(?<!`)(`++)(?!`)[^\n]+?(?<!`)\1(?!`)")
_LINK_TARGET = regex.compile(
    r"(?m)^ {0,3}\[(?!\^)(?P<name>[^\[\]\n]{1,200})\]:[ \t]*+(?P<target><[^<>\n]*>|\S++)"
    r"(?P<title>(?:[ \t]++|[ \t]*+\n[ \t]*+)(?:\"(?:[^\"\n]|\n(?!\n))*+\"|'(?:[^'\n]|\n(?!\n))*+'"
    r"|\((?:[^()\n]|\n(?!\n))*+\)))?+[ \t]*+$\n?"
)


def _written(tokens: Iterable[Any]) -> str:
    """Parts of a style without comments and escapes; nothing for one that is nested without end."""
    try:
        return str(tinycss2.serialize([one for one in tokens if one.type != "comment"])).strip()
    except RecursionError:
        return ""


@cache_recent
def declared(style: str) -> dict[str, str]:
    """What a style declares, in lower case, in the order in which it counts."""
    found: dict[str, str] = {}
    parts = tinycss2.parse_blocks_contents(style, skip_comments=True, skip_whitespace=True)
    for one in sorted((one for one in parts if one.type == "declaration"), key=lambda one: one.important):
        found.pop(one.lower_name, None)
        found[one.lower_name] = _written(one.value).lower()
    return found


@cache_recent
def _color(value: str) -> tuple[float, ...]:
    """Red, green, blue and alpha from 0 to 1; nothing if it is not known."""
    try:
        return tuple(map(float, tinycss2.color4.parse_color(value).to("srgb")))
    except (AttributeError, NotImplementedError, TypeError, ValueError):
        return ()


def _ink(style: dict[str, str]) -> tuple[float, ...]:
    return _color(style.get("-webkit-text-fill-color") or style.get("color", ""))


def _grounds(style: dict[str, str]) -> list[str]:
    return [style[one] for one in style if one in {"background", "background-color", "background-image"}]


def _is_hidden(style: dict[str, str]) -> bool:
    size = next((style[one] for one in reversed(style) if one in {"font", "font-size"}), "(")
    found = _SIZE.search(size) if "(" not in size else None  # what is computed may be seen
    ink, grounds = _ink(style), [_color(one) for one in _grounds(style)]
    is_drawn = "text-shadow" in style or any("text" in style[one] for one in style if "-clip" in one)
    is_flat = any(_FLAT.fullmatch(style.get(one, "")) for one in ("height", "max-height"))
    return bool(
        any(regex.fullmatch(_HIDING[name], style[name]) for name in _HIDING.keys() & style.keys())
        or (found and float(found["size"] or 0) < _LEAST.get(found["unit"], 1))
        or (ink and ((ink[3] < 0.05 and not is_drawn) or (grounds and all(one == ink for one in grounds))))
        or (is_flat and style.get("overflow") in {"hidden", "clip"} and "padding" not in "".join(style))
    )


def hides(tag: etree._Element, *, may_be_white: bool) -> bool:
    """Whether a tag hides its text, as long as no control of the page opens it."""
    return bool(
        {"hidden", "popover"} & set(tag.attrib)
        or _is_hidden(declared(tag.get("style", "")))
        or (may_be_white and _is_white(tag) and not any(map(_has_background, (tag, *tag.iterancestors()))))
    )


def _is_pale(color: tuple[float, ...]) -> bool:
    return bool(color) and min(color[:3]) >= 0.98


def _is_white(tag: etree._Element) -> bool:
    return _is_pale(_ink(declared(tag.get("style", "")))) or _is_pale(_color(tag.get("color", "")))


def _has_background(tag: etree._Element) -> bool:
    """Whether white letters show on an element, whose ground is set by its style or by an old attribute."""
    grounds = {one: _color(one) for one in _grounds(declared(tag.get("style", "")))}
    named = set(grounds) - {"none", "inherit", "initial"} | {"bgcolor", "background"} & set(tag.attrib)
    return any(not color or (color[3] and not _is_pale(color)) for color in map(grounds.get, named))


@cache_recent
def _rules(sheet: str) -> tuple[tuple[str, str], ...]:
    """The selectors and the styles of a sheet that count on every screen."""
    found, left = [], tinycss2.parse_stylesheet(sheet)[::-1]
    while left:
        rule = left.pop()
        if rule.type == "qualified-rule":
            found.append((_written(rule.prelude), _written(rule.content)))
        elif rule.type == "at-rule":
            is_used = _EVERYWHERE.fullmatch(f"{rule.lower_at_keyword} {_written(rule.prelude).lower()}")
            left += tinycss2.parse_rule_list(rule.content)[::-1] if is_used and rule.content else []
    return tuple(found)


def apply_style_sheets(root: etree._Element, sheets: Iterable[str]) -> None:
    """Add to each element's style what the style sheets show, hide and strike out."""
    styles: dict[etree._Element, list[tuple[tuple[int, int, int], str]]] = {}
    names = {name for value in root.xpath("//@class | //@id") for name in value.split()}
    rules = [rule for sheet in sheets for rule in _rules(sheet)]
    has_white = any(_is_pale(_ink(declared(style))) for _, style in rules)
    has_white |= any(map(_is_white, root.iter(etree.Element)))
    for selectors, style in rules:
        found = declared(style)
        if not (_IN_SHEETS & found.keys() or _is_struck(style) or (has_white and _grounds(found))):
            continue
        for selector in selectors.split(","):
            # Style sheets hold many rules for other pages, and each search walks the whole tree.
            if not names.issuperset(_NAME_IN_SELECTOR.findall(selector)):
                continue
            try:
                parsed = cssselect.parse(selector)[0]
                if parsed.pseudo_element:  # it styles no element itself, and the path would ignore it
                    continue
                tags = root.xpath(cssselect.HTMLTranslator().selector_to_xpath(parsed))
            except (cssselect.SelectorError, etree.XPathError, ValueError):
                continue
            for tag in tags:
                styles.setdefault(tag, []).append((parsed.specificity(), style))
    for tag, own in styles.items():
        own.sort(key=lambda one: one[0])
        tag.set("style", ";".join([*(style for _, style in own), tag.get("style", "")]))


def _is_struck(style: str) -> bool:
    return any("line-through" in value for name, value in declared(style).items() if "decoration" in name)


def strikes(tag: etree._Element) -> bool:
    """Whether a tag strikes its text out: by its name, a class that is called so, or its style."""
    classes = tag.get("class", "").lower().split()
    is_named = tag.tag in _STRUCK_TAGS or any(map(_STRUCK_CLASS.fullmatch, classes))
    return is_named or _is_struck(tag.get("style", ""))


def without_hidden_tags(text: str) -> tuple[str, int]:
    """Take out of Markdown what its tags hide or strike out, scripts, and comments as links.

    Returns:
        The rest, and how many were hidden.
    """
    if "<" not in text and "]:" not in text:
        return text, 0
    code = [(block.start, block.end) for block in code_blocks(text)]
    prose = blank(text, code, "\0")
    prose = blank(prose, [found.span() for found in _CODE.finditer(prose)], "\0")
    scripts = list(_SCRIPT.finditer(prose))
    sheets = [found["text"] for found in scripts if found["name"].lower() == "style"]
    prose = blank(prose, [found.span() for found in scripts], "\0")
    stretches, struck = [], []
    end, ends = 0, _ends(prose)
    for tag in _TAG.finditer(prose):
        is_plain = not (sheets or tag["rest"].strip() or tag["name"].lower() in _STRUCK_TAGS)
        if tag.start() < end or is_plain or (element := _element(tag.group(), sheets)) is None:
            continue
        if hides(element, may_be_white=True):  # a page of text is white, whatever shows it
            paragraph = prose.find("\n\n", tag.end())
            end = ends.get(tag.start()) or (paragraph if paragraph >= 0 else len(prose))
            stretches.append((tag.start(), end))
        elif strikes(element) and _is_closed(prose, tag, stop := ends.get(tag.start(), 0)):
            end = stop
            struck.append((tag.start(), end))
    links = [
        found.span() if found["target"] in {"#", "<>"} else found.span("title")
        for found in _LINK_TARGET.finditer(prose)
        if found["title"] or found["target"] in {"#", "<>"}
    ]
    stretches = [one for one in stretches if any(map(str.isalnum, text[slice(*one)]))]
    pieces, position = [], 0
    for start, stop in sorted(chain(stretches, struck, links, (found.span() for found in scripts))):
        pieces += [text[position : max(start, position)], GAP]
        position = max(stop, position)
    return close_gaps("".join([*pieces, text[position:]])), len(stretches) + len(links)


def _element(written: str, sheets: Iterable[str]) -> etree._Element | None:
    """The element that a tag alone makes, with the style that style sheets give it."""
    root = etree.HTML(written)
    if root is None:
        return None
    apply_style_sheets(root, sheets)
    *_, tag = root.iter(etree.Element)
    return tag


def _is_closed(prose: str, tag: regex.Match[str], end: int) -> bool:
    """Whether an element ends in its paragraph, or begins a line; "<s>" in a text is often no tag."""
    line = prose.rfind("\n", 0, tag.start()) + 1
    return bool(end) and (not prose[line : tag.start()].strip() or prose.find("\n\n", tag.end(), end) < 0)


def _ends(prose: str) -> dict[int, int]:
    """The place behind the end tag of each tag that has one, by where it begins."""
    opened: dict[str, list[int]] = {}
    ends: dict[int, int] = {}
    for found in _TAG_OR_END.finditer(prose):
        starts = opened.setdefault(found["name"].lower(), [])
        if not found["end"]:
            starts.append(found.start())
        elif starts:
            ends[starts.pop()] = found.end()
    return ends
