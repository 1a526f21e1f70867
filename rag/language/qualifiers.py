"""Small words on which a rule hangs: without "only", "unless" or "may" a sentence says something else.

They hold no fact that could be looked up, so whoever compares facts does not miss them.
"""

from __future__ import annotations

from collections import Counter

import regex

_KINDS: dict[str, tuple[str, str]] = {
    "only": (
        "only solely exclusively только лишь исключительно hanya cuma saja solo sólo solamente únicamente",
        r"(?<=\p{Hangul})(?<![지백천십])만(?=[\s.,이을은]|$)|오직|仅|只有|只能|唯",
    ),
    "except": (
        "except unless besides кроме если_не за_исключением kecuali selain excepto salvo a_menos_que",
        "제외|외에|除外|除了|除非",
    ),
    "may": (
        "may might can could может могут можно boleh bisa dapat mungkin puede pueden podría podrían",
        "수 있|可以|能够|可能",
    ),
    "must": (
        (
            r"must shall should has_to have_to had_to need_to needs_to needed_to required"
            r" должн\w+ обязан\w* нужно надо следует необходимо"
            r" harus wajib perlu debe deben deberá\w* hay_que tienes?_que tienen_que"
        ),
        "해야|필수|必须|应该|应当|需要",
    ),
    "all": (
        (
            r"all every each any always все всё всех всем каждый каждая каждую любой всегда"
            r" semua setiap selalu seluruh todos? todas? cada siempre cualquier\w*"
        ),
        "모든|모두|항상|每|所有|全部|任何|总是",
    ),
    "some": (
        (
            r"some sometimes usually often mostly rarely некотор\w+ иногда обычно часто редко"
            r" beberapa sebagian kadang\w* biasanya sering jarang algun[oa]s? a_veces normalmente usualmente"
        ),
        "일부|가끔|보통|有些|部分|有时|通常|经常",
    ),
    "at least": (
        r"at_least no_less_than не_менее минимум minimal setidaknya sekurang\w* al_menos como_mínimo",
        "이상|최소|最少|至少|不少于",
    ),
    "at most": (
        "at_most up_to no_more_than не_более максимум maksimal paling_banyak como_máximo",
        "이하|최대|最多|至多|不超过",
    ),
    "before": ("before until prior_to перед раньше прежде sebelum sampai antes hasta", "전에|까지|之前|以前"),
    "after": ("after since после спустя setelah sesudah sejak después tras desde", "후에|이후|之后|以后"),
    "if": (
        "if when provided если когда при_условии jika kalau bila ketika si cuando",
        "경우|하면|라면|如果|若",
    ),
}
"""By kind: the words of scripts with spaces (``_`` for a space within), and patterns of those without."""

_PATTERNS = {
    kind: regex.compile(rf"\b(?:{'|'.join(spaced.split()).replace('_', ' ')})\b|{joined}", regex.IGNORECASE)
    for kind, (spaced, joined) in _KINDS.items()
}


def qualifiers(sentence: str) -> Counter[str]:
    """How often each kind of such a word stands in a sentence, by the name of the kind."""
    counts = {kind: len(pattern.findall(sentence)) for kind, pattern in _PATTERNS.items()}
    return Counter({kind: count for kind, count in counts.items() if count})
