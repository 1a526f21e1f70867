"""The setup of a measurement: its own knowledge base, the engine for it, and a recording of its rows."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from bot.evaluate.recording import FOLDER, Recording, Tick, fingerprint, program_files
from bot.settings.tree import Settings
from rag.engine import AnswerEngine
from rag.errors import InputError
from rag.knowledge.indexing import index_in_thread
from rag.knowledge.search import KnowledgeBase
from rag.knowledge.sync import Progress, sync
from rag.models.roles import RoleModels
from rag.settings import Knowledge, Models

_DECIDING = {"self_correction", "review", "critique", "budget", "models", "knowledge", "prompts"}
"""The sections of the settings that an answer depends on."""

_PATIENCE_SECONDS = 600.0
"""Time limit for one call; only a hanging model takes longer."""

_QUESTION_SECONDS = 3600.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MeasurementSetup:
    """The parts of a measurement.

    Args:
        settings: All settings.
        base: The knowledge base of the set.
        models: The models by role.
        engine: The product, over that knowledge base.
        tick: Called with the progress of the measurement.
    """

    settings: Settings
    base: KnowledgeBase
    models: RoleModels
    engine: AnswerEngine
    tick: Tick

    def recording(
        self, kind: type[T], labelled: Path, facts: dict[str, Any], *, resume: bool
    ) -> Recording[T]:
        """Open the recording of a measurement.

        Args:
            kind: Type of a row's result; its name distinguishes the measurements.
            labelled: The set.
            facts: The options of the command that affect a row's result.
            resume: Continue an existing recording.
        """
        own_prompts = self.settings.prompts.folder
        files = [labelled, *program_files(), *(sorted(own_prompts.glob("*.md")) if own_prompts else ())]
        name = fingerprint(
            files,
            kind.__name__,
            facts,
            self.settings.model_dump(mode="json", include=_DECIDING),
            [str(path.resolve()) for path in self.settings.corpus],
            asdict(self.base.stats()),
            version("thinktwice"),
        )
        path = self.settings.data_dir / FOLDER / f"{kind.__name__.lower()}-{name}.jsonl"
        return Recording(path, kind, resume=resume)


def unhurried(settings: Settings) -> Settings:
    """Return the settings with time limits that even a busy machine does not reach.

    Otherwise figures would depend on the other work of the machine: a judge or reader would be skipped, or an
    answer cut short, for lack of time.
    """

    def patient(seconds: float) -> float:
        return max(seconds, _PATIENCE_SECONDS)

    loop, models = settings.self_correction, settings.models
    review, critique, budget = settings.review, settings.critique, settings.budget
    council = settings.council
    longer: dict[str, BaseModel] = {
        "self_correction": loop.model_copy(
            update={"judge_patience_seconds": patient(loop.judge_patience_seconds)}
        ),
        "review": review.model_copy(update={"patience_seconds": patient(review.patience_seconds)}),
        "critique": critique.model_copy(update={"patience_seconds": patient(critique.patience_seconds)}),
        "models": models.model_copy(update={"timeout_seconds": patient(models.timeout_seconds)}),
        "council": council.model_copy(
            update={
                "patience_seconds": patient(council.patience_seconds),
                "seconds": max(council.seconds, _QUESTION_SECONDS),
                "seats": {
                    name: seat.model_copy(update={"timeout_seconds": patient(seat.timeout_seconds or 0.0)})
                    for name, seat in council.seats.items()
                },
            }
        ),
        "budget": budget.model_copy(update={"seconds": max(budget.seconds, _QUESTION_SECONDS)}),
    }
    return settings.model_copy(update=longer)


@asynccontextmanager
async def indexed(
    corpus: Sequence[Path],
    data_dir: Path,
    knowledge: Knowledge,
    models: Models,
    on_progress: Callable[[Progress], None] | None = None,
) -> AsyncIterator[KnowledgeBase]:
    """Index a corpus, incrementally, under the data folder, and open it; other indexes are not touched.

    The search is exact, so that figures do not depend on the progress of the Chroma index.

    Args:
        corpus: Files and folders; each row of a ``corpus.jsonl`` is a document.
        data_dir: The data folder; the index gets its own folder inside it.
        knowledge: How documents are read, cut and embedded.
        models: Addresses of embedding servers.
        on_progress: Called with every step of the indexing.

    Raises:
        InputError: There is no corpus, or it has no text.
        ThinkTwiceError: as `rag.knowledge.sync.sync` does.
    """
    if not corpus:
        raise InputError("a measurement needs its corpus: give --corpus")
    names = "\n".join(str(path.resolve()) for path in corpus)
    folder = data_dir / "evaluate" / hashlib.sha256(names.encode()).hexdigest()[:16]
    await index_in_thread(
        lambda report: sync(folder, corpus, knowledge, models, on_progress=report), on_progress
    )
    base = await asyncio.to_thread(KnowledgeBase.open, folder, knowledge, models, use_chroma=False)
    try:
        if base.is_empty:
            raise InputError(f"the corpus holds no text: {', '.join(str(path) for path in corpus)}")
        yield base
    finally:
        await asyncio.to_thread(base.close)
