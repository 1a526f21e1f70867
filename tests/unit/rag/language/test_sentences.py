import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.sentences import sentences

LONG = "A line of prose that its editor has wrapped at about seventy columns"


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("It runs. It stops! Why?", ["It runs.", "It stops!", "Why?"], id="latin"),
        pytest.param("这是一句。第二句！好吗？", ["这是一句。", "第二句！", "好吗？"], id="chinese"),
        pytest.param("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"], id="chinese-quote"),
        pytest.param("설정합니다.다음 문장.", ["설정합니다.", "다음 문장."], id="korean-without-space"),
        pytest.param("¿Qué? ¡Sí! No.", ["¿Qué?", "¡Sí!", "No."], id="spanish"),
        pytest.param("क्या है। हाँ।", ["क्या है।", "हाँ।"], id="hindi"),
        pytest.param("هل هذا؟ نعم.", ["هل هذا؟", "نعم."], id="arabic"),
        pytest.param('He said "No." Then left.', ['He said "No."', "Then left."], id="quote"),
        pytest.param("**Bold.** After.", ["**Bold.**", "After."], id="emphasis"),
        pytest.param("Wait... and go.", ["Wait... and go."], id="dots-inside"),
        pytest.param("Use it, e.g. Docker. Ok.", ["Use it, e.g. Docker.", "Ok."], id="abbreviation"),
        pytest.param("Это т.е. Пример. Да.", ["Это т.е. Пример.", "Да."], id="russian-abbreviation"),
        pytest.param("See no. 5. Say no. Go.", ["See no. 5.", "Say no.", "Go."], id="number-abbreviation"),
        pytest.param("A. S. Smith came. He left.", ["A. S. Smith came.", "He left."], id="initials"),
        pytest.param("It costs 1.5 USD. Ok.", ["It costs 1.5 USD.", "Ok."], id="decimal"),
        pytest.param("Take v1.2.3. Then go.", ["Take v1.2.3.", "Then go."], id="version"),
        pytest.param("See https://a.b/c.d?x=1. Ok.", ["See https://a.b/c.d?x=1.", "Ok."], id="address"),
        pytest.param("`a. B` works. `c. D` too.", ["`a. B` works.", "`c. D` too."], id="inline-code"),
        pytest.param("Up to 5 p.m. on Monday.", ["Up to 5 p.m. on Monday."], id="lower-case-goes-on"),
        pytest.param("it works fine. then stop.", ["it works fine.", "then stop."], id="lower-case-chat"),
        pytest.param("One [1]. Two. [2] Three", ["One [1].", "Two. [2]", "Three"], id="markers"),
        pytest.param("一。[1]二【2】。", ["一。[1]", "二【2】。"], id="chinese-markers"),
        pytest.param("# A. B\nText.", ["# A. B", "Text."], id="heading"),
        pytest.param("1. One. Two.\n2. Three", ["1. One.", "Two.", "2. Three"], id="numbered-list"),
        pytest.param("- one\n- two", ["- one", "- two"], id="bullets"),
        pytest.param(
            "| a. B | c |\n|---|---|\n| d | e |", ["| a. B | c |", "|---|---|", "| d | e |"], id="table"
        ),
        pytest.param("Port: 80\nJava: 17", ["Port: 80", "Java: 17"], id="short-lines"),
        pytest.param(f"{LONG}\nand goes on. End.", [f"{LONG}\nand goes on.", "End."], id="soft-wrap"),
        pytest.param(f"{LONG}:\nnext", [f"{LONG}:", "next"], id="colon-ends-a-line"),
        pytest.param(f"- {LONG}\n  and on", [f"- {LONG}\n  and on"], id="wrapped-item"),
        pytest.param(f"{LONG}\n\nnext", [LONG, "next"], id="blank-line"),
        pytest.param("A.\n```\nx. Y\n\nz\n```\nB.", ["A.", "```\nx. Y\n\nz\n```", "B."], id="code-block"),
        pytest.param(" \n ", [], id="white-space"),
    ],
)
def test_text_is_split_into_its_sentences(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


MARKDOWN = st.text(alphabet="aB1 .!?。\n\t`#-*|[]()\"'…:>~世한я\r\u2028")


@given(st.one_of(st.text(), MARKDOWN))
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    rebuilt = ""
    position = 0
    for sentence in sentences(text):
        assert sentence.text == text[sentence.start : sentence.end] == sentence.text.strip()
        assert sentence.text
        assert not text[position : sentence.start].strip()
        rebuilt += text[position : sentence.end]
        position = sentence.end
    assert not text[position:].strip()
    assert rebuilt + text[position:] == text


@given(st.lists(st.sampled_from(["It runs.", "Why not?", "FxStore needs Java 17!", "Да, это так."])))
def test_joined_sentences_come_apart_again(whole: list[str]) -> None:
    assert texts(" ".join(whole)) == whole
