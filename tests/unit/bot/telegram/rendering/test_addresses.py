from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rendering import Part
from bot.telegram.rendering.addresses import target
from tests.support.shown import parts

TAPPABLE = regex.compile(
    r"(?:[a-z]+://[\w.-]+)|(?:[\w-]+\.)+(?:com|org|net|md|py|sh|рф|example)(?![\w-])|(?<!\w)@[a-z]\w{3,}",
    regex.IGNORECASE,
)
"""What Telegram makes a link or a mention of, in short."""


def bare(part: Part, *, without: frozenset[str] = frozenset({"code", "pre"})) -> str:
    """The text with what Telegram leaves alone blotted out."""
    raw = bytearray(part.text.encode("utf-16-le"))
    for entity in part.entities:
        if entity.type in without:
            raw[2 * entity.offset : 2 * (entity.offset + entity.length)] = (
                "\n".encode("utf-16-le") * entity.length
            )
    return raw.decode("utf-16-le")


def links(part: Part) -> list[str]:
    return [entity.url for entity in part.entities if entity.type == "text_link"]


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.example/collect?d=secret",
        "HTTPS://EVIL.EXAMPLE",
        "http://127.0.0.1:8080/x",
        "evil.com",
        "www.evil.com/a(b)",
        "evil.com:8080/?q=1",
        "someone@evil.com",
        "tg://resolve?domain=evil",
        "t.me/evil.com",
        "пример.рф",
        "пример.com",
        "xn--e1afmkfd.com",
        "docs.md",
        "folder/setup.sh",
        "@evil_bot",
        "https://ok.example@evil.com/",
        "https://ok.example.evil.com/",
        "https://ok.example\\@evil.com",
        "javascript://ok.example/%0aalert(1)",
        "ftp://ok.example/x",
    ],
)
@pytest.mark.parametrize(
    "frame",
    ["{}", "see {} now", "({}).", "**{}**", "[a word]({})", "<{}>", "![x]({})", "> {}", "# {}", "- {}", "请打开{}。", "[x]: {}", "*是*{}"],
)  # fmt: skip
def test_foreign_address_is_shown_but_cannot_be_tapped(frame: str, address: str) -> None:
    for part in parts(frame.format(address), allowed_hosts={"ok.example"}):
        assert TAPPABLE.search(bare(part)) is None
        assert not links(part)
        assert "evil" not in bare(part)
    assert address.split("@")[-1].split("/")[-1].lower() in "".join(
        part.text.lower() for part in parts(frame.format(address))
    )


@given(
    st.lists(
        st.sampled_from(
            ["https://evil.com/x", "evil.com", "@someone", "[", "](", ")", "**", "*", "`", "_", "<", ">", " ", "\n", "a", "是", "&#46;com", "e", "|", "://", "\\", "."]
        ),
        max_size=25,
    ).map("".join),
    st.sampled_from([4096, 60]),
)  # fmt: skip
def test_no_markdown_makes_a_foreign_address_tappable(markdown: str, limit: int) -> None:
    whole = parts(markdown)
    for part in whole:
        assert TAPPABLE.search(bare(part)) is None
        assert not links(part)
    for part in parts(markdown, limit, allowed_hosts={"ok.example"}):
        assert not links(part)


@pytest.mark.parametrize(
    ("markdown", "text", "urls"),
    [
        pytest.param("[guide](https://docs.example/a?b=c#d)", "guide", ["https://docs.example/a?b=c#d"], id="link"),
        pytest.param("see https://docs.example/a.", "see https://docs.example/a.", ["https://docs.example/a"], id="bare"),
        pytest.param("<https://docs.example>", "https://docs.example", ["https://docs.example"], id="autolink"),
        pytest.param("docs.example/x, or", "docs.example/x, or", ["https://docs.example/x"], id="without scheme"),
        pytest.param("[a](https://sub.wide.example)", "a", ["https://sub.wide.example"], id="host under a dot"),
        pytest.param("[**a**](HTTPS://Docs.Example)", "a", ["https://docs.example"], id="capitals"),
    ],
)  # fmt: skip
def test_allowed_host_is_a_link(markdown: str, text: str, urls: list[str]) -> None:
    (part,) = parts(markdown, allowed_hosts={"docs.example", ".wide.example"})
    assert part.text == text
    assert links(part) == urls


@pytest.mark.parametrize(
    "sentence", ["version 3.11 and 1.5", "e.g. this, i.e. that", "U.S.A. and т.д.", "and so on... or not", "[1] at 18:00", "/start it", "a@b"]
)  # fmt: skip
def test_ordinary_sentence_holds_no_address(sentence: str) -> None:
    assert parts(sentence, allowed_hosts=()) == (Part(sentence),)


@pytest.mark.parametrize(
    "address", ["", "https://", "https://docs.example/" + "a" * 3000, "docs.example evil"]
)
def test_what_is_no_address_leads_nowhere(address: str) -> None:
    assert target(address, {"docs.example", ""}) == ""
