from __future__ import annotations

import json
import unicodedata
from itertools import combinations
from pathlib import Path

import pytest
import regex
from hypothesis import assume, example, given
from hypothesis import strategies as st

from bot.telegram.rendering import Part, code, text_parts
from tests.support.shown import parts

MARKDOWN = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "**", "*", "_", "`", "```py\n", "\n```\n", "~~", "# ", "## ", "> ", "- ", "1. ", "   - ", "[", "](", ")",
                "![", "|", "\n|-|-|\n", "\n\n", "\n", " ", "<b>", "<br>", "https://evil.example/a?b=c", "evil.example",
                "[1]", "[1]: ", "&#8203;", "&amp;", "\\", "👩\u200d💻", "🇩🇪", "e\u0301", "한국어", "文档。", "- [x] ", "---\n",
                "@someone", "\u202e", "\U000e0041", "||", "слово ", "\\(", "\\)", "\\frac{1}{", "$$", "x_1^2",
            ]
        ),
        st.text(max_size=12),
    ),
    max_size=40,
).map("".join)  # fmt: skip


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def covered(part: Part, kinds: set[str]) -> list[tuple[int, int]]:
    """What the entities of these kinds cover, in code points; fails when one cuts a surrogate pair."""
    raw = part.text.encode("utf-16-le")
    places = []
    for entity in part.entities:
        if entity.type in kinds:
            start = len(raw[: 2 * entity.offset].decode("utf-16-le"))
            places.append(
                (start, start + len(raw[2 * entity.offset :][: 2 * entity.length].decode("utf-16-le")))
            )
    return places


def assert_telegram_takes(part: Part, limit: int) -> None:
    """What the Bot API says of texts and entities."""
    assert part.text.strip()
    assert part.text == part.text.rstrip()
    assert units(part.text) <= limit
    assert len(part.entities) <= 100
    edges = {match.start() for match in regex.finditer(r"\X", part.text)} | {len(part.text)}
    for entity in part.entities:
        assert entity.length > 0
        assert entity.offset >= 0
        assert entity.offset + entity.length <= units(part.text)
        assert (entity.type == "text_link") == bool(entity.url)
    for start, end in covered(part, {entity.type for entity in part.entities}):
        assert part.text[start:end].strip()
        assert {start, end} <= edges or limit < 64  # a character longer than a message must be cut
    for one, other in combinations(part.entities, 2):
        first, second = sorted((one, other), key=lambda entity: (entity.offset, -entity.length))
        apart = first.offset + first.length <= second.offset
        assert apart or second.offset + second.length <= first.offset + first.length, "entities overlap"
        if not apart:
            assert first.type not in {"pre", "code"}, "nothing lies in code"
            assert "pre" not in {first.type, second.type}
            assert first.type != second.type
            assert {first.type, second.type} != {"text_link", "code"}


def letters(text: str) -> str:
    return "".join(text.split())


@given(MARKDOWN, st.integers(24, 120))
@example("@someonee\u0301", 64)
@example("**_https://evil.example/a?b=c**# ", 28)
@example("****🏻**", 64)
def test_any_markdown_becomes_messages_that_telegram_takes(markdown: str, limit: int) -> None:
    for part in (*parts(markdown, limit, allowed_hosts={"evil.example"}), *parts(markdown, limit)):
        assert_telegram_takes(part, limit)


@given(MARKDOWN, st.integers(2, 120))
def test_messages_together_say_what_the_whole_says(markdown: str, limit: int) -> None:
    assert letters("".join(part.text for part in parts(markdown, limit))) == letters(
        "".join(part.text for part in parts(markdown, 10**6))
    )


@given(MARKDOWN, st.integers(30, 120))
def test_no_message_begins_or_ends_inside_a_character(markdown: str, limit: int) -> None:
    whole = "".join(part.text for part in parts(markdown, 10**6))
    position = 0
    for part in parts(markdown, limit):
        position = whole.index(part.text, position)
        edges = {match.start() for match in regex.finditer(r"\X", whole)} | {len(whole)}
        assert position in edges
        assert position + len(part.text) in edges
        position += len(part.text)


@given(st.text(st.sampled_from("ab *_#>|-+<>[]:!=.\n\\/"), max_size=60))
@example("| a |\n|---|\n| b | c |")
@example("[a]: b\n\n[a]")
@example("<a>\nb\n</a>")
@example(">>>")
def test_no_word_is_lost_between_markdown_and_message(markdown: str) -> None:
    assume("\\[" not in markdown)  # a formula: its commands become signs
    shown = "".join(part.text for part in parts(markdown))
    assert [c for c in shown if c in "ab"] == [c for c in markdown if c in "ab"]


@given(st.text(max_size=200), st.integers(2, 60))
def test_text_that_is_no_markdown_is_shown_as_it_is(text: str, limit: int) -> None:
    found = "".join(part.text for part in text_parts(text, limit))
    for character in letters(found):
        assert unicodedata.category(character) not in {"Cc", "Cs"}
    composed = unicodedata.normalize("NFC", letters(text))
    printable = [c for c in composed if unicodedata.category(c)[0] in "LNPS" and not is_ignorable(c)]
    assert [c for c in letters(found) if unicodedata.category(c)[0] in "LNPS" and c != "\ufffd"] == [
        c for c in printable if c != "\ufffd"
    ]


def is_ignorable(character: str) -> bool:
    return regex.match(r"\p{Default_Ignorable_Code_Point}", character) is not None


