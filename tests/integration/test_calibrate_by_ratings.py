"""``thinktwice evaluate calibrate`` by the buttons that readers press below the answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from bot.statistics.values import Circumstances
from bot.storage.answered import StoredAnswers
from bot.storage.database import FILE_NAME, open_database
from rag.reasons import as_written
from rag.values import Answer, Quality, Usage, Verdict
from tests.support.evaluating import evaluate


def rated_answer(quality: Quality, confidence: float, score: float | None) -> Answer:
    verdict = Verdict(quality, as_written("cited"), confidence, "evidence")
    return Answer(
        question="Which Java?",
        text="Java 17.",
        label="verified",
        language="en",
        verdict=verdict,
        citations=(),
        passages=(),
        used_documents=True,
        retries=0,
        usage=Usage(),
        seconds=1.0,
        trace=(),
        score=score,
    )


async def rate(data_dir: Path, said: list[tuple[Answer, bool | None]]) -> None:
    """Fill the bot's database as readers do: answers, and a button below most of them."""
    async with open_database(data_dir) as database:
        stored = StoredAnswers(database)
        for number, (answer, useful) in enumerate(said):
            await stored.record(answer, Circumstances("telegram", "chat", "user", None, id=str(number)))
            if useful is not None:
                await stored.feedback(str(number), useful)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


async def test_thresholds_are_calibrated_by_the_buttons_below_the_answers(
    data_dir: Path, tmp_path: Path
) -> None:
    words = ["calibrate", "--json"]
    unheard = await asyncio.to_thread(evaluate, tmp_path, *words)
    assert unheard.returncode == 2
    assert "nobody has yet pressed a button below an answer that was found adequate" in unheard.stderr
    assert not (data_dir / FILE_NAME).exists()

    good, bad = rated_answer("adequate", 0.92, 0.9), rated_answer("adequate", 0.62, None)
    refusal, unrated = rated_answer("needs_docs", 0.99, None), rated_answer("adequate", 0.99, 0.1)
    said: list[tuple[Answer, bool | None]] = (
        [(good, True)] * 45 + [(bad, False)] * 5 + [(refusal, False)] * 5 + [(unrated, None)] * 5
    )
    await rate(data_dir, said)
    heard = await asyncio.to_thread(evaluate, tmp_path, *words)
    assert heard.returncode == 0, heard.stderr
    found = json.loads(heard.stdout)
    # A refusal was never found adequate, and of what nobody rated nothing is known.
    assert found["self_correction.evaluation_threshold"]["cases"] == {"feedback": 50}
    assert found["critique.threshold"]["cases"] == {"feedback": 45}
    by_threshold = {one["threshold"]: one for one in found["self_correction.evaluation_threshold"]["choices"]}
    assert (by_threshold[0.6]["wrong"], by_threshold[0.7]["wrong"]) == (0.1, 0.0)
    shown = await asyncio.to_thread(evaluate, tmp_path, "calibrate")
    assert "50 from feedback" in shown.stdout
    assert "Nothing was changed." in shown.stdout  # 0.7 does what 0.75 does
    strict = await asyncio.to_thread(
        evaluate, tmp_path, "calibrate", THINKTWICE_SELF_CORRECTION__EVALUATION_THRESHOLD="0.62"
    )
    assert "0.62 ← now " in strict.stdout
    assert "to follow, set THINKTWICE_SELF_CORRECTION__EVALUATION_THRESHOLD=0.65." in strict.stdout

    given = tmp_path / "given.jsonl"
    given.write_text('{"confidence": 0.9, "useful": true}\n' * 7, encoding="utf-8")
    instead = await asyncio.to_thread(evaluate, tmp_path, *words, "--feedback", str(given))
    assert json.loads(instead.stdout)["self_correction.evaluation_threshold"]["cases"] == {"feedback": 7}
