from __future__ import annotations

import time

import pytest

from rag.language import asking


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Who keeps it?", "who"), ("In what year was it built?", "when"), ("How many doors are there?", "count"),
        ("Where is it?", "other"), ("Why is it closed?", "other"), ("Which key fits?", "other"),
        ("Кто это хранит?", "who"), ("В каком году?", "when"), ("Сколько дверей?", "count"),
        ("Где ключ?", "other"), ("Почему закрыто?", "other"), ("Какой ключ?", "other"),
        ("¿Quién la guarda?", "who"), ("¿En qué año se hizo?", "when"), ("¿Cuántas puertas hay?", "count"),
        ("¿Dónde está?", "other"), ("¿Por qué está cerrada?", "other"), ("¿Qué llave?", "other"),
        ("Siapa yang menyimpan?", "who"), ("Kapan dibuka?", "when"), ("Berapa pintu?", "count"),
        ("Di mana kuncinya?", "other"), ("Mengapa tutup?", "other"), ("Apa kuncinya?", "other"),
        ("누가 보관하나요?", "who"), ("언제 열리나요?", "when"), ("얼마인가요?", "count"),
        ("어디에 있나요?", "other"), ("왜 닫았나요?", "other"), ("무엇인가요?", "other"),
        ("谁保管？", "who"), ("哪一年建成？", "when"), ("有多少扇门？", "count"),
        ("在哪里？", "other"), ("为什么关门？", "other"), ("什么钥匙？", "other"),
    ],
)  # fmt: skip
def test_question_word_tells_what_is_sought(question: str, kind: asking.Sought) -> None:
    assert kind in asking.kinds_asked(question)
    assert not asking.wants_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "May guests use the printer?", "Могут ли гости печатать?", "¿Pueden imprimir los invitados?",
        "Apakah tamu boleh mencetak?", "손님도 인쇄할 수 있나요?", "访客可以打印吗？", "访客是否可以打印",
        "Is the office open when it rains?", "Можно ли гостям печатать?", "Bolehkah tamu mencetak?",
    ],
)  # fmt: skip
def test_question_for_yes_or_no_is_known(question: str) -> None:
    assert asking.wants_yes_or_no(question)


@pytest.mark.parametrize(
    "question",
    [
        "Who may print?", "In which office is the printer?", "¿Quién puede imprimir?", "Como se imprime?",
        "Кто печатает?", "По какому признаку их делят?", "Siapa yang boleh mencetak?",
        "Siapakah yang mencetak?", "谁可以打印？", "누가 인쇄합니까?",
    ],
)  # fmt: skip
def test_question_with_one_wants_more_than_yes_or_no(question: str) -> None:
    assert not asking.wants_yes_or_no(question)


@pytest.mark.parametrize("text", ["Guests may print.", "", "Гости печатают."])
def test_statement_asks_for_nothing(text: str) -> None:
    assert not asking.wants_yes_or_no(text)


@pytest.mark.parametrize("piece", ["how ", "как ", "какой ", "几", "몇 ", " " * 7, "qué "])
def test_huge_text_is_read_in_no_time(piece: str) -> None:
    started = time.perf_counter()
    asking.kinds_asked(piece * 20_000)
    asking.wants_yes_or_no(piece * 20_000)
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    ("question", "sentence", "words", "misses"),
    [
        ("How many days of leave are there a year?", "There are 28 days of leave a year.", "28", False),
        ("How many suppliers do we have?", "Suppliers: Brown, Miller", "Brown", True),
        ("Which is the cheapest plan?", "Plan A costs 5 EUR.", "5 EUR", True),
        ("Which is the cheapest plan?", "The cheapest plan is A.", "A", False),
        ("What does plan A cost?", "Plan A costs 5 EUR.", "5 EUR", False),
        ("What may a room cost at most?", "A room may cost up to 90 EUR.", "up to 90 EUR", False),
    ],
)
def test_part_does_not_answer_for_the_whole(question: str, sentence: str, words: str, misses: bool) -> None:
    assert asking.misses_whole(question, sentence, words) is misses


@pytest.mark.parametrize(
    ("question", "is_whole"),
    [
        ("Please list the rooms.", True),
        ("Give me a list of suppliers", True),
        ("Who is on the board of the club?", True),
        ("¿Quiénes forman la junta directiva?", True),
        ("Кто входит в правление?", True),
        ("Siapa saja anggota dewan?", True),
        ("이사회 구성원은 누구인가요?", True),
        ("理事会有谁？", True),
        ("On which port does the agent listen?", False),
        ("How long is the waiting list?", False),
        ("Combien dure la liste d'attente ?", False),
        ("¿Dónde está la lista de precios?", False),
        ("Bagaimana cara daftar?", False),
        ("Who is in charge of the office?", False),
        ("Does the shop open every day?", False),
        ("What is the best way to reset my password?", False),
        ("Do you have any parking at all?", False),
        ("Только что сломался насос, что делать?", False),
        ("Как лучше добраться до офиса?", False),
        ("每个月几号发工资？", False),
        ("¿A qué hora abre cada día?", False),
        ("每个员工有几天假？", True),
        ("Does every office have a kitchen?", True),
    ],
)
def test_question_about_all_members_is_told_from_one_about_a_list(question: str, is_whole: bool) -> None:
    assert asking.asks_whole(question) is is_whole
