"""Plays the examples of what is verified that the handbook gives, with the bundled verifier."""

from __future__ import annotations

import re
from pathlib import Path

from rag.engine import AnswerEngine
from rag.models.scripted import ScriptedModel
from rag.settings import Models

_PAGE = Path(__file__).parents[2] / "docs_corpus" / "how-answers-are-checked.md"


async def test_examples_of_what_is_verified_come_out_as_the_handbook_says(tmp_path: Path) -> None:
    section = _PAGE.read_text("utf-8").partition("## Examples of what is verified")[2].partition("\n## ")[0]
    stated, question = re.findall(r'"([^"]+)"', section)[:2]
    (tmp_path / "fxstore.md").write_text(f"# FxStore\n\n{stated}\n", "utf-8")
    examples = re.findall(r"^\| (.+\[1\]\.) \| (.+), `(\w+)` \|$", section, re.MULTILINE)
    assert len(examples) == 3
    async with AnswerEngine.open(tmp_path / "data", corpus=tmp_path / "fxstore.md") as made:
        for written, shown, label in examples:
            model = ScriptedModel({"draft": "I do not know which Java it needs.", "regenerate": written})
            engine = AnswerEngine(model, made.tools.corpus, model_settings=Models(default="openai:scripted"))
            answer = await engine.answer(question)
            assert answer.label == label, written
            assert "Java 11" not in answer.text
            assert answer.text.startswith("“FxStore") == (shown != "this text"), written
