from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.support.talks import Talk
from tools import generated


@pytest.mark.parametrize("path", generated.schemas(), ids=lambda path: path.name)
def test_schema_file_is_the_one_of_the_classes(path: Any) -> None:
    assert path.read_text(encoding="utf-8") == generated.schemas()[path], "run `make docs`"


def _state_schema() -> dict[str, Any]:
    (text,) = (text for path, text in generated.schemas().items() if "state" in path.name)
    schema: dict[str, Any] = json.loads(text)
    return schema


def _new_state() -> dict[str, Any]:
    document: dict[str, Any] = Talk().state.model_dump(mode="json")
    return document


def test_new_state_fits_its_schema() -> None:
    jsonschema.validate(_new_state(), _state_schema())


@pytest.mark.parametrize(
    ("field", "value"),
    [("severity", "bad"), ("status", "done"), ("evidence", [{"kind": "rumour", "ref": "t1"}])],
)
def test_wrong_word_in_an_issue_is_refused_by_its_path(field: str, value: Any) -> None:
    issue = {"id": "1", "severity": "high", "status": "open", "title": "t", "why_it_matters": "w"}
    document = _new_state()
    document["issues"] = [issue]
    jsonschema.validate(document, _state_schema())
    document["issues"] = [{**issue, field: value}]
    with pytest.raises(jsonschema.ValidationError) as caught:
        jsonschema.validate(document, _state_schema())
    place = ["issues", 0, field, 0, "kind"] if field == "evidence" else ["issues", 0, field]
    assert list(jsonschema.exceptions.best_match([caught.value]).absolute_path) == place


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("unknown",), 1),
        (("meta", "status"), "done"),
        (("meta", "stage"), "skeleton"),
        (("meta", "state_version"), -1),
        (("control", "limits", "max_loops"), 0),
        (("dialogue", "history"), [{"id": "1", "role": "robot", "text": "", "at": "2026-05-01T00:00:00Z"}]),
    ],
    ids=lambda value: "/".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_wrong_document_is_refused_by_the_schema(path: tuple[str, ...], value: Any) -> None:
    document = _new_state()
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, _state_schema())
