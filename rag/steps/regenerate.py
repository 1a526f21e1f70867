"""Write an answer from passages only, with a marker after each claim."""

from __future__ import annotations

from rag.evidence.marker_styles import read_markers
from rag.language.detect import language_name
from rag.prompting.library import RenderedPrompt
from rag.prompting.untrusted import number_passages
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.steps.background import background
from rag.values import Classification, Draft, Passage


async def regenerate(
    run: Run,
    classification: Classification,
    passages: tuple[Passage, ...],
    defect: str = "",
    *,
    max_tokens: int = 0,
) -> Outcome[Draft]:
    """Write the answer from `passages`.

    Args:
        classification: Its standalone question is answered.
        passages: What the writer can use; ``[n]`` means ``passages[n - 1]``.
        defect: What was wrong with the previous answer, or an empty string.
        max_tokens: Maximum length of an answer that is shown only if it is confirmed; 0: as in the settings,
            and shown while it is written.
    """
    prompt = render_answer_prompt(run, classification, passages, defect)
    completion, call = await run.ask("regenerate", prompt, max_tokens=max_tokens, is_shown=not max_tokens)
    text = read_markers(completion.text.strip(), passages)
    return Outcome(
        Draft(text, passages, completion.finish_reason, completion.model),
        Reason("passages-read", {"passages": len(passages)}),
        (call,),
        prompt.id,
    )


def render_answer_prompt(
    run: Run, classification: Classification, passages: tuple[Passage, ...], defect: str = ""
) -> RenderedPrompt:
    """Render the prompt of an answer from passages."""
    return run.tools.prompts.render(
        "regenerate",
        passages=number_passages(passages),
        question=classification.standalone,
        **background(run.question, classification),
        language=language_name(classification.language),
        defect=defect,
    )
