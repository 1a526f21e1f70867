from __future__ import annotations

import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.evaluate import rows
from bot.evaluate.rows import LabelledDraft, LabelledQuestion
from rag.errors import InputError

DRAFT = {"id": "1", "question": "Which port?", "draft": "8443.", "expected": "adequate"}


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "set.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_usable_rows_are_read_and_blank_lines_do_not_count(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps(DRAFT), "", json.dumps({**DRAFT, "id": "2"}))
    found = rows.read(path, LabelledDraft)
    assert [row.id for row in found.rows] == ["1", "2"]
    assert found.malformed == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("not json", "the line is not JSON"),
        ("[" * 100_000, "the line is not JSON"),
        ("[1, 2]", "the line is not a JSON object"),
        (json.dumps({**DRAFT, "expected": "fine"}), "expected: input should be"),
        (
            json.dumps({**DRAFT, "history": [{"role": "system", "text": "x"}]}),
            "history.0.role: input should be",
        ),
        (json.dumps({key: value for key, value in DRAFT.items() if key != "draft"}), "draft: field required"),
        (json.dumps({**DRAFT, "question": ""}), "question: string should have at least 1 character"),
    ],
    ids=["no-json", "nested", "no-object", "unknown-verdict", "unknown-role", "no-draft", "empty-question"],
)
def test_malformed_row_is_reported_with_its_line_and_left_out(tmp_path: Path, line: str, reason: str) -> None:
    found = rows.read(written(tmp_path, json.dumps(DRAFT), "", line), LabelledDraft)
    assert len(found.rows) == 1
    assert found.malformed[0].line == 3
    assert found.malformed[0].reason.startswith(reason)


@pytest.mark.parametrize("lines", [[], ["", "  "], ["not json"]], ids=["empty", "blank", "only-malformed"])
def test_set_without_a_usable_row_says_what_a_row_is(tmp_path: Path, lines: list[str]) -> None:
    says = "holds no usable row.*a row is a JSON object with id, question, draft, expected"
    with pytest.raises(InputError, match=says):
        rows.read(written(tmp_path, *lines), LabelledDraft)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("gone.jsonl", None, r"gone\.jsonl cannot be read"),
        ("set.jsonl", b"\xff\xfe\x00\x81", "not text in UTF-8"),
        (
            "set.jsonl.gz",
            gzip.compress(json.dumps(DRAFT).encode()),
            r"is packed: unpack it first, with `gunzip --keep .*set\.jsonl\.gz`",
        ),
    ],
    ids=["missing", "binary", "packed"],
)
def test_file_that_cannot_be_read_says_why(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=says):
        rows.read(path, LabelledDraft)


def test_marks_of_other_systems_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + f"{json.dumps(DRAFT)}\r\n\r\n{json.dumps(DRAFT)}\r\n".encode())
    found = rows.read(path, LabelledDraft)
    assert (len(found.rows), found.malformed) == (2, ())


def test_action_follows_from_the_verdict_unless_the_row_names_one() -> None:
    assert LabelledDraft.model_validate({**DRAFT, "expected": "off_topic"}).wanted == "reclassify"
    assert LabelledDraft.model_validate({**DRAFT, "action": "retrieve"}).wanted == "retrieve"


def test_question_carries_its_history_only_when_asked_to() -> None:
    history = [{"role": "user", "text": "Which Java?"}, {"role": "assistant", "text": "17"}]
    row = LabelledQuestion.model_validate({"id": "1", "question": "And the port?", "history": history})
    assert [turn.text for turn in row.asked().history] == ["Which Java?", "17"]
    assert row.asked(with_history=False).history == ()


def test_null_stands_for_an_empty_list() -> None:
    row = LabelledQuestion.model_validate({"id": "1", "question": "x", "history": None, "answers": None})
    assert (row.history, row.answers) == ((), ())


@given(st.text(max_size=60))
def test_any_line_is_json_or_a_reason(line: str) -> None:
    with suppress(ValueError):
        rows._parsed(line)


def test_numbers_serve_as_ids_and_answers(tmp_path: Path) -> None:
    line = '{"id": 2, "question": "Which?", "answers": [17]}'
    (row,) = rows.read(written(tmp_path, line), LabelledQuestion).rows
    assert (row.id, row.answers) == ("2", ("17",))


def test_question_may_say_what_carries_its_answer_and_which_split_it_is_in(tmp_path: Path) -> None:
    told = {
        "sentence": "No pets.",
        "polarity": "no",
        "form": "permission",
        "split": "held_out",
        "handbook": "x",
    }
    blank = {"sentence": None, "polarity": "", "form": None, "split": None}
    lines = [json.dumps({"id": "1", "question": "May I?", **more}) for more in (told, blank, {})]
    first, second, third = rows.read(written(tmp_path, *lines), LabelledQuestion).rows
    assert (first.sentence, first.polarity, first.form, first.split) == (
        "No pets.",
        "no",
        "permission",
        "held_out",
    )
    assert second == third == LabelledQuestion(id="1", question="May I?")


def test_polarity_is_yes_or_no(tmp_path: Path) -> None:
    row = {"id": "1", "question": "May I?"}
    lines = [json.dumps(row), json.dumps({**row, "polarity": "maybe"})]
    found = rows.read(written(tmp_path, *lines), LabelledQuestion)
    assert [(fault.line, fault.reason[:9]) for fault in found.malformed] == [(2, "polarity:")]
