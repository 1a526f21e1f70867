from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import PromptError
from rag.prompting.templates import parse

CHOICE = "{% if a %}yes {{ a }}{% else %}no{% endif %}"


@pytest.mark.parametrize(
    ("template", "values", "expected"),
    [
        pytest.param("Hi {{name}}!", {"name": "Ann"}, "Hi Ann!", id="value"),
        pytest.param("{{ a or 'none yet' }}", {}, "none yet", id="default for a missing value"),
        pytest.param("{{ a or 'none yet' }}", {"a": " "}, "none yet", id="default for a blank value"),
        pytest.param("{{ a or 'none yet' }}", {"a": "x"}, "x", id="value before default"),
        pytest.param(CHOICE, {"a": "1"}, "yes 1", id="choice with a value"),
        pytest.param(CHOICE, {"a": "\n"}, "no", id="choice with a blank value"),
        pytest.param(CHOICE, {}, "no", id="choice without a value"),
        pytest.param(
            "1\n{% if a %}\n2\n{% else %}\n3\n{% endif %}\n4\n",
            {"a": "x"},
            "1\n2\n4\n",
            id="own lines vanish",
        ),
        pytest.param("1\n  {% if a %}\n2\n  {% endif %}", {"a": "x"}, "1\n2\n", id="indented lines too"),
        pytest.param('{"a": {"b": 1}}', {}, '{"a": {"b": 1}}', id="closing braces are text"),
        pytest.param("{{ a }}", {"a": "{{ b }} {% if c %}"}, "{{ b }} {% if c %}", id="value is no template"),
        pytest.param("{{ a }}", {"a": "<b>&</b>"}, "<b>&</b>", id="text, not HTML"),
    ],
)
def test_template_renders(template: str, values: dict[str, str], expected: str) -> None:
    assert parse(template, "t.md").render(values) == expected


@pytest.mark.parametrize(
    ("template", "line"),
    [
        pytest.param("a\n{{ name", 2, id="unclosed tag"),
        pytest.param("a\nb\n{% if a %}\nx", 4, id="unclosed if"),
        pytest.param("x\n{% endif %}", 2, id="closed but not opened"),
        pytest.param("\n{% each a %}", 2, id="unknown block"),
        pytest.param("{{ }}", 1, id="empty tag"),
        pytest.param("a\n{{#if a}}x{{/if}}", 2, id="former language"),
    ],
)
def test_wrong_tag_is_named_with_file_and_line(template: str, line: int) -> None:
    with pytest.raises(PromptError, match=rf"t\.md, line {line + 9}: \S+"):
        parse(template, "t.md", first_line=10)


@pytest.mark.parametrize(
    ("template", "required"),
    [
        pytest.param("{{ a }} {{ b or 'x' }}", {"a"}, id="a default makes optional"),
        pytest.param("{% if a %}{{ a }}{% endif %}", set(), id="its own choice makes optional"),
        pytest.param("{% if a %}{{ b }}{% endif %}", {"b"}, id="another choice does not"),
        pytest.param("{% if a %}{% else %}{{ a }}{% endif %}", {"a"}, id="the else part does not"),
        pytest.param("{% if a %}{% if b %}{{ a }}{{ b }}{% endif %}{% endif %}", set(), id="choices add up"),
        pytest.param("{% if a %}{{ a }}{% endif %}{{ a }}", {"a"}, id="one bare use is enough"),
    ],
)
def test_variable_is_required_where_its_absence_would_leave_a_hole(template: str, required: set[str]) -> None:
    assert parse(template, "t.md").required == required


@pytest.mark.parametrize(
    "template",
    ["{{ a.__class__.__mro__ }}", "{{ ''.__class__ }}", "{% for i in range(10**9) %}x{% endfor %}"],
)
def test_a_prompt_reaches_nothing_but_its_values(template: str) -> None:
    with pytest.raises(PromptError, match=r"t\.md: "):
        parse(template, "t.md").render({"a": "x"})


@given(st.text().filter(str.strip))
def test_value_is_inserted_verbatim(value: str) -> None:
    assert parse("<{{ a }}|{{ a }}>", "t.md").render({"a": value}) == f"<{value}|{value}>"


@given(st.text(alphabet="ab{}|# %/\nifels", max_size=60))
def test_every_text_is_read_or_refused_with_a_line(text: str) -> None:
    try:
        template = parse(text, "t.md")
    except PromptError as refused:
        assert str(refused).startswith("t.md, line ")  # noqa: PT017 - only some texts are refused
    else:
        template.render(dict.fromkeys(template.required, "v"))


@given(st.text(alphabet=st.characters(exclude_characters="{\r"), max_size=200))
def test_text_without_tags_stays_as_it_is(text: str) -> None:
    assert parse(text, "t.md").render({}) == text
