"""Everyday words by language, enough to tell apart the languages that share an alphabet.

Two uses: a whole message that is one of the phrases ("gracias", "terima kasih"), and the small words
that every sentence has. Both are far surer on five words than letter statistics, and cost nothing.
"""

from __future__ import annotations

from rag.language.stopwords import STOP_WORDS

_PHRASES = {
    "en": """
        ok, okay, hi, hello, hey, thanks, thank you, many thanks, thx, yes, yeah, yep, no, nope, bye,
        goodbye, good morning, good evening, great, nice, cool, please, sorry, why, how, what, when,
        where, who, which, help, more, continue, go on, explain more, tell me more, and then, really,
        sure, got it, i see, never mind, test
    """,
    "es": """
        hola, buenas, buenos días, buenos dias, buenas tardes, buenas noches, gracias, muchas gracias,
        sí, vale, adiós, hasta luego, perfecto, genial, por favor, perdón, por qué, cómo, qué, cuándo,
        dónde, quién, cuál, ayuda, más, y más, y mas, continúa, sigue, explica más, de nada, claro,
        entendido, de acuerdo
    """,
    "pt": """
        olá, oi, bom dia, boa tarde, boa noite, obrigado, obrigada, muito obrigado, sim, não, tchau, por
        quê, como assim, ajuda, mais, e mais, tudo bem, valeu, desculpe, perfeito
    """,
    "fr": """
        bonjour, salut, bonsoir, merci, merci beaucoup, oui, non, au revoir, s'il te plaît, s'il vous
        plaît, pourquoi, comment, quoi, quand, où, aide, encore, d'accord, parfait, désolé, pardon
    """,
    "de": """
        hallo, guten tag, guten morgen, guten abend, danke, vielen dank, danke schön, ja, nein, tschüss,
        bitte, warum, wie, was, wann, wo, wer, hilfe, mehr, weiter, genau, entschuldigung, alles klar
    """,
    "it": """
        ciao, buongiorno, buonasera, grazie, grazie mille, sì, arrivederci, per favore, perché, quando,
        dove, aiuto, ancora, va bene, prego, scusa, perfetto, capito
    """,
    "nl": """
        hallo daar, goedemorgen, goedenavond, dank je, dankjewel, bedankt, ja graag, nee, alsjeblieft,
        waarom, hoe, wat, wanneer, waar, meer, prima
    """,
    "id": """
        halo, hai, selamat pagi, selamat siang, selamat sore, selamat malam, terima kasih, makasih,
        terimakasih, ya, iya, tidak, bukan, baik, oke, tolong, maaf, mengapa, kenapa, bagaimana, apa,
        kapan, di mana, dimana, siapa, berapa, bantuan, lagi, lanjut, lanjutkan, jelaskan lagi, lebih
        lanjut, sama-sama, sampai jumpa, dong, mantap
    """,
    "pl": "cześć, dzień dobry, dziękuję, dzięki, tak, nie, dlaczego, jak, co, kiedy, gdzie, proszę, pomoc",
    "tr": """
        merhaba, selam, teşekkürler, teşekkür ederim, evet, hayır, neden, nasıl, ne zaman, nerede,
        lütfen, yardım
    """,
    "vi": "xin chào, chào, chào bạn, cảm ơn, cám ơn, vâng, không, tại sao, thế nào, khi nào, ở đâu, giúp",
    "uk": "привіт, дякую, так, ні, чому, як, що, коли, де, хто, будь ласка, добрий день, допоможи",
    "bg": "здравей, здравейте, благодаря, мерси, защо, какво, къде, кога, моля",
}

_MORE_SMALL_WORDS = {
    "en": "no not need needs must every than ever never because used using use called",
    "es": "no sí cada todo todos toda todas algo nada donde necesito necesita quiero debe deben hoy aquí así",
    "pt": "não sim cada tudo todos toda todas você eu nós preciso posso pode deve está são",
    "fr": "ne pas non oui chaque tous toute toutes faut peut doit très",
    "de": "nicht nein ja kein keine jede jeder jedes kann muss soll man dann mehr",
    "it": "non no sì ogni tutti tutte può posso deve devo molto",
    "nl": """de het een en of van is zijn niet geen met voor op in hoe wat wie waar wanneer waarom welke ik je
        jij wij u kan moet maar ook bij naar uit wordt worden dat dit die te om als elke door over""",
    "id": "tidak bukan belum bisa perlu setiap semua sebuah cara setelah sebelum sampai",
}
"""What the stop words of the search leave out because it carries meaning, and one language they lack."""

PHRASES: dict[str, str] = {
    phrase.strip(): language
    for language, phrases in _PHRASES.items()
    for phrase in " ".join(phrases.split()).split(",")
}
"""Language of a message that is nothing but this phrase (lower case, without punctuation)."""

_LANGUAGES = ("en", "es", "pt", "fr", "de", "it", "nl", "id")

SMALL_WORDS: dict[str, frozenset[str]] = {}
"""Languages in Latin letters in which a word is one of the small words."""
for _language in _LANGUAGES:
    for _word in (*STOP_WORDS.get(_language, ()), *_MORE_SMALL_WORDS[_language].split()):
        SMALL_WORDS[_word] = SMALL_WORDS.get(_word, frozenset()) | {_language}

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
