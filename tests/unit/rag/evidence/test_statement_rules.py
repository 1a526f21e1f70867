"""Sentences that are about the same must keep the small words on which a rule hangs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence import statement_rules
from rag.language.qualifiers import qualifiers


@pytest.mark.parametrize(
    ("sentence", "kinds"),
    [
        ("Only admins may delete it, unless it is locked.", {"only", "may", "except"}),
        ("Удалять могут только админы, если он не занят.", {"only", "may", "if"}),
        ("只有管理员可以删除，除非已锁定。", {"only", "may", "except"}),
        ("관리자만 삭제할 수 있습니다.", {"only", "may"}),
        ("Hanya admin boleh menghapus, kecuali dikunci.", {"only", "may", "except"}),
        ("Solo los jefes pueden borrar, salvo de noche.", {"only", "may", "except"}),
        (
            "Most parcels over 20 kg need not be signed without delay.",
            {"most", "more", "need not", "without"},
        ),
        ("Ninguno tarda menos de dos días.", {"none", "less"}),
        ("The server runs on port 8080.", set()),
        ("가격은 백만 원이지만 비싸지 않습니다.", set()),
    ],
)
def test_small_words_are_found_in_every_language(sentence: str, kinds: set[str]) -> None:
    assert set(qualifiers(sentence)) == kinds


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        pytest.param("Only admins may delete it.", "Admins may delete it.", "only", id="gone"),
        pytest.param("Admins may delete it.", "Only admins may delete it.", "only", id="new"),
        pytest.param("Admins may delete it.", "Guests can read the wall.", "", id="another sentence"),
        pytest.param(
            "Ask first. Only admins may delete it.", "Only admins may delete it.", "", id="one less"
        ),
        pytest.param("The server is locked.", "The server is not locked.", "not", id="denied"),
    ],
)
def test_rule_that_changes_is_named(old: str, new: str, changed: str) -> None:
    assert statement_rules.find_changed_rule(old, new, "en") == changed


def test_change_towards_the_documents_is_none() -> None:
    old, new = "Admins may delete it.", "Only admins may delete it."
    assert statement_rules.find_changed_rule(old, new, "en", f"The rules. {new}") == ""
    assert statement_rules.find_changed_rule(new, old, "en", f"The rules. {new}") == "only"


@given(st.text(max_size=200), st.sampled_from(["en", "ru", "zh", "ko", "id", "es"]))
def test_same_text_states_the_same_rules(text: str, language: str) -> None:
    assert statement_rules.find_changed_rule(text, text, language) == ""
