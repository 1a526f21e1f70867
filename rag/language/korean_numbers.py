"""Numbers in Korean words in a text: 천이백 원, 2억 3천만, 삼십오 일, 스물다섯 개.

Sino-Korean syllables are parts of everyday words (이 is "this", 일 is "work"), so a number must end like a
number, a single syllable must stand before what it counts, and so must two syllables that are a word as well.
"""

from __future__ import annotations

import re
from decimal import Decimal

from rag.language.east_asian import has_power, read_number, zeros
from rag.language.numeral import Numeral, Reading, normal_form

_DIGITS = "영일이삼사오육칠팔구"
_POWERS = "십백천만억조"
_SIGNS = _DIGITS + _POWERS
_FIGURES = r"\d{1,15}(?:,\d{3})*+(?:\.\d{1,15})?+"
_PARTICLES = (
    "으로|이상|이하|이내|미만|정도|가량|까지|부터|에서|마다|짜리|동안|밖에|보다|만큼|이며|이고|이다|이나|이라|입니다"
    "|이었다|였다|이었습니다|였습니다|쯤|경|인|이|가|은|는|을|를|에|의|로|도|만|와|과|씩|당|간|째|전|후|내|나|며|고"
)
WORD_END = rf"(?=(?:{_PARTICLES}){{0,2}}(?![가-힣]))"
"""Where a Korean word may end: before other signs, or before particles that hang on it."""
_COUNTERS = (
    "개월|개국|개소|개|명|번째|번|시간|시|살|달|가지|배|주일|주년|주간|주|장|권|대|줄|곳|군데|차례|마리|그루|잔|병|채"
    "|켤레|쌍|단계|종류|쪽|팀|분기|분|초|해|나라|사람|도시|서버|파일|문서|항목|팀|부서|자리|건|회|호|층|년도|년|년간"
    "|월|일간|일|원|달러|유로|엔|위안|퍼센트|프로|미터|킬로미터|센티미터|킬로그램|그램|킬로|톤|리터|도|점|세|인|부|편|평"
    "|기가바이트|메가바이트|바이트|글자|단어|문장|페이지|섬|형제|친구|아이|학생|직원|요소|방법|이유|부분|조각|그룹|노드"
)
_COUNTER = re.compile(rf"[ ]?(?:{_COUNTERS}){WORD_END}")
_NEAR_COUNTER = re.compile(
    rf"(?:개월|퍼센트|프로|킬로미터|센티미터|미터|킬로그램|그램|달러|유로|위안|기가바이트|메가바이트|바이트|주일|년간|개국){WORD_END}"
)
"""What a single syllable may count without a space: 이개월 is nothing else, 이번 is "this time"."""
_FAR_COUNTER = re.compile(
    rf"[ ](?:개월|퍼센트|프로|킬로미터|센티미터|미터|킬로그램|그램|톤|리터|달러|유로|위안|원"
    rf"|년간|년|일간|일|주일|개국|개|"
    rf"명|번|회|분|초|층|권|장|배|점|호|기가바이트|메가바이트|바이트){WORD_END}"
)
_THIS = re.compile(rf"[ ](?:개월|퍼센트|킬로미터|센티미터|미터|킬로그램|그램|달러|유로|위안|개국){WORD_END}")
_END = re.compile(rf"{WORD_END}|여?{_COUNTER.pattern}")
_HOUR = re.compile(rf"[ ]?시{WORD_END}")
_WORDS = frozenset(
    [
        "이만",
        "오만",
        "사만",
        "일만",
        "이천",
        "사천",
        "구천",
        "이백",
        "천사",
        "만사",
        "만일",
        "천만",
        "백일",
        "천일",
        "백이",
        "천이",
        "만이",
        "억이",
        "조이",
        "조사",
        "조일",
        "조오",
        "조구",
        "일조",
        "이조",
        "사조",
        "오조",
        "육조",
        "구조",
        "칠조",
        "팔조",
        "일억",
        "백만",
        "만오",
        "만구",
        "백사",
        "백오",
        "십조",
        "백조",
        "천조",
    ]
)
"""Two syllables that are a word as well: 천사 is an angel, 만일 "if", 구조 a structure."""
_MIXED = re.compile(
    rf"(?=[제\d])(?<![\d.,])(?P<lead>제?)(?P<first>{_FIGURES})[ ]?+[{_POWERS}]++"
    rf"(?:(?:(?<=[만억조])[ ])?\d{{1,4}}+(?![\d.,]\d)(?:[{_POWERS}]++|(?![^\W\d_]|[.,]\d)))*+"
)
_RUN = re.compile(
    rf"(?=[제{_SIGNS}])(?<![가-힣0-9])(?P<lead>제?)(?P<run>[{_SIGNS}]++(?:(?<=[만억조])[ ][{_SIGNS}]++)*+)"
)
_POINT = re.compile(rf"[ ]?점[ ]?(?P<digits>[{_DIGITS}](?:[ ]?[{_DIGITS}])*+)(?![가-힣])")
_NATIVE_TENS = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80,
    "아흔": 90,
}  # fmt: skip
_NATIVE = {
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "넷": 4, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7,
    "여덟": 8, "아홉": 9,
}  # fmt: skip
_NATIVE_STARTS = "".join(sorted({word[0] for word in (*_NATIVE_TENS, *_NATIVE)}))
_NATIVE_RUN = re.compile(
    rf"(?=[{_NATIVE_STARTS}])(?<![가-힣0-9])"
    rf"(?P<tens>{'|'.join(_NATIVE_TENS)})?(?P<unit>{'|'.join(_NATIVE)})?(?<=[가-힣])"
)
_NATIVE_BEHIND = re.compile(
    rf"[ ]?(?:(?:{'|'.join(_NATIVE_TENS)})(?:{'|'.join(_NATIVE)})?|(?:{'|'.join(_NATIVE)})(?=[ ]))"
)
_NEEDS_COUNTER = frozenset({"세", "네", "열", "쉰"})
_GLUED_COUNTER = re.compile(rf"(?:개|번째|번|명|시간|가지|살|달|곳|마리|권|단계|군데|차례|주일){WORD_END}")
"""What a single native syllable may count without a space: 세개, but 세대 is a generation."""
_ARTICLE = "조"
_MONEY = re.compile(r"[ ]?(?:원|달러|유로|엔|위안|이상|이하|정도|규모)")
_DAYS = re.compile("[ ]?(?:간|째|동안|이내|까지|전|후|마다|이상|이하)")
_HANGUL = re.compile("[가-힣]")


