"""Addresses: what is usable, what may be shown."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import OperatorError
from rag.models.endpoint import check_base_url, is_loopback, shown_address


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        pytest.param("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1", id="plain"),
        pytest.param("https://me:secret@host/v1", "https://host/v1", id="user and password"),
        pytest.param("https://host/v1?key=secret#x", "https://host/v1", id="query"),
    ],
)
def test_secret_parts_of_an_address_are_not_shown(url: str, shown: str) -> None:
    assert shown_address(url) == shown


@pytest.mark.parametrize(
    ("url", "loopback"),
    [
        pytest.param("http://localhost:1/v1", True, id="name"),
        pytest.param("http://127.0.0.53/v1", True, id="v4"),
        pytest.param("http://[::1]:8000/v1", True, id="v6"),
        pytest.param("https://localhost.example.com/v1", False, id="name that begins alike"),
        pytest.param("http://192.168.0.1/v1", False, id="local network"),
    ],
)
def test_loopback_addresses_are_known(url: str, loopback: bool) -> None:
    assert is_loopback(url) is loopback


@pytest.mark.parametrize(
    "url", ["localhost:8000", "ftp://host/v1", "http://", "http://host:port/v1", "sk-123456"]
)
def test_unusable_address_names_the_setting_and_not_the_value(url: str) -> None:
    with pytest.raises(OperatorError, match="OPENAI_BASE_URL is not an http or https address") as caught:
        check_base_url(url, "OPENAI_BASE_URL")
    assert "sk-123456" not in str(caught.value)


@given(st.text())
def test_any_text_is_an_address_or_an_operator_error(text: str) -> None:
    with contextlib.suppress(OperatorError):
        assert check_base_url(text, "X").lower().startswith("http")
