from __future__ import annotations

import pytest

from rag import checks


def _repaired(text: str, passage_count: int | None = None) -> str:
    return checks.repair(text, checks.run(text, language="", passage_count=passage_count))


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        pytest.param("Use **bold for it. Then stop.", "Use bold for it. Then stop.", id="bold"),
        pytest.param("- **One.\n- **Two**.", "- One.\n- **Two**.", id="bold-in-a-list-item"),
        pytest.param("One.**\n\n**Two** here.", "One.**\n\n**Two** here.", id="closing-mark-alone-stays"),
        pytest.param("Run `make demo now.", "Run make demo now.", id="code"),
        pytest.param("Run:\n```sh\nmake demo\n", "Run:\n```sh\nmake demo\n```", id="code-block"),
        pytest.param("~~~~\nx = 1", "~~~~\nx = 1\n~~~~", id="long-tilde-fence"),
        pytest.param("See [the page]() for it.", "See the page for it.", id="link-without-address"),
        pytest.param("See [it](https://a.example/x", "See [it](https://a.example/x)", id="open-link"),
        pytest.param("See [the page](", "See the page", id="link-that-stops"),
        pytest.param(
            "Read [guide](https://a.b/c to do it.",
            "Read [guide](https://a.b/c) to do it.",
            id="words-after-a-link",
        ),
        pytest.param(
            "Read [it](docs/x.md, then stop.", "Read [it](docs/x.md), then stop.", id="path-and-comma"
        ),
        pytest.param(
            "[a](https://a.b/c (see below) or [b](https://d.e/f).",
            "[a](https://a.b/c) (see below) or [b](https://d.e/f).",
            id="brackets-after-a-link",
        ),
    ],
)
def test_broken_markup_is_mended(text: str, repaired: str) -> None:
    assert _repaired(text) == repaired


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("It is **bold** and **`code`** and **重要**的。", id="bold"),
        pytest.param("**Two\nlines** are bold.", id="bold-over-two-lines"),
        pytest.param("2**8 is 256.", id="power"),
        pytest.param("All of src/**/*.py is read.", id="glob"),
        pytest.param("5 ** 3", id="operator"),
        pytest.param("Put it in grave accents (`).", id="the-character-itself"),
        pytest.param("Set `a` and ``b`c``.", id="code"),
        pytest.param("See [docs](https://a.example/x_(y)).", id="link"),
        pytest.param('See [docs](https://a.example/x "Title") now.', id="link-with-a-title"),
        pytest.param("Call f[0](a b) twice.", id="call"),
        pytest.param("Call __init__ with snake_case_names and *args.", id="underscores-and-asterisks"),
        pytest.param("```\n**open `code [x](\n```", id="inside-a-code-block"),
    ],
)
def test_sound_markup_is_left_alone(text: str) -> None:
    assert [f for f in checks.run(text, language="") if f.kind == "broken_markup"] == []


@pytest.mark.parametrize(
    ("text", "count", "repaired"),
    [
        pytest.param("It is so [1][4].", 3, "It is so [1].", id="one-too-high"),
        pytest.param("It is so [4].", 3, "It is so.", id="the-only-one"),
        pytest.param("It is so [0].", 3, "It is so.", id="zero"),
        pytest.param("It is so [1, 7].", 3, "It is so [1].", id="second-of-a-group"),
        pytest.param("It is so [7, 1, 9].", 3, "It is so [1].", id="around-a-good-one"),
        pytest.param("就是这样【9】。", 3, "就是这样。", id="wide-brackets"),
        pytest.param("It is so [1].", 0, "It is so.", id="no-passages-at-all"),
        pytest.param("It is so [1][2][3].", 3, "It is so [1][2][3].", id="all-good"),
        pytest.param("`a[9]` is so [1].", 3, "`a[9]` is so [1].", id="code"),
    ],
)
def test_citations_without_a_passage_are_taken_away(text: str, count: int, repaired: str) -> None:
    assert _repaired(text, passage_count=count) == repaired


def test_citations_are_not_looked_at_when_none_are_expected() -> None:
    assert checks.run("It is so [9].", language="") == ()


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        pytest.param("It is [1] and [7].", "It is [1].", id="joint before"),
        pytest.param("It is [7] and [1].", "It is [1].", id="joint behind"),
        pytest.param("It is [1], [7] and [2].", "It is [1] and [2].", id="in the middle"),
        pytest.param("It is [1], [7], [8] and [2].", "It is [1] and [2].", id="two in the middle"),
        pytest.param("It is [7] and [8].", "It is.", id="none is left"),
        pytest.param("It is so ([7]).", "It is so.", id="its own brackets"),
        pytest.param("It is so ([7] and [8]).", "It is so.", id="its own brackets, two"),
        pytest.param("It is so ([1] and [7]).", "It is so ([1]).", id="brackets of a kept one"),
        pytest.param("Это [1] и [7].", "Это [1].", id="ru"),
        pytest.param("就是这样[1]和[7]。", "就是这样[1]。", id="zh"),
        pytest.param("그렇습니다 [1] 및 [7].", "그렇습니다 [1].", id="ko"),
        pytest.param("Es así [1] y [2, 7].", "Es así [1] y [2].", id="es"),
        pytest.param("Begitu [1] dan [7][8].", "Begitu [1].", id="id"),
    ],
)
def test_marker_that_is_removed_leaves_no_stump(text: str, repaired: str) -> None:
    findings = checks.run(text, language="", passage_count=2)
    assert checks.repair(text, findings) == repaired
