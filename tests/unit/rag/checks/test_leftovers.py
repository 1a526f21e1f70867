from __future__ import annotations

import pytest

from rag import checks

ANSWER = {"en": "FxStore needs Java 17 or later.", "ru": "Для FxStore нужна Java 17 или новее."}


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "<think>\nJava 11? No.\n</think>\n\n", ""),
        ("en", "Java 11? No.\n</think>\n\n", ""),
        ("en", "<answer>\n", "\n</answer>"),
        ("en", "", "<|im_end|>"),
        ("ru", "", "\n</passages>\n</question>"),
        ("en", "### Response:\n", "</s>"),
        ("en", "", "\nUser: And 4.0?\nAssistant: Java 21."),
    ],
)
def test_what_is_no_part_of_the_answer_is_taken_away(language: str, before: str, after: str) -> None:
    text = f"{before}{ANSWER[language]}{after}"
    findings = checks.run(text, language=language)
    assert {finding.severity for finding in findings} == {"fixable"}
    assert {finding.kind for finding in findings} <= {"leftover", "thoughts"}
    assert checks.repair(text, findings) == ANSWER[language]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Sure!", id="yes"),
        pytest.param("Here is the list of formats:\n- PDF\n- DOCX", id="lead-in"),
        pytest.param("User: can read.\nAdmin: can write.", id="roles"),
        pytest.param("Connect with ssh <user>@host and wait.", id="parameter"),
        pytest.param("The tag `<think>` holds thoughts, `TODO` marks work.", id="code"),
    ],
)
def test_an_answer_is_not_taken_for_a_leftover(text: str) -> None:
    assert checks.run(text, language="en") == ()


def test_what_the_question_names_is_no_leftover() -> None:
    text = "It ends with </question> on a line of its own."
    assert checks.run(text, language="en") != ()
    assert checks.run(text, language="en", asked="What does </question> do?") == ()


def test_repair_keeps_what_the_question_names_and_takes_the_rest() -> None:
    text = "It ends with </question> on a line of its own.</answer>"
    findings = checks.run(text, language="en", asked="What does </question> do?")
    assert checks.repair(text, findings) == "It ends with </question> on a line of its own."


def test_nothing_but_thoughts_is_an_answer_to_write_again() -> None:
    text = "<think>Java 11? Java 17?"
    (finding,) = checks.run(text, language="en")
    assert (finding.kind, finding.severity) == ("thoughts", "critical")
    assert checks.repair(text, (finding,)) == text


@pytest.mark.parametrize(
    ("language", "asked", "said", "left"),
    [
        pytest.param(
            "id",
            "Berapa hari dalam satu minggu?",
            "Berapa hari dalam satu minggu? -> 7 hari.",
            "7 hari.",
            id="id",
        ),
        pytest.param("zh", "谢谢用英语怎么说？", "谢谢用英语怎么说？ -> Thank you.", "Thank you.", id="zh"),
        pytest.param("en", "who owns the key", "Who owns the key? → Anna owns it.", "Anna owns it.", id="en"),
    ],
)
def test_question_that_a_model_repeats_before_an_arrow_goes(
    language: str, asked: str, said: str, left: str
) -> None:
    assert checks.repair(said, checks.run(said, language=language, asked=asked)) == left


def test_answer_that_is_only_the_question_is_written_again() -> None:
    said = "Почему осенью листья желтеют?"
    (found,) = checks.run(said, language="ru", asked=said)
    assert (found.kind, found.severity, str(found.description)) == (
        "leftover",
        "critical",
        "the question repeated",
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        pytest.param("How are you?", "How are you? I am fine.", id="it goes on without an arrow"),
        pytest.param("Hi there!", "Hi there!", id="a greeting"),
        pytest.param("Is map -> list right?", "Map -> list is right.", id="an arrow of its own"),
        pytest.param("", "Yes -> no.", id="nothing was asked"),
    ],
)
def test_what_is_no_echo_stays(asked: str, said: str) -> None:
    assert checks.run(said, language="en", asked=asked) == ()