def may_hold(text: str) -> bool:
    """Whether `text` may hold a number in Korean words."""
    return _HANGUL.search(text) is not None


def read(text: str, *, liberal: bool) -> list[Reading]:
    """Read the numbers in Korean words of `text`; `liberal` as in `numerals.numerals`."""
    if not _HANGUL.search(text):
        return []
    found = [_read_mixed(text, match) for match in _MIXED.finditer(text)]
    found += [_read_run(text, match) for match in _RUN.finditer(text)]
    found += [_read_native(text, match, liberal=liberal) for match in _NATIVE_RUN.finditer(text)]
    return [
        Reading(None, reading.start, reading.end) if _is_time(text, reading) else reading
        for reading in found
        if reading is not None and (liberal or reading.numeral is None or reading.numeral.normal != "1")
    ]


def _is_time(text: str, reading: Reading) -> bool:
    """세 시 삼십 분 is a time of day, and neither three nor half an hour."""
    is_minute = text[max(0, reading.start - 2) : reading.start] == "시 "
    return is_minute or _HOUR.match(text, reading.end) is not None


def _reading(value: Decimal | None, start: int, end: int, shift: int = 0) -> Reading:
    return Reading(Numeral(normal_form(value), start, end, shift) if value is not None else None, start, end)


def _read_mixed(text: str, match: re.Match[str]) -> Reading | None:
    """Figures with powers: 5만, 1만 2천, 3천5백만."""
    start, end = match.start("first"), match.end()
    written = match.group()[match.start("first") - match.start() :]
    if not _END.match(text, end):  # 2023 조사, 3조각
        is_cut = " " not in written and not set("십백천억").isdisjoint(written)
        return Reading(None, start, end) if is_cut else None
    value = read_number(written)
    if written.endswith(_ARTICLE) and value is not None:
        if match["lead"]:
            return None  # 제25조 is an article of a law
        if not _MONEY.match(text, end):
            figures = match["first"].replace(",", "")
            normal = f"{normal_form(value)}|{normal_form(Decimal(figures))}"
            return Reading(Numeral(normal, start, end), start, end)
    return _reading(value, start, end, zeros(written))


