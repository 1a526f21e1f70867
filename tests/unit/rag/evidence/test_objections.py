"""A claim may hold all the words of a passage and say something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag import evidence
from rag.evidence import objections
from rag.evidence.objections import Carrier, Claimed
from rag.language.units import units
from tests.unit.rag.evidence.asked import asked

LANGUAGES = st.sampled_from(["en", "ru", "es", "id", "ko", "zh"])

DENIED = {
    "en": (
        "May guests use the printer without a badge?",
        "Guests may not use the printer without a badge.",
        "Guests may use the printer without a badge.",
    ),
    "ru": (
        "Могут ли гости пользоваться принтером без пропуска?",
        "Гости не могут пользоваться принтером без пропуска.",
        "Гости могут пользоваться принтером без пропуска.",
    ),
    "es": (
        "¿Pueden los invitados usar la impresora sin tarjeta?",
        "Los invitados no pueden usar la impresora sin tarjeta.",
        "Los invitados pueden usar la impresora sin tarjeta.",
    ),
    "id": (
        "Apakah tamu boleh memakai printer tanpa kartu?",
        "Tamu tidak boleh memakai printer tanpa kartu.",
        "Tamu boleh memakai printer tanpa kartu.",
    ),
    "ko": (
        "손님은 카드 없이 프린터를 사용할 수 있나요?",
        "손님은 카드 없이 프린터를 사용할 수 없습니다.",
        "손님은 카드 없이 프린터를 사용할 수 있습니다.",
    ),
    "zh": (
        "访客没有徽章可以使用打印机吗？",
        "访客没有徽章不得使用打印机。",
        "访客没有徽章可以使用打印机。",
    ),
}
TURNED = pytest.mark.parametrize(("question", "one", "other"), DENIED.values(), ids=DENIED)


@TURNED
def test_not_that_is_dropped_makes_a_draft_a_hallucination(question: str, one: str, other: str) -> None:
    found = evidence.compare(asked(question, one), other)
    assert [(one.code, one.is_sure) for one in found.objections] == [("polarity", True)]
    assert evidence.decide(found, has_documents=True).quality == "hallucination"
    assert not evidence.is_unambiguous(found, "en")


@TURNED
def test_not_that_is_added_makes_a_draft_a_hallucination(question: str, one: str, other: str) -> None:
    found = evidence.compare(asked(question, other), one)
    assert evidence.decide(found, has_documents=True).quality == "hallucination"


@TURNED
def test_sentence_of_the_passage_answers_a_question_in_its_own_words(
    question: str, one: str, other: str
) -> None:
    for text in (one, other):
        found = evidence.compare(asked(question, text), text)
        assert found.objections == ()
        verdict = evidence.decide(found, has_documents=True)
        assert verdict.quality == "adequate"
        assert verdict.confidence > 0.8


@pytest.mark.parametrize(
    "draft",
    ["No [1].", "No.", "Yes, never.", "Нет.", "Да.", "不可以。", "是。", "아니요.", "Tidak.", "Sí."],
)
def test_bare_yes_or_no_is_undecided(draft: str) -> None:
    question, text, _ = DENIED["en"]
    found = evidence.compare(asked(question, text), draft)
    assert evidence.decide(found, has_documents=True).confidence <= 0.5
    assert not evidence.is_unambiguous(found, "en")


def test_sentence_that_another_one_confirms_is_no_opposite() -> None:
    text = "The office does not close at 19:00 in May. The office closes at 19:00 in June."
    found = evidence.compare(asked("When does the office close?", text), "The office closes at 19:00.")
    assert not any(objection.is_sure for objection in found.objections)


RULES = (
    "Only admins may delete pages. Backups are kept for at most 35 days. Anna reports to Boris. "
    "Milan closes at 17:00 and Berlin closes at 18:00. Parcels must be signed, unless the door is open. "
    "Most printers stand in the cellar. The cellar is cleaned twice a week."
)


@pytest.mark.parametrize(
    ("question", "draft", "code"),
    [
        pytest.param("Who may delete pages?", "Admins may delete pages.", "restriction", id="only"),
        pytest.param(
            "How long are backups kept?",
            "Backups are kept for at least 35 days.",
            "comparison",
            id="at-least",
        ),
        pytest.param("How long are backups kept?", "35 days", "comparison", id="bare-value"),
        pytest.param("Who does Anna report to?", "Boris reports to Anna.", "order", id="who-to-whom"),
        pytest.param("When does Berlin close?", "Berlin closes at 17:00.", "other_clause", id="sibling"),
        pytest.param("When does Falcon close?", "17:00", "unspoken", id="unknown-thing"),
        pytest.param("What must be signed?", "Parcels must be signed.", "condition", id="dropped-unless"),
        pytest.param("What about parcels?", "Parcels may be signed.", "modality", id="may-for-must"),
        pytest.param(
            "Where do printers stand?", "All printers stand in the cellar.", "quantifier", id="all-for-most"
        ),
        pytest.param("How often is it cleaned?", "Twice a month.", "unspoken_addition", id="month-for-week"),
    ],
)
def test_other_relation_is_an_objection(question: str, draft: str, code: str) -> None:
    found = evidence.compare(asked(question, RULES), draft)
    assert code in {objection.code for objection in found.objections}
    assert not evidence.is_unambiguous(found, "en")


@pytest.mark.parametrize(
    ("question", "draft"),
    [
        ("When does Berlin close?", "Berlin closes at 18:00."),
        ("When does Berlin close?", "18:00"),
        ("When does Milan close?", "It is 17:00."),
        ("Who does Anna report to?", "Anna reports to Boris."),
        ("Who does Anna report to?", "Boris"),
        ("Who may delete pages?", "Only admins may delete pages."),
        ("How long are backups kept?", "At most 35 days."),
    ],
)
def test_same_relation_is_no_objection(question: str, draft: str) -> None:
    assert evidence.compare(asked(question, RULES), draft).objections == ()


@pytest.mark.parametrize(
    ("language", "question", "text", "draft", "code"),
    [
        pytest.param(
            "en",
            "Which port does version 1 use?",
            "Version 2 listens on port 7410. Version 1 must be upgraded first.",
            "Version 1 uses port 7410.",
            "sibling",
            id="en-version",
        ),
        pytest.param(
            "ru",
            "Какой порт слушает первая версия?",
            "Вторая версия слушает порт 7620. С первой версии обновиться сразу нельзя.",
            "Первая версия слушает порт 7620.",
            "sibling",
            id="ru-ordinal",
        ),
        pytest.param(
            "zh",
            "上海办公室星期六几点开门?",
            "北京办公室工作日7点开门,星期六9点开门。上海办公室有四层。",
            "上海办公室星期六9点开门。",
            "sibling",
            id="zh-office",
        ),
        pytest.param(
            "en",
            "What do apprentices receive for a week on call?",
            "A week on call is paid with 300 euros. Apprentices are never on call for a week.",
            "Apprentices receive 300 euros for a week on call.",
            "denied_premise",
            id="en-denied",
        ),
        pytest.param(
            "ru",
            "Сколько стоит парковка в пробном периоде?",
            "Парковка стоит 500 рублей в месяц, а в пробном периоде её нет.",
            "Парковка в пробном периоде стоит 500 рублей в месяц.",
            "denied_premise",
            id="ru-denied",
        ),
        pytest.param(
            "ru",
            "Сколько стоит зарядка на верхней стоянке?",
            "Зарядка бесплатна на нижней стоянке, у ворот за неё берут 300 рублей, а на верхней стоянке её нет.",
            "Зарядка на верхней стоянке стоит 300 рублей.",
            "denied_premise",
            id="ru-denied-with-a-pronoun",
        ),
        pytest.param(
            "en",
            "After how many years are lanterns replaced?",
            "Lanterns hang in the hall. The staff count ropes in May. Ropes are replaced after six years.",
            "Lanterns are replaced after six years.",
            "only_siblings",
            id="en-replaced-word",
        ),
        pytest.param(
            "zh",
            "租一个排球多少钱？",
            "排球在院子里打。器材在一楼租借。乒乓球拍租一次4元，羽毛球拍6元。",
            "排球租一次4元。",
            "only_siblings",
            id="zh-replaced-word",
        ),
        pytest.param(
            "en",
            "What does a ticket for four rides cost?",
            "There used to be a ticket for four rides. Visitors buy a day pass for 9 euros in place of it.",
            "A ticket for four rides costs 9 euros.",
            "denied_premise",
            id="en-instead",
        ),
        pytest.param(
            "zh",
            "学员加班一小时补贴多少？",
            "加班一小时补贴60元，由组长登记。学员不参加加班。",
            "学员加班一小时补贴60元。",
            "denied_premise",
            id="zh-denied",
        ),
    ],
)
def test_value_of_something_else_does_not_answer(
    language: str, question: str, text: str, draft: str, code: str
) -> None:
    found = evidence.compare(asked(question, text, language), draft)
    assert code in {objection.code for objection in found.objections}
    assert not evidence.is_answering(found)


@pytest.mark.parametrize(
    ("question", "text", "draft"),
    [
        pytest.param(
            "Which port does version 2 use?",
            "Version 2 listens on port 7410. Version 1 must be upgraded first.",
            "Port 7410.",
            id="the one asked about",
        ),
        pytest.param(
            "Are apprentices on call?",
            "A week on call is paid with 300 euros. Apprentices are never on call.",
            "Apprentices are never on call.",
            id="the denial itself",
        ),
        pytest.param(
            "Until when may suppliers use the gate without a badge?",
            "Suppliers may use the gate without a badge until 11:00.",
            "Until 11:00.",
            id="without denies nothing",
        ),
        pytest.param(
            "Which city let a tram carry parcels for shops?",
            "Shops were never the first to profit: in Dresden a tram carried parcels to the factories of the city.",
            "Dresden.",
            id="denies something else",
        ),
    ],
)
def test_value_of_what_was_asked_answers(question: str, text: str, draft: str) -> None:
    found = evidence.compare(asked(question, text), draft)
    assert not {"sibling", "denied_premise"} & {objection.code for objection in found.objections}


def test_every_sentence_of_an_answer_is_compared() -> None:
    stated = [f"Room {number} has {number + 40} chairs." for number in range(20, 36)]
    turned = "Guests may use the printer without a badge."
    question = "How many chairs has room 20?"
    found = evidence.compare(
        asked(question, " ".join([*stated, DENIED["en"][1]])), " ".join([*stated, turned])
    )
    assert "polarity" in {objection.code for objection in found.objections}


@given(st.text(max_size=120), st.text(max_size=120), st.text(max_size=60), LANGUAGES)
def test_any_text_can_be_compared(claim: str, sentence: str, question: str, language: str) -> None:
    claimed = Claimed(claim, units(claim, language, with_names=False))
    objections.find(claimed, Carrier(sentence, sentence), question, language)


@given(st.text(max_size=200), LANGUAGES)
def test_sentence_never_objects_surely_to_itself(text: str, language: str) -> None:
    found = objections.find(Claimed(text, ()), Carrier(text), text, language)
    assert not any(objection.is_sure for objection in found)


@pytest.mark.parametrize(
    "draft",
    [
        pytest.param(
            "The cellar is cleaned twice a week. Afterwards the windows are painted.", id="sentence"
        ),
        pytest.param("The cellar is cleaned twice a week. It is never cleaned twice a week.", id="denial"),
        pytest.param("The damp cellar is cleaned twice a week.", id="adjective"),
        pytest.param("The cellar is cleaned twice a month.", id="period"),
    ],
)
def test_what_a_draft_adds_is_an_objection(draft: str) -> None:
    found = evidence.compare(asked("How often is the cellar cleaned?", RULES), draft)
    assert "unspoken_addition" in {objection.code for objection in found.objections}


@pytest.mark.parametrize(
    "draft",
    [
        "The cellar is cleaned twice a week.",
        "Twice a week.",
        "It is cleaned twice a week. Most printers stand in the cellar.",
    ],
)
def test_what_the_passage_says_is_no_addition(draft: str) -> None:
    found = evidence.compare(asked("How often is the cellar cleaned?", RULES), draft)
    assert "unspoken_addition" not in {objection.code for objection in found.objections}
