from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.rendering.details import detail
from bot.texts import TEXTS
from rag.errors import ModelUnavailableError
from rag.models.scripted import Reply
from rag.values import MODES, Mode, Question
from tests.support.loop import QUESTION, engine, scripted


@pytest.mark.parametrize(
    ("clause", "english", "russian"),
    [
        ("question, en: stands alone", "a question that stands alone", "самостоятельный вопрос"),
        ("small talk, ru: nothing but social phrases", "small talk", "разговор ни о чём"),
        ("follow up: “And Java 17?”", "leans on what was said before: “And Java 17?”", "опирается на сказанное раньше: “And Java 17?”"),
        ("passages: 5, documents: 2", "passages: 5, documents: 2", "фрагментов: 5, документов: 2"),
        ("91 characters without documents", "91 characters without documents", "знаков без документов: 91"),
        ("hallucination (0.96, evidence): no passage states `x`", "claims something that the documents do not support (96 %): no passage states `x`", "утверждает то, чего документы не подтверждают (96 %): ни в одном фрагменте нет `x`"),
        ("not a matter of the documents", "not a matter of the documents", "документы не об этом"),
        ("pass with flags: wordy", "passes with remarks: wordy", "годится, с замечаниями: wordy"),
        ("repair refused: it says less", "change refused: it says less", "правка отклонена: it says less"),
        ("score 0.84 (truth 0.90, focus 0.70); issues: 2, suggestions: 1", "score 84 %; issues: 2, suggestions: 1", "оценка 84 %; замечаний: 2, предложений: 1"),
        ("agreement 0.50: score 0.67", "agreement 50 %, score 67 %", "согласие 50 %, оценка 67 %"),
        ("the passage says “Java 17”", "the passage says “Java 17”", "во фрагменте сказано «Java 17»"),
        ("the passage does not say it", "the passage does not say it", "во фрагменте этого нет"),
        ("the likeliest sentence: “It needs Java 17.”", "the likeliest sentence: “It needs Java 17.”", "самое подходящее предложение: «It needs Java 17.»"),
        ("no sentence speaks of it", "no sentence speaks of it", "ни одно предложение об этом не говорит"),
        ("not used: nobody said “2015”", "not used: nobody said “2015”", "не использовано: никто не говорил «2015»"),
        ("failed: nobody listens", "failed: nobody listens", "не удалось: nobody listens"),
        ("“FxStore runtime”", "“FxStore runtime”", "“FxStore runtime”"),
    ],
)  # fmt: skip
def test_what_came_out_of_a_step_is_told_in_the_language_of_the_reader(
    clause: str, english: str, russian: str
) -> None:
    assert detail(clause, "en") == english
    assert detail(clause, "ru") == russian


@given(st.text(max_size=60), st.sampled_from(TEXTS.languages))
def test_clause_of_no_known_form_stays_as_it_is(clause: str, language: str) -> None:
    strange = f"~{clause}"
    assert detail(strange, language) == strange


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("question", "replies"),
    [
        pytest.param(QUESTION, {"draft": "It needs Java 11."}, id="corrected"),
        pytest.param(QUESTION, {"draft": "FxStore needs Java 17."}, id="confirmed"),
        pytest.param(Question("Hello!"), {"draft": "Hello! How can I help?"}, id="small talk"),
        pytest.param(QUESTION, {"draft": ModelUnavailableError("down"), "regenerate": ModelUnavailableError("down")}, id="no model"),
    ],
)  # fmt: skip
async def test_engine_says_nothing_that_the_reader_would_get_in_english(
    mode: Mode, question: Question, replies: dict[str, Reply]
) -> None:
    answer = await engine(scripted(**replies)).answer(replace(question, mode=mode))
    assert answer.trace
    for step in answer.trace:
        told = detail(step.detail, "ru")
        assert told != step.detail or step.detail.startswith("“"), step.detail
