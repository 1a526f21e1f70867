from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import cast

import pytest

from bot.conversations.memory import ConversationMemory
from bot.service.history import problem, recalled, wording
from bot.service.incoming import Asked, Message, Place, Replied, Sender
from bot.service.keys import PeerId
from bot.service.languages import spoken
from bot.service.people import Ask, AskId
from bot.service.plain_questions import is_covered_question
from bot.service.stores import Asks
from bot.telegram.ids import to_peer
from rag.reasons import as_written
from rag.values import Answer, Passage, PassageId, Turn, Usage, Verdict
from tests.support.loop import MemoryCorpus, engine, scripted

NOW = datetime(2026, 5, 1, tzinfo=UTC)
PLACE = Place(to_peer(-1), "group")
PASSAGE = Passage(PassageId("p"), "guide.md", "", "Java 17")
ANSWER = Answer(
    question="Which Java?",
    text="Java 17.",
    label="verified",
    language="en",
    verdict=Verdict("adequate", as_written(""), 1.0, "evidence"),
    citations=(),
    passages=(PASSAGE,),
    used_documents=True,
    retries=0,
    usage=Usage(),
    seconds=0.0,
    trace=(),
)
ASK = Ask(AskId(5), "tg:1:9", to_peer(-1), None, 8, to_peer(3), "answered", "", NOW)


def asked(text: str, replied: Replied | None = None) -> Asked:
    message = Message(1, PLACE, Sender(to_peer(3), "person", "Ann"), 10, text, NOW, replied=replied)
    return Asked(message, text, "mention")


@dataclass
class Kept:
    """A memory with a history, and one answer under message 9."""

    history: tuple[Turn, ...] = ()
    exchanges: dict[str, Answer] = field(default_factory=lambda: {"telegram:5/tg:1:9": ANSWER})

    async def recall(self, conversation_id: str) -> tuple[tuple[Turn, ...], str]:
        assert conversation_id == "c"
        return self.history, "before"

    async def load_answer(self, exchange: str) -> Answer | None:
        return self.exchanges.get(exchange)

    async def find_by_answer(self, chat_id: PeerId, message_id: int) -> Ask | None:
        return ASK if (chat_id, message_id) == (to_peer(-1), 9) else None


async def history(asked: Asked, kept: Kept) -> tuple[Turn, ...]:
    before = await recalled(asked, "c", cast("ConversationMemory", kept), cast("Asks", kept))
    assert before.summary == "before"
    return before.history


EARLIER = (Turn("user", "Hi"), Turn("assistant", "Hello!"))
LATEST = (Turn("user", "Which Java?"), Turn("assistant", "Java 17."))


async def test_message_that_somebody_else_wrote_is_the_last_turn_with_its_author() -> None:
    replied = Replied(7, is_mine=False, author="Bob", text="It crashed")
    assert await history(asked("why?", replied), Kept(EARLIER)) == (
        *EARLIER,
        Turn("user", "It crashed", "Bob"),
    )


async def test_old_answer_comes_back_with_its_question_passages_and_label() -> None:
    replied = Replied(9, is_mine=True, text="Java 17. verified …")
    assert await history(asked("sure?", replied), Kept(EARLIER)) == (
        *EARLIER,
        Turn("user", "Which Java?"),
        Turn("assistant", "Java 17.", passages=(PASSAGE,), label="verified"),
    )


async def test_answer_that_is_the_latest_anyway_is_not_told_twice() -> None:
    replied = Replied(9, is_mine=True, text="Java 17.")
    kept = Kept((*EARLIER, *LATEST))
    assert await history(asked("sure?", replied), kept) == kept.history


async def test_answer_that_is_not_kept_any_more_counts_as_not_verified() -> None:
    replied = Replied(9, is_mine=True, text="Java 17.")
    kept = Kept(EARLIER, exchanges={})
    assert await history(asked("sure?", replied), kept) == (
        *EARLIER,
        Turn("assistant", "Java 17.", label="unverified"),
    )


@pytest.mark.parametrize(
    "replied",
    [
        pytest.param(None, id="nothing"),
        pytest.param(Replied(7, is_mine=False, text=" "), id="a picture"),
        pytest.param(Replied(7, is_mine=True), id="a picture of ours"),
    ],
)
async def test_reply_without_words_adds_nothing(replied: Replied | None) -> None:
    assert await history(asked("why?", replied), Kept(EARLIER)) == EARLIER


async def test_bare_mention_below_a_message_asks_what_it_says_and_quotes_nothing() -> None:
    question = asked(" ", Replied(7, is_mine=False, author="Bob", text="Which Java?"))
    assert wording(question) == "Which Java?"
    assert await history(question, Kept(EARLIER)) == EARLIER
    own = replace(question.message, replied=Replied(9, is_mine=True, text="Java 17."))
    assert wording(replace(question, message=own)) == " ", "the bot's own words are no question"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param(" \n", "Write your question after the command", id="empty"),
        pytest.param(" " + "x" * 11 + " ", "has 11 characters; the limit is 10", id="too long"),
        pytest.param("\x00\x01", "cannot read this as text", id="no text"),
    ],
)
def test_reason_why_something_is_no_question_says_what_to_do(text: str, says: str) -> None:
    assert says in problem(text, 10).text("en")


@pytest.mark.parametrize(
    ("telegram", "chosen", "language"),
    [
        ("en", None, "en"),
        ("zh-hans", None, "zh"),
        ("PT-br", None, "en"),
        ("", None, "en"),
        ("ru", "ko", "ko"),
        ("ru", "xx", "en"),
    ],
)
def test_language_is_the_chosen_one_or_telegrams_if_there_are_texts_in_it(
    telegram: str, chosen: str | None, language: str
) -> None:
    assert spoken(Sender(to_peer(1), "person", language=telegram), chosen) == language


@pytest.mark.parametrize("text", ["", "Which Java", "Thanks?", "\x00?", "x" * 9000 + "?"])
async def test_what_is_no_plain_question_is_passed_over_without_a_search(text: str) -> None:
    corpus = MemoryCorpus()
    assert not await is_covered_question(text, engine(scripted(), corpus).covers)
    assert corpus.searches == 0


async def test_empty_documents_cover_nothing() -> None:
    assert not await is_covered_question("Which Java?", engine(scripted(), MemoryCorpus(())).covers)
