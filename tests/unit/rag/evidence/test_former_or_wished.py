"""What held before, or what somebody only wanted, is not what holds."""

from __future__ import annotations

import pytest

from rag import evidence
from tests.unit.rag.evidence.asked import asked


@pytest.mark.parametrize(
    ("language", "question", "passage", "former", "now"),
    [
        ("en", "How much is the fee?", "The fee used to be 40 euros. The fee is 55 euros.", "40", "55"),
        ("en", "How much is the fee?", "Previously, the fee was 40 euros. The fee is 55 euros.", "40", "55"),
        ("en", "How much is the fee?", "The former fee was 40 euros. The fee is 55 euros.", "40", "55"),
        ("en", "Where is the desk?", "Anna wanted the desk on floor 2. The desk is on floor 4.", "2", "4"),
        ("es", "¿Cuánto cuesta el aparcamiento?",
         "El aparcamiento costaba antes 40 euros. El aparcamiento cuesta 55 euros.", "40", "55"),
        ("ru", "Сколько стоит стоянка?",
         "Раньше стоянка стоила 40 евро. Теперь стоянка стоит 55 евро.", "40", "55"),
        ("zh", "停车费是多少？", "停车费此前是40欧元。停车费现在是55欧元。", "40", "55"),
        ("ko", "주차 요금은 얼마입니까?", "주차 요금은 예전에 40유로였다. 주차 요금은 55유로이다.", "40", "55"),
        ("id", "Berapa biaya parkir?", "Biaya parkir dulu 40 euro. Biaya parkir 55 euro.", "40", "55"),
        ("pt", "Quanto custa o estacionamento?",
         "O estacionamento custava anteriormente 40 euros. O estacionamento custa 55 euros.", "40", "55"),
    ],
    ids=["used to", "previously", "former", "wanted", "es", "ru", "zh", "ko", "id", "pt"],
)  # fmt: skip
def test_what_held_before_or_was_only_wanted_is_not_what_holds(
    language: str, question: str, passage: str, former: str, now: str
) -> None:
    codes = {
        value: {objection.code for objection in evidence.compare(asked(question, passage), value).objections}
        for value in (former, now)
    }
    assert "former_or_wished" in codes[former]
    assert "former_or_wished" not in codes[now]


@pytest.mark.parametrize(
    ("question", "passage", "draft"),
    [
        ("What opens the door?", "The badge is used to open the door.", "The badge opens the door."),
        ("What builds the docs?", "Sphinx is the tool used to build the docs.", "Sphinx builds the docs."),
        ("When is the release?", "The next release is planned for 3 May.", "3 May"),
        ("What did Anna want?", "Anna wanted a desk on floor 2.", "A desk on floor 2."),
        ("¿Hasta cuándo se paga?", "La cuota se puede pagar antes del 5 de mayo.", "5 de mayo"),
        ("Quem limpa a sala?", "Marta limpa a sala antes do fecho.", "Marta"),
        ("Колко стаи има?", "Сградата на хотела има 40 стаи.", "40 стаи"),
        ("提前几天申请？", "希望休假的员工应提前14天申请。", "14天"),
        ("Kapan diajukan?", "Cuti diajukan 14 hari sebelumnya.", "14 hari"),
    ],
    ids=[
        "is used to",
        "tool used to",
        "planned for",
        "asked for",
        "es",
        "pt",
        "hotel",
        "relative clause",
        "id",
    ],
)
def test_words_that_only_look_like_earlier_times_or_wishes_are_none(
    question: str, passage: str, draft: str
) -> None:
    found = evidence.compare(asked(question, passage), draft)
    assert "former_or_wished" not in {objection.code for objection in found.objections}
