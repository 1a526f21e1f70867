"""``make demo``: a short conversation that takes every way through the loop. The real model answers.

It asks the product's handbook and `demo_files`, the folder of a made-up tool shop.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing

from rich.console import Console
from rich.text import Text

from bot.app import App, conversation_memory, opened_database, running
from bot.conversations.memory import ConversationMemory
from bot.exit_codes import reported
from bot.settings.tree import Settings
from bot.terminal.drawing import Ticker, show, show_answer
from bot.terminal.index import Bars
from bot.texts import TEXTS
from bot.views.answers import why
from rag.errors import ModelError
from rag.events import Answered, StepStarted
from rag.knowledge.store import Store
from rag.values import LABELS, Answer, Question

QUESTIONS: tuple[tuple[str, str], ...] = (
    ("small talk", "Thanks, good to meet you!"),
    ("general knowledge", "What is the capital of France?"),
    (
        "the draft contradicts the documents",
        "Which environment variable sets the folder for the databases and the model?",
    ),
    (
        "only the documents can know",
        "How many corrections of one answer does Think Twice make at most?",
    ),
    ("a follow-up", "And which setting changes that?"),
    ("a yes or no, answered by the sentence that says it", "Can a judge that fails count as a pass?"),
    ("two versions of a document", "Within how many days may a customer return a tool?"),
    ("a price list, read by code", "Which drill is the cheapest?"),
    ("steps in somebody's handbook", "How do I close the shop?"),
    ("another language than the documents", "В каком файле хранятся разговоры?"),
    ("the documents do not say", "In which year was Think Twice founded?"),
)
_CONVERSATION = "demo"


def _pin_embedding(settings: Settings) -> Settings:
    """Keep the embedding of the index: the question in Russian would have the handbook embedded again."""
    with closing(Store(settings.data_dir)) as store:
        embedding = store.state().embedding or settings.knowledge.embedding
    knowledge = settings.knowledge.model_copy(update={"embedding": embedding})
    return settings.model_copy(update={"knowledge": knowledge})


async def _demo(console: Console) -> int:
    answers: list[Answer] = []
    settings = _pin_embedding(Settings.load())
    with Bars(console) as bars:
        async with (
            running(settings, bars) as app,
            opened_database(settings) as database,
            conversation_memory(app, database) as memory,
        ):
            bars.stop()
            await memory.reset(_CONVERSATION)
            for number, (way, text) in enumerate(QUESTIONS, 1):
                console.print(Text(f"\n{number}. {way}\n> {text}", style="bold"))
                answer = await _answered(app, memory, console, text)
                show_answer(console, answer)
                show(console, why(answer, answer.language, settings.prices.currency))
                answers.append(answer)
                await memory.remember(_CONVERSATION, text, answer)

    console.print(Text(f"\n{summary(answers)}", style="bold"))
    return ModelError.exit_code if any(answer.failure for answer in answers) else 0


def summary(answers: Sequence[Answer]) -> str:
    """Say how the questions were answered, and which ones no model has answered."""
    failed = [number for number, answer in enumerate(answers, 1) if answer.failure]
    if failed:
        numbers = ", ".join(map(str, failed))
        return (
            f"The model failed on {len(failed)} of {len(answers)} questions ({numbers}); what it said stands "
            "below each. `thinktwice models` shows whether it answers; a slow machine may need more than "
            "THINKTWICE_MODELS__TIMEOUT_SECONDS allows."
        )
    labels = Counter(answer.label for answer in answers)
    counts = ", ".join(
        f"{labels[label]} {TEXTS.text(f'stats-label-{label}')}" for label in LABELS if labels[label]
    )
    return f"All {len(answers)} questions were answered: {counts}."


async def _answered(app: App, memory: ConversationMemory, console: Console, text: str) -> Answer:
    answer: Answer | None = None
    with Ticker(console) as ticker:
        ticker(StepStarted("recall"))
        history, summary = await memory.recall(_CONVERSATION)
        async for event in app.engine.stream(Question(text, history, summary)):
            ticker(event)
            if isinstance(event, Answered):
                answer = event.answer
    assert answer is not None  # the engine's promise: the last event
    return answer


def main() -> None:
    """Run the demo; the exit code says whether the model has answered."""
    sys.exit(reported(lambda: sys.exit(asyncio.run(_demo(Console(width=110, soft_wrap=False))))))


if __name__ == "__main__":
    main()
