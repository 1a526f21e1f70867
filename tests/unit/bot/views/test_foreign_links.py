"""No image and no link of a foreign host is left in Markdown that a program draws."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.views.foreign_links import defuse_links

HOSTS = ("docs.example.org",)


def opened(markdown: str) -> list[str]:
    """The addresses that a reader of Markdown makes links and images of, and its HTML."""

    def walk(tokens: list[Token]) -> Iterator[str]:
        for token in tokens:
            yield from walk(token.children or [])
            yield from (str(token.attrs[name]) for name in ("href", "src") if name in token.attrs)
            if token.type.startswith("html"):
                yield token.content

    parser = MarkdownIt("gfm-like", {"html": True, "linkify": False})
    return list(walk(parser.parse(markdown)))


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("![p](https://evil.example/p.png?q=1)", "![p] (`https://evil.example/p.png?q=1`)"),
        ("[press](https://evil.example/x).", "[press] (`https://evil.example/x`)."),
        ("[a][b]\n\n[b]: https://evil.example", "[a][b]\n\n[b]\\: `https://evil.example`"),
        ("![a](//evil.example/p)", "![a] (//evil.example/p)"),
        ("<img src=//evil.example>", "<\u2060img src=//evil.example>"),
        ("\\<img src=//evil.example>", "\\<\u2060img src=//evil.example>"),
        ("See https://evil.example/a, then ask.", "See `https://evil.example/a`, then ask."),
        ("[guide](https://docs.example.org/a?b=1&c)", "[guide](https://docs.example.org/a?b=1&c)"),
        ("[guide](../guide.md#part-2)", "[guide](../guide.md#part-2)"),
        ("Run `curl https://any.example/[1](2)`.", "Run `curl https://any.example/[1](2)`."),
        ("```\n![a](//any.example) <b>\n```", "```\n![a](//any.example) <b>\n```"),
        ("FxStore needs Java 17 [1], if a < b.", "FxStore needs Java 17 [1], if a < b."),
    ],
)
def test_foreign_addresses_stand_as_text(markdown: str, shown: str) -> None:
    assert defuse_links(markdown, HOSTS) == shown


@pytest.mark.parametrize(
    "markdown",
    [
        "![a](&#104;ttps://evil.example)",
        "![x](\\/\\/evil.example/a)",
        "[press](<https://evil.example/x>)",
        "\\`![x](http://evil.example/a)\\`",
        "> ```\n![x](http://evil.example/a)\n> ```",
        "> ```\n> a\n\n![x](http://evil.example/a)\n```",
        "~~~ a\r~~~\r![x](http://evil.example/a)",
        "``` a`\n![x](http://evil.example/a)\n```",
        "![x](http://evil.example&sol;@docs.example.org/a)",
        "![x](http://docs.example.org&commat;evil.example/a)",
        "![x](http://docs.example.org\\@evil.example/a)",
        "![x][r]\n\n[r]:\n //evil.example",
    ],
)
def test_no_trick_opens_a_foreign_address(markdown: str) -> None:
    assert [one for one in opened(markdown) if "evil" in one], "this reader would open it"
    assert [one for one in opened(defuse_links(markdown, HOSTS)) if "evil" in one] == []


PIECES = """
![a] [a] ( ) < > https://evil.example //evil.example ]: [b]:_ \\n _ ` ```\\n \\\\ <img_src= a javascript:x ] [ ! "
&#104;ttps://evil.example ![x](http://evil.example/a) ![x](//evil.example) >_ ```_a ~~~\\n \\n\\n ![x][b]
<img_src=//evil.example>
"""


@given(st.lists(st.sampled_from(PIECES.split()), max_size=12))
def test_nothing_foreign_is_opened(pieces: list[str]) -> None:
    markdown = "".join(pieces).replace("_", " ").replace("\\n", "\n")
    assert [one for one in opened(defuse_links(markdown, HOSTS)) if "evil" in one] == []
