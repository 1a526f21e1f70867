"""Old encodings: the text is read as it was written, or a doubt is said."""

from __future__ import annotations

import pytest

from rag.knowledge.loaders import loader_of
from rag.knowledge.loaders.content import TextLimit
from rag.knowledge.loaders.text import decode

TEXTS = {
    "Klíče od loděnice visí ve skříňce číslo dvanáct, žádost podejte u správce přístavu.": "cp1250 iso8859_2",
    "Kľúče od lodenice visia v skrinke číslo dvanásť, žiadosť podajte u správcu prístavu.": "cp1250 iso8859_2",
    "Klucze do hangaru wiszą w szafce numer dwanaście, wniosek składa się u bosmana portu.": "cp1250 iso8859_2",
    "A csónakház kulcsai a tizenkettes szekrényben lógnak, a kérelmet a kikötőmesternél kell beadni.": "cp1250 iso8859_2",
    "Ključevi spremišta vise u ormariću broj dvanaest, a zahtjev se podnosi lučkom službeniku.": "cp1250",
    "מפתחות בית הסירות תלויים בארון מספר שתים עשרה, את הבקשה מגישים למנהל הנמל.": "cp1255 iso8859_8",
    "Τα κλειδιά του λεμβαρχείου κρέμονται στο ντουλάπι δώδεκα, η αίτηση υποβάλλεται στον λιμενάρχη.": "cp1253",
    "Cheile hangarului sunt în dulapul doisprezece, iar cererea țării noastre se plătește și se depune la căpitănie.": "iso8859_16",
    "Kayıkhanenin anahtarları on iki numaralı dolapta asılıdır, başvuru liman müdürüne yapılır.": "cp1254 iso8859_9",
    "Ключи от лодочного сарая висят в двенадцатом шкафу, заявление подаётся начальнику порта.": "cp1251 koi8_r cp866",
    "مفاتيح مخزن القوارب معلقة في الخزانة رقم اثني عشر، ويقدم الطلب إلى مدير الميناء.": "cp1256",
    "Valčių namelio raktai kabo dvyliktoje spintelėje, prašymas teikiamas uosto viršininkui.": "cp1257",
    "Laivu mājas atslēgas karājas divpadsmitajā skapītī, iesniegums jāiesniedz ostas priekšniekam.": "cp1257",
    "Les clés du hangar à bateaux sont dans l’armoire douze, la demande est à déposer chez le maître de port.": "cp1252",
    "Båthusets nycklar hänger i skåp tolv, och ansökan lämnas till hamnkaptenen före måndag.": "cp1252",
    "艇庫の鍵は十二番の戸棚に掛かっています。申請書は港長に提出してください。": "shift_jis euc_jp",
    "보트 창고 열쇠는 십이 번 사물함에 걸려 있습니다. 신청서는 항만장에게 제출하세요.": "euc_kr",
    "船库的钥匙挂在十二号柜子里，申请书交给港务主任。": "gb18030",
}


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(text, encoding) for text, encodings in TEXTS.items() for encoding in encodings.split()],
)
def test_text_is_read_as_written_or_a_doubt_is_said(text: str, encoding: str) -> None:
    read, doubts = decode(text.encode(encoding))
    assert read == text or doubts


def test_nearly_all_of_them_are_read_as_written() -> None:
    cases = [(text, encoding) for text, encodings in TEXTS.items() for encoding in encodings.split()]
    right = [text for text, encoding in cases if decode(text.encode(encoding))[0] == text]
    assert len(right) >= len(cases) - 2


def test_a_doubt_is_told_with_the_document() -> None:
    content = loader_of("text")(next(iter(TEXTS)).encode("iso8859_2"), TextLimit(1000))
    assert [note.code for note in content.notes] == ["encoding-doubtful"]
