"""Words that identify languages with a shared alphabet, and the names of languages.

Both lists are far more reliable on five words than letter statistics, and cost nothing: messages that consist
of one phrase ("gracias", "terima kasih"), and the function words of every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rag.language.tables import languages


@cache
def messages() -> Mapping[str, str]:
    """Return the language of messages that consist of one phrase (lower case, without punctuation)."""
    return {phrase: code for code, one in languages().items() for phrase in one.detection.messages}


@cache
def small_words() -> Mapping[str, frozenset[str]]:
    """Return, for each function word in Latin letters, the languages that have it."""
    found: dict[str, frozenset[str]] = {}
    for code, one in languages().items():
        for word in (*one.words.stop, *one.words.small) if one.detection.family == "Latin" else ():
            found[word] = found.get(word, frozenset()) | {code}
    return found


LANGUAGE_NAMES: dict[str, str] = {
    "am": "Amharic", "ar": "Arabic", "be": "Belarusian", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan",
    "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French", "gu": "Gujarati", "he": "Hebrew",
    "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "hy": "Armenian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ka": "Georgian", "kk": "Kazakh", "km": "Khmer", "kn": "Kannada", "ko": "Korean",
    "lo": "Lao", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian", "ml": "Malayalam", "mr": "Marathi",
    "ms": "Malay", "my": "Burmese", "nb": "Norwegian", "ne": "Nepali", "nl": "Dutch", "no": "Norwegian",
    "pa": "Punjabi", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "si": "Sinhala",
    "sk": "Slovak", "sl": "Slovenian", "sq": "Albanian", "sr": "Serbian", "sv": "Swedish", "sw": "Swahili",
    "ta": "Tamil", "te": "Telugu", "th": "Thai", "tl": "Tagalog", "tr": "Turkish", "uk": "Ukrainian",
    "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
"""English names of the languages, by ISO 639-1 code."""
