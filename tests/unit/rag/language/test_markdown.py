from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.language.markdown import CodeBlock, blank, code_blocks, code_spans, without_code

markdown_like = st.text(alphabet=st.sampled_from("ab `~\n>жé漢-*[]()"), max_size=80) | st.text(max_size=80)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("no code", (), id="none"),
        pytest.param("a\n```py\nx\n```\nb", (CodeBlock(2, 13, "```", closed=True),), id="backticks"),
        pytest.param("~~~\n```\n~~~", (CodeBlock(0, 11, "~~~", closed=True),), id="backticks-inside-tildes"),
        pytest.param("````\n```\n````", (CodeBlock(0, 13, "````", closed=True),), id="longer-fence"),
        pytest.param("1. do\n   ```\n   x\n   ```", (CodeBlock(6, 24, "```", closed=True),), id="in-a-list"),
        pytest.param("a\n```\nx", (CodeBlock(2, 7, "```", closed=False),), id="open"),
        pytest.param("```one line```", (), id="span-with-three-backticks"),
    ],
)
def test_code_blocks_are_found_by_their_fences(text: str, expected: tuple[CodeBlock, ...]) -> None:
    assert code_blocks(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("run `x` now", ["`x`"], id="one"),
        pytest.param("``a`b``", ["``a`b``"], id="backtick-inside"),
        pytest.param("a ` b\nc ` d", [], id="stray-backticks-on-two-lines"),
        pytest.param("`a`\n```\n`b`\n```\n`c`", ["`a`", "`c`"], id="not-inside-a-block"),
    ],
)
def test_inline_code_is_found_line_by_line(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in code_spans(text)] == expected


def test_code_is_blanked_without_moving_anything() -> None:
    assert without_code("a `b` c\n```\nd\n```\ne") == "a     c\n   \n \n   \ne"


@given(markdown_like)
def test_blanking_keeps_length_and_line_breaks(text: str) -> None:
    plain = without_code(text)
    assert len(plain) == len(text)
    assert [i for i, c in enumerate(plain) if c == "\n"] == [i for i, c in enumerate(text) if c == "\n"]
    assert all(after in (before, " ") for before, after in zip(text, plain, strict=True))


@given(markdown_like)
def test_blocks_and_spans_never_overlap_and_stay_inside(text: str) -> None:
    stretches = sorted(
        [(b.start, b.end) for b in code_blocks(text)] + [(s.start, s.end) for s in code_spans(text)]
    )
    position = 0
    for start, end in stretches:
        assert position <= start < end <= len(text)
        position = end


def test_overlapping_stretches_are_blanked_once() -> None:
    assert blank("abcdef", [(1, 4), (2, 3), (3, 5)]) == "a    f"