def _read_run(text: str, match: re.Match[str]) -> Reading | None:
    start, end = match.span("run")
    written = match["run"]
    first, _, rest = written.partition(" ")
    if rest and not _END.match(text, end):
        written, end = first, start + len(first)  # 백만 일본 …
    elif rest and len(written.rsplit(" ", 1)[1]) == 1 and not _COUNTER.match(text, end):
        return Reading(None, start, end)  # 만 일
    if text.startswith("분의", end) or text.startswith("월", end) or text[max(0, start - 2) : start] == "월 ":
        return Reading(None, start, end)
    native = _NATIVE_BEHIND.match(text, end) if written[-1] in _POWERS else None
    if native is not None:
        return Reading(None, start, native.end())  # 백 두 번째
    point = _POINT.match(text, end)
    if point is not None:
        whole = read_number(written) if has_power(written) else None
        digits = "".join(str(_DIGITS.index(sign)) for sign in point["digits"].replace(" ", ""))
        value = None if whole is None else whole + Decimal(f"0.{digits}")
        return _reading(value, start, point.end())
    if len(written) == 1:
        return _read_single(text, start, end)
    if not has_power(written) or not _END.match(text, end):
        return None
    if written in _WORDS and not _COUNTER.match(text, end):
        return None
    return _read_powers(text, match, written, start, end)


def _read_powers(text: str, match: re.Match[str], written: str, start: int, end: int) -> Reading | None:
    if written.endswith(_ARTICLE):
        if match["lead"]:
            return _reading(read_number(written[:-1]), start, end - 1)
        if not _MONEY.match(text, end):
            return Reading(None, start, end)
    value = read_number(written)
    if value is None and written[-1] in "일이":  # 삼십오일 are days, in 삼십오이 hangs a particle
        return _reading(read_number(written[:-1]), start, end - 1)
    if written[-1] == "일" and written[-2] in _POWERS and not _COUNTER.match(text, end) and value is not None:
        if match["lead"]:
            return _reading(value, start, end)
        if _DAYS.match(text, end):
            return _reading(value - 1, start, end - 1)
        # 오십일 is 51, or 50 days
        normal = f"{normal_form(value)}|{normal_form(value - 1)} day"
        return Reading(Numeral(normal, start, end), start, end)
    return _reading(value, start, end, zeros(written))


def _read_single(text: str, start: int, end: int) -> Reading | None:
    sign = text[start]
    counter = _THIS if sign == "이" else _FAR_COUNTER
    if not (counter.match(text, end) or _NEAR_COUNTER.match(text, end)):
        return None
    value = read_number(sign) if sign in _POWERS else Decimal(_DIGITS.index(sign))
    return _reading(value, start, end) if value is not None else None


def _read_native(text: str, match: re.Match[str], *, liberal: bool) -> Reading | None:
    start, end = match.span()
    value = _NATIVE_TENS.get(match["tens"] or "", 0) + _NATIVE.get(match["unit"] or "", 0)
    glued = end - start == 1 and text[end : end + 1] != " "
    counted = (_GLUED_COUNTER if glued else _COUNTER).match(text, end) is not None
    if match.group() in _NEEDS_COUNTER and not counted and not liberal:
        return None
    if not counted and not (text[end : end + 1] == " " or _END.match(text, end)):
        return None
    if glued and not counted:
        return None
    return _reading(Decimal(value), start, end)
