"""Telegram refuses, loses and repeats calls, and many chats ask at once: each gets its one answer."""

from __future__ import annotations

import asyncio
import json

import pytest

from rag.models.chat import ChatRequest
from tests.support.asking import ANSWER, MENTION, QUESTION, Opened, answered, group, private
from tests.support.channel import Channel


class TestFaults:
    async def test_formatting_that_is_refused_leaves_the_answer_as_plain_text(self, c: Channel) -> None:
        ann, chat = private(c)
        c.telegram.fail_next("sendMessage", description="Bad Request: can't parse entities: x")
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]
        assert chat.answers[0].entities == ()

    @pytest.mark.parametrize("method", ["sendMessageDraft", "editMessageText", "sendChatAction"])
    async def test_failures_of_what_can_be_repeated_leave_one_answer(self, c: Channel, method: str) -> None:
        ann, chat = private(c)
        c.telegram.lose_next(method)
        c.telegram.fail_next(method, status=429, retry_after=1)
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]

    async def test_placeholder_whose_receipt_got_lost_becomes_the_answer(self, c: Channel) -> None:
        chat, (ann, _) = group(c)
        c.telegram.lose_next("sendMessage")
        await answered(c, ann.says(chat, MENTION))
        assert chat.texts == [ANSWER]

    async def test_answer_whose_receipt_got_lost_is_there_once(self, c: Channel) -> None:
        ann, chat = private(c)
        c.telegram.lose_next("sendMessage")
        await answered(c, ann.says(chat, QUESTION))
        assert chat.texts == [ANSWER]
        assert len(chat.answers[0].buttons) == 2

    async def test_question_of_4096_units_of_emoji_is_taken(self, c: Channel) -> None:
        ann, chat = private(c)
        await answered(c, ann.says(chat, "🎉" * 2048))
        assert len(chat.texts) == 1

    async def test_ten_chats_at_once_get_their_own_answers(self, opened: Opened) -> None:
        async def reply(request: ChatRequest) -> str:
            return f"You said: {request.messages[-1].text[-200:]}"

        async with opened(reply) as c:
            people = [private(c, f"P{n}") for n in range(10)]
            await asyncio.gather(
                *(
                    answered(c, ann.says(chat, f"Hello, secret-{n} is mine"))
                    for n, (ann, chat) in enumerate(people)
                )
            )
            for number, (_, chat) in enumerate(people):
                said = json.dumps(chat.texts)
                assert f"secret-{number} " in said
                assert not [n for n in range(10) if n != number and f"secret-{n} " in said]
