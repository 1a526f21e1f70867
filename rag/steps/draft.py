"""The fast path: answer from the conversation and general knowledge, without documents."""

from __future__ import annotations

from rag.language.detect import language_name
from rag.models.chat import Message
from rag.prompting.library import RenderedPrompt
from rag.reasons import Reason
from rag.runs.run import Outcome, Run
from rag.values import Classification, Draft, Turn

_TURN_CHARACTERS = 1500


async def draft(run: Run, classification: Classification, defect: str = "") -> Outcome[Draft]:
    """Write a first answer; `defect` is what was wrong with the previous draft, empty for the first one."""
    prompt = render_draft_prompt(run, classification, defect)
    completion, call = await run.ask(
        "draft", prompt, history=to_chat_messages(run.question.history), is_shown=True
    )
    text = completion.text.strip()
    return Outcome(
        Draft(text, (), completion.finish_reason, completion.model),
        Reason("drafted", {"characters": len(text)}),
        (call,),
        prompt.id,
    )


def render_draft_prompt(run: Run, classification: Classification, defect: str = "") -> RenderedPrompt:
    """Render the prompt of a first draft. It follows the chat messages of `to_chat_messages`."""
    return run.tools.prompts.render(
        "draft",
        question=run.question.text,
        language=language_name(classification.language),
        summary=run.question.summary,
        small_talk="yes" if classification.intent == "small_talk" else "",
        defect=defect,
    )


def to_chat_messages(history: tuple[Turn, ...]) -> tuple[Message, ...]:
    """Convert turns to chat messages, cut to 1,500 characters each to leave room for the question."""
    return tuple(
        Message(turn.role, text if len(text) <= _TURN_CHARACTERS else text[:_TURN_CHARACTERS] + "…")
        for turn in history
        if (text := f"{turn.author}: {turn.text}" if turn.author else turn.text).strip()
    )
