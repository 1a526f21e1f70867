from __future__ import annotations

import pytest

from rag import checks
from rag.checks import losses
from rag.reasons import as_written
from rag.values import Finding, FindingKind


def found(text: str, words: str, kind: FindingKind) -> Finding:
    start = text.index(words)
    return Finding(kind, "fixable", start, start + len(words), as_written("a fault"))


@pytest.mark.parametrize(
    ("text", "words", "kind"),
    [
        pytest.param("The port is not open.", "not ", "broken_markup", id="a denial is no mark"),
        pytest.param("The port is 80.", "80", "broken_markup", id="a figure is no mark"),
        pytest.param("The port is 80.", "80", "citation", id="a figure without brackets is no citation"),
        pytest.param("The port is open now.", " open", "repetition", id="a word said once is no repetition"),
        pytest.param(
            "It is so. It is not so.", "It is not so.", "repetition", id="a denial is no repetition"
        ),
        pytest.param("It costs 3 €. It costs 4 €.", "It costs 4 €.", "repetition", id="nor another figure"),
        pytest.param("As a rule not. It is so.", "As a rule not. ", "leftover", id="a phrase that denies"),
        pytest.param("Within 3 days. It is so.", "Within 3 days. ", "leftover", id="a phrase with a figure"),
    ],
)
def test_repair_that_would_take_away_what_the_answer_says_is_not_made(
    text: str, words: str, kind: FindingKind
) -> None:
    assert checks.repair(text, [found(text, words, kind)]) == text


@pytest.mark.parametrize(
    ("text", "words", "kind", "repaired"),
    [
        ("The port is 80 [7].", "[7]", "citation", "The port is 80."),
        ("It is so. It is so. It is", " It is so. It is", "repetition", "It is so."),
        ("Please, ask away. It is so.", "Please, ask away. ", "leftover", "It is so."),
        ("So 80? No, 90. It is 70.", "So 80? No, 90. ", "thoughts", "It is 70."),
    ],
    ids=["a citation", "what was said before", "a phrase", "thoughts"],
)
def test_what_a_kind_may_take_away_goes(text: str, words: str, kind: FindingKind, repaired: str) -> None:
    assert checks.repair(text, [found(text, words, kind)]) == repaired


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("It is 3.5 %.", "It is 35 %."),
        ("It is 3.5 %.", "It is 3 5 %."),
        ("It is -5 degrees.", "It is 5 degrees."),
        ("It is 5 %.", "It is 5."),
        ("It is 5 €.", "It is 5."),
        ("Не важно, кто.", "Неважно, кто."),
        ("Ask Anna before Boris.", "Ask Boris before Anna."),
        ("限制是3万。", "限制是3。"),
    ],
)
def test_changed_words_and_figures_are_a_loss(before: str, after: str) -> None:
    assert not losses.is_lossless(before, [], after)


def test_other_marks_letters_of_one_look_and_capitals_are_no_loss() -> None:
    assert losses.is_lossless("so **the cервер runs", [], "So the сервер runs")
