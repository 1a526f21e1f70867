from __future__ import annotations

import pytest

from rag import checks


@pytest.mark.parametrize("text", ["", " \n\t", "...", "。", "-", "**"])
def test_a_text_that_says_nothing_is_empty_and_nothing_else(text: str) -> None:
    (finding,) = checks.run(text, language="en", finish_reason="length")
    assert (finding.kind, finding.severity) == ("empty", "critical")
    assert checks.repair(text, (finding,)) == text


@pytest.mark.parametrize("text", ["👍", "11", "да", "好", "€"])
def test_a_sign_is_an_answer(text: str) -> None:
    assert checks.run(text, language="en") == ()


def test_findings_come_in_the_order_of_the_text() -> None:
    text = "<think>So?</think> It is so, and the cервер runs.</answer>"
    findings = checks.run(text, language="en")
    assert [finding.kind for finding in findings] == ["thoughts", "stray_characters", "leftover"]
    assert checks.repair(text, findings) == "It is so, and the сервер runs."


def test_only_the_given_findings_are_repaired() -> None:
    text = "Запустите cервер.</answer>"
    first, _second = checks.run(text, language="ru")
    assert checks.repair(text, (first,)) == "Запустите сервер.</answer>"
    assert checks.repair(text, ()) == text


def test_text_that_is_nothing_but_faults_is_not_mended_one_by_one() -> None:
    broken = "[a](" * 1_000 + " done"
    findings = checks.run(broken, language="en")
    assert {finding.severity for finding in findings if finding.kind == "broken_markup"} == {"info"}
    assert checks.repair(broken, findings) == broken
    leftovers = checks.run("Java 17. " + "<|im_end|> " * 300, language="en")
    assert "critical" in {finding.severity for finding in leftovers if finding.kind == "leftover"}
