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
    "more": (
        (
            r"more_than over above exceed\w* older_than longer_than higher_than larger_than later_than"
            r" более_чем больше_чем больше выше свыше старше дольше позже"
            r" lebih_dari di_atas melebihi más_de más_que encima_de mayor(?:es)?_(?:de|que) superior(?:es)?_a"
        ),
        "초과|넘[는게어으을]|超过|超過|高于|多于|大于|以上",
    ),
    "less": (
        (
            r"less_than fewer_than under below younger_than shorter_than lower_than smaller_than earlier_than"
            r" менее_чем меньше_чем меньше ниже младше короче раньше_чем"
            r" kurang_dari di_bawah menos_de menos_que debajo_de menor(?:es)?_(?:de|que) inferior(?:es)?_a"
        ),
        "미만|低于|少于|小于|不足|以下",
    ),
    "none": (
        "none nobody no_one никто ничто никаки\\w+ ни_один tidak_ada_yang ninguno ningún ninguna nadie",
        "아무도|没有人|没人|无人|谁也",
    ),
    "most": (
        "(?<!at_)most majority большинств\\w+ большая_часть kebanyakan sebagian_besar mayoría mayor_parte",
        "대부분|大多数|多数|大部分",
    ),
    "without": ("without без tanpa sin", "없이|没有|沒有|不带|无需"),
    "need not": (
        (
            r"need_not needn't do_not_(?:have|need)_to does_not_(?:have|need)_to don't_(?:have|need)_to"
            r" не_(?:нужно|надо|обязан\w*|требуется) tidak_(?:perlu|harus|wajib) no_(?:hay_que|necesita\w*)"
        ),
        "필요(?:가|는)? ?없|不必|不需要|不用|无需",
    ),
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
