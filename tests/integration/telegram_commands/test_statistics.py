"""/stats shows figures of what was asked, and /unanswered the questions that the documents do not answer."""

from __future__ import annotations

from bot.telegram.ids import to_peer
from rag.values import Label
from tests.support.commanding import OWNER, Desk, answered


class TestFigures:
    async def test_periods_are_shown_as_table_and_picture_in_their_places(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "Which Java?", "verified", 1)
        await answered(public, ann, chat, "Which port?", "not_in_documents", 2)
        await public.services.parts.answers.feedback(f"{ann.id}/1", useful=True)
        await public.ask("/stats")
        (message,) = [answer for answer in public.office.answers if answer.buttons]
        text = " ".join(message.text.split())
        assert "7 days (UTC)" in text
        for row in (
            "questions 2",
            "people 1",
            "verified 1 (50%)",
            "used documents 1 (50%)",
            "useful / wrong 1 / 0",
        ):
            assert row in text, row
        assert "model calls 4" in text
        assert "tokens in + out 600 + 80" in text
        assert "median 2 s" in text
        assert "judge calls saved 2 – evidence 2" in text
        (first,) = [answer for answer in public.office.answers if "photo" in answer.attachment]
        await public.presses(public.owner, message, "30 days")
        (second,) = [answer for answer in public.office.answers if "photo" in answer.attachment]
        assert second.message_id != first.message_id
        changed = public.office.message(message.message_id)
        assert changed is not None
        assert changed.button("✓ 30 days").data
        assert "30 days (UTC)" in changed.text

    async def test_money_shares_and_sizes_are_written_as_the_language_does(self, d: Desk) -> None:
        await answered(d, d.owner, d.office, "Which Java?")
        await d.services.parts.users.set_language(to_peer(OWNER), "ru")
        await d.ask("/stats")
        table = " ".join(next(one.text for one in d.office.answers if one.buttons).split())
        assert "проверено 1 (100 %)" in table
        assert "стоимость 0,50 USD" in table
        assert " Б · " in (await d.ask("/documents")).text

    async def test_period_that_there_is_not_tells_how(self, d: Desk) -> None:
        assert (await d.ask("/stats week")).text.startswith("/stats shows the last 7 days")

    async def test_answers_that_nobody_could_check_do_not_count_as_answered(self, d: Desk) -> None:
        await answered(d, d.owner, d.office, "Which Java?", "unverified")
        text = (await d.ask("/unanswered")).text
        assert "Answers that could not be checked are not listed here" in text

    async def test_nothing_asked_is_said_without_a_picture(self, d: Desk) -> None:
        message = await d.ask("/stats 1")
        assert "No questions were asked." in message.text
        assert len(d.office.answers) == 1

    async def test_unanswered_questions_are_grouped_with_the_most_frequent_first(self, public: Desk) -> None:
        ann, chat = public.person()
        asked = ["Where is the canteen?", "Who is the boss?", "where is the canteen", "Which Java?"]
        for number, question in enumerate(asked):
            label: Label = "verified" if "Java" in question else "not_in_documents"
            await answered(public, ann, chat, question, label, number)
        lines = (await public.ask("/unanswered")).text.splitlines()
        assert lines[1].startswith("2× ")
        assert "canteen" in lines[1]
        assert lines[2].startswith("1× Who is the boss?")
        assert len(lines) == 3

    async def test_words_of_other_chats_are_not_shown_in_a_group(self, public: Desk) -> None:
        ann, chat = public.person()
        await answered(public, ann, chat, "My secret question", "not_in_documents")
        team = public.telegram.group("Team", [public.owner, ann])
        message = await public.says(public.owner, team, "/unanswered")
        assert message.text == "Please send /unanswered in a private chat with me."
