"""Where the sets lie that benchmarks and the gate measure on."""

from __future__ import annotations

import os
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "bench" / "data"
SHARED = Path(os.environ.get("THINKTWICE_SHARED", REPOSITORY.parent / "shared"))
"""Public development sets, beside the repository where they are at hand."""

LANGUAGES = tuple(sorted(folder.name for folder in (DATA / "verdicts").iterdir()))
HANDBOOKS = tuple(DATA / "verdicts" / language / "corpus.jsonl" for language in LANGUAGES)
"""Our own small handbooks, one a language; together a corpus of four languages."""

QUESTIONS = DATA / "questions.jsonl"
"""Questions about them, with gold answers and the passages that hold these."""
