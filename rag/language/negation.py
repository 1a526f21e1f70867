"""Whether a clause denies something, in the languages of the product.

A clause is a sentence's part between commas and "and", "but" and their like: "needs Java 17 and does not
start with 11" says no of 11 only. Phrases such as "no more than" limit and do not deny.
"""

from __future__ import annotations

import regex

_LIMITS = regex.compile(
    r"\bno(?:t)? (?:more|less|fewer|later|earlier|longer) than\b|\bnot only\b|\bnot exceed\w*"
    r"|\bне (?:более|менее|больше|меньше|позднее|позже|ранее|раньше|только|превыша\w+)\b"
    r"|\bno (?:más|mas|menos) de\b|\bno solo\b|\btidak (?:lebih|kurang)\b"
    r"|不超过|不得超过|不少于|不低于|不晚于|不仅",
    regex.IGNORECASE,
)
_DENIALS = regex.compile(
    r"\b(?:no|not|never|none|neither|nor|without|cannot|unsupported|deprecated|discontinued|obsolete"
    r"|dropped|retired|withdrawn|phased out|end[- ]of[- ]life|forbidden|prohibited)\b|n['’]t\b"
    r"|\b(?:не|ни|нет|без|нельзя|никогда|больше не|устарел\w*|прекращ\w+|снят\w*|упраздн\w+|запрещ\w+)\b"
    r"|\b(?:nunca|sin|jamás|tampoco|ningún|ninguna|obsolet[oa]s?|descontinuad[oa]s?|retirad[oa]s?|prohibid[oa]s?)\b"
    r"|\b(?:tidak|tak|bukan|tanpa|belum|jangan|enggak|nggak|gak|dilarang|dihentikan|dicabut)\b"
    r"|\b(?:nicht|kein\w*|ohne|nie)\b"
    # 别 is "do not" unless it is a part of a word: 分别, 特别, 别的, 别名.
    r"|[不没無无未勿]|(?<![分特区级类个识性差告辨派组国鉴职离送道惜])别(?![的名人处墅致具墨称样扭针号])|禁止|停用|废弃|弃用|移除"
    r"|(?:지 ?않|지 ?못|지 ?마|없[다이는어습]|아니[다라며고]|금지|중단|폐지)",
    regex.IGNORECASE,
)
_NEGATIONS = regex.compile(
    r"\b(?:not|cannot|never)\b|n['’]t\b|\bno longer\b|\b(?:не|нельзя)\b"
    r"|\bno\b(?:\W{1,3}\w+){1,4}\W{1,3}(?:nunca|jamás|nada|nadie|ningun[oa]?|ningún)\b"
    r"|\b(?:no|nunca|jamás)\b(?!\.)"
    r"|\b(?:tidak|tak|bukan|belum|jangan|enggak|nggak|gak)\b"
    r"|[不没沒未勿]|지 ?않|지 ?못|지 ?마|수 ?없|\b안(?= )",
    regex.IGNORECASE,
)
"""Words that turn the sentence they stand in. "Without" and "prohibited" deny something, but turn nothing; a
second word of denial beside "not" turns it back in no language but English and Chinese."""
_BORDERS = regex.compile(
    r"(?<!\d)[,:]|[,:](?!\d)|[;，、；：—–()（）]|\b(?:and|but|while|whereas|и|а|но|однако|y|pero|dan|tetapi|tapi|und|aber)\b|但是?|而且?",
    regex.IGNORECASE,
)


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, in order."""
    return [piece for piece in _BORDERS.split(sentence) if piece and piece.strip()]


def negations(sentence: str) -> int:
    """How many words of a sentence turn it into its opposite, such as "not"; "without" turns nothing."""
    return len(_NEGATIONS.findall(_LIMITS.sub(" ", sentence)))


def denies(clause: str) -> bool:
    """Whether a clause says no."""
    return bool(_DENIALS.search(_LIMITS.sub(" ", clause)))
