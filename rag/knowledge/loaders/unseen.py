"""Which styles and tags of HTML hide a text from its reader: for pages, and for Markdown with tags in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain, groupby
from typing import Any

import cssselect
import regex
import tinycss2
from lxml import etree

from rag.knowledge.loaders.content import GAP, close_gaps
from rag.knowledge.loaders.looks import Look, look_of, pixels_in
from rag.language.markdown import blank, code_blocks
from rag.language.recent_texts import cache_recent

_STRUCK_TAGS = {"del", "s", "strike"}
_STRUCK_CLASS = regex.compile(r"str(?:ike|uck)[\w-]*+|line-through|crossed-out|old-price")
_STILL = regex.compile(r"display|color|font.*|background.*|-webkit.*|text-.*|--.*")
"""What a style sheet decides; the other ways to hide, such as opacity, may be the beginning of a movement."""
_SCRIPTS = "//script[not(@type) or contains(@type, 'javascript') or @type='module']"
_STATE = regex.compile(r":(?:hover|focus|checked|target|active|open|has)|\[(?:open|aria-|data-)")
"""Of a selector whose elements the reader, or a script, can change."""
_MEDIA = {"": True, "all": True, "screen": True, "not print": True, "print": False, "speech": False}
_WIDTH = regex.compile(r"\(\s*+(min|max)-width\s*+:([^()]++)\)")
_SCREENS = (1_000, 2_000)  # pixels, the narrowest and the widest one of computers
_INNER = regex.compile(r"[{}]")
_LONGEST = 300  # characters of selectors in selectors
_LONG_NUMBER = regex.compile(r"\d{300,}+")  # which the parser cannot read
_SIZES = ("width", "height")
_OLD_NAMES = {
    "color": "color:{}", "text": "color:{}", "bgcolor": "background:{}", "background": "background:url()",
}  # fmt: skip
_ANYWHERE, _ON_PAPER = Look(ink=(), ground=()), Look()
_LINK = "display:inline;color:#00e"
_OWN_STYLES = {
    **dict.fromkeys(("a", "b", "code", "em", "font", "i", "small", "span", "strong"), "display:inline"),
    **dict.fromkeys(("td", "th", "tr", "table"), "display:table"),
    "mark": "color:#000;background:#ff0", "img": "color:?;font-size:medium",
}  # fmt: skip
_NAME_IN_SELECTOR = regex.compile(r"[.#]([\w-]++)")
_NAME = regex.compile(r"(?:^|(?<=[.#]))[\w-]++")
_BRACKETS = {"() block", "[] block", "function"}
_COMBINATOR = regex.compile(r"[\s>+~]")
_OVER = regex.compile(r"position\s*+:\s*+[^rs]|(?:z-index|grid-area|filter|mix-blend-mode)\s*+:")
"""What may put an element over another, or mix its letters with what is below."""
_BESIDE = regex.compile(r":(?::|before\b|after\b|first-l).*")
_PICTURE = "background:url()!important"

_TAG = regex.compile(r"(?i)<(?P<name>[a-z][\w-]*+)(?P<rest>(?:\s(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)?)>")
_TAG_OR_END = regex.compile(r"(?i)<(?P<end>/?)(?P<name>[a-z][\w-]*+)(?=[\s>])[^<>]*+>")
_SCRIPT = regex.compile(
    r"(?is)<(?P<name>script|style|template|noscript|svg|iframe|dialog|object|noembed|noframes|title|datalist)"
    r"(?:\s[^<>]*+)?>(?P<text>(?:(?!<(?P=name)[\s>]).)*?)</(?P=name)\s*+>"
    r"|(?m:^)[ \t>*+-]*+\K<(?:(?:!--.*?--!?|\?.*?\?|!\[CDATA\[.*?\]\]|![a-z][^<>]*+)>"
    r"|(?P<unclosed>!--|\?|!\[CDATA\[).*)"
    r"|\{%-?\s*+comment(?:(?!\{%-?\s*+comment).)*?endcomment\s*+-?%\}"
    r"|\{::comment\}(?:(?!\{::comment).)*?\{:/comment\}"
)
"""What no page shows: what is for programs only, and comments."""
_SAID = regex.compile(r"(?i)(?<=\s)data-[\w:@-]++\s*+=\s*+(?:\"[^\"]*\s[^\"]*\"|'[^']*\s[^']*')")
"""An attribute with words that a program reads."""
_IN_SQUARE = regex.compile(r"\[([^\[\]]{1,200})\]")
_VOID = {"img", "input", "br", "hr", "wbr"}
_MARKS = ("<", "]:", "{%", "{::")
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
    parts = tinycss2.parse_blocks_contents(_LONG_NUMBER.sub("9", style), skip_comments=True)
    for one in sorted((one for one in parts if one.type == "declaration"), key=lambda one: one.important):
        found.pop(one.lower_name, None)
        found[one.lower_name] = _written(one.value).lower()
    return found


@cache_recent
def styled(style: str, around: Look, *, is_opened: bool = False) -> Look:
    """How an element with a style looks; one object for all that are alike, so that this is cheap."""
    return look_of(declared(style), around, is_opened=is_opened)


def hides(tag: etree._Element) -> bool:
    """Whether a tag hides its text by itself, as long as no control of the page opens it."""
    return look_at(tag, _ANYWHERE).is_unseen


def look_at(tag: etree._Element, around: Look, *, is_opened: bool = False) -> Look:
    """How a tag looks by its style, and by the attributes that did the same in older pages."""
    written = tag.attrib
    if not written:
        return around
    own = _LINK if "href" in written else _OWN_STYLES.get(tag.tag)
    style = [own] if own else []
    style += [rule.format(written[name]) for name, rule in _OLD_NAMES.items() if name in written]
    if tag.tag == "img" and not any(one == "class" or one.startswith("data-") for one in written):
        style += ["overflow:hidden", *(f"{one}:{written[one]}px" for one in _SIZES if one in written)]
    if not is_opened and ("hidden" in written or "popover" in written):
        return replace(around, is_gone=True)
    style += ["background:?"] if _OVER.search(written.get("style", "")) else []
    style += [written["style"]] if "style" in written else []
    return styled(";".join(style), around, is_opened=is_opened) if style else around


@cache_recent
def _rules(sheet: str) -> tuple[tuple[str, str, bool], ...]:
    """The selectors and the styles of a sheet for screens, and whether they surely count on yours.

    Those that stand in others are among them.
    """
    found = list[tuple[str, str, bool]]()
    left = [("", True, one) for one in tinycss2.parse_stylesheet(_LONG_NUMBER.sub("9", sheet))[::-1]]
    while left:
        around, is_sure, rule = left.pop()
        if rule.type == "qualified-rule" and len(around) < _LONGEST:
            selectors, content = _written(rule.prelude), _written(rule.content)
            if around:
                inner = [one if "&" in one else f"& {one}" for one, _ in _selectors(selectors)]
                selectors = ",".join(inner).replace("&", f":is({around})")
            found.append((selectors, content, is_sure))
            parts = tinycss2.parse_blocks_contents(rule.content) if _INNER.search(content) else ()
            left += [(selectors, is_sure, one) for one in parts[::-1] if one.type.endswith("rule")]
        elif rule.type == "at-rule" and rule.content:
            counts = _counts(rule.lower_at_keyword, _written(rule.prelude).lower())
            if counts is False:
                continue
            is_sure &= counts is True
            if around:
                found.append((around, _written(rule.content), is_sure))
            read = tinycss2.parse_blocks_contents if around else tinycss2.parse_rule_list
            left += [(around, is_sure, one) for one in read(rule.content)[::-1] if one.type.endswith("rule")]
    return tuple(found)


@cache_recent
def _selectors(written: str) -> tuple[tuple[str, str], ...]:
    """The selectors of a rule, each as it is written and without what stands in brackets."""
    tokens = tinycss2.parse_component_value_list(written)
    parts = [list(part) for is_comma, part in groupby(tokens, lambda one: one == ",") if not is_comma]
    outside = ([one for one in part if one.type not in _BRACKETS] for part in parts)
    return tuple((_written(part), _written(names)) for part, names in zip(parts, outside, strict=True))


def _counts(keyword: str, condition: str) -> bool | None:
    """Whether the rules below a condition are used on the screen of a computer; None if that depends."""
    if keyword != "media":
        return {"layer": True, "supports": None, "container": None, "scope": None}.get(keyword, False)
    answers = list(map(_is_screen, condition.split(",")))
    return any(answers) or (None if None in answers else False)


def _is_screen(query: str) -> bool | None:
    answers = set[bool | None]()
    for one in query.strip().removeprefix("only ").split(" and "):
        found = _WIDTH.fullmatch(one)
        sizes = pixels_in(found[2]) if found else []
        fits = {(width >= size) == (found[1] == "min") for size in sizes for width in _SCREENS if found}
        answers.add(fits.pop() if len(fits) == 1 else _MEDIA.get(one))
    return False if False in answers else None if None in answers else True


def apply_style_sheets(root: etree._Element, sheets: Iterable[str]) -> None:
    """Add to each element's style what the style sheets show, hide and strike out.

    What a script or another state of the page may set, such as a class that it has not yet, is not known.
    """
    styles: dict[etree._Element, list[tuple[tuple[int, ...], str]]] = defaultdict(list)
    changed = defaultdict[str, set[str]](set)
    names = {name for value in root.xpath("//@class | //@id") for name in value.split()}
    names.update(tag.tag for tag in root.iter(etree.Element))
    has_script = bool(root.xpath(_SCRIPTS))
    for selectors, content, is_sure in chain.from_iterable(map(_rules, sheets)):
        for selector, plain in _selectors(selectors):
            element = _BESIDE.sub("", selector)
            is_beside = element != selector  # it may draw the ground of the element
            style = _PICTURE * ("background" in content) if is_beside else content
            plain = _BESIDE.sub("", plain)
            # Style sheets hold many rules for other pages, and each search walks the whole tree.
            is_used = names.issuperset(_NAME_IN_SELECTOR.findall(plain))
            rank, tags = _matched(root, element) if is_used else ((), [])
            about = names.intersection(_NAME.findall(_COMBINATOR.split(plain)[-1]))
            is_state = not (is_sure and tags) or _STATE.search(element)
            if about and is_state and not styled(style, _ANYWHERE).is_unseen:
                for name in about:
                    changed[name].update(map(_kind, declared(style)))
            for tag in tags if is_sure else ():
                styles[tag].append((rank, style))
    for tag, own in styles.items():
        sheet = ";".join(style for _, style in sorted(own, key=lambda one: one[0]))
        found = declared(sheet)
        moves = has_script or any(name.startswith("animation") for name in found)
        called = {tag.tag, tag.get("id"), *tag.get("class", "").split()}
        other = set(chain.from_iterable(map(changed.__getitem__, called)))
        unknown = {one for one in found if _kind(one) in other or (moves and not _STILL.fullmatch(one))}
        important = "!important" * ("!" in sheet)
        marks = [f"{name}:?{important}" for name in unknown | other & {"background"}]
        tag.set("style", ";".join([sheet, *marks, tag.get("style", "")]))
    for tag in root.xpath("//*[contains(@style, 'opacity:') or contains(@style, 'visibility:')]"):
        tag.set("style", tag.get("style") + ";opacity:?;visibility:?" * has_script)


def _kind(name: str) -> str:
    """What a property and its short form have in common."""
    return name.partition("-")[0]


def _matched(root: etree._Element, selector: str) -> tuple[tuple[int, ...], list[etree._Element]]:
    """How closely a selector names elements, and these; none if it cannot be read."""
    try:
        parsed = cssselect.parse(selector)[0]
        return parsed.specificity(), root.xpath(cssselect.HTMLTranslator().selector_to_xpath(parsed))
    except (cssselect.SelectorError, etree.XPathError, ValueError):
        return (), []


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
    if not any(mark in text for mark in _MARKS):
        return text, 0
    code = [(block.start, block.end) for block in code_blocks(text)]
    prose = blank(text, code, "\0")
    prose = blank(prose, [found.span() for found in _CODE.finditer(prose)], "\0")
    scripts = list(_SCRIPT.finditer(prose))
    sheets = tuple(found["text"] for found in scripts if (found["name"] or "").lower() == "style")
    prose = blank(prose, [found.span() for found in scripts], "\0")
    stretches, struck, said, looks = [], [], list[tuple[int, int]](), list[tuple[int, Look]]()
    end, ends = 0, _ends(prose)
    for tag in _TAG.finditer(prose):
        is_plain = not (sheets or tag["rest"].strip() or tag["name"].lower() in _STRUCK_TAGS)
        if tag.start() < end or is_plain or (element := _element(tag.group(), sheets)) is None:
            continue
        while looks and looks[-1][0] < tag.end():
            looks.pop()
        look = look_at(element, looks[-1][1] if looks else _ON_PAPER)  # a page of text is white
        looks.append((ends.get(tag.start(), 0), look))
        if look.is_unseen:
            paragraph = prose.find("\n\n", tag.end())
            end = tag.end() if tag["name"].lower() in _VOID else ends.get(tag.start(), paragraph)
            end = end if end >= 0 else len(prose)
            stretches.append((tag.start(), end))
        elif strikes(element) and _is_closed(prose, tag, stop := ends.get(tag.start(), 0)):
            end = stop
            struck.append((tag.start(), end))
        elif tag["name"].islower():
            said += [found.span() for found in _SAID.finditer(prose, *tag.span())]
    used = Counter(" ".join(name.lower().split()) for name in _IN_SQUARE.findall(text))
    links = list[tuple[int, int]]()
    for found in _LINK_TARGET.finditer(prose):
        name = text[slice(*found.span("name"))]
        is_unused = used[" ".join(name.lower().split())] == 1 or found["target"] in {"#", "<>"}
        if found["title"] or (is_unused and " " in name + found["target"]):
            links.append(found.span() if is_unused else found.span("title"))
    stretches = [one for one in stretches if any(map(str.isalnum, text[slice(*one)]))]
    pieces, position = [], 0
    for start, stop in sorted(chain(stretches, struck, said, links, (found.span() for found in scripts))):
        pieces += [text[position : max(start, position)], GAP]
        position = max(stop, position)
    unclosed = [one for one in scripts if one["unclosed"] is not None]
    return close_gaps("".join([*pieces, text[position:]])), len(stretches) + len(links) + len(unclosed)


@cache_recent
def _element(written: str, sheets: tuple[str, ...]) -> etree._Element | None:
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
