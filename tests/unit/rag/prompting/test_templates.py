from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import PromptError
from rag.prompting.templates import parse

CHOICE = "{{#if a}}yes {{a}}{{else}}no{{/if}}"


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        pytest.param("Hi {{name}}!", {"name": "Ann"}, "Hi Ann!", id="value"),
        pytest.param("{{ name }}", {"name": "Ann"}, "Ann", id="spaces inside a tag"),
        pytest.param("{{a|none yet}}", {}, "none yet", id="default for a missing value"),
        pytest.param("{{a|none yet}}", {"a": " "}, "none yet", id="default for a blank value"),
        pytest.param("{{a|none yet}}", {"a": "x"}, "x", id="value before default"),
        pytest.param("{{a|x|y}}", {}, "x|y", id="bar inside a default"),
        pytest.param("{{a|}}.", {}, ".", id="empty default"),
        pytest.param(CHOICE, {"a": "1"}, "yes 1", id="choice with a value"),
        pytest.param(CHOICE, {"a": "\n"}, "no", id="choice with a blank value"),
        pytest.param(CHOICE, {}, "no", id="choice without a value"),
        pytest.param("{{#if a}}x{{/if}}", {}, "", id="choice without else"),
        pytest.param(
            "{{#if a}}{{#if b}}ab{{else}}a{{/if}}{{else}}{{#if b}}b{{/if}}{{/if}}",
            {"b": "1"},
            "b",
            id="nested in else",
        ),
        pytest.param("{{#if a}}[{{#if b}}ab{{else}}a{{/if}}]{{/if}}", {"a": "1"}, "[a]", id="nested in if"),
        pytest.param(
            "1\n{{#if a}}\n2\n{{else}}\n3\n{{/if}}\n4\n", {"a": "x"}, "1\n2\n4\n", id="own lines vanish"
        ),
        pytest.param("1\n  {{#if a}}  \n2\n  {{/if}}", {"a": "x"}, "1\n2\n", id="indented own lines vanish"),
        pytest.param('{"a": {"b": 1}}', {}, '{"a": {"b": 1}}', id="closing braces are text"),
        pytest.param("{{a}}", {"a": "{{b}} {{#if c}}"}, "{{b}} {{#if c}}", id="value is not a template"),
    ],
)
def test_template_renders(template: str, values: dict[str, str], expected: str) -> None:
    assert parse(template, "t.md").render(values) == expected


@pytest.mark.parametrize(
    ("template", "message"),
    [
        pytest.param("a\n{{name", "t.md, line 2: '{{' is not closed", id="unclosed tag"),
        pytest.param("{{a {{b}}", "t.md, line 1: '{{' is not closed", id="tag in a tag"),
        pytest.param("{{na\nme}}", "t.md, line 1: '{{' is not closed", id="tag over two lines"),
        pytest.param(
            "a\nb\n{{#if a}}\nx", "t.md, line 3: '{{#if a}}': its {{/if}} is missing", id="unclosed if"
        ),
        pytest.param("{{#if a}}\n{{else}}x", "t.md, line 1: '{{#if a}}'", id="unclosed else"),
        pytest.param(
            "x\n{{/if}}", "t.md, line 2: '{{/if}}': there is no {{#if}}", id="closed but not opened"
        ),
        pytest.param("{{else}}", "t.md, line 1: '{{else}}': there is no {{#if}}", id="else without if"),
        pytest.param(
            "{{#if a}}\n1\n{{else}}\n2\n{{else}}\n3\n{{/if}}",
            "t.md, line 5: '{{else}}': this {{#if}} has an {{else}} already",
            id="second else",
        ),
        pytest.param("\n{{#each a}}", "t.md, line 2: '{{#each a}}': a tag is", id="unknown block"),
        pytest.param("{{#if}}x{{/if}}", "t.md, line 1: '{{#if}}': a tag is", id="if without a name"),
        pytest.param("{{/each}}", "t.md, line 1: '{{/each}}': a tag is", id="unknown end"),
        pytest.param("{{}}", "t.md, line 1: '{{}}': a tag is", id="empty tag"),
        pytest.param("{{User.name}}", "t.md, line 1: '{{User.name}}': a tag is", id="no attributes"),
        pytest.param("{{a b}}", "t.md, line 1: '{{a b}}': a tag is", id="two words"),
        pytest.param("{{#if a b}}{{/if}}", "t.md, line 1: '{{#if a b}}': a tag is", id="if with two words"),
    ],
)
def test_wrong_tag_is_named_with_file_and_line(template: str, message: str) -> None:
    with pytest.raises(PromptError) as caught:
        parse(template, "t.md")
    assert str(caught.value).startswith(message)


def test_line_numbers_count_from_the_start_of_the_file() -> None:
    with pytest.raises(PromptError, match=r"t\.md, line 12: "):
        parse("text\n\n{{#if x}}", "t.md", first_line=10)


@pytest.mark.parametrize(
    ("template", "required"),
    [
        pytest.param("{{a}} {{b|x}}", {"a"}, id="a default makes optional"),
        pytest.param("{{#if a}}{{a}}{{/if}}", set(), id="its own choice makes optional"),
        pytest.param("{{#if a}}{{b}}{{/if}}", {"b"}, id="another choice does not"),
        pytest.param("{{#if a}}{{else}}{{a}}{{/if}}", {"a"}, id="the else part does not"),
        pytest.param("{{#if a}}{{#if b}}{{a}}{{b}}{{/if}}{{/if}}", set(), id="nested choices add up"),
        pytest.param("{{#if a}}{{a}}{{/if}}{{a}}", {"a"}, id="one bare use is enough"),
    ],
)
def test_variable_is_required_where_its_absence_would_leave_a_hole(template: str, required: set[str]) -> None:
    assert parse(template, "t.md").required == required


@given(st.text())
def test_value_is_inserted_verbatim_and_once(value: str) -> None:
    assert parse("<{{a}}|{{a}}>", "t.md").render({"a": value}) == f"<{value}|{value}>"


@given(st.text(alphabet="ab{}|# /\nifels", max_size=60))
def test_every_text_is_read_or_refused_with_a_line(text: str) -> None:
    try:
        template = parse(text, "t.md")
    except PromptError as refused:
        assert str(refused).startswith("t.md, line ")  # noqa: PT017 - only some texts are refused
    else:
        template.render(dict.fromkeys(template.required, "v"))


@given(st.text().filter(lambda text: "{{" not in text))
def test_text_without_tags_stays_as_it_is(text: str) -> None:
    assert parse(text, "t.md").render({}) == text
