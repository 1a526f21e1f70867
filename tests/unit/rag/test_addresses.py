from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rag.addresses import address_in, safe_address, safe_anchor
from rag.settings import Knowledge


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("https://wiki.example.org/set-up", "https://wiki.example.org/set-up"),
        (" HTTP://example.org ", "http://example.org/"),
        ("https://example.org:8443/a?b=c&d=%20#e", "https://example.org:8443/a?b=c&d=%20#e"),
        ("https://[2001:db8::1]/a", "https://[2001:db8::1]/a"),
        ("https://пример.рф/отпуск", "https://xn--e1afmkfd.xn--p1ai/%D0%BE%D1%82%D0%BF%D1%83%D1%81%D0%BA"),
        ("https://аpple.com/", "https://xn--pple-43d.com/"),  # the first letter is Cyrillic
        ("https://straße.de/", "https://xn--strae-oqa.de/"),  # strasse.de is of somebody else
    ],
)
def test_address_of_the_web_is_taken(given: str, shown: str) -> None:
    assert safe_address(given) == shown


@pytest.mark.parametrize(
    "given",
    [
        "", "example.org", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "tg://resolve?domain=x",
        "ftp://example.org/", "https://", "https:///path", "https://user@example.org/", "https://a:b@example.org/",
        "https://example.org@evil.org/", "https://example.org/a b", "https://example.org/\nx", "https://example.org/\x1b]8;;",
        "https://example.org/\u202egpj.exe", "https://example.org/<b>", "https://example.org/)](https://evil.org\\",
        "https://example.org:99999/", "https://exa_mple..org/", "https://" + "a" * 3000 + ".org/",
    ],
)  # fmt: skip
def test_hostile_address_is_none(given: str) -> None:
    assert safe_address(given) == ""


@given(st.text(max_size=60), st.text(max_size=30))
def test_whatever_is_given_the_address_is_one_of_the_web_in_plain_letters(host: str, rest: str) -> None:
    for given_address in (host + rest, f"https://{host}/{rest}", f"http://{host}?{rest}#{rest}"):
        address = safe_address(given_address)
        if address:
            parts = urlsplit(address)
            assert parts.scheme in {"http", "https"}
            assert "@" not in parts.netloc
            assert parts.hostname
            assert address.isascii()
            assert address.isprintable()
            assert not set(address) & set(' <>"`{}|\\^')
            assert safe_address(address) == address


@given(st.text(max_size=250))
def test_anchor_is_the_end_of_an_address_and_nothing_else(name: str) -> None:
    assert not set(safe_anchor(name)) & set(' #/?<>"\\`{}|^\n\x1b')


def test_folders_have_addresses_and_the_deepest_one_decides(tmp_path: Path) -> None:
    addresses = {
        tmp_path: "https://files.example.org/all/",
        tmp_path / "wiki": "https://wiki.example.org/{page}.html?ref=bot",
    }
    assert address_in(tmp_path / "a b.pdf", addresses) == "https://files.example.org/all/a%20b.pdf"
    assert address_in(tmp_path / "wiki/x/y.md", addresses) == "https://wiki.example.org/x/y.html?ref=bot"
    assert address_in(tmp_path.parent / "elsewhere.md", addresses) == ""


def test_setting_that_is_no_address_of_the_web_is_refused() -> None:
    with pytest.raises(ValidationError, match="http or https address"):
        Knowledge(addresses={Path("/srv"): "javascript:alert('{path}')"})
