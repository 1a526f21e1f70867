"""The lines of Python in the README do what they promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rag.models import roles
from rag.models.scripted import ScriptedModel

README = Path(__file__).resolve().parents[2] / "README.md"


class _Models(ScriptedModel):
    """Scripted, but to be joined and closed like the models of roles."""

    async def join(self) -> None:
        """There is no file to put together."""

    async def aclose(self) -> None:
        """Nothing is open."""


def test_engine_alone_answers_from_a_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (snippet,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    judgement = {"reason": "the passage says so", "answer_quality": "adequate", "confidence": 0.9}
    model = _Models(
        {
            "draft": "I do not know.",
            "regenerate": "You need Java 17 [1].",
            "judge": judgement,
            "read": "Java 17",
        }
    )
    monkeypatch.setattr(roles, "RoleModels", lambda _settings, _folder, _council: model)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handbook").mkdir()
    for name, text in {"java": "# Java\n\nWe need Java 17.", "leave": "# Leave\n\n30 days a year."}.items():
        (tmp_path / "handbook" / f"{name}.md").write_text(text, encoding="utf-8")

    exec(compile(snippet, "README.md", "exec"), {"__name__": "__main__"})

    assert "verified You need Java 17 [1]. ['Java']" in capsys.readouterr().out
