"""An answer as the engine gives it, for the tests of what a reader sees."""

from __future__ import annotations

import pytest

from rag.reasons import Reason
from rag.steps.evaluate import describe
from rag.values import Answer, Citation, Passage, PassageId, Savings, StepTrace, Usage, Verdict

_QUOTE = "data_dir is the folder for the databases and the model. It is set by THINKTWICE_DATA_DIR."


@pytest.fixture
def verified() -> Answer:
    """A draft was wrong, the documents were read, the answer cites two places."""
    passages = (
        Passage(
            PassageId("p1"),
            "Settings",
            "Settings > Where data is kept: data_dir",
            _QUOTE,
            source="settings.md",
        ),
        Passage(
            PassageId("p2"), "models.md", "", "The model is joined under the data folder.", source="models.md"
        ),
    )
    return Answer(
        question="Which variable sets the data folder?",
        text="`THINKTWICE_DATA_DIR` sets it [1]; the model lies there **too** [2].",
        label="verified",
        language="en",
        verdict=Verdict("adequate", Reason("verdict-carried"), 0.99, "evidence"),
        citations=(
            Citation(1, "Settings", "Settings > Where data is kept: data_dir", _QUOTE, PassageId("p1")),
            Citation(2, "models.md", "", "The model is joined under the data folder.", PassageId("p2")),
        ),
        passages=passages,
        used_documents=True,
        retries=1,
        usage=Usage(calls=2, input_tokens=1168, output_tokens=50, seconds=20.0),
        seconds=20.34,
        trace=(
            StepTrace(
                "classify",
                0.4,
                Reason(
                    "message-read", {"intent": "question", "language": "en", "reason": Reason("stands-alone")}
                ),
            ),
            StepTrace("probe", 78.0, Reason("passages-found", {"passages": 20})),
            StepTrace(
                "draft", 2586.0, Reason("drafted", {"characters": 91}), 298, "embedded", "draft@1#e043024e"
            ),
            StepTrace(
                "evaluate",
                52.0,
                describe(
                    Verdict(
                        "hallucination", Reason("verdict-absent", {"facts": "`db_root`"}), 0.96, "evidence"
                    )
                ),
            ),
            StepTrace("retrieve", 9.0, Reason("documents-found", {"passages": 5, "documents": 2})),
            StepTrace(
                "regenerate",
                17596.0,
                Reason("passages-read", {"passages": 5}),
                920,
                "embedded",
                "regenerate@1#ae338a7e",
            ),
            StepTrace(
                "evaluate", 60.0, describe(Verdict("adequate", Reason("verdict-carried"), 0.99, "evidence"))
            ),
        ),
        savings=Savings(2, 840, {"evidence": Savings(1, 400), "repairs": Savings(1, 440)}),
    )
