"""The tables of answered questions, and of what they cost."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Integer, String, Table, Text

from bot.storage.columns import UtcDateTime, metadata

# Outcome and cost of each question: figures only, nothing that tells who asked or what. They
# survive the deletion of the conversation.
answered = Table(
    "answered",
    metadata,
    # Chosen by the channel, so that a question that is recorded twice has one row.
    Column("id", String(200), primary_key=True),
    Column("asked_at", UtcDateTime, nullable=False, index=True),
    Column("channel", String(20), nullable=False),
    Column("language", String(20), nullable=False),
    Column("mode", String(20), nullable=False),
    Column("label", String(40), nullable=False),
    Column("quality", String(40), nullable=False),
    Column("source", String(20), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("used_documents", Boolean, nullable=False),
    Column("retries", Integer, nullable=False),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("model_seconds", Float, nullable=False),
    # Calls without a known price are left out.
    Column("cost", Float, nullable=False),
    Column("unpriced_calls", Integer, nullable=False),
    # Seconds that the person waited, from the question to its answer.
    Column("seconds", Float, nullable=False),
    Column("saved_calls", Integer, nullable=False),
    Column("saved_tokens", Integer, nullable=False),
    Column("score", Float),
    Column("feedback", String(20)),
    Column("feedback_at", UtcDateTime),
)

# The judge calls that `saved_calls` of `answered` sums up, by the free layer that made them unnecessary.
saved = Table(
    "saved",
    metadata,
    Column("answered_id", String(200), ForeignKey("answered.id", ondelete="CASCADE"), primary_key=True),
    Column("layer", String(20), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
)

# Who asked what; deleted with the conversation.
asked = Table(
    "asked",
    metadata,
    Column("answered_id", String(200), ForeignKey("answered.id", ondelete="CASCADE"), primary_key=True),
    Column(
        "conversation_id",
        String(200),
        ForeignKey("conversations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("user_key", String(200), nullable=False, index=True),
    Column("text", Text, nullable=False),
)

# Model calls summed by role: of a question, or of other work such as summaries (without `answered_id`).
spending = Table(
    "spending",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("answered_id", String(200), ForeignKey("answered.id", ondelete="CASCADE"), index=True),
    Column("spent_at", UtcDateTime, nullable=False, index=True),
    Column("purpose", String(40), nullable=False),
    Column("role", String(40), nullable=False),
    Column("calls", Integer, nullable=False),
    Column("input_tokens", Integer, nullable=False),
    Column("output_tokens", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("cost", Float, nullable=False),
    Column("unpriced_calls", Integer, nullable=False),
)
