"""How many of a judge's tokens the free layers save, compared with judging every text.

The texts are those that the loop evaluates: first drafts, and answers from passages where a draft was sent to
the documents. No model is asked: the cost of a judge is the length of its prompt, and a text needs a judge if
checks and evidence leave it open.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bench.layer_effects import Text
from bench.recorded_model import NotRecordedError, RecordedModel, Records
from bot.evaluate.rows import LabelledQuestion
from rag.engine import AnswerEngine
from rag.loop.run import Corpus, Run
from rag.models.ledger import JUDGEMENT_TOKENS
from rag.models.tokens import estimated_prompt_tokens
from rag.steps.classify import classify
from rag.steps.draft import draft
from rag.steps.evaluate import evaluate, judge_prompt, settled, weighed
from rag.values import Draft

Group = Literal["small talk", "general knowledge", "documents"]
SHARES: dict[Group, float] = {"small talk": 0.25, "general knowledge": 0.25, "documents": 0.5}
"""The mixed stream: half of a chat is not about its documents."""


@dataclass(frozen=True, slots=True)
class Judgeable:
    """One evaluated text.

    Args:
        group: What kind of talk it belongs to.
        question: Id of its question.
        tokens: Tokens that a judge would use for it.
        is_open: Checks and evidence leave it to the judge.
    """

    group: Group
    question: str
    tokens: int
    is_open: bool


async def of_texts(texts: Iterable[Text], corpus: Corpus) -> list[Judgeable]:
    """Evaluate recorded texts; an answer from passages counts if its draft was not accepted."""
    engine = AnswerEngine(RecordedModel(Records()), corpus)
    found: list[Judgeable] = []
    for text in texts:
        run = Run(text.asked(), engine.tools)
        said = Draft(text.text, text.read, text.finish_reason, text.model)
        group: Group = "general knowledge" if text.kind == "general" else "documents"
        found.append(await _judgeable(run, said, group, text.id))
    return found


async def of_talk(
    rows: Sequence[LabelledQuestion], corpus: Corpus, records: Records
) -> tuple[list[Judgeable], int]:
    """Evaluate the recorded drafts to small talk; also how many are not in the record."""
    engine = AnswerEngine(RecordedModel(records), corpus)
    found: list[Judgeable] = []
    missing = 0
    for row in rows:
        run = Run(row.asked(), engine.tools)
        try:
            said = (await draft(run, classify(run.question))).value
        except NotRecordedError:
            missing += 1
        else:
            found.append(await _judgeable(run, said, "small talk", row.id))
    return found, missing


async def _judgeable(run: Run, said: Draft, group: Group, question: str) -> Judgeable:
    reading = classify(run.question)
    probe = None
    if reading.intent != "small_talk":
        probe = await run.tools.corpus.search(reading.queries)
    candidate = (await settled(run, evaluate(run, reading, said, probe), is_judged=False)).value
    prompt = judge_prompt(run, reading, candidate, probe)
    return Judgeable(
        group=group,
        question=question,
        tokens=estimated_prompt_tokens((prompt.instructions, prompt.message)) + JUDGEMENT_TOKENS,
        is_open=weighed(run, candidate, is_judged=False) == "ask_judge",
    )


def figures(texts: Sequence[Judgeable]) -> dict[str, Any]:
    """The shares for the committed figures; the stream weighs the groups as `SHARES` says."""
    groups: dict[str, Any] = {}
    saved = spent = 0.0
    for group, weight in SHARES.items():
        own = [text for text in texts if text.group == group]
        questions = len({text.question for text in own})
        everything = sum(text.tokens for text in own)
        asked = sum(text.tokens for text in own if text.is_open)
        groups[group] = {
            "questions": questions,
            "texts": len(own),
            "open": sum(text.is_open for text in own),
            "tokens": everything,
            "open_tokens": asked,
        }
        if questions:
            spent += weight * everything / questions
            saved += weight * (everything - asked) / questions
    return {"groups": groups, "saved": round(saved / spent, 4) if spent else 0.0}
