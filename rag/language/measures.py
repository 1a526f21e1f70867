"""What a number counts: percent, money, time, bytes, lengths, weights; one name in every language."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from rag.language.korean_numbers import word_end

_MEASURES = {
    "%": "% percent percents per-cent процент процента процентов por-ciento persen prozent pourcent "
    "퍼센트 процентам процентами процентах",
    "usd": "usd dollar dollars доллар доллара долларов dólar dólares dolar 美元 달러 доллару доллары "
    "долларах долларами",
    "eur": "eur euro euros евро 欧元 유로",
    "rub": "rub ruble rubles рубль рубля рублей руб 卢布 루블 рублю рублем рублём рубли рублях рублями "
    "рублям",
    "gbp": "gbp pound pounds 英镑",
    "cny": "cny rmb yuan юань юаня юаней 元 人民币 위안",
    "jpy": "jpy yen иен 日元 엔",
    "krw": "krw won вон 원 韩元",
    "idr": "idr rupiah",
    "ms": "ms millisecond milliseconds мс миллисекунд milisegundos milidetik 毫秒 밀리초",
    "s": "s sec secs second seconds с сек секунда секунду секунды секунд segundo segundos detik 秒 "
    "秒钟 초 секундам секундами секундах",
    "min": "min mins minute minutes мин минута минуту минуты минут minuto minutos menit 分钟 분 минутам "
    "минутами минутах",
    "h": "h hr hrs hour hours ч час часа часов hora horas jam 小时 小時 시간 時間 часам часами часах часу "
    "钟头",
    "day": "day days день дня дней día días dia dias hari 天 일 дням днями днях 日 自然日 个自然日",
    # Ten working days are two weeks: a claim of ten days must not pass for them.
    "working day": "working-day working-days business-day business-days workdays рабочий-день рабочих-дня "
    "рабочих-дней рабочим-дням рабочими-днями рабочих-днях 工作日 个工作日 個工作日 días-hábiles "
    "días-laborables hari-kerja 영업일 근무일",
    "week": "week weeks неделя неделю недели недель semana semanas minggu 周 星期 주 неделям неделями "
    "неделях 个星期 个周",
    "month": "month months месяц месяца месяцев mes meses bulan 个月 個月 개월 месяцам месяцами месяцах "
    "месяцем",
    "year": "year years год года лет año años tahun 年 년 годам годами годах году летний летия летие 周年",
    "b": "byte bytes байт байта bytes 字节 바이트",
    "kb": "kb kib kilobyte kilobytes кб килобайт",
    "mb": "mb mib megabyte megabytes мб мегабайт",
    "gb": "gb gib gigabyte gigabytes гб гигабайт",
    "tb": "tb tib terabyte terabytes тб терабайт",
    "km": "km kilometer kilometers kilometre kilometres км километр километра километров kilómetros "
    "公里 километрам километрами километрах 千米",
    "m": "m meter meters metre metres м метр метра метров metros 米 미터 метрам метрами метрах",
    "cm": "cm centimeter centimeters см сантиметров centímetros 厘米 сантиметр сантиметра сантиметрах",
    "mm": "mm millimeter millimeters мм миллиметров milímetros 毫米",
    "mi": "mi mile miles миль millas",
    "ft": "ft foot feet футов pies",
    "kg": "kg kilogram kilograms кг килограмм килограммов kilogramos 公斤 千克 킬로그램 килограммах "
    "килограммами",
    "g": "g gram grams г грамм граммов gramos 克 그램 граммами граммах",
    "°c": "°c ℃ celsius degrees-celsius degrees-c градус-цельсия градуса-цельсия градусов-цельсия "
    "градусах-цельсия градусам-цельсия 摄氏度 攝氏度",
    "°f": "°f ℉ fahrenheit degrees-fahrenheit",
}
_SYMBOLS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "₽": "rub", "₩": "krw", "Rp": "idr"}
_NAMES = {word.replace("-", " "): name for name, words in _MEASURES.items() for word in words.split()}
_WORDS = "|".join(sorted(map(regex.escape, _NAMES), key=len, reverse=True))
_ADJECTIVE = r"(?:(?:календарн|полн)(?:ых|ый|ыми|ым)|calendar|full)"
"""What may stand between a number and what it counts: "five calendar days"."""
_AFTER = regex.compile(
    rf"(?:[ ]{_ADJECTIVE}[ ]|[ ]|-(?!\p{{Cyrillic}}\b))?"
    rf"(?:(?P<symbol>[$€£¥₽₩])|(?P<word>{_WORDS})(?![\p{{Latin}}\p{{Cyrillic}}\d_])(?:(?<![가-힣])|{word_end()})(?<!年(?=[级級代])))",
    regex.IGNORECASE,
)
"""What stands behind a number; no ending of an ordinal (1948-м, 5-м), no longer word (5 원칙, 三年级)."""
_BEFORE = regex.compile(
    r"(?:(?:US|A|C|CA|HK)?(?P<symbol>[$€£¥₽₩])|(?<!\p{L})(?P<rupiah>Rp)\.?|(?P<percent>百分之))[ ]?$"
)
_LONGEST = 24


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number counts (``%``, ``usd``, ``gb`` …) and the stretch that number and measure take."""

    name: str
    start: int
    end: int


def is_name(word: str) -> bool:
    """Whether `word` by itself may be what a number counts."""
    return word in _NAMES


def measure(text: str, start: int, end: int) -> Measure:
    """Find what the number at ``text[start:end]`` counts; an empty name if nothing known is attached."""
    after = _AFTER.match(text, end)
    if after:
        word = after["word"]
        name = _NAMES[word.casefold()] if word else _SYMBOLS[after["symbol"]]
        return Measure(name, start, after.end())
    window = max(0, start - _LONGEST)
    before = _BEFORE.search(text[window:start])
    if before:
        name = "%" if before["percent"] else _SYMBOLS[before["symbol"] or before["rupiah"]]
        return Measure(name, window + before.start(), end)
    return Measure("", start, end)
