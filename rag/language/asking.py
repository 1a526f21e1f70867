"""What a question asks for, by its question words: a person, a moment, an amount, or anything else.

The words are data, by language; those of all languages are tried on every question, because chats mix
languages and a question word of one is hardly ever a word of another.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import regex

Sought = Literal["who", "when", "count", "other"]

_YEAR_EN = "year|date|day|month|time|century|decade"
_WORDS: dict[Sought, dict[str, str]] = {
    "who": {
        "en": r"\b(?:who|whom|whose)\b",
        "ru": r"\b(?:кто|кого|кому|кем|чей|чья|чь[её]|чьи)\b",
        "es": r"\bqui[eé]n(?:es)?\b",
        "id": r"\bsiapa\b",
        "ko": r"누가|누구",
        "zh": r"谁|誰|何人|哪(?:位|个人|些人)",
    },
    "when": {
        "en": rf"\bwhen\b|\b(?:what|which) (?:{_YEAR_EN})\b",
        "ru": r"\bкогда\b|\bкак\w+ (?:год|дат|числ|месяц|день|дня|век)\w*",
        "es": r"\bcuándo\b|\bqué (?:año|fecha|día|mes|siglo|década|hora)\b",
        "id": r"\bkapan\b|\b(?:tahun|tanggal|bulan|hari|jam) (?:berapa|apa)\b",
        "ko": r"언제|며칠|몇 ?(?:년|월|일|시)(?!간)|어느 ?(?:해|날|달)",
        "zh": r"什么时[候间]|何[时年]|哪一?(?:年|天|月|日|个月)|几(?:月|年|日|号|点)|什么日期",
    },
    "count": {
        "en": (
            r"\bhow (?:many|much|long|old|tall|far|big|large|deep|high|often|fast|heavy|wide)\b"
            r"|\bwhat (?:percent\w*|number|amount|proportion|share)\b"
        ),
        "ru": (
            r"\bскольк\w+\b|\bкак (?:долго|часто|далеко)\b"
            r"|\bкак\w+ (?:процент|дол[яиюе]|количеств|возраст|част[ьию])\w*"
        ),
        "es": (
            r"\bcuánt[oa]s?\b|\bqué (?:porcentaje|cantidad|número|proporción)\b"
            r"|\bcuál es (?:el|la) (?:número|cantidad|porcentaje)\b"
        ),
        "id": r"(?<!tahun |tanggal |bulan |hari |jam )\bberapa\b|\bseberapa\b",
        "ko": r"얼마|몇(?! ?(?:년|월|일|시)(?!간))",
        "zh": r"多少|几(?![月年日号点])|多(?:长|高|大|久|远|重|深|宽|快)",
    },
    "other": {
        "en": r"\b(?:where|why|what|which|how)\b",
        "ru": r"\b(?:где|куда|откуда|почему|зачем|отчего|что|чего|чему|чем|как\w*|котор\w+)\b",
        "es": r"\b(?:a?dónde|por qué|cómo|qué|cuál|cuáles)\b",
        "id": r"\b(?:mana|manakah|mengapa|kenapa|bagaimana|apa)\b",
        "ko": r"어디|왜|어떻게|어째서|무엇|무슨|뭐|뭘|어떤|어느",
        "zh": r"为什么|为何|為何|怎[么样]|怎樣|如何|什么|什麼|哪|何|啥|原因",
    },
}
"""By what is sought, and by language. Places, reasons and things are not told apart: it measures nothing."""

_PATTERNS: dict[Sought, regex.Pattern[str]] = {
    kind: regex.compile("|".join(words.values()), regex.IGNORECASE) for kind, words in _WORDS.items()
}
_CLOSED = regex.compile(
    r"[?？]\s*$|[吗嗎]|是否|能不能|可不可以|\bapakah\b|(?:까|나요)[?.]?\s*$", regex.IGNORECASE
)


@lru_cache(maxsize=512)
def sought(question: str) -> frozenset[Sought]:
    """What a question asks for; nothing for a question of yes and no, or for no question.

    A moment is no amount: "in what year" seeks the one, "how many years" the other.
    """
    return frozenset(kind for kind, pattern in _PATTERNS.items() if pattern.search(question))


def is_closed(question: str) -> bool:
    """Whether a question wants a yes or a no."""
    return not sought(question) and bool(_CLOSED.search(question))
