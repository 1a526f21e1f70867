"""The tables of our database, as they are after the last migration."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: stored in UTC without a zone, read with one, so that SQLite and PostgreSQL agree."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Refuse a time without a zone: nobody knows which moment it means."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Give the zone back."""
        return None if value is None else value.replace(tzinfo=UTC)


# Names for constraints, so that a migration can address them on every database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("created_at", UtcDateTime, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column(
        "conversation_id", String(200), ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False
    ),
    Column("role", String(20), nullable=False),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("label", String(40)),
    Column("language", String(20)),
    # The whole answer with passages, trace and usage, as JSON: it is read back as one value.
    Column("answer", Text),
    Column("created_at", UtcDateTime, nullable=False),
    # Whose words these are, or whom they answer (`telegram:<user id>`): what a person may have erased.
    Column("user_key", String(100)),
    # Shared by a question and its answer: work that is repeated stores them once, an edit replaces them.
    Column("exchange", String(100)),
    Index(None, "conversation_id", "id"),
    Index(None, "user_key"),
    Index(None, "exchange", "role", unique=True),
    # Ids are never given twice, so that a summary cannot point at a message that is not its own.
    sqlite_autoincrement=True,
)

summaries = Table(
    "summaries",
    metadata,
    Column(
        "conversation_id", String(200), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("text", Text, nullable=False),
    Column("up_to", Integer, ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
)

# What came of each question and what it took: figures only, nothing that tells who asked or what. They
# outlive the conversation.
answered = Table(
    "answered",
    metadata,
    # Chosen by the channel: the same question recorded again is the same row.
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
    # Without the calls that nobody had a price for.
    Column("cost", Float, nullable=False),
    Column("unpriced_calls", Integer, nullable=False),
    # From the question to its answer, as the person waited.
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

# Who asked what: it goes with the conversation.
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

# Telegram's ids of chats and people need more than 32 bits.

# One row: the bot that all of this belongs to. The same chat has other messages with another bot.
bots = Table(
    "bots",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # For messages; a bot can change it.
    Column("username", Text, nullable=False),
)

chats = Table(
    "chats",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", String(20), nullable=False),
    Column("title", Text, nullable=False),
    # False: the bot was blocked or removed, or the chat has another id now.
    Column("is_active", Boolean, nullable=False),
    # What an administrator decided ("allowed", "denied"), or NULL: the setting decides.
    Column("access", String(20)),
    # What /mode chose, or NULL: the setting decides.
    Column("mode", String(20)),
    # What administrators decided about the council there ("on", "off"), or NULL: it may be asked.
    Column("council", String(20)),
    Column("migrated_to", BigInteger),
    Column("created_at", UtcDateTime, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    # What /language chose, or NULL: Telegram's language decides.
    Column("language", String(20)),
    # Which that was when they last wrote, for what the bot says of itself.
    Column("client_language", String(20)),
    Column("role", String(20)),
    Column("access", String(20)),
    Column("created_at", UtcDateTime, nullable=False),
)

asks = Table(
    "asks",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("workflow_id", String(100), nullable=False),
    Column("chat_id", BigInteger, nullable=False),
    # 0 outside topics: NULLs would not compare.
    Column("thread_id", BigInteger, nullable=False),
    # NULL once the chat has moved: a supergroup counts its messages anew.
    Column("message_id", BigInteger),
    Column("user_id", BigInteger, nullable=False),
    Column("state", String(20), nullable=False),
    # Of the question's text, so that an edit that changes nothing is told from one that does.
    Column("fingerprint", String(64), nullable=False),
    # NULL as well once the answer may stand in that message.
    Column("placeholder_id", BigInteger),
    # Row of `answered`.
    Column("answered_id", String(200)),
    Column("asked_at", UtcDateTime, nullable=False),
    UniqueConstraint("chat_id", "message_id"),
    UniqueConstraint("workflow_id"),
    Index(None, "chat_id", "thread_id", "state"),
    Index(None, "user_id"),
    # Buttons carry the id: it is never given twice.
    sqlite_autoincrement=True,
)

ask_messages = Table(
    "ask_messages",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ask_id", Integer, ForeignKey("asks.id", ondelete="CASCADE"), nullable=False),
    Index(None, "ask_id"),
)

# Messages of the bot that answer no question: replies to commands, notes to the admins. A message that is
# on record is none that a killed process has left.
sent_messages = Table(
    "sent_messages",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    # The step that sent it: a process that repeats the step after a kill finds it by this.
    Column("key", String(200)),
    Column("sent_at", UtcDateTime, nullable=False, index=True),
    UniqueConstraint("key"),
)

arrivals = Table(
    "arrivals",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String(100), nullable=False),
    Column("chat_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("arrived_at", UtcDateTime, nullable=False),
    Column("is_refused", Boolean, nullable=False),
    # Counted apart from questions. The default is for rows from before there was this column.
    Column("is_command", Boolean, nullable=False, server_default=false()),
    # The question went to the council, which has a limit of its own.
    Column("is_council", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("key"),
    Index(None, "chat_id", "arrived_at"),
    Index(None, "user_id", "arrived_at"),
    sqlite_autoincrement=True,
)

# Tokens of a UTC day by chat and person; 0: of no chat, or for nobody in particular.
spent = Table(
    "spent",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tokens", BigInteger, nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("kind", String(50), primary_key=True),
    # 0: it is not about one chat, or not about one person.
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("said_by", String(100), nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("ends_at", UtcDateTime, nullable=False),
)

confirmations = Table(
    "confirmations",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", BigInteger, nullable=False),
    Column("chat_id", BigInteger, nullable=False),
    Column("command", Text, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("taken_by", String(100)),
    sqlite_autoincrement=True,
)

# What was done for somebody: an answer, a council, a turn of an interview.
runs = Table(
    "runs",
    metadata,
    # The id of the durable work.
    Column("id", String(100), primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("person", String(200), nullable=False),
    Column("conversation_id", String(200), nullable=False, index=True),
    Column("state", String(20), nullable=False),
    Column("at", UtcDateTime, nullable=False, index=True),
    Index(None, "person", "at"),
)

# What the engines told meanwhile, for those who watch.
run_events = Table(
    "run_events",
    metadata,
    # Grows within a run; never given twice, so that a viewer can go on behind the last one.
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(100), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    # The same when work that was repeated tells it again.
    Column("key", String(200), nullable=False),
    Column("type", String(60), nullable=False),
    Column("json", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("run_id", "key"),
    sqlite_autoincrement=True,
)

document_sets = Table(
    "document_sets",
    metadata,
    Column("name", String(100), primary_key=True),
    # A JSON list of folders, files and patterns.
    Column("patterns", Text, nullable=False),
)

chat_documents = Table(
    "chat_documents",
    metadata,
    Column("chat_id", BigInteger, primary_key=True, autoincrement=False),
    # A set that a chat uses cannot be dropped: without it the chat would be answered from all documents.
    Column("set_name", String(100), ForeignKey("document_sets.name"), nullable=False),
)

interview_sessions = Table(
    "interview_sessions",
    metadata,
    Column("id", String(36), primary_key=True),
    # The person's key: `bot.service.keys.person_key`, or the name of another channel's person.
    Column("owner", String(200), nullable=False),
    Column("conversation_id", String(200), nullable=False),
    Column("pack", String(100), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    # When somebody last went on with it.
    Column("touched_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    # The message of the chat that shows what is known, as long as there is one.
    Column("summary_message_id", BigInteger),
    Index(None, "owner", "conversation_id"),
)

# Only ever added to: the state of an interview is what its events lead to.
interview_events = Table(
    "interview_events",
    metadata,
    Column(
        "session_id", String(36), ForeignKey("interview_sessions.id", ondelete="CASCADE"), primary_key=True
    ),
    # Of two who go on from the same state, one adds its event.
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # What brought it: the same message again adds nothing.
    Column("key", String(200), nullable=False),
    Column("event", Text, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("session_id", "key"),
)

# For the limits of a day. Here, because an erasure does not touch it, or it would lift every limit.
interview_days = Table(
    "interview_days",
    metadata,
    Column("owner", String(200), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("sessions", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
)

# Who may use the console: one-time links, sessions of browsers, and tokens of programs.
logins = Table(
    "logins",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    # SHA-256 of a long random secret, which nobody keeps but its owner.
    Column("hash", String(64), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    # What a token is for, as its maker wrote it.
    Column("name", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime),
    UniqueConstraint("hash"),
    # Tokens are revoked by id: it is never given twice.
    sqlite_autoincrement=True,
)

# One row a stranger, of the newest request.
access_requests = Table(
    "access_requests",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # The work that made it: after a kill the same work makes it again.
    Column("asked_by", String(200), nullable=False),
    Column("asked_at", UtcDateTime, nullable=False, index=True),
    Column("outcome", String(20)),
    Column("decided_by", BigInteger),
    Column("decided_in", String(200)),
)

# The messages of administrators that show a request: a decision is shown in all of them.
access_request_messages = Table(
    "access_request_messages",
    metadata,
    Column(
        "user_id",
        BigInteger,
        ForeignKey("access_requests.user_id", ondelete="CASCADE"),
        primary_key=True,
        autoincrement=False,
    ),
    # Also the id of the private chat.
    Column("admin_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, nullable=False),
)
