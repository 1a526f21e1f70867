"""Finds what the controls of a page open: panels, each with its tab, and other parts, hidden at first.

Sites bind a tab to its panel by an address within the page, by attributes of ARIA, Bootstrap or their own, by
what a script is called with, or only by the order in which tabs and panels stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice, takewhile
from typing import Final

import regex
from lxml import etree

from rag.knowledge.loaders import unseen

_CONTROLS = (
    "//a | //button | //label | //summary | //li[@data-tab or @class='tab']"
    " | //*[@role='tab' or @role='button' or @onclick]"
)
_OPENS = regex.compile(r"aria-controls|data-.*|href|(?:command)?for|popovertarget|(?:on|ng-|_|x-on_)click")
"""Names of attributes as the tree of a page writes them: ``@click`` is ``_click``."""
_OPENS_PANEL = regex.compile(r"aria-controls|data-(?:bs-)?target|data-tab.*|(?:on|ng-|_|x-on_)click")
_HREF = regex.compile("href")
_NAME = regex.compile(r"[\w-]++")
_SAYS_TABS = regex.compile(
    r"(?<![a-z])tabs?(?:(?![a-z])|bed|set|list|pane|content|link|group|nav|item|block)|(?<![a-z])code-?group"
)
"""Part of the class of tabs, of their panels or of what is around both."""
_SAYS_PANEL = regex.compile(r"(?<![a-z])(?:tab)?pan(?:e|el)s?(?![a-z])")
_SKIPS = regex.compile(r"(?i)\b(?:skip|jump to\b)|(?<![a-z])skip|sr-only|visually-?hidden|screen-?reader")
"""Words and classes of links to a part of the page, for those who do not see it."""
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_PANELS = {
    "article", "dd", "div", "dl", "figure", "li", "ol", "pre", "section", "table", "template", "ul",
}  # fmt: skip
_MOST_BARS: Final = 500  # rows of tabs in a page
_LIST: Final = 4  # a link, its item, the list and what is around it
_OUTWARD: Final = 6  # elements around a tab beside which its panels are looked for


def opened_names(root: etree._Element) -> set[str]:
    """The ids of what any control of a page opens."""
    return {name for control in root.xpath(_CONTROLS) for name in _names(control, _OPENS)}


def tab_panels(root: etree._Element) -> dict[etree._Element, etree._Element]:
    """The tab of each panel of a page."""
    tabs: dict[etree._Element, etree._Element] = {}
    for panel, tab in _by_name(root):
        if _words(tabs.setdefault(panel, tab)) == _words(tab) and tab.get("role") == "tab":
            tab.tag = "button"  # of two equal tabs, as for large and for small screens, none shows its words
    used: set[etree._Element] = set()  # with what is around them
    for tab in tabs.values():
        used.update(takewhile(lambda one: one not in used, chain([tab], tab.iterancestors())))
    rows = ((bar, row) for bar in root.xpath("//*[@role='tablist' or @class]") if (row := _row(bar)))
    bars = dict(islice(rows, _MOST_BARS))
    for bar, row in bars.items():  # outer ones first
        if bar not in tabs and used.isdisjoint(row):
            found = _in_turn(bar) or zip(row, _panels_beside(bar, row, bars, tabs), strict=False)
            for tab, panel in found:
                if panel is not None:
                    tabs.setdefault(panel, tab)
    return tabs


def _words(tag: etree._Element) -> str:
    return "".join(tag.itertext()).strip()


def _names(control: etree._Element, attributes: regex.Pattern[str]) -> Iterator[str]:
    for key, value in control.attrib.items():
        if attributes.fullmatch(key) and (key != "href" or value.startswith("#")):
            yield value.removeprefix("#")
            yield from _NAME.findall(value)


def _by_name(root: etree._Element) -> Iterator[tuple[etree._Element, etree._Element]]:
    """Yield panels with tabs that name them, or that they name.

    Footnotes and headings are named by links as well. So panels must be siblings and hidden but for one, or
    roles or classes must say that they are panels. Parts with headings that plain links name are no panels,
    unless the links are called tabs.
    """
    controls = dict.fromkeys(root.xpath(_CONTROLS))
    prose = {around for around in {one.getparent() for one in controls} if _has_words_of_its_own(around)}
    named: dict[str, etree._Element] = {}
    for key in ("id", "data-tab"):
        for tag in root.xpath(f"//*[@{key}]"):
            if tag.tag in _PANELS and tag not in controls:
                named.setdefault(tag.get(key), tag)
    by_id = {tab.get("id"): tab for tab in controls}
    pairs = [
        (panel, by_id[name])
        for panel in root.xpath("//*[@aria-labelledby]")
        for name in panel.get("aria-labelledby").split()
        if panel.tag in _PANELS and name in by_id
    ]
    pairs += [(named[name], tab) for tab in controls for name in _names(tab, _OPENS_PANEL) if name in named]
    links = dict.fromkeys(
        (named[name], tab)
        for tab in controls
        for name in _names(tab, _HREF)
        if name in named and not _SKIPS.search(f"{tab.get('class', '')} {_words(tab)}")
    )
    plain = links.keys() - set(pairs)
    pairs += links
    groups: dict[etree._Element, list[tuple[etree._Element, etree._Element]]] = defaultdict(list)
    for panel, tab in pairs:
        is_in_a_sentence = tab.getparent() in prose and tab.get("role") != "tab"
        if not is_in_a_sentence and panel not in tab.iterancestors():
            groups[panel.getparent()].append((panel, tab))
    for around, found in groups.items():
        group = {panel for panel, _ in found}
        shown = [one for one in group if not unseen.hides(one)]
        has_headings = any(next(one.iter(*_HEADINGS), None) is not None for one in group)
        for panel, tab in found:
            is_tab = "tab" in {tab.get("role"), tab.get("data-toggle"), tab.get("data-bs-toggle")}
            says_tabs = _says_tabs(panel) or (_says_tabs(around) and around in tab.iterancestors())
            is_listed = has_headings and (panel, tab) in plain and not _is_called_tab(tab)
            if is_tab or (len(group) > 1 and (says_tabs or (len(shown) <= 1 and not is_listed))):
                yield panel, tab


def _is_called_tab(link: etree._Element) -> bool:
    """Whether a link, or the list that it stands in, is said to be of tabs."""
    return any(map(_says_tabs, islice(chain([link], link.iterancestors()), _LIST)))


def _has_words_of_its_own(tag: etree._Element) -> bool:
    return any(map(str.isalnum, "".join(filter(None, [tag.text, *(one.tail for one in tag)]))))


def _says_tabs(tag: etree._Element) -> bool:
    names = f"{tag.get('class', '')} {tag.get('id', '')}".lower()
    return tag.get("role") in {"tablist", "tab", "tabpanel"} or bool(_SAYS_TABS.search(names))


def _parts(tag: etree._Element) -> list[etree._Element]:
    return [one for one in tag if one.tag not in {"input", "script", "style"}]


def _is_tab(tag: etree._Element) -> bool:
    """Whether an element can be a tab where its place is one for tabs; links to other pages cannot."""
    is_tab = tag.tag in {"a", "button", "label", "li"} or "tab" in {tag.get("role"), tag.get("class")}
    return is_tab and all((one.get("href") or "#").startswith(("#", "javascript:")) for one in tag.iter("a"))


def _row(bar: etree._Element) -> list[etree._Element]:
    """The tabs in an element, if it is a row of tabs."""
    found: list[etree._Element] = bar.xpath(".//*[@role='tab']") if bar.get("role") == "tablist" else []
    if found or not _says_tabs(bar):
        return found
    if in_turn := _in_turn(bar):
        return [tab for tab, _ in in_turn]
    found = list(takewhile(_is_tab, _parts(bar)))
    return found if len(found) > 1 else []


def _in_turn(bar: etree._Element) -> list[tuple[etree._Element, etree._Element]]:
    """Tabs and panels that stand in turn, as with switches that need no script."""
    parts = _parts(bar)
    found = list(zip(parts[::2], parts[1::2], strict=False))
    if not all(_is_tab(tab) and not _is_tab(panel) and panel.tag in _PANELS for tab, panel in found):
        return []
    words = {_words(tab) for tab, _ in found}
    is_switch = len(words) > 1 or all(tab.get("for") for tab, _ in found)
    return found if is_switch and len(parts) == 2 * len(words) else []


def _panels_beside(
    bar: etree._Element,
    row: list[etree._Element],
    bars: Collection[etree._Element],
    known: Mapping[etree._Element, etree._Element],
) -> Sequence[etree._Element | None]:
    """As many panels as a row has tabs, from what follows the row or an element around it."""
    is_around, is_alone = False, True
    for node in islice(chain(row[-1:], row[-1].iterancestors()), _OUTWARD):
        if node in known or node.tag == "body":
            break
        is_alone &= not is_around or len(_parts(node)) == 1
        is_around |= node is bar
        siblings = takewhile(lambda one: one not in bars, node.itersiblings(*_PANELS))
        after = list(islice(siblings, 2 * len(row)))
        beside = [after, *map(_parts, after)]
        named = [[one for one in tags if _says_tabs(one)] for tags in beside]
        unnamed = [tags for tags in beside[:2] if is_alone and _are_panels(tags, node.getparent())]
        rows: list[list[etree._Element]] = [*named, *unnamed]
        for tags in rows:
            if any(one in bars or one.tag not in _PANELS for one in tags):
                continue
            if len(tags) == len(row):
                return tags
            if [one.get("role") for one in tags] == ["tabpanel"]:  # it is filled by the tab that is selected
                return [tags[0] if tab.get("aria-selected") == "true" else None for tab in row]
    return []


def _are_panels(tags: Sequence[etree._Element], around: etree._Element) -> bool:
    """Whether what stands behind a row of tabs can be its panels: hidden but for one, or called so."""
    hidden = [one for one in tags if unseen.hides(one)]
    is_called_so = all(_SAYS_PANEL.search(one.get("class", "").lower()) for one in tags)
    return bool(hidden and len(hidden) >= len(tags) - 1) or is_called_so or _says_tabs(around)
