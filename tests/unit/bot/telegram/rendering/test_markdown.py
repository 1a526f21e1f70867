from __future__ import annotations

import pytest

from bot.telegram.rendering import Part
from tests.support.shown import parts

Formats = list[tuple[str, str]]


def formats(part: Part) -> Formats:
    """Each entity as its type and the words under it."""
    raw = part.text.encode("utf-16-le")
    return [
        (entity.type, raw[2 * entity.offset :][: 2 * entity.length].decode("utf-16-le"))
        for entity in part.entities
    ]


def test_answer_with_everything_reads_well() -> None:
    (part,) = parts(
        "## Set-up\n\n"
        "Put the token into `.env` and **restart**:\n"
        "1. stop\n"
        "   - the bot\n"
        "     - and its server\n"
        "2. start\n\n"
        "- [x] token\n"
        "- [ ] webhook\n\n"
        "```sh\nthinktwice run\n  --mode polling\n```\n"
        "> Keep it *secret*.\n> It is a key.\n\n"
        "Done ~~soon~~ now. [1]"
    )
    assert part.text == (
        "Set-up\n\n"
        "Put the token into .env and restart:\n\n"
        "1. stop\n"
        "   • the bot\n"
        "      ◦ and its server\n"
        "2. start\n\n"
        "☑ token\n"
        "☐ webhook\n\n"
        "thinktwice run\n"
        "  --mode polling\n\n"
        "Keep it secret.\n"
        "It is a key.\n\n"
        "Done soon now. [1]"
    )
    assert formats(part) == [
        ("bold", "Set-up"),
        ("code", ".env"),
        ("bold", "restart"),
        ("pre", "thinktwice run\n  --mode polling"),
        ("blockquote", "Keep it secret.\nIt is a key."),
        ("italic", "secret"),
        ("strikethrough", "soon"),
    ]
    assert [entity.language for entity in part.entities if entity.type == "pre"] == ["sh"]


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        pytest.param("use List<String> here", "use List<String> here", id="HTML in prose"),
        pytest.param("<div>\nblock\n</div>", "<div>\nblock\n</div>", id="HTML block"),
        pytest.param("one<br>two<br/>three", "one\ntwo\nthree", id="line break tag"),
        pytest.param("true [1]\n\n[1]: guide", "true [1]\n\n[1]: guide", id="list of sources"),
        pytest.param("`a[0]: b`", "a[0]: b", id="definition in code"),
        pytest.param("~5 to ~10 minutes", "~5 to ~10 minutes", id="about five"),
        pytest.param("run __init__ and __main__", "run __init__ and __main__", id="dunder"),
        pytest.param("$HOME:$PATH and \\$5", "$HOME:$PATH and $5", id="dollars"),
        pytest.param("a || b || c", "a || b || c", id="no spoiler"),
        pytest.param(r"so \(17 \times 3 = 51\).", "so 17 × 3 = 51.", id="formula"),
        pytest.param("\\[\n\\frac{1}{2} x_1^2\n\\]", "½ x₁²", id="formula on its own"),
        pytest.param(r"$$a \le b$$ for $$", "a ≤ b for $$", id="formula in dollars"),
        pytest.param(r"`\(a \le b\)` (a) \(a\)", r"\(a \le b\) (a) (a)", id="no formula"),
        pytest.param("fish &amp; chips \\*", "fish & chips *", id="escapes"),
        pytest.param("**unfinished", "**unfinished", id="unfinished bold"),
        pytest.param("```\nunfinished", "unfinished", id="unfinished code"),
        pytest.param("3. three\n4. four", "3. three\n4. four", id="list from three"),
        pytest.param("- one\n\n  more\n\n- two", "• one\n   more\n• two", id="two paragraphs in an item"),
        pytest.param("- ```\n  code\n  ```\n- x", "•\ncode\n• x", id="code in an item"),
        pytest.param("---", "———", id="rule"),
    ],
)
def test_text_means_what_its_author_meant(markdown: str, text: str) -> None:
    assert parts(markdown)[0].text == text


def test_code_inside_bold_and_links_keeps_one_format() -> None:
    (part,) = parts("**set `x` now** and [`y`](https://docs.example/y)", allowed_hosts={"docs.example"})
    assert formats(part) == [("bold", "set"), ("code", "x"), ("bold", "now"), ("text_link", "y")]


def test_code_in_a_quote_interrupts_it() -> None:
    (part,) = parts("> before\n>\n> ```\n> code\n> ```\n>\n> after")
    assert formats(part) == [("blockquote", "before"), ("pre", "code"), ("blockquote", "after")]


def test_quote_in_a_quote_is_one_quote() -> None:
    (part,) = parts("> outer\n>> inner")
    assert formats(part) == [("blockquote", "outer\n\ninner")]


@pytest.mark.parametrize(
    ("markdown", "text", "code"),
    [
        pytest.param(
            "![the logo](https://evil.example/a.png?d=secret)",
            "🖼 the logo (https://evil.example/a.png?d=secret)",
            ["https://evil.example/a.png?d=secret"],
            id="image",
        ),
        pytest.param("![](https://ok.example/a)", "🖼 https://ok.example/a", ["https://ok.example/a"], id="no alt text"),
        pytest.param("[![x](a.png)](https://evil.example)", "🖼 x (a.png) (https://evil.example)", ["a.png", "https://evil.example"], id="image in a link"),
    ],
)  # fmt: skip
def test_image_is_its_description_and_its_address(markdown: str, text: str, code: list[str]) -> None:
    (part,) = parts(markdown, allowed_hosts={"ok.example"})
    assert part.text == text
    assert formats(part) == [("code", address) for address in code]


def test_small_table_stands_in_columns_numbers_to_the_right() -> None:
    (part,) = parts("| step | ms | note |\n|---|--:|---|\n| draft | 5354 | **slow** |\n| 检查 | 20 | |")
    assert part.text == (
        "step     ms  note\n"
        "─────────────────\n"
        "draft  5354  slow\n"
        "检查     20"
    )  # fmt: skip
    assert [entity.type for entity in part.entities] == ["pre"]


def test_wide_table_becomes_a_list() -> None:
    (part,) = parts(
        "| Setting | Default | Meaning |\n|---|---|---|\n"
        "| `data_dir` | `.data` | Folder for the databases and the model |\n"
        "| `corpus` | | [Where](https://evil.example) the documents are |"
    )
    assert part.text == (
        "Setting: data_dir\n"
        "Default: .data\n"
        "Meaning: Folder for the databases and the model\n\n"
        "Setting: corpus\n"
        "Default: –\n"
        "Meaning: Where (https://evil.example) the documents are"
    )
    assert formats(part) == [
        ("bold", "Setting: data_dir"),
        ("bold", "Setting: corpus"),
        ("code", "https://evil.example"),
    ]


def test_cells_beyond_the_head_are_shown() -> None:
    (part,) = parts("| a | b |\n|---|---|\n| 1 | x|y |")
    assert part.text.splitlines()[2] == "1  x  y"