@pytest.mark.parametrize(
    "hidden",
    ["\u200b", "\u2060", "\ufeff", "\u202e", "\u2066", "\u200f", "\u00ad", "\U000e0041", "\U000e0100", "\x07", "\x1b",
     "\u3164", "\u180e", "&#8203;", "&#x202e;"],
    ids=ascii,
)  # fmt: skip
@pytest.mark.parametrize("frame", ["in{}side", "`in{}side`", "**in{}side**", "|in{}side|b|\n|-|-|\n|c|d|"])
def test_what_cannot_be_seen_is_taken_out(hidden: str, frame: str) -> None:
    if "&" in hidden and "`" in frame:
        return  # code shows an escape as it is written
    found = parts(frame.format(hidden))[0].text
    assert "inside" in found


@pytest.mark.parametrize(
    "kept", ["👩\u200d💻", "👍🏽", "❤️", "🇩🇪", "می\u200cخواهم", "क्\u200dष", "e\u0301"], ids=ascii
)
def test_invisible_characters_that_shape_a_visible_one_stay(kept: str) -> None:
    assert parts(kept)[0].text == unicodedata.normalize("NFC", kept)


def test_half_a_surrogate_pair_is_replaced() -> None:
    assert parts("a\ud800b")[0].text == "a\N{REPLACEMENT CHARACTER}b"


def test_text_without_anything_to_see_gives_no_message() -> None:
    assert parts(" \n\u200b\t") == text_parts("\u2060") == ()


def test_limit_too_small_for_any_emoji_is_refused() -> None:
    with pytest.raises(ValueError, match="2 or more"):
        parts("x", 1)


def test_message_of_4096_units_of_emoji_is_one_message_and_two_more_units_make_two() -> None:
    assert len(parts("😀" * 2048)) == 1
    assert [units(part.text) for part in parts("😀" * 2049)] == [4096, 2]


def test_long_answer_is_cut_between_paragraphs() -> None:
    found = parts(f"{'a' * 30}.\n\n{'b' * 30}. {'c' * 20}.\n\n{'d' * 30}", 100)
    assert [part.text for part in found] == [f"{'a' * 30}.\n\n{'b' * 30}. {'c' * 20}.", "d" * 30]


def test_cut_leaves_a_list_number_with_its_item() -> None:
    found = parts("\n".join(f"{n}. {'word ' * 3}" for n in range(1, 10)), 40)
    assert all(regex.match(r"\d\. word", part.text) for part in found)


def test_chinese_is_cut_behind_a_sentence() -> None:
    found = parts("这是第一句话。" * 8, 40)
    assert all(part.text.endswith("。") for part in found)


def test_format_that_fits_into_a_message_is_not_cut() -> None:
    found = parts("word " * 6 + "**these five words are bold** and the rest is not", 50)
    bold = [part.text[a:b] for part in found for a, b in covered(part, {"bold"})]
    assert bold == ["these five words are bold"]


def test_code_block_longer_than_a_message_is_a_code_block_in_each_with_its_indentation() -> None:
    code = "\n".join(f"    line {n}" for n in range(20))
    found = parts(f"```python\n{code}\n```", 60)
    assert len(found) > 2
    assert "\n".join(part.text for part in found) == code
    for part in found:
        (entity,) = part.entities
        assert (entity.type, entity.language, entity.length) == ("pre", "python", units(part.text))


def test_code_block_that_fits_into_a_message_is_moved_to_the_next_one() -> None:
    found = parts(f"{'word ' * 12}\n\n```\n{'code ' * 8}\n```", 70)
    assert [len(part.entities) for part in found] == [0, 1]


def test_more_than_a_hundred_formats_make_a_second_message() -> None:
    found = parts(" ".join(f"`{n}`" for n in range(150)))
    assert [len(part.entities) for part in found] == [100, 50]


def rows(shared: Path) -> list[str]:
    attacks = shared / "attacks"
    texts = json.loads((attacks / "naughty-strings.json").read_text(encoding="utf-8"))
    for name in ("unicode.jsonl", "attacks.jsonl"):
        lines = (attacks / name).read_text(encoding="utf-8").splitlines()
        texts += [json.loads(line)["text"] for line in lines if line.strip()]
    return [text for text in texts if isinstance(text, str)]


def test_naughty_strings_and_attacks_pass_through(shared: Path) -> None:
    texts = rows(shared)
    assert len(texts) > 300
    for text in texts:
        for part in (*parts(text), *parts(text, 40), *text_parts(text)):
            assert_telegram_takes(part, 4096)


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=30))
@example("Отпуск — `правила` 🏖.md")
@example("two  spaces.md")
def test_name_in_a_sentence_is_code_from_end_to_end_and_nothing_else_is(name: str) -> None:
    shown = code(name)[1:-1]
    assume(shown)
    # A name that begins with a mark is drawn over the space before it, which then belongs to the code.
    assume(regex.findall(r"\X", f" {shown}")[0] == " ")
    (part,) = text_parts(f"Added {code(name)}, 3")
    assert part.text == f"Added {shown}, 3"
    assert covered(part, {"code"}) == [(len("Added "), len("Added ") + len(shown))]


def test_command_in_backticks_is_code_and_a_lone_backtick_stays() -> None:
    (part,) = text_parts("run `make demo` or ` not")
    assert part.text == "run make demo or ` not"
    assert covered(part, {"code"}) == [(4, 13)]
