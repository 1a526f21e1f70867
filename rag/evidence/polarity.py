"""Yes and no: which questions ask for them, which words say them, and how a sentence answers.

The words are tables by language; patterns of all languages are tried on every text, because chats mix
languages. Texts are expected as `bank.fold` leaves them.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import regex

from rag.evidence.directions import without_limits
from rag.language.negation import denies

Polarity = Literal["yes", "no"]

_YES = {
    "en": "yes yep yeah correct indeed",
    "ru": "да верно конечно",
    "es": "sí si correcto claro",
    "id": "ya betul benar",
    "ko": "네 예 그렇습니다 맞습니다",
    "zh": "是的 是 对 对的 可以 能 会 有",
}
_NO = {
    "en": "no nope",
    "ru": "нет",
    "es": "no",
    "id": "tidak bukan",
    "ko": "아니요 아니오 아닙니다 아니",
    "zh": "不是 不 否 不可以 不能 不会 不行 没有",
}
_ASKING = {
    "en": "who whom whose which what when where why how",
    "ru": (
        "кто кого кому кем ком что чего чему чем чём какой какая какое какие какого какую какою каком какому"
        " каким каких какими каков какова каково каковы когда где куда откуда почему зачем отчего как сколько"
        " скольких чей чь\\w+ который которая которое которого"
    ),
    "es": "qué quién quiénes cuál cuáles cuándo dónde adónde cómo cuánto cuánta cuántos cuántas",
    "id": "siapa siapakah mana manakah dimana kapan mengapa kenapa bagaimana berapa berapakah apa",
}
_ASKING_FIRST = "que quien quienes cual cuales cuando donde como cuanto cuanta cuantos cuantas"
"""Spanish question words, unaccented: within a sentence they do not ask anything."""
_ASKING_UNSPACED = (
    r"谁|哪|什么|几|多少|多[久长大高深远快重]|何|怎|为啥"
    r"|누구|누가|무엇|뭐|무슨|어디|언제|왜|어떻게|어떤|어느|몇|얼마|며칠"
)
_POLAR_MARKS = (
    r"^(?:is|are|was|were|do|does|did|may|can|could|must|shall|should|will|would|has|have|had|am)\b"
    r"|\bли\b|^(?:правда|верно)\b|\w+kah\b(?<!siapakah|manakah|berapakah)|吗|嗎|是否|能否|可否|是不是|能不能|可不可以"
)
_ALTERNATIVES = {"en": "or", "ru": "или", "es": "o u", "id": "atau"}
_ALTERNATIVES_UNSPACED = "还是|抑或|아니면|또는|혹은"
_FINER_THAN_A_YEAR = (
    r"\b(?:what|which|exact|full) (?:\w+ )?(?:date|day|month)\b|\bwhat time\b"
    r"|как(?:ого|ое|ом|ой) (?:\w+ )?(?:числ|дат|дн|день|месяц)"
    r"|\b(?:qué|cuál) (?:\w+ ){0,2}(?:día|fecha|mes|hora)\b|\b(?:tanggal|bulan|hari|jam) (?:apa|berapa)\b"
    r"|几[月日号点]|哪一?[天日]|哪个?月|日期|며칠|몇 ?월|몇 ?일|날짜|몇 ?시"
)


def _words(table: dict[str, str]) -> str:
    return "|".join(sorted({word for row in table.values() for word in row.split()}, key=len, reverse=True))


_ASKS_FOR_MORE = regex.compile(
    rf"(?<![\w-])(?:{_words(_ASKING)})(?!\w)|^ ?(?:{'|'.join(_ASKING_FIRST.split())})\b|{_ASKING_UNSPACED}"
)
_POLAR = regex.compile(_POLAR_MARKS)
_LEADING = regex.compile(
    rf"\W*(?:(?P<yes>{_words(_YES)})|(?P<no>{_words(_NO)}))(?:(?=[\s,，.。;；:：!！—–-])|$)"
)
_CHOICE = regex.compile(rf"\b(?:{_words(_ALTERNATIVES)})\b|{_ALTERNATIVES_UNSPACED}")
_INSTEAD = regex.compile(
    r"\b(?:rather than|instead of|as opposed to|unlike|вместо|в отличие от|en lugar de|en vez de"
    r"|alih-alih|daripada)\b|而非|而不是|대신"
)
_PIECE = regex.compile(r"\p{Han}|[\w'’-]+?(?=\p{Han})|[\w'’-]+")
_HAN_LETTER = regex.compile(r"\p{Han}")
_FINER = regex.compile(_FINER_THAN_A_YEAR)
_QUESTION_OPENING = regex.compile(r"[¿¡\W]+")


def asks_yes_or_no(question: str) -> bool:
    """Whether a folded question expects yes or no: by its form, or because it has no question word."""
    plain = _QUESTION_OPENING.sub(" ", question[:4]).lstrip() + question[4:]
    return bool(_POLAR.search(plain)) or not _ASKS_FOR_MORE.search(plain)


def offers_choice(question: str) -> bool:
    """Whether a folded question offers alternatives: "Paris or Rome?"."""
    return bool(_CHOICE.search(question))


def asks_finer_than_a_year(question: str) -> bool:
    """Whether a folded question wants a day, a month or a time, so that a year alone does not answer it."""
    return bool(_FINER.search(question))


def leading_word(text: str) -> tuple[Polarity | None, str]:
    """The yes or no that a folded text begins with, and the rest of the text."""
    match = _LEADING.match(text)
    if not match:
        return None, text
    return ("yes" if match["yes"] else "no"), text[match.end() :].strip(" ,，.。;；:：!！—–-")


def opposed(one: str, other: str) -> bool:
    """Whether one of two folded texts denies what the other one says.

    Only denials that one text has alone count: "may not print without a badge" has one more "not" than
    "may they print without a badge?", and both have "without".
    """
    return _denies_alone(one, other) != _denies_alone(other, one)


def answers(text: str, question: str) -> Polarity:
    """Whether a folded text answers a yes-or-no question with yes or no."""
    leading, rest = leading_word(text)
    return leading or ("no" if opposed(rest, question) else "yes")


def excludes(clause: str) -> bool:
    """Whether a clause sets something apart from what it affirms: "rather than", "instead of"."""
    folded = without_limits(clause.casefold())
    return denies(folded) or bool(_INSTEAD.search(folded))


def _denies_alone(text: str, other: str) -> bool:
    left = Counter(_PIECE.findall(other))
    alone: list[str] = []
    for piece in _PIECE.findall(text):
        if left[piece]:
            left[piece] -= 1
        else:
            alone.append(piece if _HAN_LETTER.match(piece) else f" {piece} ")
    return denies("".join(alone))
