"""What a passage only asks is not stated there; what answers its question is."""

from __future__ import annotations

import pytest

from rag import evidence
from tests.unit.rag.evidence.asked import asked

FAQ = (
    "Does the office close at 18:00? No, somebody is there until 19:00. "
    "May guests use the printer without a badge? Ask Anna Berg. "
    "When is the cellar cleaned? On Mondays. The cellar is dry. **Is the cellar dry?** "
    "打印机的密码是7410吗？请问前台。 May visitors use printer 4?! Printer 4 is in Rome. "
    'Is the limit 500 euros? Yes, for all. John Berg was born in 1432 (?). He won the quiz "Who knows?"'
)


@pytest.mark.parametrize(
    ("question", "draft", "code"),
    [
        pytest.param("When does the office close?", "The office closes at 18:00.", "only_asked", id="fact"),
        pytest.param("When does the office close?", "18:00", "only_asked", id="bare-fact"),
        pytest.param("打印机的密码是什么？", "打印机的密码是7410。", "only_asked", id="fact-zh"),
        pytest.param(
            "May guests use the printer without a badge?",
            "Guests may use the printer without a badge.",
            "only_asked",
            id="no-fact",
        ),
        pytest.param(
            "May visitors use printer 4?", "Visitors may use printer 4.", "only_asked", id="fact-of-question"
        ),
    ],
)
def test_what_a_passage_only_asks_is_not_unambiguous(question: str, draft: str, code: str) -> None:
    found = evidence.compare(asked(question, FAQ), draft)
    assert code in {objection.code for objection in found.objections}
    assert not evidence.is_unambiguous(found, "zh" if "密" in question else "en")


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("When does the office close?", "Somebody is there until 19:00."),
        ("When is the cellar cleaned?", "The cellar is cleaned on Mondays."),
        ("Is the cellar dry?", "The cellar is dry."),
        ("What is the limit?", "500 euros"),
        ("When was John Berg born?", "1432"),
        ("What did he win?", 'He won the quiz "Who knows?"'),
    ],
    ids=["behind a question", "answer", "beside a question", "short yes", "doubt in brackets", "name"],
)
def test_answer_to_a_question_of_the_passage_is_stated(question: str, draft: str) -> None:
    found = evidence.compare(asked(question, FAQ), draft)
    assert not {"only_asked", "unspoken_addition"} & {objection.code for objection in found.objections}
