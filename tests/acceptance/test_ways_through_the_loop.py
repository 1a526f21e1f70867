"""The real embedded model, real documents: each way through the loop ends where it should.

A small model does not say the same on every machine, so nothing here expects its words: what is asked of
it is a label that tells the truth, and facts that stand in the documents.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import App, running
from bot.settings.tree import Settings
from rag.models.roles import weights
from rag.settings import Models
from rag.texts import Texts
from rag.values import Answer, Question, Turn

pytestmark = [pytest.mark.acceptance, pytest.mark.timeout(900)]

REPOSITORY = Path(__file__).resolve().parent.parent.parent

HANDBOOK = {
    "fxstore.md": "# FxStore\n\n## Requirements\n\nFxStore needs Java 17 and 6 GB of memory. It does not start with an "
    "older Java.\n\n## Ports\n\nThe FxStore server listens on port 7411. The admin console uses port 7412.\n",
    "leave.md": "# Leave\n\nEverybody has 28 days of paid leave a year. Dana Whitfield approves leave.\n",
    "backup.md": "# Backups\n\nThe nightly backup of the archive server starts at 02:30 and takes 40 minutes. "
    "Backups are kept for 45 days.\n",
    "office.md": "# Office\n\nThe office is in Halvorsen Street 12. The kitchen is on the third floor.\n",
}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    data = Path(os.environ.get("TEST_DATA_DIR", REPOSITORY / ".data"))
    file = weights(Models(), data)
    if problem := file.problem():
        pytest.skip(f"{problem} (data folder {data}; set TEST_DATA_DIR for another)")
    documents = tmp_path / "documents"
    documents.mkdir()
    for name, text in HANDBOOK.items():
        (documents / name).write_text(text, encoding="utf-8")
    settings = Settings.load(
        data_dir=tmp_path / "data",
        corpus=(documents,),
        models=Models(embedded_path=file.path, timeout_seconds=600),
        budget={"seconds": 800},
    )
    async with running(settings) as app:
        yield app


async def test_every_way_through_the_loop_tells_the_truth_about_itself(app: App) -> None:
    async def ask(text: str, *history: Turn) -> Answer:
        answer = await app.engine.answer(Question(text, history))
        assert answer.failure is None
        assert answer.text
        return answer

    talk = await ask("Thanks a lot!")
    assert (talk.label, talk.usage.calls, talk.used_documents) == ("general", 1, False)

    sum_ = await ask("What is 17 × 3?")
    assert (sum_.label, sum_.used_documents) == ("general", False)
    assert "51" in sum_.text

    java = await ask("Which Java version does FxStore need?")
    assert java.label == "verified"
    assert "17" in java.text
    assert java.citations[0].document == "FxStore"

    told = (Turn("user", java.question), Turn("assistant", java.text, passages=java.passages))
    port = await ask("and on which port does its server listen?", *told)
    # The two questions are read as one, which the bundled verifier is seldom sure about.
    assert port.label in {"verified", "partly", "unverified"}
    confirmed, _, unconfirmed = port.text.partition(Texts().text("unconfirmed", "en", sentences="").strip())
    assert "7411" in confirmed
    assert "7411" not in unconfirmed
    assert (port.label == "partly") == bool(unconfirmed)

    assert java.used_documents or port.used_documents, "nothing was read and written again"

    unknown = await ask("What is the salary of Dana Whitfield?")
    assert unknown.label in {"not_in_documents", "unverified"}

    russian = await ask("Сколько дней оплачиваемого отпуска в году?")
    assert russian.language == "ru"
    if russian.label == "verified":
        assert "28" in russian.text
