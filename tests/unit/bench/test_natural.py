from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import natural
from bench.natural import NaturalRow, Shown
from rag.knowledge import search, sync
from rag.knowledge.embeddings.hashed import HashedEmbedder
from rag.verifier import opening
from rag.verifier.scripted import ScriptedVerifier


def row(evidence: str = "", answers: tuple[str, ...] = (), kind: str = "lookup") -> NaturalRow:
    return NaturalRow(id="1", kind=kind, question="q?", evidence=(evidence,), answers=answers)


@pytest.mark.parametrize(
    ("text", "asked", "is_right"),
    [
        ("> It stays   24 hours. [1]", row("It stays 24 hours!"), True),
        ("It stays for 24 whole hours.", row("It stays 24 hours."), False),  # fewer than five words
        ("Temporary files stay for 24 hours there.", row("Temporary files stay `there` for 24 hours"), True),
        ("账号会在 2 个工作日内开通。", row("账号会在2个工作日内开通"), True),
        ("After 124 hours.", row(answers=("24",)), False),
        ("240 hours, then 6 more.", row(answers=("240", "6")), True),
        ("240 hours.", row(answers=("240", "6")), False),
        ("Anything", row(), False),
    ],
)
def test_text_is_right_by_its_strings(text: str, asked: NaturalRow, is_right: bool) -> None:
    assert natural.is_right(text, asked) is is_right


def shown(kind: str, label: str, *, right: bool) -> Shown:
    return Shown("manual", row(kind=kind), label, "text", (), is_first=False, is_shown=right, seconds=1.0)


def test_figures_of_a_set() -> None:
    found = [
        shown("howto", "verified", right=True),
        shown("howto", "verified", right=False),
        shown("table", "not_in_documents", right=False),
        shown("table", "unverified", right=True),
        shown("unanswerable", "verified", right=False),
        shown("unanswerable", "unverified", right=False),
    ]
    ((name, *figures),) = natural.lines(found)
    counts = [figure.split(" (")[0] for figure in figures]
    assert (name, counts) == (
        "manual",
        ["6", "0 of 4", "2 of 4", "0 of 4", "0 of 4", "1 of 4", "1 of 4", "1 of 4", "1 of 2", "1.0"],
    )


async def test_set_is_asked_without_a_chat_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in (search, sync):
        monkeypatch.setattr(module, "open_embedder", lambda _name, _models: HashedEmbedder())
    monkeypatch.setattr(opening, "_bundled", lambda: ScriptedVerifier({"leave": "31 days"}))
    docs = tmp_path / "sets" / "handbook" / "docs"
    docs.mkdir(parents=True)
    (docs / "leave.md").write_text("# Leave\n\nEverybody has 31 days of leave.\n", encoding="utf-8")
    asked = {"id": 1, "kind": "lookup", "question": "How much leave do I get?", "answers": ["31 days"]}
    asked["evidence"] = ["Everybody … 31 days of leave."]
    (docs.parent / "questions.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    (folder,) = natural.sets([tmp_path / "sets", tmp_path / "none"])
    (one,) = await natural.asked(folder, tmp_path / "index")
    assert (one.label, one.is_first, one.sources) == ("verified", True, ("leave.md",))
    assert (one.is_whole, one.is_stored) == (True, True)
    assert "none holds no set" in capsys.readouterr().out
