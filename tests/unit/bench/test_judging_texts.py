from __future__ import annotations

from bench import judging_texts
from bench.judging_texts import drafted
from bench.recorded_model import Records
from bot.evaluate.rows import LabelledQuestion
from rag.models.scripted import ScriptedModel
from tests.support.loop import MemoryCorpus

ROW = LabelledQuestion(
    id="t1", kind="general", question="Which metal is liquid at room temperature?", answers=("mercury",)
)


async def test_draft_is_asked_once_and_then_known() -> None:
    records = Records()
    model = ScriptedModel("Mercury is the metal that is liquid at room temperature.")
    assert await drafted("trivia", ROW, MemoryCorpus(), records) is None
    first = await drafted("trivia", ROW, MemoryCorpus(), records, model)
    again = await drafted("trivia", ROW, MemoryCorpus(), records)
    assert first is not None
    assert first == again
    assert (first.set, first.shown, first.answers) == ("trivia", None, ("mercury",))
    assert first.output_tokens > 0
    assert len(model.requests) == 1


def test_no_question_is_drafted_that_has_a_text_already() -> None:
    own = next(one for one in judging_texts.grounds() if one.is_own)
    assert own.asked
    assert not {row.id for name, row in own.asked if name == "handbooks"} & {text.id for text in own.texts}
    assert all(row.answers for _, row in own.asked)
