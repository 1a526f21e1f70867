"""The tables of our database after the last migration; those of answered questions are in `answer_tables`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

# Named again for whoever imports them from here.
from bot.storage.answer_tables import answered as answered
from bot.storage.answer_tables import asked as asked
from bot.storage.answer_tables import saved as saved
from bot.storage.answer_tables import spending as spending
from bot.storage.columns import PEER as PEER
from bot.storage.columns import UtcDateTime as UtcDateTime
from bot.storage.columns import metadata as metadata

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("created_at", UtcDateTime, nullable=False),
    # The name that its person gave to it; without one, its first question names it.
    Column("title", String(200)),
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
    # The whole answer with passages, trace and usage, as JSON, because it is always read as one value.
    Column("answer", Text),
    Column("created_at", UtcDateTime, nullable=False),
    # The person who wrote the message or whom it answers; an erasure finds it by this.
    Column("user_key", String(100)),
    # Key that a question and its answer share, so that a repeated job stores them once and an edit replaces
    # them.
    Column("exchange", String(100)),
    Index(None, "conversation_id", "id"),
    Index(None, "user_key"),
    Index(None, "exchange", "role", unique=True),
    # Ids are never reused, so that a summary cannot point at another message.
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

# One row: the bot that the data belong to. With another bot, the same chat has different messages.
bots = Table(
    "bots",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    # Only for texts; a bot can change its username.
    Column("username", Text, nullable=False),
)

chats = Table(
    "chats",
    metadata,
    Column("id", PEER, primary_key=True),
    Column("kind", String(20), nullable=False),
    Column("title", Text, nullable=False),
    # False: the bot was blocked or removed, or the chat has another id now.
    Column("is_active", Boolean, nullable=False),
    # An administrator's decision ("allowed", "denied"); NULL means that the setting decides.
    Column("access", String(20)),
    # The choice of /mode; NULL means that the setting decides.
    Column("mode", String(20)),
    # The choice of /model; NULL means that the setting decides.
    Column("model", Text),
    # Whether documents alone may answer, chosen in /settings; NULL means that the setting decides.
    Column("documents_only", Boolean),
    # The administrators' decision about the council ("on", "off"); NULL means that it can be asked.
    Column("council", String(20)),
    Column("migrated_to", PEER),
    Column("created_at", UtcDateTime, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", PEER, primary_key=True),
    Column("name", Text, nullable=False),
    # The choice of /language; NULL means that the language of the person's program decides.
    Column("language", String(20)),
    # Language of the person's program at the last message, for the bot's own messages.
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
    Column("chat_id", PEER, nullable=False),
    # 0 outside topics: NULLs would not compare.
    Column("thread_id", BigInteger, nullable=False),
    # NULL after the chat has moved, because a supergroup numbers its messages from the start.
    Column("message_id", BigInteger),
    Column("user_id", PEER, nullable=False),
    Column("state", String(20), nullable=False),
    # Hash of the question, by which an edit that changes nothing is recognised.
    Column("fingerprint", String(64), nullable=False),
    # Also NULL once the message may hold the answer.
    Column("placeholder_id", BigInteger),
    # Row of `answered`.
    Column("answered_id", String(200)),
    Column("asked_at", UtcDateTime, nullable=False),
    UniqueConstraint("chat_id", "message_id"),
    UniqueConstraint("workflow_id"),
    Index(None, "chat_id", "thread_id", "state"),
    Index(None, "user_id"),
    # Buttons contain the id, so it is never reused.
    sqlite_autoincrement=True,
)

ask_messages = Table(
    "ask_messages",
    metadata,
    Column("chat_id", PEER, primary_key=True),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("ask_id", Integer, ForeignKey("asks.id", ondelete="CASCADE"), nullable=False),
    Index(None, "ask_id"),
)

# Messages of the bot that answer no question: replies to commands, notes to administrators. A message that is
# recorded here was not left behind by a killed process.
sent_messages = Table(
    "sent_messages",
    metadata,
    Column("chat_id", PEER, primary_key=True),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    # Key of the step that sent the message, by which a process that repeats the step after a kill finds it.
    Column("key", String(200)),
    Column("sent_at", UtcDateTime, nullable=False, index=True),
    UniqueConstraint("key"),
)

arrivals = Table(
    "arrivals",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key", String(100), nullable=False),
    Column("chat_id", PEER, nullable=False),
    Column("user_id", PEER, nullable=False),
    Column("arrived_at", UtcDateTime, nullable=False),
    Column("is_refused", Boolean, nullable=False),
    # Commands are counted apart from questions. The default is for rows that are older than this column.
    Column("is_command", Boolean, nullable=False, server_default=false()),
    # The question went to the council, which has a limit of its own.
    Column("is_council", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("key"),
    Index(None, "chat_id", "arrived_at"),
    Index(None, "user_id", "arrived_at"),
    sqlite_autoincrement=True,
)

# Tokens of a day of the team's time zone, by chat and person; empty means no chat, or nobody in particular.
spent = Table(
    "spent",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("chat_id", PEER, primary_key=True),
    Column("user_id", PEER, primary_key=True),
    Column("tokens", BigInteger, nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("kind", String(50), primary_key=True),
    # Empty means that the notice is not about one chat, or not about one person.
    Column("chat_id", PEER, primary_key=True),
    Column("user_id", PEER, primary_key=True),
    Column("said_by", String(100), nullable=False),
    Column("said_at", UtcDateTime, nullable=False),
    Column("ends_at", UtcDateTime, nullable=False),
)

confirmations = Table(
    "confirmations",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("user_id", PEER, nullable=False),
    Column("chat_id", PEER, nullable=False),
    Column("command", Text, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    Column("taken_by", String(100)),
    sqlite_autoincrement=True,
)

# Whatever is done: an answer, a council, a change of an interview, a reply to a command, a note.
runs = Table(
    "runs",
    metadata,
    # Who submits the same id again means the same run.
    Column("id", String(200), primary_key=True),
    # Which function carries it out, and what that needs.
    Column("work", String(40), nullable=False),
    Column("payload", Text, nullable=False),
    Column("person", String(200), nullable=False),
    # Runs of a lane are carried out one at a time, ordered by position; empty: at once, beside all others.
    Column("lane", String(400), nullable=False),
    Column("position", BigInteger, nullable=False),
    # waiting, running, done, failed, cancelled.
    Column("state", String(20), nullable=False),
    # Who carries it out: the machine, and which of its processes.
    Column("process", String(200)),
    # What is known of earlier beginnings, as JSON; NULL before the first.
    Column("attempts", Text),
    # Why it failed, as JSON.
    Column("reason", Text),
    Column("at", UtcDateTime, nullable=False, index=True),
    Column("ended_at", UtcDateTime),
    # What people can watch: answer, council, interview; empty as long as there is nothing to see.
    Column("kind", String(20), nullable=False),
    Column("conversation_id", String(200), nullable=False, index=True),
    # How it ended for those who watch: complete, error, cancelled.
    Column("result", String(20)),
    Index(None, "person", "at"),
    Index(None, "lane", "state"),
    Index(None, "state", "at"),
)

# The outcomes of the steps of a run: what is recorded is not done again.
run_steps = Table(
    "run_steps",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(200), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("name", String(200), nullable=False),
    # JSON, see `bot.jobs.records`.
    Column("outcome", Text, nullable=False),
    UniqueConstraint("run_id", "name"),
    sqlite_autoincrement=True,
)

# The events that the engines reported during a run, for people who watch it.
run_events = Table(
    "run_events",
    metadata,
    # Grows within a run and is never reused, so that a viewer can continue after the last event it has seen.
    Column("seq", Integer, primary_key=True, autoincrement=True),
    Column("run_id", String(200), ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    # Equal when a repeated job reports the same event again.
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
    Column("chat_id", PEER, primary_key=True),
    # A set that a chat uses cannot be deleted, because the chat would then be answered from all documents.
    Column("set_name", String(100), ForeignKey("document_sets.name"), nullable=False),
)

interview_sessions = Table(
    "interview_sessions",
    metadata,
    Column("id", String(36), primary_key=True),
    # The person, or whoever uses the terminal.
    Column("owner", String(200), nullable=False),
    Column("conversation_id", String(200), nullable=False),
    Column("pack", String(100), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    # Time of the last turn.
    Column("touched_at", UtcDateTime, nullable=False),
    Column("closed_at", UtcDateTime),
    # The message of the chat that shows the interview's state, if there is one.
    Column("summary_message_id", BigInteger),
    Index(None, "owner", "conversation_id"),
)

# Append-only: the state of an interview is computed from its events.
interview_events = Table(
    "interview_events",
    metadata,
    Column(
        "session_id", String(36), ForeignKey("interview_sessions.id", ondelete="CASCADE"), primary_key=True
    ),
    # Of two jobs that continue from the same state, only one can append its event.
    Column("seq", Integer, primary_key=True, autoincrement=False),
    # Key of the message that caused the event, so that the same message adds nothing twice.
    Column("key", String(200), nullable=False),
    Column("event", Text, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    UniqueConstraint("session_id", "key"),
)

# For the limits of a day. A table of its own, because an erasure must leave it, or it would lift every limit.
interview_days = Table(
    "interview_days",
    metadata,
    Column("owner", String(200), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("sessions", Integer, nullable=False),
    Column("tokens", Integer, nullable=False),
)

# Questions that were passed on to the people who know, because the documents did not answer them.
passed_questions = Table(
    "passed_questions",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    # Key of the question and the answer that did not help; a question is passed on once.
    Column("exchange", String(100), nullable=False),
    Column("person", PEER, nullable=False, index=True),
    Column("conversation_id", String(200), nullable=False),
    Column("chat_id", PEER, nullable=False),
    Column("thread_id", BigInteger),
    Column("message_id", BigInteger),
    # What waits for the reply; empty: a chat on Telegram does.
    Column("run_id", String(200), nullable=False),
    Column("question", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("set_name", String(100), nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    # When the people who know were asked last.
    Column("told_at", UtcDateTime, nullable=False),
    Column("reply", Text),
    Column("replied_by", PEER),
    # The work that brought the reply: after a kill the same work brings it again.
    Column("replied_in", String(200)),
    # Whether whoever asked sees who replied; none: as the setting says.
    Column("is_named", Boolean),
    UniqueConstraint("exchange"),
    # Buttons contain the number, so it is never reused.
    sqlite_autoincrement=True,
)

# The messages that show a passed question to those who know: a reply to one of them is the answer.
passed_messages = Table(
    "passed_messages",
    metadata,
    Column("chat_id", PEER, primary_key=True),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, ForeignKey("passed_questions.number", ondelete="CASCADE"), nullable=False),
    # Whether whoever asked sees who replies to this message; none: as the setting says.
    Column("is_named", Boolean),
    Index(None, "number"),
)

# Access to the console: one-time links, sessions of browsers, and tokens of programs.
logins = Table(
    "logins",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    # SHA-256 of a long random secret; only its owner has the secret itself.
    Column("hash", String(64), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("user_id", PEER, nullable=False, index=True),
    # The purpose of a token, in the words of the person who made it.
    Column("name", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("expires_at", UtcDateTime),
    UniqueConstraint("hash"),
    # Tokens are revoked by id, so it is never reused.
    sqlite_autoincrement=True,
)

# One row a stranger, of the newest request.
access_requests = Table(
    "access_requests",
    metadata,
    Column("user_id", PEER, primary_key=True),
    # The work that made it: after a kill the same work makes it again.
    Column("asked_by", String(200), nullable=False),
    Column("asked_at", UtcDateTime, nullable=False, index=True),
    Column("outcome", String(20)),
    Column("decided_by", PEER),
    Column("decided_in", String(200)),
)

# The messages of administrators that show a request: a decision is shown in all of them.
access_request_messages = Table(
    "access_request_messages",
    metadata,
    Column(
        "user_id",
        PEER,
        ForeignKey("access_requests.user_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    # Also the id of the private chat.
    Column("admin_id", PEER, primary_key=True),
    Column("message_id", BigInteger, nullable=False),
)

# The machines of a fleet; times are those of the database server, in milliseconds since 1970.
machines = Table(
    "machines",
    metadata,
    Column("id", String(100), primary_key=True),
    Column("version", String(40), nullable=False),
    Column("started_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    # How many jobs it carried out at its last heartbeat.
    Column("at_work", Integer, nullable=False),
    # What it told the others then, such as the calls to Telegram that count in limits; empty: nothing.
    Column("report", Text),
)

# One row: the oldest revision whose programs work on this database, see `bot.storage.migrations.OLDEST`.
compatibility = Table("compatibility", metadata, Column("oldest", String(20), primary_key=True))

# What one machine of a fleet does at a time, and until when it may.
leases = Table(
    "leases",
    metadata,
    Column("name", String(50), primary_key=True),
    Column("holder", String(100), nullable=False),
    Column("until_ms", BigInteger, nullable=False),
)
