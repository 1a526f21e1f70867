"""An abbreviation ends no sentence, in any language; a word that only looks like one does."""

from __future__ import annotations

import pytest

from rag.language.sentences import sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "Call the harbour office at ext. 418 before noon.",
        "In an emergency ring tel. +44 20 5550 117 at once.",
        "Each boat may carry max. 6 people and min. 2 life rings.",
        "The lift takes approx. 25 minutes.",
        "Fees incl. VAT are listed at the gate.",
        "Deliveries come on Mon. 4 May to bldg. 7, rm. 12.",
        "See para. 5 and fig. 3 of the plan.",
        "Der Kran hebt max. 12 Tonnen bei mind. 3 m Tiefe.",
        "Rückfragen unter Tel. (040) 555 12, Durchw. 30.",
        "Der Preis gilt zzgl. Mehrwertsteuer, vgl. Abs. 4.",
        "Llame al tel. 555 120 o a la ext. 44.",
        "Appelez le tél. 05 55 12 ou Mme. Roux au poste 7.",
        "La gru solleva max. 12 tonnellate, v. pag. 8.",
        "Bel tel. 020 555, toestel 12, m.b.t. Uw boot.",
        "Dźwig podnosi maks. 12 ton, tel. 55 120 wew. 7.",
        "Кран поднимает макс. 12 тонн, тел. 555-12, доб. 7.",
        "Кран піднімає макс. 12 тонн, тел. 555-12.",
        "Vinç yakl. 12 ton kaldırır, tel. 555 12, dah. 7.",
        "Jeřáb zvedá max. 12 tun, viz čl. 4 odst. 2.",
        "Kranen åbner kl. 8, tlf. 55 12 00.",
        "Die Liste gilt ab 15. Oktober 2025 und wird am 3. Montag geprüft.",
        "Das Büro ist im 3. Stock, der 2. Eingang ist zu.",
    ],
)
def test_a_sentence_with_abbreviations_is_one(sentence: str) -> None:
    assert [one.text for one in sentences(f"{sentence} Dann mehr.")] == [sentence, "Dann mehr."]


@pytest.mark.parametrize(
    "text",
    [
        "Wait 5 min. 20 people may board.",
        "Ask Max. He has the key.",
        "It is at its max. Nobody may board.",
        "He said no. She agreed.",
        "The fee is 20. Maybe it rises.",
        "Der Preis ist 20. Danach steigt er.",
        "The fee is due in May. 12 boats have paid.",
    ],
)
def test_a_word_that_looks_like_one_ends_its_sentence(text: str) -> None:
    assert len(sentences(text)) == 2
